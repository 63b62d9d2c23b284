//! The loop: feeds records into batches, keeps the flight full, takes what lands, hands rows to the writer.
//!
//! However it ends, what is paid for is written if that can be done in order.

mod feed;
mod land;
mod outlet;
mod send;

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use self::outlet::Outlet;
use crate::error::{Failure, Kind};
use crate::formats::{Room, Translated};
use crate::http::answer::Answer;
use crate::http::request::RequestBody;
use crate::limits;
use crate::pipeline::batch::Batch;
use crate::pipeline::context::Before;
use crate::pipeline::lane::Lane;
use crate::pipeline::order::{self, Order};
use crate::pipeline::reader::{self, News};
use crate::pipeline::repeats::Place;
use crate::pipeline::writer::{Work, Writer, Wrote};
use crate::pipeline::{Call, Destination, Input, Job, Report, Rules, Sink, TargetReport};
use crate::stop::Stop;
use crate::store::part::Check;

/// Bytes of bodies in flight at most (one body always may be).
const FLIGHT_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of rows that wait for their turn at most.
const ROWS_BYTES: usize = 4 * 1024 * 1024;
/// Input, times its targets, that is written without a thread: some pages of a pipe.
const SMALL: usize = 16 * 1024;
/// Bytes of rows that the writer has not written at most.
const BACKLOG_BYTES: usize = 2 * 1024 * 1024;

/// Translates an input: every job in exactly one sink, output in input order, in constant memory.
///
/// Always gives a report; how it ended is in `ended` and in each target's `failure`. The future is not `Send`: it runs on
/// the thread that polls it.
pub async fn run(input: Input, jobs: &[Job], sinks: Vec<Sink>, rules: &Rules, via: &impl Call, stop: &Stop) -> Report {
    let began = Instant::now();
    let mut report = match Run::begin(input, jobs, sinks, rules, via) {
        Ok(mut run) => {
            run.drive(stop).await;
            run.finish(stop).await
        }
        Err(failure) => {
            let target = |job: &Job| TargetReport { target: job.target.clone(), ..TargetReport::default() };
            Report { ended: Some(failure), targets: jobs.iter().map(target).collect(), ..Report::default() }
        }
    };
    report.seconds = began.elapsed();
    report
}

/// Looks an input through for faults, as the run over it would at its beginning: what follows on other runs is thereby known
/// to be sound before the first of them sends anything. A pipe is left alone.
pub fn look_through(input: &mut Input, jobs: &[Job], rules: &Rules) -> Result<(), Failure> {
    let lanes: Vec<Lane> = jobs.iter().enumerate().map(Lane::new).collect::<Result<_, _>>()?;
    reader::look_through(input, room(&lanes, rules))
}

/// What an entry may take on the way to all targets.
fn room(lanes: &[Lane], rules: &Rules) -> Room {
    let least = lanes.iter().map(Lane::room).min_by_key(|room| room.bytes);
    Room { check: rules.check, ..least.unwrap_or(Room { bytes: 0, limit: 0, check: false }) }
}

/// A batch that came back.
struct Landed {
    lane: usize,
    batch: Batch,
    outcome: Result<Answer, Failure>,
}

struct Run<'a, C> {
    rules: &'a Rules,
    via: &'a C,
    lanes: Vec<Lane<'a>>,
    outlets: Vec<Outlet>,
    order: Order,
    before: Before,
    /// Batches to send, in order.
    ready: VecDeque<(usize, Batch)>,
    news: mpsc::Receiver<News>,
    writer: Writer,
    /// Source bytes given to the writer and not yet written.
    backlog: usize,
    in_flight: usize,
    flight_bytes: usize,
    /// Records seen.
    rows: u64,
    /// Whether more input may come.
    reading: bool,
    /// Whether the input came to its end.
    ended: bool,
    /// Whether nothing more may be sent.
    closed: bool,
    /// Results that came ahead of their turn and are to be kept in a part's state.
    fresh: Vec<(usize, Place, Arc<Translated>)>,
    last_news: Instant,
    report: Report,
}

