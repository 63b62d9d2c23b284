//! Several documents at once: limited concurrency, one progress bar each and one for all. A failure does not stop the rest.

use std::cell::{Cell, RefCell};
use std::future::Future;

use futures_util::StreamExt as _;

use super::outcome::DocumentOutcome;
use crate::context::Context;
use crate::error::{ErrorReport, Failure, Kind, Origin};
use crate::output::{ProgressGroup, ProgressTask};

/// The work on one of several documents.
pub struct DocumentTask<F> {
    /// The source as the user wrote it.
    pub source: String,
    /// Target language.
    pub target_lang: String,
    /// The work.
    pub work: F,
}

/// The outcomes of a run, in the order of its tasks.
pub struct DocumentOutcomes(pub Vec<(DocumentName, DocumentOutcome)>);

/// How the report names a document.
pub struct DocumentName {
    /// The source as the user wrote it.
    pub source: String,
    /// Target language.
    pub target_lang: String,
}

/// The progress bars of a run.
pub enum DocumentProgress {
    /// A single document, whose plain lines show its phases.
    One,
    /// Several documents, with one bar for all of them.
    Group(ProgressGroup),
}

impl DocumentProgress {
    /// Creates the bars for a number of documents.
    pub fn new(ctx: &Context, documents: usize) -> Self {
        if documents == 1 {
            Self::One
        } else {
            Self::Group(ctx.out.progress_group("documents", Some(documents as u64)))
        }
    }

    /// Starts the bar of one document.
    pub fn start(&self, ctx: &Context, source: &str, target_lang: &str) -> ProgressTask {
        let label = format!("{source} ({target_lang})");
        match self {
            Self::One => ctx.out.progress(&label, None),
            Self::Group(bars) => bars.add(&label, None),
        }
    }

    fn count_finished(&self) {
        if let Self::Group(bars) = self {
            bars.overall().inc(1);
        }
    }

    fn finish(&self) {
        if let Self::Group(bars) = self {
            bars.overall().finish();
        }
    }
}

/// Runs the tasks, `concurrency` at once.
///
/// With several documents, failures are printed as they happen. After one that concerns all documents (key, quota, signal)
/// no further task is started.
pub async fn run<F>(
    ctx: &Context,
    concurrency: usize,
    tasks: Vec<DocumentTask<F>>,
    progress: &DocumentProgress,
) -> DocumentOutcomes
where
    F: Future<Output = DocumentOutcome>,
{
    let single = tasks.len() == 1;
    let stopped = Cell::new(false);
    let outcomes: RefCell<Vec<DocumentOutcome>> =
        RefCell::new(tasks.iter().map(|_| DocumentOutcome::NotStarted).collect());
    let mut names = Vec::new();
    let work = tasks.into_iter().enumerate().map(|(at, DocumentTask { source, target_lang, work })| {
        let (stopped, outcomes) = (&stopped, &outcomes);
        names.push(DocumentName { source: source.clone(), target_lang: target_lang.clone() });
        async move {
            if stopped.get() {
                return;
            }
            let mut outcome = work.await;
            let in_doubt = matches!(outcome, DocumentOutcome::InDoubt(_));
            if let Some(failure) = outcome.failure_mut() {
                if single {
                    *failure = with_source(failure.clone(), &source);
                } else if in_doubt || !(failure.kind.is_quiet() || failure.kind.is_stop()) {
                    let error = anyhow::Error::from(failure.clone()).context(format!("{source} ({target_lang})"));
                    ctx.out.item_error(&ErrorReport::new(&error));
                }
                stopped.set(stopped.get() || concerns_all(failure.kind));
            }
            if let Some(slot) = outcomes.borrow_mut().get_mut(at) {
                *slot = outcome;
            }
            progress.count_finished();
        }
    });
    let work: Vec<_> = work.collect();
    futures_util::stream::iter(work).buffer_unordered(concurrency.max(1)).collect::<Vec<()>>().await;
    progress.finish();
    DocumentOutcomes(names.into_iter().zip(outcomes.into_inner()).collect())
}

/// Returns whether every other document would fail in the same way.
fn concerns_all(kind: Kind) -> bool {
    matches!(kind, Kind::Key | Kind::Quota | Kind::PipeClosed) || kind.is_stop()
}

/// Adds the source to a failure, unless the message already names it.
pub fn with_source(failure: Failure, source: &str) -> Failure {
    if failure.at.is_some() || failure.kind.is_stop() || failure.what.contains(source) {
        return failure;
    }
    failure.at(Origin::whole(if source == "-" { "stdin" } else { source }))
}
