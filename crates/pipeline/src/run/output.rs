//! The output of a run: rows in input order, the state of each output file, and the writer.

use std::sync::Arc;

use tulk_base::error::{Failure, Origin};
use tulk_formats::{EntryResult, Record, ResultRow};
use tulk_store::part::{AnswerKey, EarlyAnswer, InputCheck, ResumePoint};
use tulk_store::results::ResultKey;

use crate::index::{RowNumber, SinkIndex, SlotPosition, TargetIndex};
use crate::reorder::{ReorderBuffer, memory_bytes};
use crate::sink_writer::{EarlyResult, WrittenRows};
use crate::writer::{OutputWriter, WriterEvent, WriterTask};
use crate::{Destination, Leftover, Sink, TargetReport};

/// Maximum memory of rows that wait for results, in bytes.
const MAX_PENDING_BYTES: usize = 4 * 1024 * 1024;
/// Maximum memory of rows that the writer has not written yet, in bytes.
const MAX_UNWRITTEN_BYTES: usize = 2 * 1024 * 1024;

/// Returns the failure for a part whose format cannot be resumed.
pub fn not_resumable_failure() -> Failure {
    Failure::usage("this output format cannot be resumed for several targets")
        .hint_to_start_over("start over with --force, or write one file per target with {lang}")
}

pub struct RunOutput {
    reorder: ReorderBuffer,
    sinks: Vec<SinkState>,
    sink_of: Vec<SinkIndex>,
    /// Number of entries passed to the writer, by target.
    passed_to_writer: Vec<u64>,
    writer: OutputWriter,
    unwritten_bytes: usize,
    /// New results for resumable sinks. Stored in the state of the part if they cannot be written yet.
    new_results: Vec<(TargetIndex, SlotPosition, Arc<EntryResult>)>,
    dry_run: bool,
}

impl RunOutput {
    /// See [`OutputWriter::start`] for `inline`.
    pub fn start(sinks: Vec<Sink>, targets: usize, dry_run: bool, inline: bool) -> Result<Self, Failure> {
        let mut sink_of = vec![SinkIndex(0); targets];
        let (mut states, mut outputs) = (Vec::new(), Vec::new());
        for (number, sink) in sinks.into_iter().enumerate() {
            let Sink { targets, mut writer, to } = sink;
            for target in &targets {
                if target.0 >= sink_of.len() {
                    return Err(Failure::internal("an output names a target that does not exist"));
                }
                sink_of[target.0] = SinkIndex(number);
            }
            let resume_point = to.resume_point().cloned();
            if let Some(resume_point) = &resume_point {
                if !writer.is_resumable() {
                    return Err(not_resumable_failure());
                }
                writer.resume_after(resume_point.bytes());
            }
            // A dry run does not change files that are already open.
            let to = if dry_run { Destination::Nothing } else { to };
            let resumable = to.part().is_some() && writer.is_resumable();
            states.push(SinkState::new(targets, resume_point, resumable));
            outputs.push((writer, to));
        }
        let reorder = ReorderBuffer::new(targets, states.iter().map(|s| (s.targets.clone(), s.first_row())));
        let mut output = Self {
            reorder,
            sinks: states,
            sink_of,
            passed_to_writer: vec![0; targets],
            writer: OutputWriter::start(outputs, inline)?,
            unwritten_bytes: 0,
            new_results: Vec::new(),
            dry_run,
        };
        for sink in (0..output.sinks.len()).map(SinkIndex) {
            output.send_input_digest(sink);
        }
        Ok(output)
    }

    pub fn input_checks(&self) -> Vec<InputCheck> {
        self.sinks.iter().filter_map(|sink| sink.input_check.clone()).collect()
    }

    /// `keys` are the cache keys of the record's entries.
    pub fn add_record(&mut self, record: &Arc<Record>, keys: Vec<ResultKey>) -> Result<RowNumber, Failure> {
        let row = self.reorder.push(record.clone(), keys);
        for sink in (0..self.sinks.len()).map(SinkIndex) {
            let state = &mut self.sinks[sink.0];
            let Some(check) = &mut state.input_check else { continue };
            check.add_row(row.0, &record.bytes)?;
            if row.next() == state.first_row() {
                self.send_input_digest(sink);
            }
        }
        Ok(row)
    }

    fn send_input_digest(&mut self, sink: SinkIndex) {
        if let Some(check) = &self.sinks[sink.0].input_check {
            self.writer.send(WriterTask::InputDigest(sink, check.digest().clone()));
        }
    }

    /// Fails if the input ended before all checks were done.
    pub fn finish_checks(&self) -> Result<(), Failure> {
        self.sinks.iter().filter_map(|sink| sink.input_check.as_ref()).try_for_each(InputCheck::finish)
    }

    /// Returns whether the input is known to be the same as in the earlier run for a target.
    pub fn is_checked(&self, target: TargetIndex) -> bool {
        self.sink_state(target).is_checked()
    }