impl<'a, C: Call> Run<'a, C> {
    fn begin(input: Input, jobs: &'a [Job], sinks: Vec<Sink>, rules: &'a Rules, via: &'a C) -> Result<Self, Failure> {
        let mut lanes: Vec<Lane> = jobs.iter().enumerate().map(Lane::new).collect::<Result<_, _>>()?;
        let (mut outlets, mut outputs) = (Vec::new(), Vec::new());
        for (at, sink) in sinks.into_iter().enumerate() {
            for target in &sink.targets {
                if let Some(lane) = lanes.get_mut(*target) {
                    lane.sink = at;
                }
            }
            let Sink { targets, mut writer, to } = sink;
            let resumed = to.part().and_then(|part| part.resumed().cloned());
            if let Some(resumed) = &resumed {
                if !writer.can_go_on() {
                    let what = "this form of output, for several targets, cannot be gone on with";
                    let hint = "start anew with --force, or write a file per target with {lang}";
                    return Err(Failure::usage(what).hint(hint));
                }
                writer.resume(resumed.bytes);
            }
            // Nothing is written: what was opened is left as it was.
            let to = if rules.dry_run { Destination::Nothing } else { to };
            let goes_on = to.part().is_some() && writer.can_go_on();
            let check = resumed.as_ref().map(|r| r.check.clone());
            let entries = resumed.as_ref().map_or(0, |r| r.entries);
            let rows = resumed.as_ref().map_or(0, |r| r.rows);
            let outlet =
                Outlet { targets, resumed, check, goes_on, entries, rows, complete: false, failure: None, left: None };
            outlets.push(outlet);
            outputs.push((writer, to));
        }
        let order = Order::new(lanes.len(), outlets.iter().map(|o: &Outlet| (o.targets.clone(), o.rows)));
        let checks = outlets.iter().filter_map(|o| o.check.clone()).collect();
        let half = jobs.iter().map(|j| j.limit.bytes / 2).max().unwrap_or(0);
        let small = input.source.held().is_some_and(|bytes| bytes * lanes.len() <= SMALL);
        let news = reader::start(input, room(&lanes, rules), checks)?;
        let mut this = Self {
            rules,
            via,
            lanes,
            outlets,
            order,
            before: Before::new(rules.context_lines, half),
            ready: VecDeque::new(),
            news,
            writer: Writer::start(outputs, small)?,
            backlog: 0,
            in_flight: 0,
            flight_bytes: 0,
            rows: 0,
            reading: true,
            ended: false,
            closed: false,
            fresh: Vec::new(),
            last_news: Instant::now(),
            report: Report::default(),
        };
        for sink in 0..this.outlets.len() {
            this.seed(sink);
        }
        Ok(this)
    }

    /// Runs until nothing is left to do, or a signal's patience ends.
    async fn drive(&mut self, stop: &Stop) {
        let mut flight = FuturesUnordered::new();
        let mut deadline = None;
        loop {
            while let Some((lane, batch)) = self.next_to_send() {
                flight.push(fly(self.via, self.lanes.get(lane).map(|l| l.job), lane, batch));
            }
            self.advance();
            if self.is_done() {
                return;
            }
            let feeds = self.feeds();
            if !feeds && self.reading && self.ready.is_empty() && self.seal_all() {
                // Rows may wait for an entry that waits for more entries.
                continue;
            }
            let idle_at = self.last_news + limits::IDLE;
            let idles = feeds && self.lanes.iter().any(|lane| !lane.batcher.is_empty());
            tokio::select! {
                biased;
                kind = stop.wait(), if deadline.is_none() => {
                    deadline = Some(Instant::now() + limits::STOP_PATIENCE);
                    self.end(Stop::failure(kind, None));
                }
                () = sleep_until(deadline.unwrap_or(idle_at)), if deadline.is_some() => return,
                Some(landed) = flight.next(), if !flight.is_empty() => {
                    self.land(landed);
                    // All that has landed is taken before anything is written.
                    while let Some(Some(landed)) = flight.next().now_or_never() {
                        self.land(landed);
                    }
                }
                Some(wrote) = self.writer.wrote.recv() => self.wrote(wrote),
                news = self.news.recv(), if feeds => self.hear(news),
                () = sleep_until(idle_at), if idles => {
                    self.seal_all();
                }
            }
        }
    }

    fn is_done(&self) -> bool {
        let pipe_closed = self.report.ended.as_ref().is_some_and(|f| f.kind == Kind::PipeClosed);
        if pipe_closed || (0..self.outlets.len()).all(|sink| !self.order.is_open(sink)) {
            return true;
        }
        if self.in_flight > 0 {
            return false;
        }
        let over = self.closed || self.lanes.iter().all(|lane| lane.failure.is_some());
        over || (!self.reading && self.ready.is_empty())
    }

    /// Whether more input is wanted now.
    fn feeds(&self) -> bool {
        self.reading
            && !self.closed
            && self.ready.is_empty()
            && self.order.bytes() < ROWS_BYTES
            && self.backlog < BACKLOG_BYTES
    }

    /// Ends the run for all targets: nothing more is read or sent.
    fn end(&mut self, failure: Failure) {
        self.close();
        self.report.ended.get_or_insert(failure);
    }

    fn close(&mut self) {
        self.closed = true;
        self.reading = false;
        self.ready.clear();
        for lane in &mut self.lanes {
            lane.clear();
        }
    }

