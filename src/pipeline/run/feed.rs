//! What comes in: records into rows and bodies, faults of the input, the check of a run that goes on.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::time::Instant;

use super::Run;
use crate::error::{Failure, Kind};
use crate::formats::{Record, Translated};
use crate::pipeline::Call;
use crate::pipeline::batch::Batch;
use crate::pipeline::lane::{Lane, Offer};
use crate::pipeline::reader::News;
use crate::pipeline::repeats::{Joined, Place};
use crate::pipeline::writer::Work;
use crate::store::part::{Ahead, Check};

impl<C: Call> Run<'_, C> {
    pub(super) fn hear(&mut self, news: Option<News>) {
        self.last_news = Instant::now();
        match news {
            Some(News::Scanned(entries)) => {
                let total = entries * self.lanes.len() as u64;
                self.rules.progress.total.store(total, Ordering::Relaxed);
            }
            Some(News::Records(records)) => {
                for record in records {
                    if !self.closed {
                        self.feed(&record);
                    }
                }
            }
            Some(News::Fault(failure)) => self.fault(failure),
            None => {
                self.reading = false;
                self.ended = true;
                let missing = self.outlets.iter().filter_map(|o| o.check.as_ref()).find_map(|c| c.end().err());
                match missing {
                    Some(failure) => self.end(failure),
                    None => {
                        self.seal_all();
                    }
                }
            }
        }
    }

    /// A fault in the input: what precedes it is finished, unless nothing was sent yet.
    pub(super) fn fault(&mut self, failure: Failure) {
        self.reading = false;
        if self.report.requests == 0 {
            return self.end(failure);
        }
        self.seal_all();
        let kind = if failure.kind == Kind::Usage { Kind::Partly } else { failure.kind };
        self.report.ended.get_or_insert(Failure { kind, ..failure });
    }

    pub(super) fn feed(&mut self, record: &Arc<Record>) {
        let row = self.order.push(record.clone());
        self.rows = row + 1;
        self.report.entries += record.slots.len() as u64;
        for sink in 0..self.outlets.len() {
            if let Err(failure) = self.check(sink, row, record) {
                return self.end(failure);
            }
        }
        let lines = self.before.lines(record);
        for lane in 0..self.lanes.len() {
            let sink = self.lanes.get(lane).map_or(0, |l| l.sink);
            let wanted = self.lanes.get(lane).is_some_and(|l| l.failure.is_none()) && self.order.is_open(sink);
            if self.outlets.get(sink).is_some_and(|o| row < o.first_row()) {
                self.rules.progress.done.fetch_add(record.slots.len() as u64, Ordering::Relaxed);
                continue;
            }
            if !wanted {
                continue;
            }
            for slot in 0..record.slots.len() {
                let place = Place { row, slot: u32::try_from(slot).unwrap_or(u32::MAX) };
                self.offer(lane, place, record, &lines);
            }
        }
        self.before.see(record);
    }

    /// Compares the input with what an earlier run read; its digest goes on from the first row of this one.
    pub(super) fn check(&mut self, sink: usize, row: u64, record: &Record) -> Result<(), Failure> {
        let Some(outlet) = self.outlets.get_mut(sink) else { return Ok(()) };
        let first = outlet.first_row();
        let Some(check) = &mut outlet.check else { return Ok(()) };
        check.see(row, &record.bytes)?;
        if check.is_done() {
            for lane in outlet.targets.clone() {
                if let Some(lane) = self.lanes.get_mut(lane) {
                    self.ready.extend(lane.held.drain(..).map(|batch| (lane.at, batch)));
                }
            }
        }
        if row + 1 == first {
            self.seed(sink);
        }
        Ok(())
    }

    pub(super) fn seed(&mut self, sink: usize) {
        let digest = self.outlets.get(sink).and_then(|o| o.check.as_ref()).map(|c| c.running().clone());
        if let Some(digest) = digest {
            self.writer.give(Work::Seed(sink, digest));
        }
    }

    pub(super) fn offer(&mut self, at: usize, place: Place, record: &Arc<Record>, lines: &str) {
        if let Some(result) = self.kept(at, place, record) {
            return self.fill(at, place, &result);
        }
        let Some(lane) = self.lanes.get_mut(at) else { return };
        match lane.offer(place, record, lines) {
            Offer::Equal(equal) => {
                self.report.repeats += 1;
                match equal {
                    Joined::Waits => {}
                    Joined::Result(result) => self.fill(at, place, &result),
                    Joined::Refused(failure) => self.pass(at, place, record, &failure),
                }
            }
            Offer::Taken(sealed) => {
                for batch in sealed {
                    self.push_ready(at, batch);
                }
            }
        }
    }

    /// The answer that an earlier run kept for a place.
    pub(super) fn kept(&self, lane: usize, place: Place, record: &Record) -> Option<Arc<Translated>> {
        let outlet = self.outlets.get(self.lanes.get(lane)?.sink)?;
        let target = u32::try_from(outlet.targets.iter().position(|t| *t == lane)?).ok()?;
        let text = record.sent(place.slot as usize)?;
        let Ahead { text, billed, raw } =
            outlet.resumed.as_ref()?.ahead((place.row, target, place.slot), text)?.clone();
        Some(Arc::new(Translated { text, raw, billed }))
    }

    pub(super) fn push_ready(&mut self, at: usize, batch: Batch) {
        let sink = self.lanes.get(at).map_or(0, |lane| lane.sink);
        let checked = self.outlets.get(sink).is_none_or(|o| o.check.as_ref().is_none_or(Check::is_done));
        if checked {
            self.ready.push_back((at, batch));
        } else if let Some(lane) = self.lanes.get_mut(at) {
            lane.held.push(batch);
        }
    }

    /// Makes requests of all that waits for more entries; false when there was none.
    pub(super) fn seal_all(&mut self) -> bool {
        let mut any = false;
        for at in 0..self.lanes.len() {
            if let Some(batch) = self.lanes.get_mut(at).and_then(Lane::seal) {
                self.push_ready(at, batch);
                any = true;
            }
        }
        any
    }
}