    /// Returns whether an earlier run has written a row for a target.
    pub fn is_written(&self, target: TargetIndex, row: RowNumber) -> bool {
        row < self.sink_state(target).first_row()
    }

    /// Returns the first row that this run writes for any target.
    pub fn first_row(&self) -> RowNumber {
        self.sinks.iter().map(SinkState::first_row).min().unwrap_or(RowNumber(0))
    }

    /// Returns the cache key of a slot; `None` if its row has been passed to all sinks, or if the run has no cache.
    pub fn key(&self, target: TargetIndex, position: SlotPosition) -> Option<ResultKey> {
        self.reorder.key(target, position)
    }

    pub fn is_open(&self, target: TargetIndex) -> bool {
        self.reorder.is_open(self.sink_of[target.0])
    }

    pub fn has_open_sink(&self) -> bool {
        (0..self.sinks.len()).map(SinkIndex).any(|sink| self.reorder.is_open(sink))
    }

    /// Returns the first row that has not been passed to the writer for a target.
    pub fn next_row(&self, target: TargetIndex) -> RowNumber {
        self.reorder.next_row(self.sink_of[target.0])
    }

    /// Returns the record of a row; `None` if the row has been passed to all sinks.
    pub fn record(&self, row: RowNumber) -> Option<&Arc<Record>> {
        self.reorder.record(row)
    }

    pub fn slot_origin(&self, position: SlotPosition) -> Option<Origin> {
        Some(self.record(position.row)?.slot_origin(position.slot))
    }

    pub fn has_room(&self) -> bool {
        self.reorder.bytes() < MAX_PENDING_BYTES && self.unwritten_bytes < MAX_UNWRITTEN_BYTES
    }

    fn sink_state(&self, target: TargetIndex) -> &SinkState {
        &self.sinks[self.sink_of[target.0].0]
    }

    /// Returns the index of a target in its sink, as used in state files.
    fn position_in_sink(&self, target: TargetIndex) -> u32 {
        let position = self.sink_state(target).targets.iter().position(|t| *t == target);
        position.and_then(|position| u32::try_from(position).ok()).unwrap_or(u32::MAX)
    }

    pub fn stored_result(&self, target: TargetIndex, position: SlotPosition, record: &Record) -> Option<EntryResult> {
        let resume_point = self.sink_state(target).resume_point.as_ref()?;
        let slot = u32::try_from(position.slot).ok()?;
        let key = AnswerKey { row: position.row.0, target: self.position_in_sink(target), slot };
        let EarlyAnswer { text, billed, raw } = resume_point.answer(key, record.text(position.slot)?)?.clone();
        Some(EntryResult { text, raw, billed })
    }

    pub fn set_result(&mut self, target: TargetIndex, position: SlotPosition, result: &Arc<EntryResult>) {
        self.reorder.set_result(target, position, result);
        if self.sink_state(target).resumable && !self.dry_run {
            self.new_results.push((target, position, result.clone()));
        }
    }

    /// Passes complete rows to the writer, and stores results that cannot be written yet.
    ///
    /// `has_failed_and_drained` returns whether a target has failed and expects no more responses. `reject` removes unusable results from
    /// a row; it gets the target and the target's index in the row.
    pub fn advance(
        &mut self,
        has_failed_and_drained: impl Fn(TargetIndex) -> bool,
        mut reject: impl FnMut(TargetIndex, usize, &mut ResultRow),
    ) {
        let Self { reorder, sinks, sink_of, passed_to_writer, unwritten_bytes, dry_run, .. } = self;
        // A resumable file waits for all of its targets.
        let has_failed_and_drained =
            |target: TargetIndex| has_failed_and_drained(target) && !sinks[sink_of[target.0].0].resumable;
        let mut rows = Vec::new();
        reorder.advance(has_failed_and_drained, |sink, mut row| {
            for (position, target) in sinks[sink.0].targets.iter().enumerate() {
                reject(*target, position, &mut row);
            }
            for (target, results) in sinks[sink.0].targets.iter().zip(&row.results) {
                if results.is_some() {
                    passed_to_writer[target.0] += row.record.slots.len() as u64;
                }
            }
            if !*dry_run {
                *unwritten_bytes += memory_bytes(&row.record);
                rows.push((sink, row));
            }
        });
        if !rows.is_empty() {
            self.writer.send(WriterTask::Rows(rows));
        }
        for (target, position, result) in std::mem::take(&mut self.new_results) {
            let sink = self.sink_of[target.0];
            if position.row < self.reorder.next_row(sink) {
                continue;
            }
            if let Some(record) = self.reorder.record(position.row).cloned() {
                let target = self.position_in_sink(target);
                let early = EarlyResult { sink, target, position, record, result };
                self.writer.send(WriterTask::EarlyAnswer(early));
            }
        }
    }

    pub async fn next_event(&mut self) -> Option<WriterEvent> {
        self.writer.events.recv().await
    }

