//! Turns the entries of one target into requests: finds duplicates and puts the other entries into batches.

use std::rc::Rc;
use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_formats::{EntryLimit, Record};

use super::Job;
use super::batch::{Batch, Batcher};
use super::context_lines::ContextLines;
use super::dedup::{Dedup, Duplicate, SentEntry};
use super::index::{RowNumber, SlotPosition};
use super::notes::{BatchNotes, is_same};

pub struct TargetStream<'a> {
    pub job: &'a Job,
    batcher: Batcher,
    notes: BatchNotes,
    /// Own context of the first entry in the current batch.
    record_context: String,
    lines: String,
    /// `record_context` and `lines` together.
    context: String,
    dedup: Dedup,
    pub in_flight: usize,
    /// First rows of batches that were answered while earlier rows still wait for responses.
    pub answered_early: Vec<RowNumber>,
    /// Batches held back until the input is known to be the same as in the earlier run.
    pub held: Vec<Batch>,
    /// The failure that stopped the target. Nothing more is sent.
    pub failure: Option<Failure>,
}

pub struct AddedEntry {
    /// State of the earlier equal entry; `None` if this entry was added to the current batch.
    pub duplicate: Option<Duplicate>,
    pub full: Vec<Batch>,
}

impl<'a> TargetStream<'a> {
    pub fn new(job: &'a Job) -> Result<Self, Failure> {
        Ok(Self {
            job,
            batcher: Batcher::new(&job.options, job.context.as_deref(), job.limit)?,
            notes: BatchNotes::default(),
            record_context: String::new(),
            lines: String::new(),
            context: String::new(),
            dedup: Dedup::new(limits::REPEAT_WINDOW_BYTES),
            in_flight: 0,
            answered_early: Vec::new(),
            held: Vec::new(),
            failure: None,
        })
    }

    pub fn entry_limit(&self) -> EntryLimit {
        EntryLimit { bytes: self.batcher.max_entry_bytes(), body_bytes: self.job.limit.bytes, enforced: true }
    }

    pub fn has_open_batch(&self) -> bool {
        !self.batcher.is_empty()
    }

    /// `before` has the context lines before the entry.
    pub fn add(&mut self, position: SlotPosition, record: &Arc<Record>, before: &ContextLines) -> AddedEntry {
        let text = record.sent_text(position.slot).unwrap_or_default();
        let mut full = Vec::new();
        let mut notes_bytes = 0;
        if !self.notes.has_only_context_of(record, position.slot) {
            let bytes = self.notes.bytes_with(record, position.slot);
            // The service could not tell which of two equal texts a note is about.
            if let Some(bytes) = bytes.filter(|_| !self.batcher.has_text(text)) {
                notes_bytes = bytes;
            } else if !self.is_sent(record.record_context(position.slot), text) {
                full.extend(self.take_batch());
            }
        }
        if self.batcher.is_empty() {
            record.record_context(position.slot).clone_into(&mut self.record_context);
            self.begin_batch(before, text);
        }
        let mut hash = self.hash(record.record_context(position.slot), text);
        if let Some(earlier) = self.dedup.find(hash, text) {
            return AddedEntry { duplicate: Some(earlier.join(position)), full };
        }
        let entry = SentEntry::new(record, position);
        if !self.batcher.push(text, &entry, notes_bytes) {
            full.extend(self.take_batch());
            record.record_context(position.slot).clone_into(&mut self.record_context);
            self.begin_batch(before, text);
            hash = self.hash(record.record_context(position.slot), text);
            self.batcher.push(text, &entry, 0);
        }
        self.notes.add(record, position.slot);
        self.dedup.insert(hash, &entry);
        if self.batcher.is_full() {
            full.extend(self.take_batch());
        }
        AddedEntry { duplicate: None, full }
    }

    fn begin_batch(&mut self, before: &ContextLines, first: &str) {
        let lines = before.text();
        let kept = self.batcher.set_context(&self.record_context, &lines, first);
        kept.clone_into(&mut self.lines);
        self.context = joined(&self.record_context, kept);
    }

    /// Returns the hash of a text with its context and the context lines of the batch.
    fn hash(&self, record_context: &str, text: &str) -> u64 {
        if is_same(record_context, &self.record_context) {
            return self.dedup.hash(&self.context, text);
        }
        self.dedup.hash(&joined(record_context, &self.lines), text)
    }

    fn is_sent(&self, record_context: &str, text: &str) -> bool {
        self.dedup.find(self.hash(record_context, text), text).is_some()
    }

    /// Returns an entry as a separate batch. If its own context differs from the current batch's, it is sent without context lines.
    pub fn separate_batch(&self, position: SlotPosition, record: &Arc<Record>) -> Batch {
        let entry = SentEntry::repeated(record, position);
        self.batch_of(&entry, record.record_context(position.slot))
    }

    fn batch_of(&self, entry: &Rc<SentEntry>, record_context: &str) -> Batch {
        let other = (record_context != self.record_context).then_some(record_context);
        self.batcher.separate_batch(entry.text(), entry, other)
    }

    /// Adds the fallback form of an entry, with the placeholder instead of the sample number, as a separate batch unless an equal entry
    /// was sent. Returns `None` if the entry has no fallback.
    pub fn add_fallback(&mut self, position: SlotPosition, record: &Arc<Record>) -> Option<AddedEntry> {
        let record_context = record.record_context(position.slot);
        let text = record.fallback(position.slot)?.sent();
        let hash = self.dedup.hash(record_context, text);
        if let Some(earlier) = self.dedup.find(hash, text) {
            return Some(AddedEntry { duplicate: Some(earlier.join(position)), full: Vec::new() });
        }
        let entry = SentEntry::fallback(record, position)?;
        let batch = self.batch_of(&entry, record_context);
        self.dedup.insert(hash, &entry);
        Some(AddedEntry { duplicate: None, full: vec![batch] })
    }

    pub fn take_batch(&mut self) -> Option<Batch> {
        let notes = std::mem::take(&mut self.notes);
        self.batcher.take_batch(notes.context().as_deref())
    }

    pub fn clear(&mut self) {
        self.batcher.clear();
        self.notes = BatchNotes::default();
        self.held.clear();
    }
}

pub fn joined(own: &str, lines: &str) -> String {
    let separator = if own.is_empty() || lines.is_empty() { "" } else { "\n" };
    [own, separator, lines].concat()
}
