//! Reports the end of a run: result rows, a summary of several documents, and the failure that sets the exit code.

use std::fmt::Write as _;
use std::time::Duration;

use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::numbers::{counted, grouped};
use tulk_base::stop::Stop;

use super::batch::{DocumentName, DocumentOutcomes};
use super::evaluation;
use super::next_command::resume_command;
use super::outcome::DocumentOutcome;
use crate::context::Context;
use crate::runs::report::RunReport;
use crate::runs::summary::RunSummary;

/// Prints the rows, unless the result went to stdout, and the summary. Returns the failure of the run.
///
/// With several documents, each failure is already printed. `rest` is the command for the documents that were not
/// started.
pub fn report(
    ctx: &Context,
    outcomes: DocumentOutcomes,
    rest: impl FnOnce() -> Option<String>,
    stdout_is_result: bool,
) -> Result<(), Failure> {
    let DocumentOutcomes { all: outcomes, took } = outcomes;
    let several = outcomes.len() > 1;
    let rows = outcomes.iter().filter_map(|(_, outcome)| outcome.row()).map(|row| WithRaw::from_typed(row.clone()));
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    // Print no empty table for a single failed document. JSON is always an array, even an empty one.
    let has_list = several || !rows.is_empty() || ctx.out.settings().is_json();
    if !stdout_is_result && !ctx.out.final_lines_show_all() && has_list {
        ctx.out.list(&rows)?;
    }
    let count = |is_counted: fn(&DocumentOutcome) -> bool| outcomes.iter().filter(|(_, o)| is_counted(o)).count();
    let done = count(|outcome| matches!(outcome, DocumentOutcome::Done(_)));
    let unfinished = count(|outcome| outcome.status() == "unfinished");
    let total = outcomes.len();
    if several && done < total && !ctx.out.prints_final_lines() {
        ctx.out.status(&summary(&outcomes, done));
    }
    evaluation::print_totals(ctx, outcomes.iter().filter_map(|(_, outcome)| outcome.row()));
    // The final line of a single document already contains the row.
    if several || !ctx.out.prints_final_lines() {
        summary_line(&outcomes, took).print(ctx);
    }
    let stopped = StoppedDocuments::count(&outcomes);
    let rest = (stopped.not_started > 0).then(rest).flatten();
    let hint = continue_hint(&outcomes, rest.as_deref());
    let ids = unfinished_ids(&outcomes);
    let mut report = RunReport::default();
    for (_, outcome) in outcomes {
        match outcome {
            DocumentOutcome::Done(_) => report.succeeded(false),
            DocumentOutcome::NotStarted => report.not_started(),
            DocumentOutcome::Unfinished { failure, .. }
            | DocumentOutcome::InDoubt(failure)
            | DocumentOutcome::Lost { failure, .. }
            | DocumentOutcome::Failed(failure) => match failure.kind {
                // Report only the signal: an upload in doubt has its own failure, which is already printed.
                kind if kind.is_stop() && several => report.ended_by(Stop::failure(kind, None)),
                kind if kind.is_stop() || kind == Kind::PipeClosed => report.ended_by(failure),
                _ => report.failed(failure),
            },
        }
    }
    let result = report.finish_printed("documents").map_err(|mut failure| {
        if several && unfinished > 0 && !failure.kind.is_stop() {
            failure.what = format!("{} of {} documents are unfinished", grouped(unfinished), grouped(total));
            let failed = total - done - unfinished;
            if failed > 0 {
                let _ = write!(failure.what, ", {} failed or not started", grouped(failed));
            }
        }
        let stop_hint = || Some(format!("continue with `{}`", continue_command(&ids, rest.as_deref())));
        let hint = if failure.kind.is_stop() && !stopped.is_empty() { stop_hint() } else { hint };
        match hint {
            Some(hint) if failure.hint.is_none() && (several || failure.kind.is_stop()) => failure.hint(hint),
            _ => failure,
        }
    });
    result.map_err(|failure| match failure.kind {
        kind if kind.is_quiet() => failure,
        kind if kind.is_stop() => Failure { what: format!("{}; {}", failure.what, stopped.in_words()), ..failure },
        _ if !ctx.out.prints_final_lines() => failure,
        // The final line of a single document already contains the failure.
        kind if !several => Failure::printed(kind),
        _ => failure,
    })
}