    pub fn apply(&mut self, event: &WriterEvent) {
        match event {
            WriterEvent::Written(sink, rows) => {
                self.unwritten_bytes = self.unwritten_bytes.saturating_sub(rows.memory_bytes);
                self.sinks[sink.0].add_written(*rows);
            }
            WriterEvent::Leftover(sink, leftover) => self.sinks[sink.0].leftover = Some(*leftover),
            WriterEvent::Failed(..) | WriterEvent::Done => {}
        }
    }

    /// Closes a sink that cannot be written. Returns its targets.
    pub fn fail_sink(&mut self, sink: SinkIndex, failure: Failure) -> &[TargetIndex] {
        self.reorder.close(sink);
        let state = &mut self.sinks[sink.0];
        state.failure = Some(failure);
        &state.targets
    }

    pub fn discard(&mut self) {
        (0..self.sinks.len()).map(SinkIndex).for_each(|sink| self.reorder.close(sink));
    }

    /// Determines which sinks have all rows. Returns the targets that are complete, even if they were stopped.
    pub fn mark_complete(&mut self, has_reached_end: bool) -> Vec<TargetIndex> {
        let mut targets = Vec::new();
        for sink in (0..self.sinks.len()).map(SinkIndex) {
            let has_all_rows = self.reorder.next_row(sink) >= self.reorder.end();
            let state = &mut self.sinks[sink.0];
            state.complete = has_reached_end && !self.dry_run && state.is_checked() && has_all_rows;
            if state.complete && (state.resumable || state.targets.len() == 1) {
                targets.extend(&state.targets);
            }
        }
        targets
    }

    pub fn finish(&mut self) {
        let complete = self.sinks.iter().map(|state| state.complete).collect();
        self.writer.send(WriterTask::Finish(complete));
    }

    pub fn report(&self, target: TargetIndex, name: &str, failure: Option<Failure>) -> TargetReport {
        let sink = self.sink_of[target.0];
        let state = &self.sinks[sink.0];
        let is_complete = state.complete && state.failure.is_none();
        let next = self.reorder.record(state.rows).map(|record| record.origin.clone()).filter(|_| !is_complete);
        TargetReport {
            target: name.to_owned(),
            written: state.written(self.passed_to_writer[target.0]),
            unwritten: if state.resumable { 0 } else { self.reorder.count_unwritable_results(target, sink) },
            // Rows may have continued without this target.
            next: self.reorder.missing_from(target, sink).cloned().or(next),
            is_complete,
            failure,
            leftover: state.leftover(),
        }
    }
}

pub struct SinkState {
    pub targets: Vec<TargetIndex>,
    pub resume_point: Option<ResumePoint>,
    /// Check that the input starts like the input of the earlier run.
    pub input_check: Option<InputCheck>,
    /// Whether this is a file that a later run can resume.
    pub resumable: bool,
    /// Number of entries written, including an earlier run's.
    pub entries: u64,
    /// Number of rows written, including an earlier run's.
    pub rows: RowNumber,
    /// Whether all rows were passed to the writer.
    pub complete: bool,
    pub failure: Option<Failure>,
    /// As reported by the writer.
    pub leftover: Option<Leftover>,
}

impl SinkState {
    pub fn new(targets: Vec<TargetIndex>, resume_point: Option<ResumePoint>, resumable: bool) -> Self {
        Self {
            targets,
            input_check: resume_point.as_ref().map(ResumePoint::input_check),
            resumable,
            entries: resume_point.as_ref().map_or(0, ResumePoint::entries),
            rows: RowNumber(resume_point.as_ref().map_or(0, ResumePoint::rows)),
            resume_point,
            complete: false,
            failure: None,
            leftover: None,
        }
    }

    /// Returns the first row that this run writes.
    pub fn first_row(&self) -> RowNumber {
        RowNumber(self.resume_point.as_ref().map_or(0, ResumePoint::rows))
    }

    pub fn is_checked(&self) -> bool {
        self.input_check.as_ref().is_none_or(InputCheck::is_done)
    }

    pub fn add_written(&mut self, written: WrittenRows) {
        self.rows.0 += written.rows;
        self.entries += written.entries;
    }

    /// Returns the number of entries written for a target, including an earlier run's. `passed_to_writer` is the number that this run has
    /// passed to the writer for the target.
    pub fn written(&self, passed_to_writer: u64) -> u64 {
        // Output for the other targets may have continued after this target failed.
        self.entries.min(self.resume_point.as_ref().map_or(0, ResumePoint::entries) + passed_to_writer)
    }

    /// Returns what is left of the file, as far as the writer has reported it.
    pub fn leftover(&self) -> Leftover {
        let started = self.resumable && !self.complete && self.rows > RowNumber(0);
        self.leftover.unwrap_or(if started { Leftover::Resumable } else { Leftover::Nothing })
    }
}
