//! The end of a run: rows of results, a summary of several documents, and the failure that decides the exit code.

use std::fmt::Write as _;

use super::batch::{DocumentName, DocumentOutcomes};
use super::next_command::resume_command;
use super::outcome::DocumentOutcome;
use crate::commands::run_report::RunReport;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;

/// Prints the rows unless `stdout_is_result`, then the summary, and returns the failure of the run.
///
/// Failures of several documents have been printed already.
pub fn report(ctx: &Context, outcomes: DocumentOutcomes, stdout_is_result: bool) -> Result<(), Failure> {
    let DocumentOutcomes(outcomes) = outcomes;
    let several = outcomes.len() > 1;
    let rows = outcomes.iter().filter_map(|(_, outcome)| outcome.row()).map(|row| Kept::from_typed(row.clone()));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    // A single failed document needs no empty table.
    if !stdout_is_result && (several || !rows.is_empty()) {
        ctx.out.list(&rows)?;
    }
    let done = outcomes.iter().filter(|(_, outcome)| matches!(outcome, DocumentOutcome::Done(_))).count();
    if several && done < outcomes.len() {
        ctx.out.status(&summary(&outcomes, done));
    }
    let hint = continue_hint(&outcomes);
    let mut report = RunReport::default();
    for (_, outcome) in outcomes {
        match outcome {
            DocumentOutcome::Done(_) => report.succeeded(),
            DocumentOutcome::NotStarted => report.not_started(),
            DocumentOutcome::Unfinished { failure, .. } | DocumentOutcome::Failed(failure) => {
                if failure.kind.is_stop() || failure.kind == Kind::PipeClosed {
                    report.ended_by(failure);
                } else {
                    report.failed(failure);
                }
            }
        }
    }
    report.finish_printed("documents").map_err(|failure| match hint {
        Some(hint) if failure.hint.is_none() && (several || failure.kind.is_stop()) => failure.hint(hint),
        _ => failure,
    })
}

/// Returns what to do about the documents that another run can finish, and about those that were not started.
fn continue_hint(outcomes: &[(DocumentName, DocumentOutcome)]) -> Option<String> {
    let ids: Vec<String> = outcomes
        .iter()
        .filter_map(|(_, outcome)| match outcome {
            DocumentOutcome::Unfinished { id, .. } => Some(id.clone()),
            _ => None,
        })
        .collect();
    let not_started = outcomes.iter().filter(|(_, outcome)| matches!(outcome, DocumentOutcome::NotStarted)).count();
    let resume = resume_command(&ids);
    match (ids.len(), not_started) {
        (0, 0) => None,
        (0, _) => Some("documents that were not started have no record: translate them again".to_owned()),
        (_, 0) => Some(format!("finish the unfinished documents with `{resume}`")),
        (_, _) => Some(format!(
            "finish the unfinished documents with `{resume}`; those that were not started have no record: translate them \
             again"
        )),
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
