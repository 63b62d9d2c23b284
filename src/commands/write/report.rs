//! The third stage: diffs or the names of what would change, what failed, and the statistics.

use super::diff::{self, TextChange};
use super::plan::WritePlan;
use crate::commands::result_form::ResultForm;
use crate::commands::run_report::{RunReport, ends_run};
use crate::commands::run_totals::{RunTotals, written_so_far};
use crate::context::Context;
use crate::error::{Failure, Kind, Origin};
use crate::pipeline::PipelineReport;

/// What the passes of an improvement have done.
#[derive(Debug)]
pub struct WriteReport {
    totals: RunTotals,
    outcome: RunReport,
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
        let hint_when_refused = plan.hint_when_refused.clone();
        Self { totals, outcome, changes: Vec::new(), form, diff, check, stats, hint_when_refused }
    }

    /// Adds a pass that could not be run.
    pub fn add_failure(&mut self, failure: Failure) {
        self.outcome.failed(failure);
    }

    /// Adds what a pass has done. Returns whether another pass should start.
    pub fn add(&mut self, ctx: &Context, name: &str, report: PipelineReport, change: Option<TextChange>) -> bool {
        self.totals.add(ctx, &report);
        self.changes.extend(change.filter(|change| report.is_complete() && change.old != change.new));
        let mut continues = report.ended_by.is_none();
        for mut target in report.targets {
            let Some(mut failure) = target.failure.take() else {
                if report.ended_by.is_none() {
                    self.outcome.succeeded();
                }
                continue;
            };
            continues &= !ends_run(failure.kind);
            if failure.hint.is_none() && failure.service.as_ref().is_some_and(|service| service.status == Some(400)) {
                failure.hint.clone_from(&self.hint_when_refused);
            }
            failure.what.push_str(&written_so_far("", &target));
            let is_named = name == "stdout" || failure.at.is_some();
            self.outcome.failed(if is_named { failure } else { failure.at(Origin::whole(name)) });
        }
        if let Some(ended_by) = report.ended_by {
            self.outcome.ended_by(ended_by);
        }
        continues
    }

    /// Prints changes and statistics, and returns the failure that the command ends with.
    pub fn finish(self, ctx: &Context) -> Result<(), Failure> {
        if !ctx.args.dry_run && self.diff {
            diff::print(ctx, &self.changes)?;
        } else if !ctx.args.dry_run && self.check {
            diff::print_names(ctx, self.form.format, &self.changes)?;
        }
        self.totals.print(ctx, self.stats);
        self.outcome.finish(ctx, "inputs")?;
        self.totals.check_refused()?;
        if self.check && !self.changes.is_empty() {
            let inputs = if self.changes.len() == 1 { "input" } else { "inputs" };
            return Err(Failure::new(Kind::No, format!("{} {inputs} would change", self.changes.len())));
        }
        Ok(())
    }
}
