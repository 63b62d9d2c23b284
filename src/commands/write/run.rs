//! Stage 2: sends the input of each pass through the pipeline to its output, or to a comparison, and reports the outcome.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tulk_base::error::{Failure, Kind};
use tulk_base::numbers::counted;
use tulk_client::api::write::WriteOptions;
use tulk_pipeline::{Destination, Job, Leftover, PipelineInput, PipelineReport, RunOptions, Sink, TargetIndex};

use super::diff::{self, TextChange};
use super::interactive;
use super::plan::{Comparison, WritePasses, WritePlan};
use crate::context::Context;
use crate::outputs::{OpenPass, OutputRun, PassSource, TextPass, with_input_name};
use crate::runs::client_call::{ClientCall, RunWords};
use crate::runs::report::{RunReport, ends_run, restart_hint, resume_hint};
use crate::runs::result_cache;
use crate::runs::result_form::ResultForm;
use crate::runs::totals::{RunTotals, next_options, written_so_far};

/// Runs the passes in order, until a failure that would affect all later ones too.
pub async fn run(ctx: &Context, plan: WritePlan) -> Result<(), Failure> {
    let report = WriteReport::new(&plan);
    let client = ClientCall(ctx.client().await?);
    let WritePlan { passes, job, options, .. } = plan;
    let mut runner = PassRunner { ctx, client, jobs: [job], options, report };
    match passes {
        WritePasses::Comparisons(comparisons) => {
            runner.compare_all(comparisons).await;
            result_cache::finish(ctx, &runner.options).await;
            runner.report.finish(ctx, None).await
        }
        WritePasses::Results(outputs, passes) => {
            runner.write_all(&outputs, passes).await;
            result_cache::finish(ctx, &runner.options).await;
            runner.report.finish(ctx, Some(outputs)).await
        }
    }
}

struct PassRunner<'a> {
    ctx: &'a Context,
    client: ClientCall<'a>,
    jobs: [Job; 1],
    /// Options of the next pass.
    options: RunOptions,
    report: WriteReport,
}

impl PassRunner<'_> {
    async fn write_all(&mut self, outputs: &OutputRun, passes: Vec<TextPass>) {
        let mut passes = passes.into_iter();
        for pass in passes.by_ref() {
            let source = pass.source.clone();
            let OpenPass { input, sinks, .. } = match outputs.open(self.ctx, pass, &self.jobs) {
                Ok(open) => open,
                Err(failure) => {
                    self.report.add_failure(&source, failure);
                    continue;
                }
            };
            let done = self.run(RunWords::new(&source, "writing"), input, sinks).await;
            if !self.report.add(self.ctx, &source, done) {
                break;
            }
        }
        passes.for_each(|pass| self.report.add_not_started(pass.source.name().unwrap_or_default()));
    }

    async fn compare_all(&mut self, comparisons: Vec<Comparison>) {
        let mut comparisons = comparisons.into_iter();
        for comparison in comparisons.by_ref() {
            let Comparison { name, source, input, output, old } = comparison;
            let captured = CapturedOutput::default();
            let writer = input.format.writer(&[]);
            let to = Destination::stream(&name, Box::new(captured.clone()));
            let sink = Sink { targets: TargetIndex::all(1), writer, to };
            let words = RunWords { source: Some(name.clone()), ..RunWords::new(&source, "writing") };
            let done = self.run(words, input, vec![sink]).await;
            if done.is_complete() && !self.ctx.args.dry_run {
                let file = if let PassSource::File(path) = &source { Some(path.clone()) } else { None };
                self.report.add_change(TextChange { name, file, output, old, new: captured.take() });
            }
            if !self.report.add(self.ctx, &source, done) {
                break;
            }
        }
        comparisons.for_each(|comparison| self.report.add_not_started(comparison.name));
    }

    async fn run(&mut self, words: RunWords, input: PipelineInput, sinks: Vec<Sink>) -> PipelineReport {
        let done = self.client.run(self.ctx, words, input, &self.jobs, sinks, &self.options).await;
        self.options = next_options(&self.options, done.characters);
        done
    }
}

#[derive(Clone, Default)]
struct CapturedOutput(Arc<Mutex<Vec<u8>>>);

impl CapturedOutput {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut *self.lock())).into_owned()
    }
}