    /// Hands the writer what is in order, and what must be kept though it is not.
    fn advance(&mut self) {
        let Self { order, lanes, outlets, writer, backlog, rules, closed, .. } = self;
        // A file that can be gone on with waits for all of its targets.
        let waits = |lane: &Lane| outlets.get(lane.sink).is_some_and(|o| o.goes_on);
        let gone = |at: usize| {
            lanes.get(at).is_none_or(|lane| lane.failure.is_some() && lane.in_flight == 0 && !*closed && !waits(lane))
        };
        let mut rows = Vec::new();
        let mut passed = vec![0; lanes.len()];
        order.advance(gone, |sink, row| {
            let targets = outlets.get(sink).map(|o| o.targets.as_slice()).unwrap_or_default();
            for at in targets.iter().zip(&row.results).filter_map(|(at, results)| results.is_some().then_some(*at)) {
                if let Some(passed) = passed.get_mut(at) {
                    *passed += row.record.slots.len() as u64;
                }
            }
            if !rules.dry_run {
                *backlog += order::weight(&row.record);
                rows.push((sink, row));
            }
        });
        if !rows.is_empty() {
            writer.give(Work::Rows(rows));
        }
        self.lanes.iter_mut().zip(passed).for_each(|(lane, passed)| lane.passed += passed);
        for (at, place, result) in std::mem::take(&mut self.fresh) {
            let Some(sink) = self.lanes.get(at).map(|lane| lane.sink) else { continue };
            if place.row < self.order.next(sink) {
                continue;
            }
            let target = self.outlets.get(sink).and_then(|o| o.targets.iter().position(|t| *t == at)).unwrap_or(0);
            let target = u32::try_from(target).unwrap_or(u32::MAX);
            if let Some(record) = self.order.record(place.row) {
                self.writer.give(Work::Ahead(sink, target, place, record.clone(), result));
            }
        }
    }

    fn wrote(&mut self, wrote: Wrote) {
        match wrote {
            Wrote::Rows { sink, rows, entries, bytes } => {
                self.backlog = self.backlog.saturating_sub(bytes);
                if let Some(outlet) = self.outlets.get_mut(sink) {
                    outlet.rows += rows;
                    outlet.entries += entries;
                }
            }
            Wrote::Failed(_, failure) if failure.kind == Kind::PipeClosed => self.end(failure),
            Wrote::Failed(sink, failure) => {
                self.order.close(sink);
                let targets = self.outlets.get(sink).map(|o| o.targets.clone()).unwrap_or_default();
                for lane in targets {
                    self.fail(lane, failure.clone());
                }
                if let Some(outlet) = self.outlets.get_mut(sink) {
                    outlet.failure = Some(failure);
                }
            }
            Wrote::Left(sink, left) => {
                if let Some(outlet) = self.outlets.get_mut(sink) {
                    outlet.left = Some(left);
                }
            }
            Wrote::Done => {}
        }
    }

    /// Lets the writer come to its end and says what was done.
    async fn finish(mut self, stop: &Stop) -> Report {
        self.advance();
        let quiet = self.report.ended.as_ref().is_some_and(|f| f.kind == Kind::PipeClosed);
        let over = self.ended && !self.rules.dry_run;
        let checked = |outlet: &Outlet| outlet.check.as_ref().is_none_or(Check::is_done);
        let complete = self.outlets.iter().enumerate();
        let complete: Vec<bool> =
            complete.map(|(sink, outlet)| over && checked(outlet) && self.order.next(sink) >= self.rows).collect();
        for (outlet, complete) in self.outlets.iter_mut().zip(&complete) {
            outlet.complete = *complete;
            if *complete && (outlet.goes_on || outlet.targets.len() == 1) {
                // Stopped for another target's sake, after its own last row.
                for at in &outlet.targets {
                    if let Some(lane) = self.lanes.get_mut(*at) {
                        lane.failure = None;
                    }
                }
            }
        }
        if !quiet && !self.rules.dry_run {
            self.writer.give(Work::Finish(complete));
            self.drain(stop).await;
        }
        self.report()
    }

    /// Waits for the writer; after a signal no longer than its patience, for the reader of stdout may have stopped.
    async fn drain(&mut self, stop: &Stop) {
        let mut deadline = None;
        loop {
            tokio::select! {
                biased;
                wrote = self.writer.wrote.recv() => match wrote {
                    None | Some(Wrote::Done) => return,
                    Some(wrote) => self.wrote(wrote),
                },
                kind = stop.wait(), if deadline.is_none() => {
                    deadline = Some(Instant::now() + limits::STOP_PATIENCE);
                    self.report.ended.get_or_insert(Stop::failure(kind, None));
                }
                () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => return,
            }
        }
    }

    fn report(mut self) -> Report {
        for (at, lane) in self.lanes.iter_mut().enumerate() {
            let Some(outlet) = self.outlets.get(lane.sink) else { continue };
            let written = outlet.complete && outlet.failure.is_none();
            let next = self.order.record(outlet.rows).map(|record| record.origin.clone());
            self.report.targets.push(TargetReport {
                target: lane.job.target.clone(),
                written: outlet.written(lane.passed),
                unwritten: if outlet.goes_on { 0 } else { self.order.stranded(at) },
                next: next.filter(|_| !written),
                failure: lane.failure.take(),
                left: outlet.left(),
            });
        }
        self.report
    }
}

/// Sends a batch.
async fn fly<C: Call>(via: &C, job: Option<&Job>, lane: usize, batch: Batch) -> Landed {
    let Some(job) = job else {
        return Landed { lane, batch, outcome: Err(Failure::internal("a batch without a target")) };
    };
    let mut request = job.request.clone();
    request.body = RequestBody::Json(batch.body.clone());
    let outcome = via.call(request).await;
    Landed { lane, batch, outcome }
}
