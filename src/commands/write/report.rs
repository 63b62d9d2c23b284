//! The third stage: diffs or the names of what would change, what failed, and the statistics.

use tulk_base::error::{Failure, Kind};
use tulk_pipeline::{Leftover, PipelineReport};

use super::diff::{self, TextChange};
use super::plan::WritePlan;
use crate::context::Context;
use crate::outputs::{OutputRun, PassSource, with_input};
use crate::runs::report::{RunReport, ends_run};
use crate::runs::result_form::ResultForm;
use crate::runs::resume_command::resume_hint;
use crate::runs::totals::{RunTotals, written_so_far};

/// What the passes of an improvement have done.
#[allow(clippy::struct_excessive_bools)] // three are flags
#[derive(Debug)]
pub struct WriteReport {
    totals: RunTotals,
    outcome: RunReport,
    /// Whether an output can be resumed.
    is_resumable: bool,
    /// Whether the last target of the last pass is complete.
    is_complete: bool,
    /// Inputs that would change.
    changes: Vec<TextChange>,
    form: ResultForm,
    diff: bool,
    check: bool,
    stats: bool,
    hint_when_refused: Option<String>,
}

impl WriteReport {
    /// Nothing is done yet.
    pub fn new(plan: &WritePlan) -> Self {
        let &WritePlan { form, diff, check, stats, .. } = plan;
        let (totals, outcome) = (RunTotals::default(), RunReport::default());
        let (hint_when_refused, changes) = (plan.hint_when_refused.clone(), Vec::new());
        Self {
            totals,
            outcome,
            is_resumable: false,
            is_complete: false,
            changes,
            form,
            diff,
            check,
            stats,
            hint_when_refused,
        }
    }

    /// Adds a pass whose output could not be opened.
    pub fn add_failure(&mut self, source: &PassSource, failure: Failure) {
        self.outcome.failed(with_input(failure, source));
    }

    /// Adds an input that was not started.
    pub fn add_not_started(&mut self, name: String) {
        self.outcome.input_not_started(name, 1);
    }

    /// Adds an input whose result was compared with it.
    pub fn add_change(&mut self, change: TextChange) {
        if change.old != change.new {
            self.changes.push(change);
        }
    }

    /// Adds what a pass has done. Returns whether another pass should start.
    pub fn add(&mut self, ctx: &Context, source: &PassSource, report: PipelineReport) -> bool {
        self.totals.add(ctx, &report);
        for name in source.not_reached(&report) {
            self.outcome.input_not_started(name, 0);
        }
        let mut continues = report.ended_by.is_none();
        let mut written = String::new();
        for mut target in report.targets {
            self.is_resumable |= target.leftover == Leftover::Resumable;
            self.is_complete = target.is_complete;
            let is_stopped = |failure: &Failure| report.ended_by.is_some() && failure.kind.is_stop();
            let Some(mut failure) = target.failure.take().filter(|failure| !is_stopped(failure)) else {
                if report.ended_by.is_none() {
                    self.outcome.succeeded();
                }
                written.push_str(&written_so_far("", &target));
                continue;
            };
            continues &= !ends_run(failure.kind);
            if failure.hint.is_none() && failure.service.as_ref().is_some_and(|service| service.status == Some(400)) {
                failure.hint.clone_from(&self.hint_when_refused);
            }
            failure.what.push_str(&written_so_far("", &target));
            self.outcome.failed(with_input(failure, source));
        }
        if let Some(mut ended_by) = report.ended_by {
            if ended_by.kind != Kind::PipeClosed {
                ended_by.what.push_str(&written);
            }
            self.outcome.ended_by(if ended_by.kind.is_stop() { ended_by } else { with_input(ended_by, source) });
        }
        continues
    }

    /// Prints changes and statistics, ends the outputs, and returns the failure that the command ends with.
    pub fn finish(mut self, ctx: &Context, outputs: Option<OutputRun>) -> Result<(), Failure> {
        if !ctx.args.dry_run && self.diff {
            diff::print(ctx, &self.changes)?;
        } else if !ctx.args.dry_run && self.check {
            diff::print_names(ctx, self.form.format, &self.changes)?;
        }
        self.totals.print(ctx, self.stats);
        if self.is_resumable || outputs.as_ref().is_some_and(OutputRun::has_finished) {
            self.outcome.next_step(resume_hint(ctx.words()));
        }
        let done = self.outcome.finish(ctx, "inputs");
        if let Some(outputs) = outputs {
            if self.is_complete {
                outputs.record_single(ctx);
            }
            outputs.end(ctx, done.is_ok() && !self.totals.has_copied());
        }
        done?;
        self.totals.check_copied()?;
        if self.check && !self.changes.is_empty() {
            let inputs = if self.changes.len() == 1 { "input" } else { "inputs" };
            return Err(Failure::new(Kind::No, format!("{} {inputs} would change", self.changes.len())));
        }
        Ok(())
    }
}