impl Write for CapturedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[allow(clippy::struct_excessive_bools)] // five are flags
#[derive(Debug)]
pub struct WriteReport {
    totals: RunTotals,
    outcome: RunReport,
    is_resumable: bool,
    /// Whether the last target of the last pass is complete.
    is_complete: bool,
    changes: Vec<TextChange>,
    form: ResultForm,
    diff: bool,
    check: bool,
    interactive: bool,
    is_stopped: bool,
    stats: bool,
    is_cached: bool,
    request: WriteOptions,
    continues_after_unreadable_files: bool,
}

impl WriteReport {
    pub fn new(plan: &WritePlan) -> Self {
        let &WritePlan { form, diff, check, interactive, stats, continues_after_unreadable_files, .. } = plan;
        let (totals, outcome) = (RunTotals::new(plan.are_texts_typed), RunReport::default());
        let (request, changes) = (plan.request.clone(), Vec::new());
        Self {
            totals,
            outcome,
            is_resumable: false,
            is_complete: false,
            changes,
            form,
            diff,
            check,
            interactive,
            is_stopped: false,
            stats,
            is_cached: plan.options.results.is_some(),
            request,
            continues_after_unreadable_files,
        }
    }

    pub fn add_failure(&mut self, source: &PassSource, failure: Failure) {
        self.outcome.failed(with_input_name(failure, source));
    }

    pub fn add_not_started(&mut self, name: String) {
        self.outcome.input_not_started(name, 1);
    }

    pub fn add_change(&mut self, change: TextChange) {
        if self.interactive || change.old != change.new {
            self.changes.push(change);
        }
    }

    /// Returns whether to start another pass.
    pub fn add(&mut self, ctx: &Context, source: &PassSource, report: PipelineReport) -> bool {
        self.totals.add(ctx, source.files_reached(&report), &report);
        for name in source.inputs_not_reached(&report) {
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
                    self.outcome.succeeded(ctx.args.dry_run);
                }
                written.push_str(&written_so_far("", &target));
                continue;
            };
            continues &= !ends_run(failure.kind);
            let refused = failure.service.as_deref().filter(|service| service.status == Some(400));
            failure.hint = failure.hint.take().or_else(|| self.request.hint_when_refused(refused?));
            failure.what.push_str(&written_so_far("", &target));
            self.outcome.failed(with_input_name(failure, source));
        }
        if let Some(mut ended_by) = report.ended_by {
            if ended_by.kind != Kind::PipeClosed {
                ended_by.what.push_str(&written);
            }
            if self.continues_after_unreadable_files && source.concerns_only_its_file(&ended_by) {
                self.outcome.failed(with_input_name(ended_by, source));
                return true;
            }
            self.is_stopped = ended_by.kind.is_stop();
            self.outcome.ended_by(if ended_by.kind.is_stop() { ended_by } else { with_input_name(ended_by, source) });
        }
        continues
    }

    pub async fn finish(mut self, ctx: &Context, outputs: Option<OutputRun>) -> Result<(), Failure> {
        if !ctx.args.dry_run && self.diff {
            diff::print(ctx, &self.changes)?;
        } else if !ctx.args.dry_run && self.check {
            diff::print_names(ctx, self.form.format, &self.changes)?;
        }
        let asks = self.interactive && !ctx.args.dry_run && !self.is_stopped;
        let asked = if asks { interactive::ask_and_write(ctx, &self.changes) } else { Ok(()) };
        if self.is_resumable || outputs.as_ref().is_some_and(OutputRun::has_finished) {
            self.outcome.next_step(resume_hint(ctx.words()));
        } else if let Some(hint) = restart_hint(ctx, self.is_cached) {
            self.outcome.next_step(hint);
        }
        let done = self.outcome.finish(ctx, "inputs");
        self.totals.print(ctx, self.stats).await;
        asked.map_err(|failure| match restart_hint(ctx, self.is_cached) {
            Some(hint) if self.is_cached && failure.kind.is_stop() => failure.hint(hint),
            _ => failure,
        })?;
        if let Some(outputs) = outputs {
            if self.is_complete {
                outputs.record_single(ctx);
            }
            outputs.end(ctx, done.is_ok() && !self.totals.has_copied_texts());
        }
        done?;
        self.totals.check_copied()?;
        if self.check && !self.changes.is_empty() {
            let inputs = counted(self.changes.len(), "input");
            return Err(Failure::new(Kind::No, format!("{inputs} would change")));
        }
        Ok(())
    }
}
