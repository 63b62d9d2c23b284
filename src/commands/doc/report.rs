//! The end of a run: rows of results, a summary of several documents, and the failure that decides the exit code.

use std::fmt::Write as _;

use super::batch::{DocumentName, DocumentOutcome, DocumentOutcomes};
use crate::commands::run_report::RunReport;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;

/// Prints the rows unless `stdout_is_result`, then the summary, and returns the failure of the run.
///
/// `resume_command` continues with the unfinished documents. Failures of several documents have been printed already.
pub fn report(
    ctx: &Context,
    outcomes: DocumentOutcomes,
    resume_command: &str,
    stdout_is_result: bool,
) -> Result<(), Failure> {
    let DocumentOutcomes(outcomes) = outcomes;
    let several = outcomes.len() > 1;
    let rows = outcomes.iter().filter_map(|(_, outcome)| outcome.row()).map(|row| Kept::from_typed(row.clone()));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    // A single failed document needs no empty table.
    if !stdout_is_result && (several || !rows.is_empty()) {
        ctx.out.list(&rows)?;
    }
    if several && rows.len() < outcomes.len() {
        ctx.out.status(&summary(&outcomes, rows.len()));
    }
    let (mut report, mut unfinished) = (RunReport::default(), false);
    for (_, outcome) in outcomes {
        match outcome {
            DocumentOutcome::Done(_) => report.succeeded(),
            DocumentOutcome::NotStarted => report.not_started(),
            DocumentOutcome::Failed(failure) if failure.kind.is_stop() || failure.kind == Kind::PipeClosed => {
                report.ended_by(failure);
            }
            DocumentOutcome::Failed(failure) => {
                unfinished |= failure.kind == Kind::Unfinished;
                report.failed(failure);
            }
        }
    }
    report.finish_printed("documents").map_err(|failure| {
        if failure.hint.is_none() && (failure.kind.is_stop() || (several && unfinished)) {
            failure.hint(format!("continue with the uploaded documents: `{resume_command}`"))
        } else {
            failure
        }
    })
}

/// Formats one line per document.
fn summary(outcomes: &[(DocumentName, DocumentOutcome)], done: usize) -> String {
    let width = |field: fn(&DocumentName) -> &str| {
        outcomes.iter().map(|(name, _)| field(name).chars().count()).max().unwrap_or(0)
    };
    let (source_width, lang_width) = (width(|name| &name.source), width(|name| &name.target_lang));
    let mut text = format!("{done} of {} documents are done", outcomes.len());
    for (DocumentName { source, target_lang }, outcome) in outcomes {
        let status = match outcome {
            DocumentOutcome::Done(row) => row.status.as_str(),
            DocumentOutcome::Failed(failure) if failure.kind == Kind::Unfinished => "unfinished",
            DocumentOutcome::Failed(_) => "failed",
            DocumentOutcome::NotStarted => "not started",
        };
        // Writing to a String does not fail.
        let _ = write!(text, "\n  {source:source_width$}  {target_lang:lang_width$}  {status}");
    }
    text
}
