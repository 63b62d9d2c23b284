//! Many documents at once: so many in work, one meter each and one for all, one bad one does not stop the rest.
//!
//! Spec: command line, "doc" and "Exit codes".

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::future::Future;

use futures_util::StreamExt as _;

use super::row::Translated;
use crate::context::Context;
use crate::error::{ErrorReport, Failure, Kind, Origin};
use crate::json::Kept;
use crate::output::{ProgressGroup, ProgressTask};

/// What is done to each of several documents.
pub struct Task<F> {
    /// The source as the user knows it.
    pub source: String,
    /// Target language.
    pub target_lang: String,
    /// The work.
    pub work: F,
}

/// How one document ended.
enum End {
    Done(Translated),
    Failed(Failure),
    /// Something ended the run before its turn.
    NotBegun,
}

/// The meters of a run: for one document a single one, so that plain lines tell its phases.
pub enum Progress {
    /// One document.
    One,
    /// Several, with one meter for all.
    Group(ProgressGroup),
}

impl Progress {
    /// For so many documents.
    pub fn of(ctx: &Context, documents: usize) -> Self {
        if documents == 1 {
            Self::One
        } else {
            Self::Group(ctx.out.progress_group("documents", Some(documents as u64)))
        }
    }

    /// The meter of one document.
    pub fn meter(&self, ctx: &Context, source: &str, lang: &str) -> ProgressTask {
        let label = format!("{source} ({lang})");
        match self {
            Self::One => ctx.out.progress(&label, None),
            Self::Group(meters) => meters.add(&label, None),
        }
    }

    fn ended(&self) {
        if let Self::Group(meters) = self {
            meters.overall().inc(1);
        }
    }
}

/// Runs the tasks, `concurrency` at once, shows the results and reports the failures.
///
/// `go_on` is the command that goes on with what is unfinished; `show` is false when stdout holds a result.
pub async fn run<F>(
    ctx: &Context,
    concurrency: usize,
    tasks: Vec<Task<F>>,
    progress: &Progress,
    go_on: &str,
    show: bool,
) -> Result<(), Failure>
where
    F: Future<Output = Result<Translated, Failure>>,
{
    let names: Vec<(String, String)> = tasks.iter().map(|t| (t.source.clone(), t.target_lang.clone())).collect();
    let single = tasks.len() == 1;
    let halted = Cell::new(false);
    let ends: RefCell<Vec<End>> = RefCell::new(names.iter().map(|_| End::NotBegun).collect());
    let work = tasks.into_iter().enumerate().map(|(at, task)| {
        let (halted, ends) = (&halted, &ends);
        async move {
            if halted.get() {
                return;
            }
            let end = match task.work.await {
                Ok(row) => End::Done(row),
                Err(failure) => {
                    let failure = if single { at_source(failure, &task.source) } else { failure };
                    // With the key or the quota gone, or a signal come, the others would only fail alike.
                    let ends_all =
                        matches!(failure.kind, Kind::Key | Kind::Quota | Kind::PipeClosed) || failure.kind.is_stop();
                    halted.set(halted.get() || ends_all);
                    if !single && !failure.kind.is_quiet() && !failure.kind.is_stop() {
                        let told = anyhow::Error::from(failure.clone())
                            .context(format!("{} ({})", task.source, task.target_lang));
                        ctx.out.item_error(&ErrorReport::of(&told));
                    }
                    End::Failed(failure)
                }
            };
            if let Some(place) = ends.borrow_mut().get_mut(at) {
                *place = end;
            }
            progress.ended();
        }
    });
    futures_util::stream::iter(work).buffer_unordered(concurrency.max(1)).collect::<Vec<()>>().await;
    if let Progress::Group(meters) = progress {
        meters.overall().finish();
    }
    let ends = ends.into_inner();
    if show {
        let done = ends.iter().filter_map(|end| match end {
            End::Done(row) => Some(Kept::made(row.clone())),
            _ => None,
        });
        let done = done.collect::<Result<Vec<_>, _>>()?;
        // An error alone needs no empty table beside it.
        if !done.is_empty() || !single {
            ctx.out.list(&done)?;
        }
    }
    conclude(ctx, &names, ends, go_on)
}

/// Names the source, unless the message does.
pub fn at_source(failure: Failure, source: &str) -> Failure {
    if failure.at.is_some() || failure.kind.is_stop() || failure.what.contains(source) {
        return failure;
    }
    failure.at(Origin::of(if source == "-" { "stdin" } else { source }))
}

/// The failure that the run ends with, after a summary when there were several.
fn conclude(ctx: &Context, names: &[(String, String)], ends: Vec<End>, go_on: &str) -> Result<(), Failure> {
    let total = ends.len();
    let done = ends.iter().filter(|end| matches!(end, End::Done(_))).count();
    if done == total {
        return Ok(());
    }
    if total > 1 {
        ctx.out.status(&summary(names, &ends));
    }
    let mut failures = ends.into_iter().filter_map(|end| match end {
        End::Failed(failure) => Some(failure),
        _ => None,
    });
    let Some(first) = failures.next() else { return Err(Failure::internal("nothing was begun")) };
    let mut others: Vec<Failure> = failures.collect();
    if let Some(quiet) = others.iter().position(|f| f.kind.is_stop() || f.kind == Kind::PipeClosed) {
        return Err(stopped(others.swap_remove(quiet), go_on));
    }
    if total == 1 || first.kind.is_stop() || first.kind == Kind::PipeClosed {
        return Err(stopped(first, go_on));
    }
    let unfinished = first.kind == Kind::Unfinished || others.iter().any(|f| f.kind == Kind::Unfinished);
    let kind = if done > 0 { Kind::Partly } else { first.kind };
    let failure = Failure::new(kind, format!("{} of {total} documents are not done", total - done));
    Err(if unfinished { failure.hint(format!("`{go_on}` goes on with those that were uploaded")) } else { failure })
}

/// A signal's failure names the command that goes on.
fn stopped(failure: Failure, go_on: &str) -> Failure {
    if failure.kind.is_stop() && failure.hint.is_none() {
        failure.hint(format!("`{go_on}` goes on with what was uploaded"))
    } else {
        failure
    }
}

/// One line a document: what became of it.
fn summary(names: &[(String, String)], ends: &[End]) -> String {
    let width = |of: fn(&(String, String)) -> &str| names.iter().map(|n| of(n).chars().count()).max().unwrap_or(0);
    let (sources, langs) = (width(|n| &n.0), width(|n| &n.1));
    let done = ends.iter().filter(|end| matches!(end, End::Done(_))).count();
    let mut text = format!("{done} of {} documents are done", ends.len());
    for ((source, lang), end) in names.iter().zip(ends) {
        let word = match end {
            End::Done(row) => row.status.as_str(),
            End::Failed(failure) if failure.kind == Kind::Unfinished => "unfinished",
            End::Failed(_) => "failed",
            End::NotBegun => "not begun",
        };
        // Writing to a String does not fail.
        let _ = write!(text, "\n  {source:sources$}  {lang:langs$}  {word}");
    }
    text
}
