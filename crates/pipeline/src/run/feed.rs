//! Reacts to the reader: records become rows and entries, faults end the input.

use std::sync::Arc;

use tulk_base::error::{Failure, Kind};
use tulk_formats::{EntryResult, Record};
use tulk_store::results::CachedResult;

use super::Run;
use crate::Call;
use crate::cache_lookup::{CachedEntries, ReadRecord};
use crate::dedup::Duplicate;
use crate::index::{SlotPosition, TargetIndex};
use crate::reader::ReaderEvent;

impl<C: Call> Run<'_, C> {
    pub(super) fn on_reader_event(&mut self, event: Option<ReaderEvent>) {
        match event {
            Some(ReaderEvent::Scanned(entries)) => {
                let _ = self.options.progress.entries.set(entries);
            }
            Some(ReaderEvent::Records(records)) => {
                for ReadRecord { record, cached } in records {
                    if !self.requests.is_closed() {
                        self.on_record(&record, cached.map(|cached| *cached).unwrap_or_default());
                    }
                }
            }
            Some(ReaderEvent::Fault(failure)) => self.on_input_fault(failure),
            None => match self.output.finish_checks() {
                Err(failure) => self.end(failure),
                Ok(()) => {
                    self.seal_all();
                }
            },
        }
    }

    /// Ends the input at a fault. Everything before it is finished; if nothing was sent yet, nothing is written.
    fn on_input_fault(&mut self, failure: Failure) {
        self.feed.close();
        if !self.has_begun() {
            self.output.discard();
            return self.end(failure);
        }
        self.seal_all();
        let kind = if failure.kind == Kind::Usage { Kind::Partly } else { failure.kind };
        self.report.ended_by.get_or_insert(Failure { kind, ..failure });
    }

    fn on_record(&mut self, record: &Arc<Record>, mut cached: CachedEntries) {
        self.report.entries += record.slots.len() as u64;
        let row = match self.output.add_record(record, cached.take_keys()) {
            Ok(row) => row,
            Err(failure) => return self.end(failure),
        };
        let mut targets = std::mem::take(&mut self.waiting_targets);
        targets.clear();
        for target in self.requests.targets.indices() {
            if self.output.is_checked(target) {
                self.requests.release(target);
            }
            if self.output.is_written(target, row) {
                self.options.progress.add(target, record.slots.len() as u64);
            } else if self.requests.targets[target].failure.is_none() && self.output.is_open(target) {
                targets.push(target);
            }
        }
        self.feed.context.begin(record);
        if let Some(fault) = record.fault.as_deref().filter(|_| !targets.is_empty()) {
            self.report.faults.push(with_place(fault.clone(), record));
        }
        for (why, count) in record.skipped() {
            *self.report.skipped.entry(why).or_default() += count;
        }
        let order = record.sending_order();
        for number in 0..record.slots.len() {
            let slot = order.as_ref().and_then(|order| order.get(number)).copied().unwrap_or(number);
            let position = SlotPosition { row, slot };
            match record.slots.get(slot).and_then(|slot| slot.fault.as_deref()) {
                Some(fault) => self.copy_faulty(&targets, position, record, fault),
                None => {
                    for target in &targets {
                        self.add_entry(*target, position, record, cached.take(*target, slot));
                    }
                }
            }
            self.feed.context.add_slot(record, slot);
        }
        self.feed.context.end(record);
        self.waiting_targets = targets;
    }

    /// Uses the source text of an entry that cannot be sent as its result for all targets.
    fn copy_faulty(&mut self, targets: &[TargetIndex], position: SlotPosition, record: &Record, fault: &Failure) {
        if !targets.is_empty() {
            self.report.faults.push(fault.clone());
        }
        for target in targets {
            self.observe_refusal(*target, position, record, fault);
            self.set_result(*target, position, &Arc::new(EntryResult::default()));
        }
    }

    fn add_entry(
        &mut self,
        target: TargetIndex,
        position: SlotPosition,
        record: &Arc<Record>,
        cached: Option<CachedResult>,
    ) {
        if !self.requests.can_send(target) {
            return;
        }
        if !record.is_for(position.slot, &self.requests.targets[target].job.target) {
            return self.set_result(target, position, &Arc::new(EntryResult::default()));
        }
        if let Some(result) = self.output.stored_result(target, position, record) {
            self.observe(target, position, record, &result);
            return self.set_result(target, position, &Arc::new(result));
        }
        if cached.is_some_and(|cached| self.use_cached(target, position, record, cached)) {
            return;
        }
        let hold = !self.output.is_checked(target);
        let Some(duplicate) = self.requests.add(target, position, record, &self.feed.context, hold) else { return };
        self.report.duplicates += 1;
        self.report.characters_saved += record.sent_chars(position.slot);
        match duplicate {
            Duplicate::Waiting => {}
            Duplicate::Answered(answer, is_repeated) => {
                self.use_earlier_answer(target, position, record, &answer, is_repeated);
            }
            Duplicate::Refused(failure) => self.pass_through(target, position, record, &failure),
        }
    }
}

/// Adds the place of a record to its fault, unless the fault has one.
fn with_place(fault: Failure, record: &Record) -> Failure {
    if fault.at.is_some() { fault } else { fault.at(record.origin.clone()) }
}
