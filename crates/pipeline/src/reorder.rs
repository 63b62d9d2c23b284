//! Puts rows back into input order. Each sink has a cursor; a row is dropped when all cursors have passed it.

use std::collections::VecDeque;
use std::sync::Arc;

use tulk_base::error::Origin;
use tulk_formats::{EntryResult, Record, ResultRow};
use tulk_store::results::ResultKey;

use super::index::{RowNumber, SinkIndex, SlotPosition, TargetIndex};

/// Memory of a row in addition to the bytes of its record: record, slot, result and allocator overhead.
const ROW_OVERHEAD_BYTES: usize = 512;
/// Additional memory of each slot after the first.
const SLOT_OVERHEAD_BYTES: usize = 256;

/// Returns the memory in bytes that a record needs in the pipeline.
pub fn memory_bytes(record: &Record) -> usize {
    let texts = record.slots.iter().map(|slot| {
        let tagged = slot.tagged.as_deref().map_or(0, |tagged| tagged.sent().len());
        slot.text.as_ref().map_or(0, String::len) + tagged
    });
    let slots = record.slots.len().saturating_sub(1) * SLOT_OVERHEAD_BYTES;
    record.bytes.len() + texts.sum::<usize>() + slots + ROW_OVERHEAD_BYTES
}

pub struct ReorderBuffer {
    first: RowNumber,
    rows: VecDeque<PendingRow>,
    cursors: Vec<SinkCursor>,
    targets: usize,
    bytes: usize,
}

struct PendingRow {
    record: Arc<Record>,
    memory_bytes: usize,
    /// Results by target, then by slot; empty for a record without slots.
    results: Vec<Option<Arc<EntryResult>>>,
    /// Number of missing results by target.
    missing: Vec<usize>,
    /// Cache keys of the entries, in the order of `results`; empty in a run without a cache.
    keys: Vec<ResultKey>,
}

impl PendingRow {
    fn new(record: Arc<Record>, keys: Vec<ResultKey>, targets: usize) -> Self {
        let slots = record.slots.len();
        let memory_bytes = memory_bytes(&record);
        Self { results: vec![None; slots * targets], missing: vec![slots; targets], keys, memory_bytes, record }
    }

    fn set(&mut self, target: TargetIndex, slot: usize, result: &Arc<EntryResult>) {
        let slots = self.record.slots.len();
        let Some(place) = self.results.get_mut(target.0 * slots + slot) else { return };
        if place.replace(result.clone()).is_none()
            && let Some(missing) = self.missing.get_mut(target.0)
        {
            *missing -= 1;
        }
    }

    fn take_results(&mut self, target: TargetIndex) -> Vec<Arc<EntryResult>> {
        let slots = self.record.slots.len();
        self.results.iter_mut().skip(target.0 * slots).take(slots).filter_map(Option::take).collect()
    }

    fn is_complete(&self, target: TargetIndex) -> bool {
        self.missing.get(target.0) == Some(&0)
    }
}

struct SinkCursor {
    targets: Vec<TargetIndex>,
    /// Whether each target has failed. Rows continue without failed targets.
    failed: Vec<bool>,
    /// For each failed target, the position of the first row without it.
    missing_from: Vec<Option<Origin>>,
    next: RowNumber,
    open: bool,
}

impl ReorderBuffer {
    /// `sinks` has the targets of each sink and the first row that it takes.
    pub fn new(targets: usize, sinks: impl IntoIterator<Item = (Vec<TargetIndex>, RowNumber)>) -> Self {
        let cursors = sinks.into_iter().map(|(targets, next)| {
            let failed = vec![false; targets.len()];
            let missing_from = vec![None; targets.len()];
            SinkCursor { targets, failed, missing_from, next, open: true }
        });
        Self { first: RowNumber(0), rows: VecDeque::new(), cursors: cursors.collect(), targets, bytes: 0 }
    }

    pub fn push(&mut self, record: Arc<Record>, keys: Vec<ResultKey>) -> RowNumber {
        let row = self.end();
        let pending = PendingRow::new(record, keys, self.targets);
        self.bytes += pending.memory_bytes;
        self.rows.push_back(pending);
        row
    }

    /// Returns the number of the next row to be appended.
    pub fn end(&self) -> RowNumber {
        RowNumber(self.first.0 + self.rows.len() as u64)
    }

    /// Ignores rows that have been dropped.
    pub fn set_result(&mut self, target: TargetIndex, position: SlotPosition, result: &Arc<EntryResult>) {
        if let Some(row) = self.offset(position.row).and_then(|offset| self.rows.get_mut(offset)) {
            row.set(target, position.slot, result);
        }
    }

