//! The third stage: what was written, what failed, how to continue, and the statistics.

use super::plan::TranslatePlan;
use crate::api::translate::TranslateText;
use crate::commands::resume_command::resume_hint;
use crate::commands::run_report::{RunReport, ends_run};
use crate::commands::run_totals::{RunTotals, written_so_far};
use crate::context::Context;
use crate::error::{Failure, Kind, Origin};
use crate::pipeline::{Leftover, PipelineReport};

/// What the passes of a translation have done.
#[derive(Debug)]
pub struct TranslateReport {
    totals: RunTotals,
    outcome: RunReport,
    stats: bool,
    show_billed: bool,
}

impl TranslateReport {
    /// Nothing is done yet.
    pub fn new(plan: &TranslatePlan) -> Self {
        let (stats, show_billed) = (plan.stats, plan.show_billed);
        Self { totals: RunTotals::default(), outcome: RunReport::default(), stats, show_billed }
    }

    /// Adds a pass whose outputs could not be opened.
    pub fn add_failure(&mut self, name: &str, failure: Failure) {
        let is_named = failure.what.contains(name);
        self.outcome.failed(if is_named { failure } else { with_input(failure, name) });
    }

    /// Adds what a pass has done for the targets of these requests. Returns whether another pass should start.
    pub fn add(&mut self, ctx: &Context, name: &str, requests: &[TranslateText], report: PipelineReport) -> bool {
        self.totals.add(ctx, &report);
        let several = report.targets.len() > 1;
        let mut leftover = Leftover::Nothing;
        let mut written = String::new();
        let mut continues = report.ended_by.is_none();
        for (mut target, request) in report.targets.into_iter().zip(requests) {
            if leftover == Leftover::Nothing {
                leftover = target.leftover;
            }
            // A signal is reported once, not for each target.
            let is_stopped = |failure: &Failure| report.ended_by.is_some() && failure.kind.is_stop();
            let Some(mut failure) = target.failure.take().filter(|failure| !is_stopped(failure)) else {
                // A dry run finishes nothing, so that a failure decides its exit code.
                if report.ended_by.is_none() && !ctx.args.dry_run {
                    self.outcome.succeeded();
                }
                let to = if several { format!("to {}: ", target.target) } else { String::new() };
                written.push_str(&written_so_far(&to, &target));
                continue;
            };
            continues &= !ends_run(failure.kind);
            if failure.hint.is_none() && failure.service.as_ref().is_some_and(|service| service.status == Some(400)) {
                failure.hint = request.hint_when_refused();
            }
            if several {
                failure.what = format!("to {}: {}", target.target, failure.what);
            }
            failure.what.push_str(&written_so_far("", &target));
            failure.hint = with_next_step(failure.hint.take(), target.leftover);
            self.outcome.failed(with_input(failure, name));
        }
        if let Some(mut ended_by) = report.ended_by {
            if ended_by.kind != Kind::PipeClosed {
                ended_by.what.push_str(&written);
            }
            ended_by.hint = with_next_step(ended_by.hint.take(), leftover);
            self.outcome.ended_by(ended_by);
        }
        continues
    }

    /// Prints the statistics and returns the failure that the command ends with.
    pub fn finish(self, ctx: &Context) -> Result<(), Failure> {
        if let Some(billed) = self.totals.billed.filter(|_| self.show_billed) {
            ctx.out.requested(&format!("billed characters: {billed}"));
        }
        self.totals.print(ctx, self.stats);
        self.outcome.finish(ctx, "results")?;
        self.totals.check_refused()
    }
}

/// Names the input, unless the failure has a place in it.
fn with_input(failure: Failure, name: &str) -> Failure {
    if failure.at.is_some() || name == "stdout" { failure } else { failure.at(Origin::whole(name)) }
}

/// Adds to a hint how to continue with what is left of a file.
fn with_next_step(hint: Option<String>, leftover: Leftover) -> Option<String> {
    let next = match leftover {
        Leftover::Nothing => return hint,
        Leftover::Resumable => resume_hint(),
        Leftover::ReadOnly => "the .part file has the results so far; --force starts over".to_owned(),
    };
    match hint {
        // The hint already says what to do, which may be different.
        Some(hint) if hint.contains("--force") => Some(hint),
        Some(hint) => Some(format!("{hint}; {next}")),
        None => Some(next),
    }
}
