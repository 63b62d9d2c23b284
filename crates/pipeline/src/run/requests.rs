//! The requests of a run: batches that are being filled, batches that wait, and requests in flight.

use std::collections::VecDeque;
use std::sync::Arc;

use tulk_base::error::{Failure, Kind};
use tulk_base::numbers::counted;
use tulk_formats::{EntryLimit, Record};

use super::output::RunOutput;
use crate::batch::Batch;
use crate::context_lines::ContextLines;
use crate::dedup::Duplicate;
use crate::index::{SlotPosition, TargetIndex};
use crate::reader::EntryRules;
use crate::target_stream::{AddedEntry, TargetStream};
use crate::{Job, RunOptions};

/// Maximum total size of the bodies in flight, in bytes. A single body may be larger.
const MAX_IN_FLIGHT_BYTES: usize = 8 * 1024 * 1024;

pub struct Requests<'a> {
    pub targets: Vec<TargetStream<'a>>,
    ready: VecDeque<(TargetIndex, Batch)>,
    in_flight: usize,
    in_flight_bytes: usize,
    /// Whether nothing more may be sent.
    closed: bool,
    pub started: u64,
    /// Number of code points sent.
    pub characters: u64,
}

impl<'a> Requests<'a> {
    /// Fails if the options of a job leave no room for text.
    pub fn new(jobs: &'a [Job]) -> Result<Self, Failure> {
        let targets = jobs.iter().map(TargetStream::new).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            targets,
            ready: VecDeque::new(),
            in_flight: 0,
            in_flight_bytes: 0,
            closed: false,
            started: 0,
            characters: 0,
        })
    }

    /// Returns the rules for entries, with the lowest limit of all targets.
    pub fn entry_rules(&self, options: &RunOptions) -> EntryRules {
        let smallest = self.targets.iter().map(TargetStream::entry_limit).min_by_key(|limit| limit.bytes);
        let smallest = smallest.unwrap_or(EntryLimit { bytes: 0, body_bytes: 0, enforced: false });
        let limit = EntryLimit { enforced: options.check, ..smallest };
        EntryRules { limit, keep_going: options.keep_going }
    }

    /// Adds an entry for a target. If it equals an earlier entry, returns the state of that entry.
    ///
    /// With `hold`, full batches are held back until [`Self::release`].
    pub fn add(
        &mut self,
        target: TargetIndex,
        position: SlotPosition,
        record: &Arc<Record>,
        before: &ContextLines,
        hold: bool,
    ) -> Option<Duplicate> {
        let AddedEntry { duplicate, full } = self.targets[target.0].add(position, record, before);
        for batch in full {
            self.queue(target, batch, hold);
        }
        duplicate
    }

    /// Queues the fallback form of an entry before all other batches. If it equals an earlier entry, returns the state of that entry.
    pub fn add_fallback(
        &mut self,
        target: TargetIndex,
        position: SlotPosition,
        record: &Arc<Record>,
    ) -> Option<Duplicate> {
        let AddedEntry { duplicate, full } = self.targets[target.0].add_fallback(position, record)?;
        for batch in full {
            self.repeat(target, batch);
        }
        duplicate
    }

    fn queue(&mut self, target: TargetIndex, batch: Batch, hold: bool) {
        if hold {
            self.targets[target.0].held.push(batch);
        } else {
            self.ready.push_back((target, batch));
        }
    }

    /// Queues the batches of a target that were held back.
    pub fn release(&mut self, target: TargetIndex) {
        self.ready.extend(self.targets[target.0].held.drain(..).map(|batch| (target, batch)));
    }

    /// Queues all batches, full or not. Returns false if there were none.
    pub fn queue_all_batches(&mut self, hold: impl Fn(TargetIndex) -> bool) -> bool {
        let mut any = false;
        for target in (0..self.targets.len()).map(TargetIndex) {
            if let Some(batch) = self.targets[target.0].take_batch() {
                self.queue(target, batch, hold(target));
                any = true;
            }
        }
        any
    }

    pub fn queue_current_batch(&mut self, target: TargetIndex, hold: bool) {
        if let Some(batch) = self.targets[target.0].take_batch() {
            self.queue(target, batch, hold);
        }
    }

    /// Queues a batch before all others, for an entry whose result could not be used.
    pub fn repeat(&mut self, target: TargetIndex, batch: Batch) {
        self.ready.push_front((target, batch));
    }

    pub fn can_send(&self, target: TargetIndex) -> bool {
        !self.closed && self.targets[target.0].failure.is_none()
    }

    /// Queues the halves of a refused batch before all others.
    pub fn retry_halves(&mut self, target: TargetIndex, first: Batch, second: Batch) {
        self.ready.push_front((target, second));
        self.ready.push_front((target, first));
    }

    /// Returns the next batch, if a request may be started now, and counts it as in flight.
    pub fn start_next(
        &mut self,
        concurrency: usize,
        options: &RunOptions,
        output: &RunOutput,
    ) -> Option<(TargetIndex, Batch)> {
        if self.closed || self.in_flight >= concurrency {
            return None;
        }
        loop {
            let (target, batch) = self.ready.front()?;
            let target = *target;
            let stream = &mut self.targets[target.0];
            if stream.failure.is_some() || !output.is_open(target) {
                self.ready.pop_front();
                continue;
            }
            let next_row = output.next_row(target);
            stream.answered_early.retain(|row| *row > next_row);
            let window_is_full = stream.in_flight + stream.answered_early.len() >= 2 * concurrency;
            let bytes = batch.body.len();
            let is_full = window_is_full || self.in_flight_bytes + bytes > MAX_IN_FLIGHT_BYTES;
            // At least one request must be in flight; otherwise, there would never be another response.
            if is_full && self.in_flight > 0 {
                return None;
            }
            if let Some(failure) = self.exceeded_limit(options, output) {
                // A smaller request of another target may still fit.
                self.fail(target, failure);
                continue;
            }
            let (target, mut batch) = self.ready.pop_front()?;
            if !std::mem::replace(&mut batch.counted, true) {
                self.characters += batch.chars;
            }
            self.started += 1;
            self.in_flight += 1;
            self.in_flight_bytes += bytes;
            self.targets[target.0].in_flight += 1;
            return Some((target, batch));
        }
    }

    /// Returns the failure if the next batch would exceed `--max-characters`.
    fn exceeded_limit(&self, options: &RunOptions, output: &RunOutput) -> Option<Failure> {
        let (limit, (_, batch)) = (options.max_characters?, self.ready.front()?);
        let sent = options.characters_before + self.characters;
        if batch.counted || sent + batch.chars <= limit {
            return None;
        }
        let verb = match sent {
            _ if options.dry_run => "would be",
            1 => "was",
            _ => "were",
        };
        let what = format!(
            "the next request ({}) would exceed --max-characters {limit} ({} {verb} sent)",
            counted(batch.chars, "character"),
            counted(sent, "character")
        );
        let failure = Failure::new(Kind::Quota, what);
        let origin = batch.entries.first().and_then(|entry| output.slot_origin(entry.sent.position));
        Some(match origin {
            Some(origin) => failure.at(origin),
            None => failure,
        })
    }

    pub fn answered(&mut self, target: TargetIndex, batch: &Batch) {
        self.in_flight -= 1;
        self.in_flight_bytes -= batch.body.len();
        let stream = &mut self.targets[target.0];
        stream.in_flight -= 1;
        if let Some(first) = batch.entries.first() {
            stream.answered_early.push(first.sent.position.row);
        }
    }

    /// Requests in flight may still be answered.
    pub fn fail(&mut self, target: TargetIndex, failure: Failure) {
        let stream = &mut self.targets[target.0];
        stream.failure.get_or_insert(failure);
        stream.clear();
        self.ready.retain(|(ready, _)| *ready != target);
    }

    pub fn fail_all(&mut self, failure: &Failure) {
        self.close();
        for stream in &mut self.targets {
            stream.failure.get_or_insert_with(|| failure.clone());
        }
    }

    /// Drops everything that was not sent, and sends nothing more.
    pub fn close(&mut self) {
        self.closed = true;
        self.ready.clear();
        self.targets.iter_mut().for_each(TargetStream::clear);
    }

    pub fn is_closed(&self) -> bool {
        self.closed
    }

    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns whether as many batches wait to be sent as may be in flight, so that no request must wait for more input.
    pub fn has_enough_ready(&self, concurrency: usize) -> bool {
        let bytes = self.ready.iter().map(|(_, batch)| batch.body.len());
        !self.ready.is_empty()
            && (self.ready.len() >= concurrency || self.in_flight_bytes + bytes.sum::<usize>() >= MAX_IN_FLIGHT_BYTES)
    }

    pub fn has_in_flight(&self) -> bool {
        self.in_flight > 0
    }

    /// Returns whether all targets have failed or nothing more is sent.
    pub fn is_over(&self) -> bool {
        self.closed || self.targets.iter().all(|stream| stream.failure.is_some())
    }

    /// Returns whether a target has failed and expects no more responses, so rows continue without it.
    ///
    /// A run that ends for another reason, such as a signal, has no failed targets: its output ends at the first incomplete row.
    pub fn has_failed_and_drained(&self, target: TargetIndex) -> bool {
        let stream = &self.targets[target.0];
        stream.failure.is_some() && stream.in_flight == 0
    }
}