    fn offset(&self, row: RowNumber) -> Option<usize> {
        usize::try_from(row.0.checked_sub(self.first.0)?).ok()
    }

    pub fn record(&self, row: RowNumber) -> Option<&Arc<Record>> {
        Some(&self.rows.get(self.offset(row)?)?.record)
    }

    /// Returns the cache key of a slot; `None` if the row has been dropped or the run has no cache.
    pub fn key(&self, target: TargetIndex, position: SlotPosition) -> Option<ResultKey> {
        let row = self.rows.get(self.offset(position.row)?)?;
        row.keys.get(target.0 * row.record.slots.len() + position.slot).copied()
    }

    /// Returns the memory of all rows in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn next_row(&self, sink: SinkIndex) -> RowNumber {
        self.cursors[sink.0].next
    }

    /// Returns the position of the first row that a sink took without the results of a target.
    pub fn missing_from(&self, target: TargetIndex, sink: SinkIndex) -> Option<&Origin> {
        let cursor = &self.cursors[sink.0];
        cursor.targets.iter().position(|other| *other == target).and_then(|at| cursor.missing_from.get(at)?.as_ref())
    }

    /// Closes a sink, so that no row waits for it.
    pub fn close(&mut self, sink: SinkIndex) {
        self.cursors[sink.0].open = false;
    }

    pub fn is_open(&self, sink: SinkIndex) -> bool {
        self.cursors[sink.0].open
    }

    /// Passes complete rows to `emit`, in order for each sink.
    ///
    /// `has_failed_and_drained` returns whether a target has failed and expects no more responses. Rows do not wait for the results of
    /// such targets.
    pub fn advance(
        &mut self,
        has_failed_and_drained: impl Fn(TargetIndex) -> bool,
        mut emit: impl FnMut(SinkIndex, ResultRow),
    ) {
        for sink in (0..self.cursors.len()).map(SinkIndex) {
            while let Some(row) = self.take(sink, &has_failed_and_drained) {
                emit(sink, row);
            }
        }
        let open = self.cursors.iter().filter(|cursor| cursor.open);
        let passed = open.map(|cursor| cursor.next).min().unwrap_or(RowNumber(u64::MAX));
        while self.first < passed {
            let Some(row) = self.rows.pop_front() else { break };
            self.bytes -= row.memory_bytes;
            self.first = self.first.next();
        }
    }

    fn take(&mut self, sink: SinkIndex, has_failed_and_drained: &impl Fn(TargetIndex) -> bool) -> Option<ResultRow> {
        let offset = self.offset(self.cursors[sink.0].next)?;
        let cursor = &mut self.cursors[sink.0];
        let row = self.rows.get_mut(offset).filter(|_| cursor.open)?;
        debug_assert_eq!(row.results.len(), row.record.slots.len() * self.targets);
        let mut has_results = false;
        for (target, failed) in cursor.targets.iter().zip(&cursor.failed) {
            let complete = row.is_complete(*target);
            has_results |= complete && !failed;
            if !(complete || *failed || has_failed_and_drained(*target)) {
                return None;
            }
        }
        if !has_results {
            return None;
        }
        let targets = cursor.targets.iter().zip(&mut cursor.failed).zip(&mut cursor.missing_from);
        let results = targets.map(|((target, failed), missing_from)| {
            *failed |= !row.is_complete(*target);
            if *failed {
                missing_from.get_or_insert_with(|| row.record.origin.clone());
                return None;
            }
            Some(row.take_results(*target))
        });
        let results = results.collect();
        cursor.next = cursor.next.next();
        Some(ResultRow { record: row.record.clone(), results })
    }

    /// Returns the number of results of a target that arrived but could not be passed to its sink in order.
    pub fn count_unwritable_results(&self, target: TargetIndex, sink: SinkIndex) -> u64 {
        let next = self.cursors[sink.0].next;
        let rows = self.rows.iter().zip(self.first.0..).filter(|(_, number)| *number >= next.0);
        let results = rows.flat_map(|(row, _)| {
            let slots = row.record.slots.len();
            row.results.iter().skip(target.0 * slots).take(slots)
        });
        results.filter(|result| result.as_ref().is_some_and(|result| result.text.is_some())).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use tulk_formats::Slot;

    use super::*;

    const FIRST: TargetIndex = TargetIndex(0);
    const SECOND: TargetIndex = TargetIndex(1);

    fn record() -> Arc<Record> {
        let slots = vec![Slot::new(b"x", 0..1).unwrap()];
        Arc::new(Record { bytes: b"x".to_vec(), slots, ..Record::default() })
    }

    fn set(buffer: &mut ReorderBuffer, target: TargetIndex, row: u64) {
        let result = Arc::new(EntryResult { text: Some("X".into()), ..EntryResult::default() });
        buffer.set_result(target, SlotPosition { row: RowNumber(row), slot: 0 }, &result);
    }

    /// Returns the sink of each complete row, and which of the sink's targets have results.
    fn advance(buffer: &mut ReorderBuffer, gone: &[TargetIndex]) -> Vec<(usize, Vec<bool>)> {
        let mut out = Vec::new();
        buffer.advance(
            |target| gone.contains(&target),
            |sink, row| out.push((sink.0, row.results.iter().map(Option::is_some).collect())),
        );
        out
    }

    #[test]
    fn rows_leave_in_order() {
        let mut buffer = ReorderBuffer::new(1, [(vec![FIRST], RowNumber(0))]);
        for _ in 0..3 {
            buffer.push(record(), Vec::new());
        }
        set(&mut buffer, FIRST, 1);
        assert!(advance(&mut buffer, &[]).is_empty());
        assert_eq!(buffer.count_unwritable_results(FIRST, SinkIndex(0)), 1);
        set(&mut buffer, FIRST, 0);
        assert_eq!(advance(&mut buffer, &[]).len(), 2);
        assert_eq!((buffer.next_row(SinkIndex(0)), buffer.first), (RowNumber(2), RowNumber(2)));
    }

    #[test]
    fn a_row_with_many_slots_leaves_when_the_last_result_is_there() {
        let mut buffer = ReorderBuffer::new(2, [(vec![FIRST, SECOND], RowNumber(0))]);
        let slots = vec![Slot::new(b"x", 0..1).unwrap(); 1000];
        buffer.push(Arc::new(Record { bytes: b"x".to_vec(), slots, ..Record::default() }), Vec::new());
        assert!(buffer.bytes() > 200_000);
        let result = Arc::new(EntryResult { text: Some("X".into()), ..EntryResult::default() });
        for slot in (0..1000).rev() {
            for target in [SECOND, SECOND, FIRST] {
                assert!(advance(&mut buffer, &[]).is_empty());
                buffer.set_result(target, SlotPosition { row: RowNumber(0), slot }, &result);
            }
        }
        assert_eq!(advance(&mut buffer, &[]), [(0, vec![true, true])]);
        assert_eq!(buffer.bytes(), 0);
    }

    #[test]
    fn each_sink_advances_on_its_own() {
        let mut buffer = ReorderBuffer::new(2, [(vec![FIRST], RowNumber(0)), (vec![SECOND], RowNumber(0))]);
        buffer.push(record(), Vec::new());
        set(&mut buffer, SECOND, 0);
        assert_eq!(advance(&mut buffer, &[]), [(1, vec![true])]);
        assert_eq!(buffer.first, RowNumber(0), "the other sink still needs it");
        buffer.close(SinkIndex(0));
        assert!(advance(&mut buffer, &[]).is_empty());
        assert_eq!(buffer.first, RowNumber(1));
    }

    #[test]
    fn rows_continue_without_a_failed_target_which_stays_missing() {
        let mut buffer = ReorderBuffer::new(2, [(vec![FIRST, SECOND], RowNumber(0))]);
        buffer.push(record(), Vec::new());
        buffer.push(record(), Vec::new());
        set(&mut buffer, FIRST, 0);
        set(&mut buffer, FIRST, 1);
        set(&mut buffer, SECOND, 1);
        assert!(advance(&mut buffer, &[]).is_empty());
        assert_eq!(advance(&mut buffer, &[SECOND]), [(0, vec![true, false]), (0, vec![true, false])]);
        assert_eq!(buffer.missing_from(FIRST, SinkIndex(0)), None);
        assert_eq!(buffer.missing_from(SECOND, SinkIndex(0)), Some(&Origin::default()));
    }

    #[test]
    fn a_sink_stops_when_all_its_targets_have_failed() {
        let mut buffer = ReorderBuffer::new(1, [(vec![FIRST], RowNumber(0))]);
        buffer.push(record(), Vec::new());
        buffer.push(Arc::new(Record::default()), Vec::new());
        assert!(advance(&mut buffer, &[FIRST]).is_empty());
        assert_eq!(buffer.next_row(SinkIndex(0)), RowNumber(0));
    }
}
