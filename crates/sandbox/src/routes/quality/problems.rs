//! Finds the translation problems that need no understanding of the text, and reports them with counts and a score.
//!
//! The same texts always give the same problems in the same order. A correct translation usually has none.

use std::collections::BTreeMap;
use std::ops::Range;

use QualitySeverity::{Critical, Major, Minor};
use serde::Serialize;
use serde_json::{Value, json};

use super::CheckedSegments;
use super::numbers;

/// A translation is reported as too long or too short if one of the texts is more than this many times as long as the
/// other.
const LENGTH_FACTOR: usize = 6;
/// Minimum length of the longer text for comparing lengths, in characters.
const LENGTH_MIN: usize = 60;
/// Maximum number of problems with numbers in a segment, because each problem adds an object to the answer.
const NUMBER_PROBLEMS_MAX: usize = 100;
/// The replacement character, and UTF-8 sequences decoded as Windows-1252.
const WRONG_ENCODING: [&str; 8] = ["\u{fffd}", "Ã¤", "Ã¶", "Ã¼", "ÃŸ", "Ã©", "Ã¨", "â€"];

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct QualityProblem {
    #[serde(rename = "type")]
    pub(super) category: &'static str,
    pub(super) sub_type: &'static str,
    pub(super) severity: QualitySeverity,
    explanation: String,
    source_spans: Vec<QualitySpan>,
    target_spans: Vec<QualitySpan>,
}

/// `languages` are the base codes of source and target.
pub(super) fn find_problems(source: &str, target: &str, languages: (&str, &str)) -> Vec<QualityProblem> {
    let pair =
        SegmentPair { source, target, source_points: CodePoints::of(source), target_points: CodePoints::of(target) };
    match (source.trim().is_empty(), target.trim().is_empty()) {
        (true, true) => return Vec::new(),
        (false, true) => {
            let spans = (vec![trimmed_range(source)], Vec::new());
            return vec![pair.problem(("Accuracy", "Omission"), Critical, "The translation is empty.", spans)];
        }
        (true, false) => {
            let spans = (Vec::new(), vec![trimmed_range(target)]);
            return vec![pair.problem(("Accuracy", "Addition"), Major, "The source is empty.", spans)];
        }
        (false, false) => {}
    }
    if source.trim() == target.trim() && source.chars().any(char::is_alphabetic) {
        let spans = (vec![trimmed_range(source)], vec![trimmed_range(target)]);
        let explanation = "The translation is the same as the source.";
        return vec![pair.problem(("Accuracy", "Untranslated text"), Major, explanation, spans)];
    }
    let mut problems = pair.number_problems(languages);
    problems.extend(pair.length_problem());
    problems.extend(pair.end_mark_problem());
    problems.extend(pair.double_space_problem());
    problems.extend(pair.repeated_word_problem());
    problems.extend(pair.encoding_problem());
    problems
}

type ByteSpans = (Vec<Range<usize>>, Vec<Range<usize>>);

struct SegmentPair<'a> {
    source: &'a str,
    target: &'a str,
    source_points: CodePoints,
    target_points: CodePoints,
}

impl SegmentPair<'_> {
    fn problem(
        &self,
        (category, sub_type): (&'static str, &'static str),
        severity: QualitySeverity,
        explanation: &str,
        (source, target): ByteSpans,
    ) -> QualityProblem {
        let spans = |points: &CodePoints, ranges: Vec<Range<usize>>| -> Vec<QualitySpan> {
            ranges.iter().map(|range| points.span(range)).collect()
        };
        QualityProblem {
            category,
            sub_type,
            severity,
            explanation: explanation.to_owned(),
            source_spans: spans(&self.source_points, source),
            target_spans: spans(&self.target_points, target),
        }
    }

    /// Finds numbers that only one of the texts has. Reports pairs of a missing and an added number as mistranslations, and the
    /// remaining numbers as omissions or additions.
    fn number_problems(&self, languages: (&str, &str)) -> Vec<QualityProblem> {
        let (missing, added) = numbers::unmatched_numbers(self.source, self.target, languages);
        let count = missing.len().max(added.len()).min(NUMBER_PROBLEMS_MAX);
        let problem = |at: usize| match (missing.get(at).cloned(), added.get(at).cloned()) {
            (Some(source), Some(target)) => {
                let spans = (vec![source], vec![target]);
                self.problem(("Accuracy", "Mistranslation"), Major, "The number differs.", spans)
            }
            (source, None) => {
                let spans = (source.into_iter().collect(), Vec::new());
                self.problem(("Accuracy", "Omission"), Major, "The number is missing in the translation.", spans)
            }
            (None, target) => {
                let spans = (Vec::new(), target.into_iter().collect());
                self.problem(("Accuracy", "Addition"), Major, "The source does not have this number.", spans)
            }
        };
        (0..count).map(problem).collect()
    }

    fn length_problem(&self) -> Option<QualityProblem> {
        let (source, target) = (self.source.trim().chars().count(), self.target.trim().chars().count());
        let (sub_type, explanation) = if source >= LENGTH_MIN && target * LENGTH_FACTOR < source {
            ("Under-translation", "The translation is far shorter than the source.")
        } else if target >= LENGTH_MIN && source * LENGTH_FACTOR < target {
            ("Over-translation", "The translation is far longer than the source.")
        } else {
            return None;
        };
        let spans = (vec![trimmed_range(self.source)], vec![trimmed_range(self.target)]);
        Some(self.problem(("Accuracy", sub_type), Major, explanation, spans))
    }

    fn end_mark_problem(&self) -> Option<QualityProblem> {
        let (source, target) = (end_mark(self.source), end_mark(self.target));
        let name = |mark: &Option<(Range<usize>, &'static str)>| mark.as_ref().map(|(_, name)| *name);
        if name(&source) == name(&target) {
            return None;
        }
        let explanation = match (name(&source), name(&target)) {
            (Some(mark), None) => format!("The {mark} at the end is missing."),
            (None, Some(mark)) => format!("The source does not end with a {mark}."),
            (was, is) => format!("The source ends with a {}, not with a {}.", was.unwrap_or(""), is.unwrap_or("")),
        };
        let spans = |mark: Option<(Range<usize>, _)>| mark.into_iter().map(|(range, _)| range).collect();
        Some(self.problem(("Fluency", "Punctuation"), Minor, &explanation, (spans(source), spans(target))))
    }

    /// Finds runs of spaces, unless the source contains some too.
    fn double_space_problem(&self) -> Option<QualityProblem> {
        if self.source.contains("  ") {
            return None;
        }
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (at, _) in self.target.match_indices(' ') {
            match runs.last_mut().filter(|run| run.end == at) {
                Some(run) => run.end = at + 1,
                None => runs.push(at..at + 1),
            }
        }
        runs.retain(|run| run.len() > 1);
        let spans = (Vec::new(), runs);
        let explanation = "There is more than one space.";
        (!spans.1.is_empty()).then(|| self.problem(("Fluency", "Punctuation"), Minor, explanation, spans))
    }

    /// Finds doubled words, unless the source contains some too.
    fn repeated_word_problem(&self) -> Option<QualityProblem> {
        let target = repeated_words(self.target);
        if target.is_empty() || !repeated_words(self.source).is_empty() {
            return None;
        }
        Some(self.problem(("Fluency", "Grammar"), Minor, "The word is repeated.", (Vec::new(), target)))
    }

    fn encoding_problem(&self) -> Option<QualityProblem> {
        let marks = WRONG_ENCODING.iter().filter(|mark| !self.source.contains(**mark));
        let found = marks.flat_map(|mark| self.target.match_indices(mark).map(|(at, text)| at..at + text.len()));
        let mut found: Vec<Range<usize>> = found.collect();
        found.sort_by_key(|range| range.start);
        let explanation = "The characters were decoded wrongly.";
        let spans = (Vec::new(), found);
        (!spans.1.is_empty()).then(|| self.problem(("Fluency", "Character encoding"), Major, explanation, spans))
    }
}

