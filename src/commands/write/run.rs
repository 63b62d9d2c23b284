//! The second stage: sends the input of each pass through the pipeline, to its outputs or to be compared.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tulk_base::error::Failure;
use tulk_pipeline::{Destination, Job, PipelineInput, PipelineReport, RunOptions, Sink, TargetIndex};

use super::diff::TextChange;
use super::plan::{Comparison, WritePasses, WritePlan};
use super::report::WriteReport;
use crate::context::Context;
use crate::outputs::{OpenPass, OutputRun, PassSource, TextPass};
use crate::runs::client_call::{ClientCall, RunWords};
use crate::runs::result_cache;
use crate::runs::totals::next_options;

/// Runs the passes one after the other, until a failure would meet all that follow as well.
pub async fn run(ctx: &Context, plan: WritePlan) -> Result<(), Failure> {
    let report = WriteReport::new(&plan);
    let client = ClientCall(ctx.client().await?);
    let WritePlan { passes, job, options, .. } = plan;
    let mut runner = PassRunner { ctx, client, jobs: [job], options, report };
    match passes {
        WritePasses::Comparisons(comparisons) => {
            runner.compare_all(comparisons).await;
            result_cache::finish(ctx, &runner.options).await;
            runner.report.finish(ctx, None)
        }
        WritePasses::Results(outputs, passes) => {
            runner.write_all(&outputs, passes).await;
            result_cache::finish(ctx, &runner.options).await;
            runner.report.finish(ctx, Some(outputs))
        }
    }
}

/// Runs passes and collects what they did.
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
            let Comparison { name, source, input, old } = comparison;
            let captured = CapturedOutput::default();
            let writer = input.format.writer(&[]);
            let to = Destination::stream(&name, Box::new(captured.clone()));
            let sink = Sink { targets: TargetIndex::all(1), writer, to };
            let words = RunWords { source: Some(name.clone()), ..RunWords::new(&source, "writing") };
            let done = self.run(words, input, vec![sink]).await;
            if done.is_complete() && !self.ctx.args.dry_run {
                let file = if let PassSource::File(path) = &source { Some(path.clone()) } else { None };
                self.report.add_change(TextChange { name, file, old, new: captured.take() });
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

/// The output of a pass, kept in memory.
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
