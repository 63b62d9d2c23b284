//! The second stage: sends the input of each pass through the pipeline, and replaces or compares files.

use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::diff::TextChange;
use super::plan::{WriteOutput, WritePass, WritePlan};
use super::report::WriteReport;
use crate::commands::client_call::{self, ClientCall};
use crate::commands::run_totals::next_options;
use crate::context::Context;
use crate::error::Failure;
use crate::files::{AtomicFile, FileMode};
use crate::pipeline::{Destination, PipelineReport, RunOptions, Sink, TargetIndex};

/// Runs the passes one after the other, until a failure would meet all that follow as well.
pub async fn run(ctx: &Context, mut plan: WritePlan) -> Result<WriteReport, Failure> {
    let client = ClientCall(ctx.client().await?);
    let mut report = WriteReport::new(&plan);
    let mut options = plan.options.clone();
    for pass in std::mem::take(&mut plan.passes) {
        let name = pass.name.clone();
        match run_pass(ctx, &plan, pass, &options, &client).await {
            Err(failure) => report.add_failure(failure),
            Ok((done, change)) => {
                options = next_options(&options, done.characters);
                if !report.add(ctx, &name, done, change) {
                    break;
                }
            }
        }
    }
    Ok(report)
}

/// Runs a pass. Returns the change too if the result is compared with its input.
async fn run_pass(
    ctx: &Context,
    plan: &WritePlan,
    pass: WritePass,
    options: &RunOptions,
    client: &ClientCall<'_>,
) -> Result<(PipelineReport, Option<TextChange>), Failure> {
    let WritePass { name, input, output } = pass;
    let jobs = std::slice::from_ref(&plan.job);
    let (captured, replacement) = (CapturedOutput::default(), ReplacementFile::default());
    let (writer, to) = match &output {
        WriteOutput::Compare(_) => (input.format.writer(), Destination::stream(&name, Box::new(captured.clone()))),
        WriteOutput::Stdout => {
            (plan.form.writer(std::slice::from_ref(&plan.job.target), &input.format), client_call::stdout(ctx))
        }
        WriteOutput::File(_) if ctx.args.dry_run => (input.format.writer(), Destination::Nothing),
        WriteOutput::File(path) => {
            replacement.create(path)?;
            (input.format.writer(), Destination::stream(&name, Box::new(replacement.clone())))
        }
    };
    let sinks = vec![Sink { targets: TargetIndex::all(1), writer, to }];
    let report = client.run(ctx, &name, input, jobs, sinks, options).await;
    if let Some(file) = replacement.take().filter(|_| report.is_complete()) {
        file.commit()?;
    }
    let change = match output {
        WriteOutput::Compare(old) if !ctx.args.dry_run => Some(TextChange { name, old, new: captured.take() }),
        _ => None,
    };
    Ok((report, change))
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

/// The new version of a file. Unless it is taken and committed, it is dropped and the file stays as it is.
#[derive(Clone, Default)]
struct ReplacementFile(Arc<Mutex<Option<AtomicFile>>>);

impl ReplacementFile {
    fn create(&self, path: &Path) -> Result<(), Failure> {
        *self.lock() = Some(AtomicFile::create(path, FileMode::Inherit)?);
        Ok(())
    }

    fn take(&self) -> Option<AtomicFile> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<AtomicFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for ReplacementFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lock().as_mut().map_or(Ok(()), Write::flush)
    }
}
