//! The main loop of a run: reads records, sends requests, receives responses and passes rows to the writer.
//!
//! [`Run`] reacts to events of the reader, the client and the writer. [`Entries`] decides what happens to an entry, using [`Requests`] for
//! what is sent and [`RunOutput`] for what is written. However a run ends, results that were paid for are written, as far as they can be
//! written in order.

mod entries;
mod output;
mod requests;

use futures_util::FutureExt as _;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, sleep_until};
use tulk_base::error::{Failure, Kind};
use tulk_base::limits;
use tulk_base::stop::Stop;
use tulk_client::http::request::RequestBody;
use tulk_store::part::InputCheck;

use self::entries::{EndedRequest, Entries, UnparsedResponse};
use self::output::RunOutput;
pub use self::output::not_resumable_failure;
use self::requests::Requests;
use super::batch::Batch;
use super::cache_lookup::{CacheLookup, ReadRecord};
use super::context_lines::ContextLines;
use super::index::TargetIndex;
use super::reader::{self, InputFeed, ReaderEvent};
use super::writer::WriterEvent;
use super::{Call, Job, PipelineInput, PipelineReport, RunMemory, RunOptions, Sink, TargetReport};

/// Output is written without a thread if the input consists of arguments whose size times the number of targets is at most this. It then
/// fits into the buffer of a pipe.
const MAX_INLINE_BYTES: usize = 16 * 1024;

/// Runs the pipeline. Every job must be in exactly one sink. Writes output in input order and uses constant memory.
///
/// Always returns a report. Its `ended_by` and the `failure` of each target say how the run ended. The future is not `Send`: it runs on
/// the thread that polls it.
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
/// A run checks its own input. Before a command starts several runs, one for each input, it calls this for every input except the first,
/// so nothing is sent if an input has a fault. A pipe is not checked. `checks` compare the input with the input of earlier runs.
pub fn check_input(
    input: &mut PipelineInput,
    jobs: &[Job],
    options: &RunOptions,
    checks: Vec<InputCheck>,
) -> Result<(), Failure> {
    let rules = Requests::new(jobs)?.entry_rules(options);
    reader::check_input(input, rules, checks)
}

