//! Processes several documents concurrently, each with a progress task. A failed document does not stop the others.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use tulk_base::error::{ErrorReport, Failure, Kind, Origin};
use tulk_store::documents::LockedRecord;

use super::outcome::DocumentOutcome;
use crate::context::Context;
use crate::output::{ProgressGroup, ProgressTask, TaskName};

pub struct DocumentTask<F> {
    /// The source as the user wrote it; `-` for stdin.
    pub source: String,
    pub target_lang: String,
    pub progress: ProgressTask,
    pub work: F,
}

/// The outcomes of a run, in the order of its tasks.
pub struct DocumentOutcomes {
    pub all: Vec<(DocumentName, DocumentOutcome)>,
    pub took: Duration,
}

#[derive(Clone)]
pub struct DocumentName {
    pub source: String,
    pub target_lang: String,
}

/// Progress of a run: one task per document and, for several documents, a counter.
pub struct DocumentProgress(Option<ProgressGroup>);

impl DocumentProgress {
    pub fn new(ctx: &Context, documents: usize) -> Self {
        Self((documents != 1).then(|| ctx.out.progress_count("documents", documents as u64)))
    }

    pub fn add(&self, ctx: &Context, source: &str, target_lang: &str) -> ProgressTask {
        let name = TaskName::with_target(if source == "-" { "stdin" } else { source }, target_lang);
        match &self.0 {
            Some(group) => group.add(name),
            None => ctx.out.progress(name),
        }
    }

    fn count_finished(&self) {
        if let Some(group) = &self.0 {
            group.overall().inc(1);
        }
    }

    fn finish(&self) {
        if let Some(group) = &self.0 {
            group.overall().finish();
        }
    }
}

/// Runs at most `concurrency` tasks at a time.
///
/// With several documents, prints each failure when it happens. After a failure that affects all documents (key, quota,
/// closed stdout, signal), starts no further task.
pub async fn run<F>(
    ctx: &Context,
    concurrency: usize,
    tasks: Vec<DocumentTask<F>>,
    progress: &DocumentProgress,
) -> DocumentOutcomes
where
    F: Future<Output = DocumentOutcome>,
{
    let started = Instant::now();
    let single = tasks.len() == 1;
    let stopped = Cell::new(None);
    let outcomes: RefCell<Vec<DocumentOutcome>> =
        RefCell::new(tasks.iter().map(|_| DocumentOutcome::NotStarted).collect());
    let mut names = Vec::new();
    let work = tasks.into_iter().enumerate().map(|(at, task)| {
        let DocumentTask { source, target_lang, progress: task, work } = task;
        let (stopped, outcomes) = (&stopped, &outcomes);
        let name = DocumentName { source, target_lang };
        names.push(name.clone());
        async move {
            if let Some(kind) = stopped.get() {
                return print_not_started(ctx, &task, kind);
            }
            let mut outcome = work.await;
            if let Some(kind) = stopped.get().filter(|kind| has_same_reason(*kind, &outcome)) {
                return print_not_started(ctx, &task, kind);
            }
            progress.count_finished();
            print_end(ctx, &name, single, &task, &mut outcome);
            let kind = outcome.failure_mut().map(|failure| failure.kind).filter(|kind| affects_all_documents(*kind));
            stopped.set(stopped.get().or(kind));
            if let Some(slot) = outcomes.borrow_mut().get_mut(at) {
                *slot = outcome;
            }
        }
    });
    let work: Vec<_> = work.collect();
    futures_util::stream::iter(work).buffer_unordered(concurrency.max(1)).collect::<Vec<()>>().await;
    progress.finish();
    let all = names.into_iter().zip(outcomes.into_inner()).collect();
    DocumentOutcomes { all, took: started.elapsed() }
}

/// Ends the progress of a document. If final lines are printed, prints one with its result or failure.
///
/// Otherwise, prints a failure as an error, and nothing about a result. The failure of a run with one document is left to the caller,
/// unless the document is lost.
fn print_end(ctx: &Context, name: &DocumentName, single: bool, task: &ProgressTask, outcome: &mut DocumentOutcome) {
    task.finish();
    if let DocumentOutcome::Done(row) = outcome {
        if row.path.as_deref() != Some("-") {
            task.succeeded(&row.in_words());
        }
        return;
    }
    let in_doubt = matches!(outcome, DocumentOutcome::InDoubt(_));
    let lost = match outcome {
        DocumentOutcome::Lost { shared, .. } => Some(shared.clone()),
        _ => None,
    };
    let Some(failure) = outcome.failure_mut() else { return };
    let is_printed = in_doubt || !(failure.kind.is_quiet() || failure.kind.is_stop());
    if is_printed && ctx.out.prints_final_lines() {
        task.failed(&ErrorReport::new(&failure.clone().into()));
    } else if single {
        *failure = with_source(failure.clone(), &name.source);
        if lost.is_some() {
            ctx.out.item_error(&ErrorReport::new(&failure.clone().into()));
            *failure = Failure::printed(failure.kind);
        }
    } else if is_printed {
        let error = anyhow::Error::from(failure.clone()).context(format!("{} ({})", name.source, name.target_lang));
        ctx.out.item_error(&ErrorReport::new(&error));
    }
    if let Some(shared) = lost {
        // If this is not saved, the next run prints the failure again.
        let _ = shared.update(LockedRecord::set_reported);
    }
}

/// Returns whether a document was refused for the reason that ended the run. Such a document counts as not started: the
/// service did not accept it, and the reason is already printed.
fn has_same_reason(kind: Kind, outcome: &DocumentOutcome) -> bool {
    matches!(outcome, DocumentOutcome::Failed(failure) if failure.kind == kind && !kind.is_stop() && !kind.is_quiet())
}

/// Prints nothing after a signal, which is reported once for the whole run.
fn print_not_started(ctx: &Context, task: &ProgressTask, kind: Kind) {
    task.finish();
    if ctx.out.prints_final_lines() && !kind.is_stop() && !kind.is_quiet() {
        task.failed(&ErrorReport::new(&Failure::new(kind, "not started").into()));
    }
}

/// Returns whether all other documents would fail in the same way.
fn affects_all_documents(kind: Kind) -> bool {
    matches!(kind, Kind::Key | Kind::Quota | Kind::PipeClosed) || kind.is_stop()
}

/// Adds the source to a failure unless the message already names it.
pub fn with_source(failure: Failure, source: &str) -> Failure {
    let is_named = failure.file.as_deref() == Some(Path::new(source))
        || failure.service.as_ref().is_some_and(|service| service.names(source));
    if failure.at.is_some() || failure.kind.is_stop() || is_named {
        return failure;
    }
    failure.at(Origin::whole(if source == "-" { "stdin" } else { source }))
}
