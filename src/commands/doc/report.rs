//! The end of a run: rows of results, a summary of several documents, and the failure that decides the exit code.

use std::fmt::Write as _;

use super::batch::{DocumentName, DocumentOutcome, DocumentOutcomes};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;

/// Prints the rows unless `stdout_is_result`, then the summary, and returns the failure of the run.
///
/// `resume_command` continues with the unfinished documents.
pub fn report(
    ctx: &Context,
    outcomes: DocumentOutcomes,
    resume_command: &str,
    stdout_is_result: bool,
) -> Result<(), Failure> {
    let outcomes = outcomes.0;
    let total = outcomes.len();
    let mut rows = Vec::new();
    for (_, outcome) in &outcomes {
        if let DocumentOutcome::Done(row) = outcome {
            rows.push(Kept::made(row.clone())?);
        }
    }
    // A single failed document needs no empty table.
    if !stdout_is_result && (!rows.is_empty() || total > 1) {
        ctx.out.list(&rows)?;
    }
    let done = rows.len();
    if done == total {
        return Ok(());
    }
    if total > 1 {
        ctx.out.status(&summary(&outcomes, done));
    }
    Err(final_failure(outcomes, done, resume_command))
}

/// Returns the failure of a run in which at least one document is not done.
fn final_failure(outcomes: Vec<(DocumentName, DocumentOutcome)>, done: usize, resume_command: &str) -> Failure {
    let total = outcomes.len();
    let mut failures = outcomes.into_iter().filter_map(|(_, outcome)| match outcome {
        DocumentOutcome::Failed(failure) => Some(failure),
        DocumentOutcome::Done(_) | DocumentOutcome::NotStarted => None,
    });
    let Some(first) = failures.next() else { return Failure::internal("no document was started") };
    let others: Vec<Failure> = failures.collect();
    let ends_run = |failure: &Failure| failure.kind.is_stop() || failure.kind == Kind::PipeClosed;
    if let Some(cause) = others.iter().find(|failure| ends_run(failure)) {
        return with_resume_hint(cause.clone(), resume_command);
    }
    if total == 1 || ends_run(&first) {
        return with_resume_hint(first, resume_command);
    }
    let kind = if done > 0 { Kind::Partly } else { first.kind };
    let failure = Failure::new(kind, format!("{} of {total} documents are not done", total - done));
    if std::iter::once(&first).chain(&others).any(|failure| failure.kind == Kind::Unfinished) {
        failure.hint(format!("continue with the uploaded ones: `{resume_command}`"))
    } else {
        failure
    }
}

fn with_resume_hint(failure: Failure, resume_command: &str) -> Failure {
    if failure.kind.is_stop() && failure.hint.is_none() {
        failure.hint(format!("continue with the uploaded documents: `{resume_command}`"))
    } else {
        failure
    }
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
