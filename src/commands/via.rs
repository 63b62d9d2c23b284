//! The pipeline's way to the service: the client, or the printer of `--dry-run`; and its progress on stderr.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::context::Context;
use crate::error::Failure;
use crate::http::answer::Answer;
use crate::http::client::Client;
use crate::http::request::Request;
use crate::pipeline::{self, Call, Destination, Input, Job, Report, Rules, Sink};

/// Standard output for results. A terminal gets no control characters of theirs, and no bar in between.
pub fn stdout(ctx: &Context) -> Destination {
    match ctx.out.stdout().terminal() {
        Some(terminal) => Destination::stream("stdout", Box::new(terminal)),
        None => Destination::stdout(),
    }
}

/// How often progress is looked at. What is done sooner has no meter at all.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Sends the pipeline's requests through a client.
pub struct Via<'a>(pub &'a Client);

impl Via<'_> {
    /// Runs the pipeline and shows how far it is, under this label.
    pub async fn run(
        &self,
        ctx: &Context,
        label: &str,
        input: Input,
        jobs: &[Job],
        sinks: Vec<Sink>,
        rules: &Rules,
    ) -> Report {
        let progress = Arc::clone(&rules.progress);
        let work = pipeline::run(input, jobs, sinks, rules, self, &ctx.stop);
        tokio::pin!(work);
        let mut meter = None;
        loop {
            tokio::select! {
                biased;
                report = &mut work => return report,
                () = tokio::time::sleep(LOOK_EVERY) => {
                    let meter = meter.get_or_insert_with(|| ctx.out.progress(label, None));
                    let total = progress.total.load(Ordering::Relaxed);
                    meter.set_total((total > 0).then_some(total));
                    meter.set(progress.done.load(Ordering::Relaxed));
                }
            }
        }
    }
}

impl Call for Via<'_> {
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
