//! Runs the pipeline with the client, and shows its progress on stderr.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::context::Context;
use crate::error::Failure;
use crate::http::answer::Answer;
use crate::http::client::Client;
use crate::http::request::Request;
use crate::pipeline::{self, Call, Destination, Job, PipelineInput, PipelineReport, RunOptions, Sink};

/// How often the progress bar is updated. A shorter run has none.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// Returns stdout as a destination. If it is a terminal, control characters in results are escaped and bars make room.
/// With `--jq` the results are filtered.
pub fn stdout(ctx: &Context) -> Destination {
    if let Some(filter) = ctx.out.stdout().filter_writer() {
        return Destination::stream("stdout", Box::new(filter));
    }
    match ctx.out.terminal_writer() {
        Some(terminal) => Destination::stream("stdout", Box::new(terminal)),
        None => Destination::stdout(),
    }
}

/// Sends the requests of the pipeline through a client; `--dry-run` prints them instead.
pub struct ClientCall<'a>(pub &'a Client);

impl ClientCall<'_> {
    /// Runs the pipeline and shows its progress with this label.
    pub async fn run(
        &self,
        ctx: &Context,
        label: &str,
        input: PipelineInput,
        jobs: &[Job],
        sinks: Vec<Sink>,
        options: &RunOptions,
    ) -> PipelineReport {
        let progress = Arc::clone(&options.progress);
        let run = pipeline::run(input, jobs, sinks, options, self, &ctx.stop);
        tokio::pin!(run);
        let mut meter = None;
        loop {
            tokio::select! {
                biased;
                report = &mut run => return report,
                () = tokio::time::sleep(PROGRESS_INTERVAL) => {
                    let meter = meter.get_or_insert_with(|| ctx.out.progress(label, None));
                    let total = progress.total.load(Ordering::Relaxed);
                    meter.set_total((total > 0).then_some(total));
                    meter.set(progress.done.load(Ordering::Relaxed));
                }
            }
        }
    }
}

impl Call for ClientCall<'_> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        if self.0.is_dry_run() {
            self.0.plan(&request)?;
            return Ok(Answer::planned());
        }
        self.0.call(request).await
    }

    fn concurrency(&self) -> usize {
        self.0.concurrency()
    }
}