struct Run<'a, C> {
    client: &'a C,
    feed: InputFeed,
    entries: Entries<'a>,
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
        let context = || ContextLines::new(&input.format, options.context_lines, max_context_bytes);
        let lookup = CacheLookup::of_run(jobs, options, output.first_row(), context);
        let (has_cache, context, format) = (lookup.is_some(), context(), input.format.clone());
        let feed = InputFeed::start(input, requests.entry_rules(options), output.input_checks(), lookup)?;
        Ok(Self { client, feed, entries: Entries::new(options, format, context, requests, output, has_cache) })
    }

    /// Runs until there is nothing left to do. Stops earlier if a timeout expires, which starts at a signal or when
    /// all outputs are closed.
    async fn drive(&mut self, stop: &Stop) {
        let mut in_flight = FuturesUnordered::new();
        let mut arrived = Vec::new();
        let mut deadline = None;
        loop {
            if self.show_answers(&mut arrived) {
                // Let other tasks run, so that requests that are ready are sent before more input is read.
                tokio::task::yield_now().await;
            }
            let mut has_started = false;
            while let Some((target, batch)) = self.start_next() {
                in_flight.push(send(self.client, self.entries.requests.targets[target.0].job, target, batch));
                has_started = true;
            }
            if !arrived.is_empty() {
                if has_started {
                    // The next requests are sent before the responses to earlier ones are parsed.
                    let answered = in_flight.next().now_or_never().flatten();
                    arrived.extend(answered.and_then(|answered| self.entries.on_request_end(answered)));
                    tokio::task::yield_now().await;
                }
                self.on_answers(&mut arrived);
                continue;
            }
            if !self.can_end_without_a_request() && !self.entries.is_output_over() {
                self.entries.advance();
            }
            if self.is_done() {
                return;
            }
            if self.entries.is_output_over() {
                // Wait only for responses whose results will be stored.
                deadline.get_or_insert_with(|| Instant::now() + limits::STOP_TIMEOUT);
            }
            let can_take_input = self.can_take_input();
            if !can_take_input
                && self.feed.is_open()
                && !self.entries.requests.has_ready()
                && self.entries.queue_all_batches()
            {
                // No more input is read for now, so send incomplete batches too: rows may wait for their results.
                continue;
            }
            let (idle_at, is_waiting) = (self.feed.idle_at(), can_take_input && !self.entries.requests.has_ready());
            let can_idle = is_waiting && (self.entries.has_open_batch() || self.entries.has_cached_results());
            tokio::select! {
                biased;
                kind = stop.wait(), if deadline.is_none() => {
                    deadline = Some(Instant::now() + limits::STOP_TIMEOUT);
                    self.end(Stop::failure(kind, None));
                }
                () = sleep_until(deadline.unwrap_or(idle_at)), if deadline.is_some() => return,
                Some(answered) = in_flight.next(), if !in_flight.is_empty() => {
                    // Take all responses that have arrived before writing anything. With an observer, take only one: polling for
                    // the next response may start a request, and the observer must see each response before that.
                    arrived.extend(self.entries.on_request_end(answered));
                    while self.entries.options.observer.is_none()
                        && let Some(Some(next)) = in_flight.next().now_or_never()
                    {
                        arrived.extend(self.entries.on_request_end(next));
                    }
                }
                Some(event) = self.entries.output.next_event() => self.on_writer_event(event),
                event = self.feed.next(), if can_take_input => self.on_reader_event(event),
                () = self.client.has_more_room() => {}
                () = sleep_until(idle_at), if can_idle => {
                    self.entries.writes_before_requests |= self.entries.has_cached_results();
                    self.entries.queue_all_batches();
                }
            }
        }
    }

    /// Parses responses immediately if the run has an observer, so that it can save paid results before more is sent. Returns whether there
    /// were any.
    fn show_answers(&mut self, arrived: &mut Vec<UnparsedResponse>) -> bool {
        let has_any = self.entries.options.observer.is_some() && !arrived.is_empty();
        if has_any {
            self.on_answers(arrived);
        }
        has_any
    }

    fn on_answers(&mut self, arrived: &mut Vec<UnparsedResponse>) {
        arrived.drain(..).for_each(|arrived| self.entries.on_answer(arrived));
        if let Some(observer) = &self.entries.options.observer {
            observer.answers_are_shown();
        }
    }

    fn start_next(&mut self) -> Option<(TargetIndex, Batch)> {
        let concurrency = self.client.concurrency().max(1);
        self.entries.requests.start_next(concurrency, self.entries.options, &self.entries.output)
    }

    fn is_done(&self) -> bool {
        if self.entries.is_output_over() {
            return !self.entries.has_results_to_store();
        }
        let nothing_to_send =
            self.entries.requests.is_over() || (!self.feed.is_open() && !self.entries.requests.has_ready());
        !self.entries.requests.has_in_flight() && nothing_to_send
    }

    /// Returns whether a fault in the input could still end the run before anything is sent. While it could, nothing is written.
    fn can_end_without_a_request(&self) -> bool {
        !self.entries.has_begun() && self.feed.is_open() && self.entries.output.has_room()
    }

    fn can_take_input(&self) -> bool {
        let concurrency = self.client.concurrency().max(1);
        let has_enough = self.entries.requests.has_enough_ready(concurrency);
        let can_take = !self.entries.requests.is_closed() && !has_enough && !self.entries.is_output_over();
        self.feed.is_open() && can_take && self.entries.output.has_room()
    }

    /// Ends the run for all targets: reads and sends nothing more.
    fn end(&mut self, failure: Failure) {
        self.feed.close();
        self.entries.requests.close();
        self.entries.report.ended_by.get_or_insert(failure);
    }

    fn on_reader_event(&mut self, event: Option<ReaderEvent>) {
        match event {
            Some(ReaderEvent::Scanned(entries)) => {
                let _ = self.entries.options.progress.entries.set(entries);
            }
            Some(ReaderEvent::Records(records)) => {
                for ReadRecord { record, cached } in records {
                    if !self.entries.requests.is_closed() {
                        let added = self.entries.add_record(&record, cached.map(|cached| *cached).unwrap_or_default());
                        added.unwrap_or_else(|failure| self.end(failure));
                    }
                }
            }
            Some(ReaderEvent::Fault(failure)) => self.on_input_fault(failure),
            None => match self.entries.output.finish_checks() {
                Err(failure) => self.end(failure),
                Ok(()) => {
                    self.entries.queue_all_batches();
                }
            },
        }
    }

    /// Ends the input at a fault. Finishes everything before it, but writes nothing if nothing was sent yet.
    fn on_input_fault(&mut self, failure: Failure) {
        self.feed.close();
        if !self.entries.has_begun() {
            self.entries.output.discard();
            return self.end(failure);
        }
        self.entries.queue_all_batches();
        let kind = if failure.kind == Kind::Usage { Kind::Partly } else { failure.kind };
        self.entries.report.ended_by.get_or_insert(Failure { kind, ..failure });
    }

    fn on_writer_event(&mut self, event: WriterEvent) {
        match event {
            WriterEvent::Failed(_, failure) if failure.kind == Kind::PipeClosed => self.end(failure),
            WriterEvent::Failed(sink, failure) => {
                for target in self.entries.output.fail_sink(sink, failure.clone()) {
                    self.entries.requests.fail(*target, failure.clone());
                }
            }
            event => self.entries.output.apply(&event),
        }
    }

    async fn finish(mut self, stop: &Stop) -> PipelineReport {
        self.entries.advance();
        for target in self.entries.output.mark_complete(self.feed.has_reached_end()) {
            // The target was stopped because of another one, but all its rows are complete.
            self.entries.requests.targets[target.0].failure = None;
        }
        if !self.entries.is_pipe_closed() && !self.entries.options.dry_run {
            self.entries.output.finish();
            self.drain(stop).await;
        }
        self.into_report()
    }

    /// Waits for the writer. After a signal, waits only for a limited time, because the reader of stdout may have stopped reading.
    async fn drain(&mut self, stop: &Stop) {
        let mut deadline = None;
        loop {
            tokio::select! {
                biased;
                event = self.entries.output.next_event() => match event {
                    None | Some(WriterEvent::Done) => return,
                    Some(event) => self.on_writer_event(event),
                },
                kind = stop.wait(), if deadline.is_none() => {
                    deadline = Some(Instant::now() + limits::STOP_TIMEOUT);
                    self.entries.report.ended_by.get_or_insert(Stop::failure(kind, None));
                }
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => return,
            }
        }
    }

    fn into_report(self) -> PipelineReport {
        let Entries { options, mut requests, output, mut report, .. } = self.entries;
        report.requests = requests.started;
        report.characters = requests.characters;
        for target in (0..requests.targets.len()).map(TargetIndex) {
            let stream = &mut requests.targets[target.0];
            report.targets.push(output.report(target, &stream.job.target, stream.failure.take()));
        }
        if options.memory == RunMemory::Left {
            std::mem::forget(requests);
        }
        report
    }
}

async fn send<C: Call>(client: &C, job: &Job, target: TargetIndex, batch: Batch) -> EndedRequest {
    let mut request = job.request.clone();
    request.body = RequestBody::Json(batch.body.clone());
    let outcome = client.call(request).await;
    EndedRequest { target, batch, outcome }
}
