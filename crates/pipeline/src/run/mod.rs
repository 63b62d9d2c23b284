//! The loop of a run: reads records, sends requests, takes answers and hands rows to the writer.
//!
//! Its state is split by what happens to an entry: [`InputFeed`] is what is read, [`Requests`] what is sent, [`RunOutput`] what
//! is written. However a run ends, what was paid for is written if that can be done in order.

mod answers;
mod cache;
mod feed;
mod finish;
mod input_feed;
mod output;
mod requests;
mod sink_state;

use futures_util::FutureExt as _;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, sleep_until};
use tulk_base::error::{Failure, Kind};
use tulk_base::limits;
use tulk_base::stop::Stop;
use tulk_client::http::answer::Answer;
use tulk_client::http::request::RequestBody;
use tulk_formats::InputFormat;
use tulk_store::part::InputCheck;

use self::input_feed::InputFeed;
use self::output::RunOutput;
pub use self::output::not_resumable;
use self::requests::Requests;
use super::batch::Batch;
use super::context_lines::ContextLines;
use super::index::TargetIndex;
use super::reader;
use super::target_stream::TargetStream;
use super::writer::WriterEvent;
use super::{Call, Job, PipelineInput, PipelineReport, RunOptions, Sink, TargetReport};

/// Size of input, times its targets, up to which output is written without a thread. It fits into the buffer of a pipe.
const MAX_INLINE_BYTES: usize = 16 * 1024;

/// Runs the pipeline: every job in exactly one sink, output in input order, in constant memory.
///
/// Always returns a report. How the run ended is in its `ended_by` and in the `failure` of each target. The future is not
/// `Send`: it runs on the thread that polls it.
pub async fn run(
    input: PipelineInput,
    jobs: &[Job],
    sinks: Vec<Sink>,
    options: &RunOptions,
    client: &impl Call,
    stop: &Stop,
) -> PipelineReport {
    let start = Instant::now();
    options.progress.start(jobs.len());
    let mut report = match Run::start(input, jobs, sinks, options, client) {
        Ok(mut run) => {
            run.drive(stop).await;
            run.finish(stop).await
        }
        Err(failure) => {
            let target = |job: &Job| TargetReport { target: job.target.clone(), ..TargetReport::default() };
            let targets = jobs.iter().map(target).collect();
            PipelineReport { ended_by: Some(failure), targets, ..PipelineReport::default() }
        }
    };
    report.duration = start.elapsed();
    report
}

/// Checks an input for faults, as a run does before its first request.
///
/// Commands with several runs call it for all but the first, so that no run sends anything if a later input is bad. A pipe is
/// not checked. `checks` compare it with what earlier runs read.
pub fn check_input(
    input: &mut PipelineInput,
    jobs: &[Job],
    options: &RunOptions,
    checks: Vec<InputCheck>,
) -> Result<(), Failure> {
    let rules = Requests::new(jobs)?.entry_rules(options);
    reader::check_input(input, rules, checks)
}

/// A request that was answered or failed.
struct Answered {
    target: TargetIndex,
    batch: Batch,
    outcome: Result<Answer, Failure>,
}

/// An answer that is not read yet.
struct Arrived {
    target: TargetIndex,
    batch: Batch,
    answer: Answer,
}

/// A run. Methods here and in the submodules react to one event each.
struct Run<'a, C> {
    options: &'a RunOptions,
    client: &'a C,
    /// Checks results.
    format: InputFormat,
    feed: InputFeed,
    requests: Requests<'a>,
    output: RunOutput,
    report: PipelineReport,
    /// Whether output may be written although the input may have a fault that nothing was sent before.
    writes_before_requests: bool,
    /// The targets that take the entries of the current record. Kept to save an allocation.
    waiting_targets: Vec<TargetIndex>,
}

impl<'a, C: Call> Run<'a, C> {
    fn start(
        input: PipelineInput,
        jobs: &'a [Job],
        sinks: Vec<Sink>,
        options: &'a RunOptions,
        client: &'a C,
    ) -> Result<Self, Failure> {
        let requests = Requests::new(jobs)?;
        let inline = input.source.argument_bytes().is_some_and(|bytes| bytes * jobs.len() <= MAX_INLINE_BYTES);
        let output = RunOutput::start(sinks, jobs.len(), options.dry_run, inline)?;
        let max_context_bytes = jobs.iter().map(|job| job.limit.bytes / 2).max().unwrap_or(0);
        let context = ContextLines::new(&input.format, options.context_lines, max_context_bytes);
        let format = input.format.clone();
        let lookup = cache::lookup(jobs, options, &output, || {
            ContextLines::new(&input.format, options.context_lines, max_context_bytes)
        });
        let cached = lookup.as_ref().map(|_| 0);
        let feed = InputFeed::start(input, requests.entry_rules(options), output.input_checks(), context, lookup)?;
        Ok(Self {
            options,
            client,
            format,
            feed,
            requests,
            output,
            report: PipelineReport { cached, ..PipelineReport::default() },
            writes_before_requests: false,
            waiting_targets: Vec::new(),
        })
    }

