//! Rows in input order, with a cursor for each sink: a row leaves when all cursors have passed it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::repeats::Place;
use crate::formats::{Record, Row, Translated};

/// Bytes a row takes besides its record's: record, slot, result and what the allocator adds.
const ROW: usize = 512;

/// Bytes that a record under way counts for.
pub fn weight(record: &Record) -> usize {
    record.bytes.len() + ROW
}

/// The rows under way.
pub struct Order {
    /// Number of the first row held.
    base: u64,
    rows: VecDeque<Held>,
    cursors: Vec<Cursor>,
    lanes: usize,
    bytes: usize,
}

struct Held {
    record: Arc<Record>,
    /// By lane, then slot; empty for a record without slots.
    results: Vec<Option<Arc<Translated>>>,
}

/// Where a sink stands.
pub struct Cursor {
    targets: Vec<usize>,
    /// Targets that failed: rows go on without them.
    missing: Vec<bool>,
    next: u64,
    open: bool,
}

impl Order {
    /// No rows yet; `sinks` says which lanes each sink takes and at which row it begins.
    pub fn new(lanes: usize, sinks: impl IntoIterator<Item = (Vec<usize>, u64)>) -> Self {
        let cursors = sinks.into_iter().map(|(targets, next)| {
            let missing = vec![false; targets.len()];
            Cursor { targets, missing, next, open: true }
        });
        Self { base: 0, rows: VecDeque::new(), cursors: cursors.collect(), lanes, bytes: 0 }
    }

    /// Appends a row and gives its number.
    pub fn push(&mut self, record: Arc<Record>) -> u64 {
        self.bytes += weight(&record);
        let results = vec![None; record.slots.len() * self.lanes];
        self.rows.push_back(Held { record, results });
        self.base + self.rows.len() as u64 - 1
    }

    /// Puts a result in its place.
    pub fn fill(&mut self, lane: usize, place: Place, result: &Arc<Translated>) {
        let Some(held) = self.held(place.row) else { return };
        let at = lane * held.record.slots.len() + place.slot as usize;
        let at = usize::try_from(place.row - self.base).ok().and_then(|i| self.rows.get_mut(i)?.results.get_mut(at));
        if let Some(at) = at {
            *at = Some(result.clone());
        }
    }

    fn held(&self, row: u64) -> Option<&Held> {
        self.rows.get(usize::try_from(row.checked_sub(self.base)?).ok()?)
    }

