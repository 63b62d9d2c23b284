//! Reacts to the reader: records become rows and entries, faults end the input.

use std::sync::Arc;

use super::Run;
use crate::error::{Failure, Kind};
use crate::formats::Record;
use crate::pipeline::Call;
use crate::pipeline::dedup::Duplicate;
use crate::pipeline::index::{SlotPosition, TargetIndex};
use crate::pipeline::reader::ReaderEvent;

impl<C: Call> Run<'_, C> {
    pub(super) fn on_reader_event(&mut self, event: Option<ReaderEvent>) {
        match event {
            Some(ReaderEvent::Scanned(entries)) => {
                let _ = self.options.progress.entries.set(entries);
            }
            Some(ReaderEvent::Records(records)) => {
                for record in records {
                    if !self.requests.is_closed() {
                        self.on_record(&record);
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

    /// Ends the input at a fault. Everything before it is finished, unless nothing was sent yet.
    fn on_input_fault(&mut self, failure: Failure) {
        self.feed.close();
        if self.requests.started == 0 {
            return self.end(failure);
        }
        self.seal_all();
        let kind = if failure.kind == Kind::Usage { Kind::Partly } else { failure.kind };
        self.report.ended_by.get_or_insert(Failure { kind, ..failure });
    }

    fn on_record(&mut self, record: &Arc<Record>) {
        self.report.entries += record.slots.len() as u64;
        let row = match self.output.add_record(record) {
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
        for slot in 0..record.slots.len() {
            for target in &targets {
                self.add_entry(*target, SlotPosition { row, slot }, record);
            }
            self.feed.context.add_slot(record, slot);
        }
        self.feed.context.end(record);
        self.waiting_targets = targets;
    }

    fn add_entry(&mut self, target: TargetIndex, position: SlotPosition, record: &Arc<Record>) {
        if let Some(result) = self.output.stored_result(target, position, record) {
            return self.set_result(target, position, &Arc::new(result));
        }
        let hold = !self.output.is_checked(target);
        let Some(duplicate) = self.requests.add(target, position, record, &self.feed.context, hold) else { return };
        self.report.duplicates += 1;
        match duplicate {
            Duplicate::Waiting => {}
            Duplicate::Answered(result) => self.set_result(target, position, &result),
            Duplicate::Refused(failure) => self.pass_through(target, position, record, &failure),
        }
    }
}
