//! Evaluations of translations (beta): fetched after a result is written, added to its row, and summed up for the run.
//!
//! A failed evaluation is only a warning; it never loses a translation.

use indexmap::IndexMap;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::{JsonObject, WithRaw};
use tulk_base::limits;
use tulk_base::numbers::{counted, grouped};
use tulk_client::api::doc::evaluation::{EvaluatedSegment, EvaluationPoll, PollEvaluation, mean, score};
use tulk_client::api::doc::{DocumentStatus, DocumentStatusReply};
use tulk_client::http::client::Client;
use tulk_store::documents::DocumentRecord;

use super::lifecycle::Lifecycle;
use super::outcome::DocumentResultRow;
use super::poll::poll_interval;
use super::records::SharedRecord;
use crate::context::Context;
use crate::output::{Output, ProgressTask};

pub type EvaluatedSegments = WithRaw<Vec<EvaluatedSegment>>;

impl Lifecycle<'_> {
    /// Adds the evaluation of a written translation to its row, if one was requested and is not fetched yet.
    ///
    /// Fails only if a signal or `--max-wait` ends the run first. A later run can still fetch the evaluation.
    pub async fn evaluate(
        &self,
        shared: &SharedRecord,
        bar: &ProgressTask,
        row: &mut DocumentResultRow,
    ) -> Result<(), Failure> {
        let record = shared.get();
        let Some(job_id) = &record.evaluation_job_id else {
            if record.params["enable_quality_evaluation"] == true {
                warn(self.out, &record, "the service started no evaluation");
            }
            return Ok(());
        };
        if !record.awaits_evaluation() {
            return Ok(());
        }
        bar.phase("evaluating");
        let command = format!("tulk doc resume {}", record.id());
        let segments = match wait(self.client, job_id).await {
            Ok(Ok(segments)) => Some(segments),
            Ok(Err(reason)) => {
                warn(self.out, &record, &could_not(&reason));
                None
            }
            Err(failure) if failure.kind.is_stop() || failure.kind == Kind::Unfinished => {
                return Err(failure.hint(format!("the translation is complete; get its evaluation with `{command}`")));
            }
            Err(failure) if matches!(failure.kind, Kind::NotFound | Kind::Refused) => {
                let what = format!("the service does not have evaluation {job_id}: {}", failure.cause());
                warn(self.out, &record, &what);
                None
            }
            Err(failure) => {
                let what = format!("no evaluation: {}; try again with `{command}`", failure.what);
                warn(self.out, &record, &what);
                return Ok(());
            }
        };
        row.quality_score = segments.as_ref().and_then(|segments| score(segments));
        row.evaluation = segments.as_ref().map(|segments| EvaluationSummary::of(segments));
        // Segments are larger than the document and rows stay in memory until the end, so keep segments only if printed.
        let settings = self.out.settings();
        row.quality_segments = segments.filter(|_| settings.is_json() || !settings.columns.is_empty());
        // If this is not saved, the next run fetches the evaluation again.
        let _ = shared.update(|locked| locked.set_evaluated(row.quality_score));
        Ok(())
    }
}

/// The part of a document's evaluation that the totals count.
#[derive(Clone, Debug, Default)]
pub struct EvaluationSummary {
    issues: IndexMap<String, usize>,
    too_long_segments: usize,
}

impl EvaluationSummary {
    fn of(segments: &[EvaluatedSegment]) -> Self {
        let mut summary = Self::default();
        for segment in segments {
            if segment.is_evaluated() {
                for issue in &segment.errors {
                    *summary.issues.entry(issue.severity.clone()).or_default() += 1;
                }
            } else {
                summary.too_long_segments += 1;
            }
        }
        summary
    }
}

/// Adds the evaluation of a translated document to its status. Failures other than signals are warnings.
pub async fn with_evaluation(
    out: &Output,
    client: &Client,
    record: &DocumentRecord,
    reply: DocumentStatusReply,
) -> Result<WithRaw<DocumentStatus>, Failure> {
    let Some(job_id) = &record.evaluation_job_id else { return Ok(reply.0) };
    let segments = match wait(client, job_id).await {
        Ok(Ok(segments)) => segments,
        Ok(Err(reason)) => {
            warn(out, record, &could_not(&reason));
            return Ok(reply.0);
        }
        Err(failure) if failure.kind.is_stop() => return Err(failure),
        Err(failure) => {
            warn(out, record, &format!("no evaluation: {}", failure.what));
            return Ok(reply.0);
        }
    };
    let mut fields: JsonObject = serde_json::from_str(reply.0.raw().get())?;
    fields.insert("quality_score".to_owned(), serde_json::value::to_raw_value(&score(&segments))?);
    fields.insert("quality_segments".to_owned(), segments.raw().to_owned());
    Ok(WithRaw::parse(&serde_json::to_vec(&fields)?)?)
}