    /// The record of a row that is still here.
    pub fn record(&self, row: u64) -> Option<&Arc<Record>> {
        self.held(row).map(|held| &held.record)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The first row that a sink has not passed.
    pub fn next(&self, sink: usize) -> u64 {
        self.cursors.get(sink).map_or(0, |c| c.next)
    }

    /// Takes a sink out: nothing waits for it any more.
    pub fn close(&mut self, sink: usize) {
        if let Some(cursor) = self.cursors.get_mut(sink) {
            cursor.open = false;
        }
    }

    /// Whether a sink still takes rows.
    pub fn is_open(&self, sink: usize) -> bool {
        self.cursors.get(sink).is_some_and(|c| c.open)
    }

    /// Gives each sink the rows it can have, in order; `gone` tells the lanes that have failed and have nothing in
    /// flight.
    pub fn advance(&mut self, gone: impl Fn(usize) -> bool, mut emit: impl FnMut(usize, Row)) {
        for sink in 0..self.cursors.len() {
            while let Some(row) = self.take(sink, &gone) {
                emit(sink, row);
            }
        }
        let passed = self.cursors.iter().filter(|c| c.open).map(|c| c.next).min().unwrap_or(u64::MAX);
        while self.base < passed {
            let Some(held) = self.rows.pop_front() else { break };
            self.bytes -= weight(&held.record);
            self.base += 1;
        }
    }

    fn take(&mut self, sink: usize, gone: &impl Fn(usize) -> bool) -> Option<Row> {
        let lanes = self.lanes;
        let cursor = self.cursors.get_mut(sink).filter(|c| c.open)?;
        let held = self.rows.get_mut(usize::try_from(cursor.next.checked_sub(self.base)?).ok()?)?;
        let slots = held.record.slots.len();
        debug_assert_eq!(held.results.len(), slots * lanes);
        let mut some = false;
        let mut missing = cursor.missing.clone();
        for (target, missing) in cursor.targets.iter().zip(&mut missing) {
            let there = held.results.iter().skip(target * slots).take(slots).all(Option::is_some);
            if *missing || (!there && gone(*target)) {
                *missing = true;
            } else if there {
                some = true;
            } else {
                return None;
            }
        }
        if !some {
            return None;
        }
        let results = cursor.targets.iter().zip(&missing).map(|(target, missing)| {
            let slots = held.results.iter_mut().skip(target * slots).take(slots);
            (!missing).then(|| slots.filter_map(Option::take).collect())
        });
        let row = Row { record: held.record.clone(), results: results.collect() };
        cursor.missing = missing;
        cursor.next += 1;
        Some(row)
    }

    /// How many results of a lane are here that its sink could not be given.
    pub fn stranded(&self, lane: usize) -> u64 {
        let Some(cursor) = self.cursors.iter().find(|c| c.targets.contains(&lane)) else { return 0 };
        let rows = self.rows.iter().enumerate().filter(|(i, _)| self.base + *i as u64 >= cursor.next);
        let results = rows.flat_map(|(_, held)| {
            let slots = held.record.slots.len();
            held.results.iter().skip(lane * slots).take(slots)
        });
        results.filter(|r| r.as_ref().is_some_and(|r| r.text.is_some())).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Slot;

    fn record() -> Arc<Record> {
        let slots = vec![Slot::new(b"x", 0..1).unwrap()];
        Arc::new(Record { bytes: b"x".to_vec(), slots, ..Record::default() })
    }

    fn result() -> Arc<Translated> {
        Arc::new(Translated { text: Some("X".into()), ..Translated::default() })
    }

    fn advance(order: &mut Order, gone: &[usize]) -> Vec<(usize, Vec<bool>)> {
        let mut out = Vec::new();
        order.advance(
            |lane| gone.contains(&lane),
            |sink, row| out.push((sink, row.results.iter().map(Option::is_some).collect())),
        );
        out
    }

    #[test]
    fn rows_leave_in_order() {
        let mut order = Order::new(1, [(vec![0], 0)]);
        for _ in 0..3 {
            order.push(record());
        }
        order.fill(0, Place { row: 1, slot: 0 }, &result());
        assert!(advance(&mut order, &[]).is_empty());
        assert_eq!(order.stranded(0), 1);
        order.fill(0, Place { row: 0, slot: 0 }, &result());
        assert_eq!(advance(&mut order, &[]).len(), 2);
        assert_eq!((order.next(0), order.base), (2, 2));
    }

    #[test]
    fn each_sink_has_its_own_pace() {
        let mut order = Order::new(2, [(vec![0], 0), (vec![1], 0)]);
        order.push(record());
        order.fill(1, Place { row: 0, slot: 0 }, &result());
        assert_eq!(advance(&mut order, &[]), [(1, vec![true])]);
        assert_eq!(order.base, 0, "the other sink still needs it");
        order.close(0);
        assert!(advance(&mut order, &[]).is_empty());
        assert_eq!(order.base, 1);
    }

    #[test]
    fn a_failed_target_counts_as_passed_and_never_comes_back() {
        let mut order = Order::new(2, [(vec![0, 1], 0)]);
        order.push(record());
        order.push(record());
        order.fill(0, Place { row: 0, slot: 0 }, &result());
        order.fill(0, Place { row: 1, slot: 0 }, &result());
        order.fill(1, Place { row: 1, slot: 0 }, &result());
        assert!(advance(&mut order, &[]).is_empty());
        assert_eq!(advance(&mut order, &[1]), [(0, vec![true, false]), (0, vec![true, false])]);
    }

    #[test]
    fn a_sink_whose_targets_all_failed_stops() {
        let mut order = Order::new(1, [(vec![0], 0)]);
        order.push(record());
        order.push(Arc::new(Record::default()));
        assert!(advance(&mut order, &[0]).is_empty());
        assert_eq!(order.next(0), 0);
    }
}
