//! Stage 2: opens the outputs of each pass, sends its input through the pipeline, and reports the outcome.

use tulk_base::error::{Failure, Kind};
use tulk_base::numbers::grouped;
use tulk_client::api::translate::TranslateText;
use tulk_pipeline::{Leftover, PipelineReport, RunOptions};

use super::plan::TranslatePlan;
use crate::context::Context;
use crate::outputs::{OpenPass, PassSource, TextPass, with_input_name};
use crate::runs::client_call::{ClientCall, RunWords};
use crate::runs::report::{RunReport, ends_run, restart_hint, resume_hint};
use crate::runs::result_cache;
use crate::runs::totals::{RunTotals, next_options, written_so_far};

/// Runs the passes in order, until a failure that would affect all later ones too.
pub async fn run(ctx: &Context, mut plan: TranslatePlan) -> Result<(), Failure> {
    let client = ClientCall(ctx.client().await?);
    let mut report = TranslateReport::new(&plan);
    let mut options = plan.options.clone();
    let mut passes = std::mem::take(&mut plan.passes).into_iter();
    for pass in passes.by_ref() {
        if !run_pass(ctx, &plan, pass, &mut options, &client, &mut report).await {
            break;
        }
    }
    passes.for_each(|pass| report.add_not_started(&pass));
    result_cache::finish(ctx, &options).await;
    report.finish(ctx, plan).await
}

/// Returns whether to start another pass.
async fn run_pass(
    ctx: &Context,
    plan: &TranslatePlan,
    pass: TextPass,
    options: &mut RunOptions,
    client: &ClientCall<'_>,
    report: &mut TranslateReport,
) -> bool {
    let source = pass.source.clone();
    let OpenPass { input, targets, jobs, sinks } = match plan.outputs.open(ctx, pass, &plan.jobs) {
        Ok(open) => open,
        Err(failure) => {
            report.add_failure(&source, failure);
            return true;
        }
    };
    let requests = targets.iter().filter_map(|target| plan.requests.get(target.0));
    let requests: Vec<&TranslateText> = requests.collect();
    let words = RunWords::new(&source, "translating");
    options.context_lines = plan.context_lines.unwrap_or_else(|| input.format.context_lines());
    let done = client.run(ctx, words, input, &jobs, sinks, options).await;
    *options = next_options(options, done.characters);
    report.add(ctx, &source, &requests, done)
}

#[allow(clippy::struct_excessive_bools)] // two are from the plan
#[derive(Debug)]
pub struct TranslateReport {
    totals: RunTotals,
    outcome: RunReport,
    is_resumable: bool,
    /// Whether the last target of the last pass is complete.
    is_complete: bool,
    show_billed: bool,
    continues_after_unreadable_files: bool,
}

impl TranslateReport {
    pub fn new(plan: &TranslatePlan) -> Self {
        let &TranslatePlan { show_billed, continues_after_unreadable_files, .. } = plan;
        let (totals, outcome) = (RunTotals::new(plan.are_texts_typed), RunReport::default());
        Self { totals, outcome, is_resumable: false, is_complete: false, show_billed, continues_after_unreadable_files }
    }

    pub fn add_failure(&mut self, source: &PassSource, failure: Failure) {
        self.outcome.failed(with_input_name(failure, source));
    }

    pub fn add_not_started(&mut self, pass: &TextPass) {
        self.outcome.input_not_started(pass.source.name().unwrap_or_default(), pass.outputs.len());
    }

