//! The end of a run: rows of results, a summary of several documents, and the failure that decides the exit code.

use std::fmt::Write as _;

use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_base::stop::Stop;

use super::batch::{DocumentName, DocumentOutcomes};
use super::next_command::resume_command;
use super::outcome::DocumentOutcome;
use crate::context::Context;
use crate::runs::report::RunReport;

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
    // A single failed document needs no empty table, but JSON is an array even if it is empty.
    let has_list = several || !rows.is_empty() || ctx.out.settings().is_json();
    if !stdout_is_result && !ctx.out.ends_are_enough() && has_list {
        ctx.out.list(&rows)?;
    }
    let count = |is_counted: fn(&DocumentOutcome) -> bool| outcomes.iter().filter(|(_, o)| is_counted(o)).count();
    let done = count(|outcome| matches!(outcome, DocumentOutcome::Done(_)));
    let unfinished = count(|outcome| outcome.status() == "unfinished");
    let total = outcomes.len();
    if several && done < total && !ctx.out.prints_ends() {
        ctx.out.status(&summary(&outcomes, done));
    }
    let stopped = StoppedDocuments::count(&outcomes);
    let rest = (stopped.not_started > 0).then(rest).flatten();
    let some_waited = outcomes.iter().any(|(_, outcome)| matches!(outcome, DocumentOutcome::NotStarted));
    let hint = continue_hint(&outcomes, rest.as_deref().filter(|_| some_waited));
    let mut report = RunReport::default();
    for (_, outcome) in outcomes {
        match outcome {
            DocumentOutcome::Done(_) => report.succeeded(),
            DocumentOutcome::NotStarted => report.not_started(),
            DocumentOutcome::Unfinished { failure, .. }
            | DocumentOutcome::InDoubt(failure)
            | DocumentOutcome::Lost { failure, .. }
            | DocumentOutcome::Failed(failure) => match failure.kind {
                // What is in doubt was printed.
                kind if kind.is_stop() && several => report.ended_by(Stop::failure(kind, None)),
                kind if kind.is_stop() || kind == Kind::PipeClosed => report.ended_by(failure),
                _ => report.failed(failure),
            },
        }
    }
    let result = report.finish_printed("documents").map_err(|mut failure| {
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
    });
    result.map_err(|failure| match failure.kind {
        kind if !ctx.out.prints_ends() || kind.is_quiet() => failure,
        kind if kind.is_stop() => {
            stopped.print(ctx, rest.as_deref());
            Failure::printed(kind)
        }
        // Its line has said everything.
        kind if !several => Failure::printed(kind),
        _ => failure,
    })
}

/// Documents that a signal left for another run.
#[derive(Clone, Copy, Debug, Default)]
struct StoppedDocuments {
    on_service: usize,
    not_uploaded: usize,
    not_started: usize,
}

impl StoppedDocuments {
    fn count(outcomes: &[(DocumentName, DocumentOutcome)]) -> Self {
        let mut count = Self::default();
        for (_, outcome) in outcomes {
            match outcome {
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

    /// Prints what happens with the documents. `rest` is the command that starts those that were not started.
    fn print(self, ctx: &Context, rest: Option<&str>) {
        let (what, command) = self.in_words(rest);
        ctx.out.stopped(&what, command.as_deref());
        if self.not_started > 0 && self.not_started < self.total() {
            let what = format!("{} not started", documents_were(self.not_started));
            ctx.out
                .hint(&rest.map_or(what.clone(), |rest| format!("{what}; continue with all documents with `{rest}`")));
        }
    }

    fn total(self) -> usize {
        self.on_service + self.not_uploaded + self.not_started
    }

    /// Returns the message and the command after it.
    fn in_words(self, rest: Option<&str>) -> (String, Option<String>) {
        let Self { on_service, not_uploaded, not_started } = self;
        let resume = Some(resume_command(&[]));
        let keep = if on_service == 1 { "1 document keeps".to_owned() } else { format!("{on_service} documents keep") };
        let keep = format!("{keep} translating on the service");
        let them = if on_service + not_uploaded == 1 { "it" } else { "them" };
        match (on_service, not_uploaded) {
            (0, 0) if not_started == 0 => ("nothing is unfinished".to_owned(), None),
            (0, 0) => {
                let what = format!("{} not started", documents_were(not_started));
                (rest.map_or(what.clone(), |_| format!("{what}; continue with")), rest.map(str::to_owned))
            }
            (0, _) => (format!("{} not uploaded; continue with", documents_were(not_uploaded)), resume),
            (_, 0) => (format!("{keep}; fetch {them} with"), resume),
            (_, 1) => (format!("{keep}, 1 was not uploaded; finish {them} with"), resume),
            (_, _) => (format!("{keep}, {not_uploaded} were not uploaded; finish {them} with"), resume),
        }
    }
}

fn documents_were(count: usize) -> String {
    if count == 1 { "1 document was".to_owned() } else { format!("{count} documents were") }
}

/// Returns what to do about the documents that another run can finish, and about those that were not started.
fn continue_hint(outcomes: &[(DocumentName, DocumentOutcome)], rest: Option<&str>) -> Option<String> {
    let unfinished = outcomes.iter().filter_map(|(_, outcome)| match outcome {
        DocumentOutcome::Unfinished { id, .. } => Some(id.clone()),
        _ => None,
    });
    let ids: Vec<String> = unfinished.collect();
    let finish = (!ids.is_empty()).then(|| format!("finish the unfinished documents with `{}`", resume_command(&ids)));
    let rest = rest.map(|command| format!("continue with all documents with `{command}`"));
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
