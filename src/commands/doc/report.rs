//! The end of a run: rows of results, a summary of several documents, and the failure that decides the exit code.

use std::fmt::Write as _;

use super::batch::{DocumentName, DocumentOutcomes};
use super::next_command::resume_command;
use super::outcome::DocumentOutcome;
use crate::commands::run_report::RunReport;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;
use crate::stop::Stop;

/// Prints the rows unless `stdout_is_result`, then the summary, and returns the failure of the run.
///
/// Failures of several documents have been printed already. `rest` is the command for those that were not started.
pub fn report(
    ctx: &Context,
    outcomes: DocumentOutcomes,
    rest: impl FnOnce() -> Option<String>,
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
    let count = |is_counted: fn(&DocumentOutcome) -> bool| outcomes.iter().filter(|(_, o)| is_counted(o)).count();
    let done = count(|outcome| matches!(outcome, DocumentOutcome::Done(_)));
    let unfinished = count(|outcome| outcome.status() == "unfinished");
    let total = outcomes.len();
    if several && done < total {
        ctx.out.status(&summary(&outcomes, done));
    }
    let hint = continue_hint(&outcomes, rest);
    let mut report = RunReport::default();
    for (_, outcome) in outcomes {
        match outcome {
            DocumentOutcome::Done(_) => report.succeeded(),
            DocumentOutcome::NotStarted => report.not_started(),
            DocumentOutcome::Unfinished { failure, .. }
            | DocumentOutcome::InDoubt(failure)
            | DocumentOutcome::Failed(failure) => match failure.kind {
                // What is in doubt was printed.
                kind if kind.is_stop() && several => report.ended_by(Stop::failure(kind, None)),
                kind if kind.is_stop() || kind == Kind::PipeClosed => report.ended_by(failure),
                _ => report.failed(failure),
            },
        }
    }
    report.finish_printed("documents").map_err(|mut failure| {
        if several && unfinished > 0 && !failure.kind.is_stop() {
            failure.what = format!("{unfinished} of {total} documents are unfinished");
            let failed = total - done - unfinished;
            if failed > 0 {
                // Writing to a String does not fail.
                let _ = write!(failure.what, ", {failed} failed or not started");
            }
        }
        match hint {
            Some(hint) if failure.hint.is_none() && (several || failure.kind.is_stop()) => failure.hint(hint),
            _ => failure,
        }
    })
}

/// Returns what to do about the documents that another run can finish, and about those that were not started.
fn continue_hint(
    outcomes: &[(DocumentName, DocumentOutcome)],
    rest: impl FnOnce() -> Option<String>,
) -> Option<String> {
    let unfinished = outcomes.iter().filter_map(|(_, outcome)| match outcome {
        DocumentOutcome::Unfinished { id, .. } => Some(id.clone()),
        _ => None,
    });
    let ids: Vec<String> = unfinished.collect();
    let not_started = outcomes.iter().any(|(_, outcome)| matches!(outcome, DocumentOutcome::NotStarted));
    let finish = (!ids.is_empty()).then(|| format!("finish the unfinished documents with `{}`", resume_command(&ids)));
    let rest = not_started.then(rest).flatten().map(|command| format!("continue with all documents with `{command}`"));
    match (finish, rest) {
        (Some(finish), Some(rest)) => Some(format!("{finish}, or {rest}")),
        (finish, rest) => finish.or(rest),
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
        let status = outcome.status();
        // Writing to a String does not fail.
        let _ = write!(text, "\n  {source:source_width$}  {target_lang:lang_width$}  {status}");
    }
    text
}
