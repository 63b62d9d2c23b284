//! What is read: the reader's events, and whether more may follow.

use tokio::sync::mpsc;
use tokio::time::Instant;
use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_store::part::InputCheck;

use crate::PipelineInput;
use crate::cache_lookup::CacheLookup;
use crate::context_lines::ContextLines;
use crate::reader::{self, EntryRules, ReaderEvent};

/// The input of a run, as the loop sees it.
pub struct InputFeed {
    events: mpsc::Receiver<ReaderEvent>,
    /// What was read before the current slot.
    pub context: ContextLines,
    open: bool,
    reached_end: bool,
    last_event: Instant,
}

impl InputFeed {
    /// Starts the reader.
    pub fn start(
        input: PipelineInput,
        rules: EntryRules,
        checks: Vec<InputCheck>,
        context: ContextLines,
        lookup: Option<CacheLookup>,
    ) -> Result<Self, Failure> {
        let events = reader::start(input, rules, checks, lookup)?;
        Ok(Self { events, context, open: true, reached_end: false, last_event: Instant::now() })
    }

    /// Waits for the next event; `None` at the end of the input.
    pub async fn next(&mut self) -> Option<ReaderEvent> {
        let event = self.events.recv().await;
        self.last_event = Instant::now();
        if event.is_none() {
            self.open = false;
            self.reached_end = true;
        }
        event
    }

    /// Returns when the input counts as idle, unless there is an event before.
    pub fn idle_at(&self) -> Instant {
        self.last_event + limits::IDLE
    }

    /// Returns whether more may follow.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Stops reading.
    pub fn close(&mut self) {
        self.open = false;
    }

    /// Returns whether all of the input was read.
    pub fn reached_end(&self) -> bool {
        self.reached_end
    }
}