    /// Adds the report of a pass, whose targets are those of `requests`. Returns whether to start another pass.
    pub fn add(
        &mut self,
        ctx: &Context,
        source: &PassSource,
        requests: &[&TranslateText],
        report: PipelineReport,
    ) -> bool {
        self.totals.add(ctx, source.files_reached(&report), &report);
        for name in source.inputs_not_reached(&report) {
            self.outcome.input_not_started(name, 0);
        }
        let several = report.targets.len() > 1;
        let mut leftover = Leftover::Nothing;
        let mut written = String::new();
        let mut continues = report.ended_by.is_none();
        for (mut target, request) in report.targets.into_iter().zip(requests) {
            self.is_resumable |= target.leftover == Leftover::Resumable;
            self.is_complete = target.is_complete;
            if leftover == Leftover::Nothing {
                leftover = target.leftover;
            }
            // A signal is reported once for the run, not for each target.
            let is_stopped = |failure: &Failure| report.ended_by.is_some() && failure.kind.is_stop();
            let Some(mut failure) = target.failure.take().filter(|failure| !is_stopped(failure)) else {
                if report.ended_by.is_none() {
                    self.outcome.succeeded(ctx.args.dry_run);
                }
                let to = if several { format!("to {}: ", target.target) } else { String::new() };
                written.push_str(&written_so_far(&to, &target));
                continue;
            };
            continues &= !ends_run(failure.kind);
            add_hint(&mut failure, request);
            if several {
                failure.what = format!("to {}: {}", target.target, failure.what);
            }
            failure.what.push_str(&written_so_far("", &target));
            let failure = with_leftover_hint(failure, target.leftover);
            self.outcome.failed(with_input_name(failure, source));
        }
        if let Some(mut ended_by) = report.ended_by {
            if ended_by.kind != Kind::PipeClosed {
                ended_by.what.push_str(&written);
            }
            // All requests have the same assets, so the first one suffices for the hint.
            if let Some(request) = requests.first() {
                add_hint(&mut ended_by, request);
            }
            let ended_by = with_leftover_hint(ended_by, leftover);
            if self.continues_after_unreadable_files && source.concerns_only_its_file(&ended_by) {
                self.outcome.input_failed(with_input_name(ended_by, source), requests.len());
                return true;
            }
            self.outcome.ended_by(match ended_by.kind {
                kind if kind.is_stop() => ended_by,
                _ => with_input_name(ended_by, source),
            });
        }
        continues
    }

    pub async fn finish(mut self, ctx: &Context, plan: TranslatePlan) -> Result<(), Failure> {
        if self.is_resumable || plan.outputs.has_finished() {
            self.outcome.next_step(resume_hint(ctx.words()));
        } else if let Some(hint) = restart_hint(ctx, plan.options.results.is_some()) {
            self.outcome.next_step(hint);
        }
        let done = self.outcome.finish(ctx, "results");
        if let Some(billed) = self.totals.billed.filter(|_| self.show_billed) {
            ctx.out.requested(&format!("billed characters: {}", grouped(billed)));
        }
        self.totals.print(ctx, plan.stats).await;
        if self.is_complete {
            plan.outputs.record_single(ctx);
        }
        plan.outputs.end(ctx, done.is_ok() && !self.totals.has_copied_texts());
        done?;
        self.totals.check_copied()
    }
}

fn add_hint(failure: &mut Failure, request: &TranslateText) {
    let Some(service) = failure.service.as_deref() else { return };
    match service.status {
        Some(400) if request.assets.is_unknown_profile(service) => {
            failure.hint = request.hint_when_not_found(service);
            failure.kind = Kind::NotFound;
        }
        Some(400) if failure.hint.is_none() => failure.hint = request.hint_when_refused(service),
        // A request without assets gets this status only if the server address is wrong.
        Some(404) => failure.hint = request.hint_when_not_found(service).or(failure.hint.take()),
        _ => {}
    }
}

/// Adds a hint about the partial file if it cannot be resumed.
fn with_leftover_hint(failure: Failure, leftover: Leftover) -> Failure {
    // If `starts_over` is set, the hint already tells the user to start over.
    if leftover != Leftover::ReadOnly || failure.starts_over {
        return failure;
    }
    let next = "the .part file has the results so far; --force starts over";
    let hint = failure.hint.as_ref().map_or_else(|| next.to_owned(), |hint| format!("{hint}; {next}"));
    failure.hint_to_start_over(hint)
}
