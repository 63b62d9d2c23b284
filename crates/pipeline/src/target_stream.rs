//! The entries of one target on their way into requests: duplicates are found, the others are put into batches.

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

/// The state of one target.
pub struct TargetStream<'a> {
    /// What it sends.
    pub job: &'a Job,
    batcher: Batcher,
    /// The context that the entries of the current batch have of their own.
    own_context: String,
    /// The same with the context lines of the batch.
    context: String,
    dedup: Dedup,
    /// Requests without an answer.
    pub in_flight: usize,
    /// First rows of batches that were answered while earlier rows still wait for answers.
    pub answered_early: Vec<RowNumber>,
    /// Batches that wait until the input is known to be that of the earlier run.
    pub held: Vec<Batch>,
    /// Why nothing more is sent.
    pub failure: Option<Failure>,
}

/// What happened to an entry.
pub struct AddedEntry {
    /// The earlier entry that it equals. Otherwise it was added to the current batch.
    pub duplicate: Option<Duplicate>,
    /// Batches that are ready to be sent.
    pub full: Vec<Batch>,
}

impl<'a> TargetStream<'a> {
    /// A target that has sent nothing.
    pub fn new(job: &'a Job) -> Result<Self, Failure> {
        Ok(Self {
            job,
            batcher: Batcher::new(&job.options, job.context.as_deref(), job.limit)?,
            own_context: String::new(),
            context: String::new(),
            dedup: Dedup::new(limits::REPEAT_WINDOW_BYTES),
            in_flight: 0,
            answered_early: Vec::new(),
            held: Vec::new(),
            failure: None,
        })
    }

    /// Returns the size of one entry.
    pub fn entry_limit(&self) -> EntryLimit {
        EntryLimit { bytes: self.batcher.room(), body_bytes: self.job.limit.bytes, enforced: true }
    }

    /// Returns whether entries wait for more entries to fill their batch.
    pub fn has_open_batch(&self) -> bool {
        !self.batcher.is_empty()
    }

    /// Adds an entry; `before` is what was read before it.
    pub fn add(&mut self, position: SlotPosition, record: &Arc<Record>, before: &ContextLines) -> AddedEntry {
        let text = record.sent_text(position.slot).unwrap_or_default();
        let mut full = Vec::new();
        let own_context = record.own_context(position.slot);
        if self.own_context != own_context {
            full.extend(self.batcher.seal());
            own_context.clone_into(&mut self.own_context);
        }
        if self.batcher.is_empty() {
            self.begin_batch(before, text);
        }
        let mut hash = self.dedup.hash(&self.context, text);
        if let Some(earlier) = self.dedup.find(hash, text) {
            return AddedEntry { duplicate: Some(earlier.join(position)), full };
        }
        let entry = SentEntry::new(record, position);
        if !self.batcher.push(text, &entry) {
            full.extend(self.batcher.seal());
            self.begin_batch(before, text);
            hash = self.dedup.hash(&self.context, text);
            self.batcher.push(text, &entry);
        }
        self.dedup.insert(hash, &entry);
        if self.batcher.is_full() {
            full.extend(self.batcher.seal());
        }
        AddedEntry { duplicate: None, full }
    }

    fn begin_batch(&mut self, before: &ContextLines, first: &str) {
        let lines = before.text();
        let kept = self.batcher.set_context(&self.own_context, &lines, first);
        self.context.clear();
        self.context.push_str(&self.own_context);
        if !(self.context.is_empty() || kept.is_empty()) {
            self.context.push('\n');
        }
        self.context.push_str(kept);
    }

    /// Returns an entry as a batch of its own, with the context lines of the current one.
    pub fn alone(&self, position: SlotPosition, record: &Arc<Record>) -> Batch {
        let entry = SentEntry::repeated(record, position);
        self.batch_of(&entry, record.own_context(position.slot))
    }

    fn batch_of(&self, entry: &Rc<SentEntry>, own_context: &str) -> Batch {
        let other = (own_context != self.own_context).then_some(own_context);
        self.batcher.alone(entry.text(), entry, other)
    }

    /// Adds an entry in its other form, with the placeholder itself: alone, unless an equal one was sent. `None` if it has no
    /// other form.
    pub fn add_fallback(&mut self, position: SlotPosition, record: &Arc<Record>) -> Option<AddedEntry> {
        let own_context = record.own_context(position.slot);
        let text = record.fallback(position.slot)?.sent();
        let hash = self.dedup.hash(own_context, text);
        if let Some(earlier) = self.dedup.find(hash, text) {
            return Some(AddedEntry { duplicate: Some(earlier.join(position)), full: Vec::new() });
        }
        let entry = SentEntry::fallback(record, position)?;
        let batch = self.batch_of(&entry, own_context);
        self.dedup.insert(hash, &entry);
        Some(AddedEntry { duplicate: None, full: vec![batch] })
    }

    /// Returns the current batch, full or not.
    pub fn seal(&mut self) -> Option<Batch> {
        self.batcher.seal()
    }

    /// Drops everything that was not sent.
    pub fn clear(&mut self) {
        self.batcher.clear();
        self.held.clear();
    }
}
