//! What goes out: which batch may start now, and when none may any more.

use std::sync::atomic::Ordering;

use super::{FLIGHT_BYTES, Run};
use crate::error::{Failure, Kind};
use crate::pipeline::Call;
use crate::pipeline::batch::Batch;

impl<C: Call> Run<'_, C> {
    /// The next batch that may start now.
    pub(super) fn next_to_send(&mut self) -> Option<(usize, Batch)> {
        if self.closed || self.in_flight >= self.via.concurrency().max(1) {
            return None;
        }
        let window = 2 * self.via.concurrency().max(1);
        loop {
            let (at, batch) = self.ready.front()?;
            let lane = self.lanes.get_mut(*at)?;
            if lane.failure.is_some() || !self.order.is_open(lane.sink) {
                self.ready.pop_front();
                continue;
            }
            let next = self.order.next(lane.sink);
            lane.behind.retain(|row| *row > next);
            let bytes = batch.body.len();
            let full = lane.in_flight + lane.behind.len() >= window || self.flight_bytes + bytes > FLIGHT_BYTES;
            // Something must fly, or nothing would ever land.
            if full && self.in_flight > 0 {
                return None;
            }
            if !self.may_spend() {
                return None;
            }
            let (at, mut batch) = self.ready.pop_front()?;
            if !batch.counted {
                self.report.characters += batch.chars;
                batch.counted = true;
            }
            self.report.requests += 1;
            self.rules.progress.requests.fetch_add(1, Ordering::Relaxed);
            self.in_flight += 1;
            self.flight_bytes += bytes;
            if let Some(lane) = self.lanes.get_mut(at) {
                lane.in_flight += 1;
            }
            return Some((at, batch));
        }
    }

    /// Whether the next batch keeps within `--max-characters`; else the run sends nothing more.
    pub(super) fn may_spend(&mut self) -> bool {
        let (Some(limit), Some((_, batch))) = (self.rules.max_characters, self.ready.front()) else { return true };
        if batch.counted || self.report.characters + batch.chars <= limit {
            return true;
        }
        let what = format!(
            "the next request would pass --max-characters {limit}: {} are sent, it has {}",
            self.report.characters, batch.chars
        );
        self.close_for(&Failure::new(Kind::Quota, what));
        false
    }

    /// Nothing more is sent to any target, for the same reason.
    pub(super) fn close_for(&mut self, failure: &Failure) {
        self.close();
        for lane in &mut self.lanes {
            lane.failure.get_or_insert_with(|| failure.clone());
        }
    }
}