fn trimmed_range(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// Returns the final punctuation character of a text and its name, ignoring quotation marks and brackets after it.
fn end_mark(text: &str) -> Option<(Range<usize>, &'static str)> {
    let end = text.trim_end_matches(|c: char| c.is_whitespace() || "\"'”’»«“)）]」』".contains(c));
    let mark = end.chars().next_back()?;
    let name = match mark {
        '.' | '。' | '．' | '…' => "full stop",
        '!' | '！' => "exclamation mark",
        '?' | '？' => "question mark",
        ':' | '：' => "colon",
        _ => return None,
    };
    Some((end.len() - mark.len_utf8()..end.len(), name))
}

/// Returns the ranges of doubled words, each from the first to the last repetition.
fn repeated_words(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut before: Option<(&str, usize)> = None;
    for word in text.split_whitespace() {
        let at = word.as_ptr().addr() - text.as_ptr().addr();
        let is_word = word.chars().all(char::is_alphabetic);
        if let Some((_, start)) = before.filter(|(last, _)| is_word && last.to_lowercase() == word.to_lowercase()) {
            let end = at + word.len();
            match found.last_mut().filter(|range| range.end > start) {
                Some(range) => range.end = end,
                None => found.push(start..end),
            }
        }
        before = is_word.then_some((word, at));
    }
    found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) enum QualitySeverity {
    Critical,
    Major,
    Minor,
}

/// A range of a text, in code points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct QualitySpan {
    start: usize,
    end: usize,
}

impl QualitySeverity {
    /// Returns the points to deduct from a segment's 100.
    const fn points(self) -> usize {
        match self {
            Self::Critical => 80,
            Self::Major => 40,
            Self::Minor => 10,
        }
    }
}

/// Maps each byte offset of a text to the number of code points before it.
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

    pub(super) fn span(&self, bytes: &Range<usize>) -> QualitySpan {
        let at = |byte: usize| self.0.get(byte).or(self.0.last()).copied().unwrap_or_default();
        QualitySpan { start: at(bytes.start), end: at(bytes.end) }
    }
}

/// Number of problems by type, sub-type and severity.
type ProblemCounts = BTreeMap<&'static str, BTreeMap<&'static str, BTreeMap<QualitySeverity, u64>>>;

/// 100 minus the points of its problems.
pub(super) fn segment_score(found: &[QualityProblem]) -> usize {
    100_usize.saturating_sub(found.iter().map(|problem| problem.severity.points()).sum())
}

/// Evaluates the segments of a job and returns the answer to a poll.
pub(super) fn finished_job(id: &str, segments: &CheckedSegments) -> Value {
    let mut counts = ProblemCounts::new();
    let mut points = 0;
    let mut items = Vec::with_capacity(segments.pairs.len());
    let languages = (segments.languages.0.as_str(), segments.languages.1.as_str());
    for (at, (source, target)) in segments.pairs.iter().enumerate() {
        let found: Vec<QualityProblem> = find_problems(source, target, languages);
        for problem in &found {
            let by_severity = counts.entry(problem.category).or_default().entry(problem.sub_type).or_default();
            *by_severity.entry(problem.severity).or_default() += 1;
        }
        points += segment_score(&found);
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
