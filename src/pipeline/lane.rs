//! One target's way through the run: its repeats, its body under way, what it has in flight.

use std::sync::Arc;

use super::Job;
use super::batch::{Batch, Batcher};
use super::repeats::{Joined, Known, Place, Repeats};
use crate::error::Failure;
use crate::formats::{Record, Room};
use crate::limits;

/// A target's state.
pub struct Lane<'a> {
    /// What it sends.
    pub job: &'a Job,
    /// Its index.
    pub at: usize,
    /// The sink that takes its results.
    pub sink: usize,
    /// The body under way.
    pub batcher: Batcher,
    /// The context lines of the body under way.
    context: String,
    repeats: Repeats,
    /// Requests in flight.
    pub in_flight: usize,
    /// Entries whose results went to the writer.
    pub passed: u64,
    /// First rows of batches that have landed behind a gap.
    pub behind: Vec<u64>,
    /// Batches that wait until the input is known to be the one of the earlier run.
    pub held: Vec<Batch>,
    /// Why it sends nothing more.
    pub failure: Option<Failure>,
}

/// What became of an entry.
pub enum Offer {
    /// An equal one was sent, or is about to be.
    Equal(Joined),
    /// It is in a body; those that became full by it are here.
    Taken(Vec<Batch>),
}

impl<'a> Lane<'a> {
    /// A target that has sent nothing.
    pub fn new((at, job): (usize, &'a Job)) -> Result<Self, Failure> {
        Ok(Self {
            job,
            at,
            sink: 0,
            batcher: Batcher::new(&job.options, job.context.as_deref(), job.limit)?,
            context: String::new(),
            repeats: Repeats::new(limits::REPEAT_WINDOW_BYTES),
            in_flight: 0,
            passed: 0,
            behind: Vec::new(),
            held: Vec::new(),
            failure: None,
        })
    }

    /// What one entry may take.
    pub fn room(&self) -> Room {
        Room { bytes: self.batcher.room(), limit: self.job.limit.bytes, check: true }
    }

    /// Takes an entry; `lines` are the context lines before its record.
    pub fn offer(&mut self, place: Place, record: &Arc<Record>, lines: &str) -> Offer {
        let text = record.sent(place.slot as usize).unwrap_or_default();
        if self.batcher.is_empty() {
            self.begin(lines, text);
        }
        let mut hash = self.repeats.hash(&self.context, text);
        if let Some(known) = self.repeats.find(hash, text) {
            return Offer::Equal(known.join(place));
        }
        let known = Known::new(record.clone(), place);
        let mut sealed = Vec::new();
        if !self.batcher.push(text, &known) {
            sealed.extend(self.batcher.seal());
            self.begin(lines, text);
            hash = self.repeats.hash(&self.context, text);
            self.batcher.push(text, &known);
        }
        self.repeats.insert(hash, &known);
        if self.batcher.is_full() {
            sealed.extend(self.batcher.seal());
        }
        Offer::Taken(sealed)
    }

    fn begin(&mut self, lines: &str, first: &str) {
        let stays = self.batcher.set_context(lines, first);
        if self.context != stays {
            stays.clone_into(&mut self.context);
        }
    }

    /// Takes the body out as it is.
    pub fn seal(&mut self) -> Option<Batch> {
        self.batcher.seal()
    }

    /// Throws away what was not sent.
    pub fn clear(&mut self) {
        self.batcher.clear();
        self.held.clear();
    }
}