fn summary_line(outcomes: &[(DocumentName, DocumentOutcome)], took: Duration) -> RunSummary {
    let done = outcomes.iter().filter_map(|(_, outcome)| outcome.row()).filter(|row| row.status == "done");
    let mut summary = RunSummary { took, ..RunSummary::default() };
    for row in done {
        summary.documents += 1;
        if let Some(billed) = row.billed_characters {
            *summary.billed.get_or_insert(0) += billed;
        }
    }
    summary
}

/// Counts the documents that a signal left for another run.
#[derive(Clone, Copy, Debug, Default)]
struct StoppedDocuments {
    on_service: usize,
    not_evaluated: usize,
    not_uploaded: usize,
    not_started: usize,
}

impl StoppedDocuments {
    fn count(outcomes: &[(DocumentName, DocumentOutcome)]) -> Self {
        let mut count = Self::default();
        for (_, outcome) in outcomes {
            match outcome {
                DocumentOutcome::Unfinished { row, .. } if row.status == "done" => count.not_evaluated += 1,
                DocumentOutcome::Unfinished { row, .. } if row.document_id.is_some() => count.on_service += 1,
                DocumentOutcome::Unfinished { .. } => count.not_uploaded += 1,
                DocumentOutcome::NotStarted => count.not_started += 1,
                DocumentOutcome::Failed(failure) if failure.kind.is_stop() => count.not_started += 1,
                DocumentOutcome::Failed(_)
                | DocumentOutcome::Lost { .. }
                | DocumentOutcome::InDoubt(_)
                | DocumentOutcome::Done(_) => {}
            }
        }
        count
    }

    fn is_empty(self) -> bool {
        self.on_service + self.not_evaluated + self.not_uploaded + self.not_started == 0
    }

    fn in_words(self) -> String {
        let Self { on_service, not_evaluated, not_uploaded, not_started } = self;
        let keep = if on_service == 1 { "keeps" } else { "keep" };
        let parts = [
            (on_service, format!("{keep} translating on the service")),
            (not_evaluated, format!("{} translated but not evaluated", was_or_were(not_evaluated))),
            (not_uploaded, format!("{} not uploaded", was_or_were(not_uploaded))),
            (not_started, format!("{} not started", was_or_were(not_started))),
        ];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0).enumerate().map(|(at, (count, what))| {
            let documents = if at == 0 { counted(count, "document") } else { grouped(count) };
            format!("{documents} {what}")
        });
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() { "nothing is unfinished".to_owned() } else { parts.join(", ") }
    }
}

fn was_or_were(count: usize) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

fn unfinished_ids(outcomes: &[(DocumentName, DocumentOutcome)]) -> Vec<String> {
    let unfinished = outcomes.iter().filter_map(|(_, outcome)| match outcome {
        DocumentOutcome::Unfinished { id, .. } => Some(id.clone()),
        _ => None,
    });
    unfinished.collect()
}

/// Returns the command that continues a stopped run: `rest` if given, else `doc resume` for the only unfinished
/// document or for all.
fn continue_command(ids: &[String], rest: Option<&str>) -> String {
    match (rest, ids) {
        (Some(rest), _) => rest.to_owned(),
        (None, [_]) => resume_command(ids),
        (None, _) => resume_command(&[]),
    }
}

fn continue_hint(outcomes: &[(DocumentName, DocumentOutcome)], rest: Option<&str>) -> Option<String> {
    let ids = unfinished_ids(outcomes);
    let finish = (!ids.is_empty()).then(|| format!("finish the unfinished documents with `{}`", resume_command(&ids)));
    let rest = rest.map(|command| format!("continue all documents with `{command}`"));
    match (finish, rest) {
        (Some(finish), Some(rest)) => Some(format!("{finish}, or {rest}")),
        (finish, rest) => finish.or(rest),
    }
}

fn summary(outcomes: &[(DocumentName, DocumentOutcome)], done: usize) -> String {
    let width = |field: fn(&DocumentName) -> &str| {
        outcomes.iter().map(|(name, _)| field(name).chars().count()).max().unwrap_or(0)
    };
    let (source_width, lang_width) = (width(|name| &name.source), width(|name| &name.target_lang));
    let mut text = format!("{} of {} documents are done", grouped(done), grouped(outcomes.len()));
    for (DocumentName { source, target_lang }, outcome) in outcomes {
        let status = outcome.status();
        let _ = write!(text, "\n  {source:source_width$}  {target_lang:lang_width$}  {status}");
    }
    text
}
