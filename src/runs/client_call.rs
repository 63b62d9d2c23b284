//! Runs the pipeline with the client, and shows its progress on stderr.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::time::Duration;

use tulk_base::error::Failure;
use tulk_client::http::answer::Answer;
use tulk_client::http::client::Client;
use tulk_client::http::request::Request;
use tulk_pipeline::{
    Call, Destination, Job, PipelineInput, PipelineReport, RunOptions, RunProgress, Sink, TargetIndex,
};

use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{ProgressGroup, ProgressTask, ProgressUnit, TaskName};
use crate::outputs::PassSource;

/// Time between updates of the progress. A shorter run shows no progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Returns stdout as a destination. With `--jq`, results are filtered. On a terminal, control characters are escaped, except in a
/// table, where they are escaped already.
pub fn stdout(ctx: &Context) -> Destination {
    if let Some(filter) = ctx.out.stdout().filter_writer() {
        return Destination::stream("stdout", Box::new(filter));
    }
    let is_table = ctx.args.format() == OutputFormat::Table;
    match ctx.out.terminal_writer().filter(|_| !is_table) {
        Some(terminal) => Destination::stream("stdout", Box::new(terminal)),
        None if is_table || ctx.out.stdout().is_guarded() => {
            Destination::stream("stdout", Box::new(ctx.out.stdout().clone()))
        }
        None => Destination::stdout(),
    }
}

/// Sends the requests of the pipeline through a client; `--dry-run` prints them instead.
pub struct ClientCall<'a>(pub &'a Client);

/// Texts for the progress of a run of the pipeline.
pub struct RunWords {
    pub source: Option<String>,
    /// What is done with the input, such as `translating`.
    pub phase: &'static str,
    /// Whether the input is stdin, where the user may be typing.
    pub reads_stdin: bool,
}

impl RunWords {
    pub fn new(source: &PassSource, phase: &'static str) -> Self {
        Self { source: source.name(), phase, reads_stdin: source.reads_stdin() }
    }
}

impl ClientCall<'_> {
    pub async fn run(
        &self,
        ctx: &Context,
        words: RunWords,
        input: PipelineInput,
        jobs: &[Job],
        sinks: Vec<Sink>,
        options: &RunOptions,
    ) -> PipelineReport {
        let to_stdout = sinks.iter().any(|sink| sink.to.is_stdout());
        let shows_progress =
            ctx.out.has_room_for_progress(to_stdout) && !(words.reads_stdin && io::stdin().is_terminal());
        let progress = Arc::clone(&options.progress);
        let run = tulk_pipeline::run(input, jobs, sinks, options, self, &ctx.stop);
        tokio::pin!(run);
        let mut tasks = None;
        let report = loop {
            tokio::select! {
                biased;
                report = &mut run => break report,
                () = tokio::time::sleep(PROGRESS_INTERVAL), if shows_progress => {
                    tasks.get_or_insert_with(|| TargetTasks::new(ctx, &words, jobs)).update(&progress);
                }
            }
        };
        if let Some(mut tasks) = tasks {
            tasks.update(&progress);
            tasks.finish(&report, options.dry_run);
        }
        report
    }
}

/// Progress of each target of a run. Plain lines show the sum.
struct TargetTasks {
    targets: Vec<ProgressTask>,
    /// The sum, if there are several targets.
    group: Option<ProgressGroup>,
    total: Option<u64>,
}

impl TargetTasks {
    fn new(ctx: &Context, words: &RunWords, jobs: &[Job]) -> Self {
        let name = words.source.as_deref().unwrap_or(words.phase);
        let group = (jobs.len() > 1).then(|| ctx.out.progress_group(name));
        let new_task = |job: &Job| match &group {
            Some(group) => group.add(TaskName::with_target(name, &job.target)),
            None => ctx.out.progress(TaskName::with_target(name, &job.target)),
        };
        let targets: Vec<ProgressTask> = jobs.iter().map(new_task).collect();
        // If the input has no name, the phase is used as the name.
        let phase = words.source.as_ref().map_or("", |_| words.phase);
        for task in &targets {
            task.count(phase, ProgressUnit::Texts, None);
        }
        Self { targets, group, total: None }
    }

    fn update(&mut self, progress: &RunProgress) {
        let total = progress.entries.get().copied();
        let is_new = total != self.total;
        self.total = total;
        let mut sum = 0;
        for (at, task) in self.targets.iter().enumerate() {
            if is_new {
                task.set_total(total);
            }
            let done = progress.done(TargetIndex(at));
            task.set(done);
            sum += done;
        }
        if let Some(group) = &self.group {
            group.overall().set_total(total.map(|total| total * self.targets.len() as u64));
            group.overall().set(sum);
        }
    }

    /// Ends the tasks. The lines of complete targets stay on the terminal.
    fn finish(&self, report: &PipelineReport, dry_run: bool) {
        for (task, target) in self.targets.iter().zip(&report.targets) {
            if report.ended_by.is_none() && target.failure.is_none() && !dry_run {
                task.finish_with_amount();
            } else {
                task.finish();
            }
        }
        if let Some(group) = &self.group {
            group.overall().finish();
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
