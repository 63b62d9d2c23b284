//! How a run ends: what failed, the counts of `--stats`, and the answer of `--check`.

use std::time::Duration;

use super::TextArgs;
use crate::context::Context;
use crate::error::{ErrorReport as Shown, Failure, Kind};
use crate::pipeline::Report;

/// What all passes of a run came to.
#[derive(Debug, Default)]
pub(super) struct Ending {
    entries: u64,
    requests: u64,
    characters: u64,
    repeats: u64,
    retries: u64,
    maybe_billed_twice: u64,
    seconds: Duration,
    succeeded: u64,
    failures: Vec<Failure>,
    /// What ended the whole run.
    ended: Option<Failure>,
    /// Entries passed through as they were.
    passed_through: u64,
}

impl Ending {
    /// An input that could not be begun.
    pub(super) fn input_failed(&mut self, failure: Failure) {
        self.failures.push(failure);
    }

    /// Takes in what a pass did: whether another may start, and whether this one came to its end.
    pub(super) fn add(&mut self, ctx: &Context, name: &str, report: Report) -> (bool, bool) {
        self.entries += report.entries;
        self.requests += report.requests;
        self.characters += report.characters;
        self.repeats += report.repeats;
        self.retries += report.retries;
        self.maybe_billed_twice += report.maybe_billed_twice;
        self.seconds += report.seconds;
        for failed in report.failed {
            self.passed_through += 1;
            let mut failure = failed.failure.at(failed.origin);
            failure.what = format!("{} (passed through as it was)", failure.what);
            ctx.out.item_error(&Shown::of(&failure.into()));
        }
        let mut complete = report.ended.is_none();
        let mut fatal = false;
        for target in report.targets {
            let Some(mut failure) = target.failure else {
                self.succeeded += u64::from(complete);
                continue;
            };
            complete = false;
            if name != "stdout" && failure.at.is_none() {
                failure.what = format!("{name}: {}", failure.what);
            }
            if target.written > 0 {
                failure.what = format!("{}; {} entries are written", failure.what, target.written);
            }
            if let Some(next) = target.next.filter(|next| next.line > 1) {
                failure.what = format!("{}, go on at {next}", failure.what);
            }
            fatal |= matches!(failure.kind, Kind::Key | Kind::Quota | Kind::Busy | Kind::Network | Kind::Unfinished);
            self.failures.push(failure);
        }
        if report.ended.is_some() {
            self.ended = report.ended;
            fatal = true;
        }
        (!fatal, complete)
    }

    /// Prints the counts asked for, then ends with the right failure; `changes` is what `--check` found.
    pub(super) fn finish(self, ctx: &Context, args: &TextArgs, changes: bool) -> Result<(), Failure> {
        if args.stats {
            let line = self.line();
            if ctx.out.settings().is_json() { ctx.out.log(&line) } else { ctx.out.status(&line) }
        }
        if let Some(ended) = self.ended {
            // The run's own end stands among its targets' too.
            let others = self.failures.into_iter().filter(|failure| failure.what != ended.what);
            others.for_each(|failure| ctx.out.item_error(&Shown::of(&failure.into())));
            return Err(ended);
        }
        let count = self.failures.len();
        if count == 1 && self.succeeded == 0 {
            return self.failures.into_iter().next().map_or(Ok(()), Err);
        }
        if count > 0 {
            let first = self.failures.first().map_or(Kind::Partly, |failure| failure.kind);
            let kind = if self.succeeded > 0 { Kind::Partly } else { first };
            let what = format!("{count} of {} inputs failed", self.succeeded + count as u64);
            self.failures.into_iter().for_each(|failure| ctx.out.item_error(&Shown::of(&failure.into())));
            return Err(Failure::new(kind, what));
        }
        if self.passed_through > 0 {
            let noun = if self.passed_through == 1 { "entry was" } else { "entries were" };
            let what = format!("{} {noun} refused and passed through as the source", self.passed_through);
            return Err(Failure::new(Kind::Partly, what));
        }
        if args.check && changes {
            return Err(Failure::new(Kind::No, "the service would change something"));
        }
        Ok(())
    }

    fn line(&self) -> String {
        let mut line = format!(
            "entries {}, requests {}, characters {}, repeats saved {}, retries {}, seconds {:.1}",
            self.entries,
            self.requests,
            self.characters,
            self.repeats,
            self.retries,
            self.seconds.as_secs_f64()
        );
        if self.maybe_billed_twice > 0 {
            line = format!("{line}, maybe billed twice {}", self.maybe_billed_twice);
        }
        line
    }
}
