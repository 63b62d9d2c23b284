//! The result of a quality evaluation: the problems of each segment, their counts, and the score.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;
use serde_json::{Value, json};

use super::problems::{self, QualityProblem};
use super::request::CheckedSegments;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum QualitySeverity {
    Critical,
    Major,
    Minor,
}

/// A part of a text, in code points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct QualitySpan {
    start: usize,
    end: usize,
}

impl QualitySeverity {
    /// Returns the points that a segment loses, of 100.
    const fn points(self) -> usize {
        match self {
            Self::Critical => 80,
            Self::Major => 40,
            Self::Minor => 10,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Critical => "Critical",
            Self::Major => "Major",
            Self::Minor => "Minor",
        }
    }
}

/// The number of code points before each byte of a text.
pub(super) struct CodePoints(Vec<usize>);

impl CodePoints {
    pub(super) fn of(text: &str) -> Self {
        let mut before = Vec::with_capacity(text.len() + 1);
        for (count, c) in text.chars().enumerate() {
            before.resize(before.len() + c.len_utf8(), count);
        }
        before.push(text.chars().count());
        Self(before)
    }

    /// Converts a range of bytes.
    pub(super) fn span(&self, bytes: &Range<usize>) -> QualitySpan {
        let at = |byte: usize| self.0.get(byte).or(self.0.last()).copied().unwrap_or_default();
        QualitySpan { start: at(bytes.start), end: at(bytes.end) }
    }
}

/// The counts of problems by type, sub-type and severity.
type ProblemCounts = BTreeMap<&'static str, BTreeMap<&'static str, BTreeMap<&'static str, u64>>>;

/// Evaluates the segments of a job and returns the answer to a poll.
pub(super) fn done(id: &str, segments: &CheckedSegments) -> Value {
    let mut counts = ProblemCounts::new();
    let mut points = 0;
    let mut items = Vec::with_capacity(segments.pairs.len());
    let languages = (segments.languages.0.as_str(), segments.languages.1.as_str());
    for (at, (source, target)) in segments.pairs.iter().enumerate() {
        let found: Vec<QualityProblem> = problems::find(source, target, languages);
        for problem in &found {
            let by_severity = counts.entry(problem.category).or_default().entry(problem.sub_type).or_default();
            *by_severity.entry(problem.severity.name()).or_default() += 1;
        }
        let lost: usize = found.iter().map(|problem| problem.severity.points()).sum();
        points += 100_usize.saturating_sub(lost);
        items.push(json!({ "segment_index": at, "errors": found }));
    }
    let count = segments.pairs.len().max(1);
    let score = (points + count / 2) / count;
    json!({
        "job_id": id,
        "status": "done",
        "segments": items,
        "summary": { "overall_score": score, "granular_counts": counts },
    })
}
