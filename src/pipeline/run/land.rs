//! What comes back: results into their rows, refusals by the rules of each kind.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Landed, Run};
use crate::error::{Failure, Kind, Origin};
use crate::formats::{Record, Translated};
use crate::http::failures;
use crate::pipeline::batch::{Batch, Entry};
use crate::pipeline::repeats::Place;
use crate::pipeline::{Call, FailedEntry};

impl<C: Call> Run<'_, C> {
    pub(super) fn land(&mut self, landed: Landed) {
        let Landed { lane: at, batch, outcome } = landed;
        self.in_flight -= 1;
        self.flight_bytes -= batch.body.len();
        let Some(lane) = self.lanes.get_mut(at) else { return };
        lane.in_flight -= 1;
        if let Some(first) = batch.entries.first() {
            lane.behind.push(first.known.place.row);
        }
        let read = lane.job.results;
        match outcome {
            Ok(answer) => {
                self.report.retries += u64::from(answer.retries);
                if answer.maybe_repeated {
                    self.report.maybe_billed_twice += batch.chars;
                }
                if self.rules.dry_run {
                    return self.fill_all(at, &batch, batch.entries.iter().map(|_| Translated::default()).collect());
                }
                match read(&answer.body) {
                    Ok(results) if results.len() == batch.entries.len() => self.fill_all(at, &batch, results),
                    Ok(results) => {
                        let why = format!("{} results for {} entries", results.len(), batch.entries.len());
                        self.fail(at, place_of(&batch, failures::unusable(&answer, &why)));
                    }
                    Err(why) => self.fail(at, place_of(&batch, failures::unusable(&answer, why))),
                }
            }
            Err(failure) => self.refused(at, batch, failure),
        }
    }

    pub(super) fn refused(&mut self, at: usize, batch: Batch, failure: Failure) {
        let status = failure.service.as_ref().and_then(|service| service.status);
        let of_entries = matches!(status, Some(400 | 413));
        if matches!(failure.kind, Kind::Key | Kind::Quota) {
            return self.close_for(&failure);
        }
        if !of_entries {
            return self.fail(at, failure);
        }
        let failed = self.lanes.get(at).is_none_or(|lane| lane.failure.is_some());
        if !self.rules.keep_going || self.closed || failed {
            return self.fail(at, place_of(&batch, failure));
        }
        match batch.halve() {
            Ok((first, second)) => {
                self.ready.push_front((at, second));
                self.ready.push_front((at, first));
            }
            Err(batch) => self.pass_through(at, &batch, &failure),
        }
    }

    /// A refused entry stands alone: its source passes through.
    pub(super) fn pass_through(&mut self, at: usize, batch: &Batch, failure: &Failure) {
        let Some(entry) = batch.entries.first() else { return };
        self.pass(at, entry.known.place, entry.known.record(), failure);
        for place in entry.known.refused(failure) {
            let record = self.order.record(place.row).unwrap_or(entry.known.record()).clone();
            self.pass(at, place, &record, failure);
        }
    }

    /// Passes one place through, listed.
    pub(super) fn pass(&mut self, at: usize, place: Place, record: &Record, failure: &Failure) {
        let target = self.lanes.get(at).map(|lane| lane.job.target.clone()).unwrap_or_default();
        self.report.failed.push(FailedEntry { origin: record.origin.clone(), target, failure: failure.clone() });
        self.fill(at, place, &Arc::new(Translated::default()));
    }

    /// One target stops; what is in flight for it may still land.
    pub(super) fn fail(&mut self, at: usize, failure: Failure) {
        if let Some(lane) = self.lanes.get_mut(at) {
            lane.failure.get_or_insert(failure);
            lane.clear();
        }
        self.ready.retain(|(lane, _)| *lane != at);
    }

    pub(super) fn fill_all(&mut self, at: usize, batch: &Batch, results: Vec<Translated>) {
        for (entry, result) in batch.entries.iter().zip(results) {
            if let Some(billed) = result.billed {
                *self.report.billed.get_or_insert(0) += billed;
            }
            let result = Arc::new(result);
            let others = entry.known.done(&result);
            self.fill(at, entry.known.place, &result);
            for place in others {
                self.fill(at, place, &result);
            }
        }
    }

    pub(super) fn fill(&mut self, at: usize, place: Place, result: &Arc<Translated>) {
        self.rules.progress.done.fetch_add(1, Ordering::Relaxed);
        self.order.fill(at, place, result);
        let sink = self.lanes.get(at).map_or(0, |lane| lane.sink);
        if self.outlets.get(sink).is_some_and(|o| o.goes_on) && !self.rules.dry_run {
            self.fresh.push((at, place, result.clone()));
        }
    }
}

/// Names the lines of a batch in its failure.
fn place_of(batch: &Batch, mut failure: Failure) -> Failure {
    let origin = |entry: &Entry| entry.known.record().origin.clone();
    let (Some(first), Some(last)) = (batch.entries.first().map(origin), batch.entries.last().map(origin)) else {
        return failure;
    };
    if (&first.source, first.line) != (&last.source, last.line) {
        failure.what = format!("{} (a request with the entries from {first} to {last})", failure.what);
    }
    let at = Origin { column: 0, ..first };
    failure.at(at)
}