type EndedEvaluation = Result<EvaluatedSegments, String>;

/// Polls an evaluation until it ends, at the pace that the service requests.
async fn wait(client: &Client, job_id: &str) -> Result<EndedEvaluation, Failure> {
    let request = PollEvaluation { job_id: job_id.to_owned() };
    let mut requests = 0;
    loop {
        let retry_after = match client.send(&request).await? {
            EvaluationPoll::Done(segments) => return Ok(Ok(segments)),
            EvaluationPoll::Failed(reason) => return Ok(Err(reason)),
            EvaluationPoll::Processing(retry_after) => retry_after,
        };
        let pause = retry_after.map_or_else(|| poll_interval(requests, None), |wait| wait.max(limits::POLL_MIN));
        client.pause_for(pause, None).await?;
        requests += 1;
    }
}

pub fn print_totals<'a>(ctx: &Context, rows: impl Iterator<Item = &'a DocumentResultRow>) {
    let (mut documents, mut scores) = (0, Vec::new());
    let issues = ["Critical", "Major", "Minor"].map(|severity| (severity.to_owned(), 0));
    let mut total = EvaluationSummary { issues: issues.into(), too_long_segments: 0 };
    for (row, evaluation) in rows.filter_map(|row| Some((row, row.evaluation.as_ref()?))) {
        documents += 1;
        scores.extend(row.quality_score);
        total.too_long_segments += evaluation.too_long_segments;
        for (severity, count) in &evaluation.issues {
            *total.issues.entry(severity.clone()).or_default() += count;
        }
    }
    if documents > 0 {
        let mut line = format!(
            "evaluated {}: {}; {}",
            counted(documents, "document"),
            scores_in_words(&scores),
            issues_in_words(&total.issues)
        );
        if total.too_long_segments > 0 {
            line = format!("{line}; {} too long to be evaluated", counted(total.too_long_segments, "segment"));
        }
        if ctx.out.settings().is_json() { ctx.out.log(&line) } else { ctx.out.status(&line) }
    }
}

/// Formats scores as `score 93.5`, or for several scores as `mean score 93.5 (91 to 96)`.
fn scores_in_words(scores: &[f64]) -> String {
    let (lowest, highest) = scores.iter().fold((f64::MAX, f64::MIN), |(low, high), s| (low.min(*s), high.max(*s)));
    match (scores.len(), mean(scores)) {
        (1, Some(score)) => format!("score {score}"),
        (_, Some(mean)) => format!("mean score {mean} ({lowest} to {highest})"),
        (_, None) => "no score".to_owned(),
    }
}

fn issues_in_words(issues: &IndexMap<String, usize>) -> String {
    let found = issues.iter().filter(|(_, count)| **count > 0);
    let parts: Vec<String> =
        found.map(|(word, count)| format!("{} {}", grouped(*count), word.to_lowercase())).collect();
    let total: usize = issues.values().sum();
    let noun = if total == 1 { "issue" } else { "issues" };
    if total == 0 { "no issues".to_owned() } else { format!("{} {noun}", parts.join(", ")) }
}

fn warn(out: &Output, record: &DocumentRecord, what: &str) {
    let source = if record.display_name() == "-" { "stdin" } else { record.display_name() };
    out.warn(&format!("{source} ({}): {what}", record.target_lang));
}

fn could_not(reason: &str) -> String {
    format!("the service could not evaluate the translation: {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_have_the_range_of_scores_and_the_issues_by_severity() {
        assert_eq!(scores_in_words(&[]), "no score");
        assert_eq!(scores_in_words(&[91.5]), "score 91.5");
        assert_eq!(scores_in_words(&[100.0, 91.5, 60.0]), "mean score 83.8 (60 to 100)");
        let issues = |counts: &[(&str, usize)]| {
            issues_in_words(&counts.iter().map(|(word, count)| ((*word).to_owned(), *count)).collect())
        };
        assert_eq!(issues(&[("Critical", 0)]), "no issues");
        assert_eq!(issues(&[("Critical", 0), ("Major", 1)]), "1 major issue");
        assert_eq!(issues(&[("Critical", 1), ("Minor", 1200), ("New", 2)]), "1 critical, 1,200 minor, 2 new issues");
    }
}