    /// Runs until nothing is left to do, or until a signal has waited long enough for answers.
    async fn drive(&mut self, stop: &Stop) {
        let mut in_flight = FuturesUnordered::new();
        let mut arrived = Vec::new();
        let mut deadline = None;
        loop {
            if self.show_answers(&mut arrived) {
                // A request that is ready leaves before more is read.
                tokio::task::yield_now().await;
            }
            let mut has_started = false;
            while let Some((target, batch)) = self.start_next() {
                in_flight.push(send(self.client, self.requests.targets[target].job, target, batch));
                has_started = true;
            }
            if !arrived.is_empty() {
                if has_started {
                    // The next requests leave before the answers to earlier ones are read.
                    let answered = in_flight.next().now_or_never().flatten();
                    arrived.extend(answered.and_then(|answered| self.on_arrival(answered)));
                    tokio::task::yield_now().await;
                }
                self.on_answers(&mut arrived);
                continue;
            }
            if !self.may_end_without_a_request() && !self.is_output_over() {
                self.advance();
            }
            if self.is_done() {
                return;
            }
            if self.is_output_over() {
                // Its answers are waited for only to be stored.
                deadline.get_or_insert_with(|| Instant::now() + limits::STOP_PATIENCE);
            }
            let wants_input = self.wants_input();
            if !wants_input && self.feed.is_open() && !self.requests.has_ready() && self.seal_all() {
                // Rows may wait for an entry in a batch that waits for more entries.
                continue;
            }
            let (idle_at, is_waiting) = (self.feed.idle_at(), wants_input && !self.requests.has_ready());
            let can_idle = is_waiting && (self.has_open_batch() || self.holds_cached_results());
            tokio::select! {
                biased;
                kind = stop.wait(), if deadline.is_none() => {
                    deadline = Some(Instant::now() + limits::STOP_PATIENCE);
                    self.end(Stop::failure(kind, None));
                }
                () = sleep_until(deadline.unwrap_or(idle_at)), if deadline.is_some() => return,
                Some(answered) = in_flight.next(), if !in_flight.is_empty() => {
                    // All answers that are there are taken before anything is written. An observer sees each at once: looking for
                    // the next one may start a request that waits.
                    arrived.extend(self.on_arrival(answered));
                    while self.options.observer.is_none() && let Some(Some(next)) = in_flight.next().now_or_never() {
                        arrived.extend(self.on_arrival(next));
                    }
                }
                Some(event) = self.output.next_event() => self.on_writer_event(event),
                event = self.feed.next(), if wants_input => self.on_reader_event(event),
                () = self.client.has_more_room() => {}
                () = sleep_until(idle_at), if can_idle => {
                    self.writes_before_requests |= self.holds_cached_results();
                    self.seal_all();
                }
            }
        }
    }

    /// Reads answers now if the run has an observer: it keeps what is paid for, before more is sent. Returns whether there were any.
    fn show_answers(&mut self, arrived: &mut Vec<Arrived>) -> bool {
        let has_any = self.options.observer.is_some() && !arrived.is_empty();
        if has_any {
            self.on_answers(arrived);
        }
        has_any
    }

    fn on_answers(&mut self, arrived: &mut Vec<Arrived>) {
        arrived.drain(..).for_each(|arrived| self.on_answer(arrived));
        if let Some(observer) = &self.options.observer {
            observer.answers_are_shown();
        }
    }

    fn start_next(&mut self) -> Option<(TargetIndex, Batch)> {
        let concurrency = self.client.concurrency().max(1);
        self.requests.start_next(concurrency, self.options, &self.output)
    }

    fn is_done(&self) -> bool {
        if self.is_output_over() {
            return !self.has_results_to_store();
        }
        let nothing_to_send = self.requests.is_over() || (!self.feed.is_open() && !self.requests.has_ready());
        !self.requests.has_in_flight() && nothing_to_send
    }

    /// Returns whether a fault of the input would end the run before anything was sent. Then nothing should be written either.
    fn may_end_without_a_request(&self) -> bool {
        !self.has_begun() && self.feed.is_open() && self.output.has_room()
    }

    /// Returns whether a fault of the input no longer ends the run as if it had not begun.
    fn has_begun(&self) -> bool {
        self.requests.started > 0 || self.writes_before_requests
    }

    /// Returns whether entries wait for more entries to fill their batch.
    fn has_open_batch(&self) -> bool {
        self.requests.targets.iter().any(TargetStream::has_open_batch)
    }

    /// Returns whether nothing more can be written.
    fn is_output_over(&self) -> bool {
        self.is_pipe_closed() || !self.output.has_open_sink()
    }

    /// Returns whether the reader of stdout is gone.
    fn is_pipe_closed(&self) -> bool {
        self.report.ended_by.as_ref().is_some_and(|failure| failure.kind == Kind::PipeClosed)
    }

    /// Returns whether more input should be read now.
    fn wants_input(&self) -> bool {
        let concurrency = self.client.concurrency().max(1);
        let has_enough = self.requests.has_enough_ready(concurrency);
        let can_take = !self.requests.is_closed() && !has_enough && !self.is_output_over();
        self.feed.is_open() && can_take && self.output.has_room()
    }

    /// Queues all batches, full or not. Returns false if there was none.
    fn seal_all(&mut self) -> bool {
        self.requests.seal_all(|target| !self.output.is_checked(target))
    }

    /// Ends the run for all targets: nothing more is read or sent.
    fn end(&mut self, failure: Failure) {
        self.feed.close();
        self.requests.close();
        self.report.ended_by.get_or_insert(failure);
    }

    fn on_writer_event(&mut self, event: WriterEvent) {
        match event {
            WriterEvent::Failed(_, failure) if failure.kind == Kind::PipeClosed => self.end(failure),
            WriterEvent::Failed(sink, failure) => {
                for target in self.output.fail_sink(sink, failure.clone()) {
                    self.requests.fail(*target, failure.clone());
                }
            }
            event => self.output.apply(&event),
        }
    }
}

/// Sends a batch and waits for the answer.
async fn send<C: Call>(client: &C, job: &Job, target: TargetIndex, batch: Batch) -> Answered {
    let mut request = job.request.clone();
    request.body = RequestBody::Json(batch.body.clone());
    let outcome = client.call(request).await;
    Answered { target, batch, outcome }
}
