//! The reader thread. Sends records in chunks, and sends an incomplete chunk before every read that may block.
//!
//! [`InputFeed`] is the loop's end of the channel. Arguments are read immediately, without a thread, unless cached results are looked
//! up. Files are read twice: the first time to find faults before anything is sent.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, mpsc};
use tokio::time::Instant;
use tulk_base::error::Failure;
use tulk_base::json::escaped_len;
use tulk_base::numbers::{counted, grouped};
use tulk_base::{limits, machine};
use tulk_formats::input::source::Source;
use tulk_formats::{EntryLimit, FallbackText, Record, RecordReader};
use tulk_store::part::InputCheck;

use super::cache_lookup::{CacheLookup, ReadRecord};
use super::{PipelineInput, Protector};

const CHUNK_RECORDS: usize = 256;
/// Size in bytes at which a chunk is sent.
const CHUNK_BYTES: usize = 64 * 1024;
const CONTEXT_FIELD_BYTES: usize = b",\"context\":\"\"".len();
const QUEUED_CHUNKS: usize = 2;

pub enum ReaderEvent {
    /// The complete input was checked and has this number of entries.
    Scanned(u64),
    Records(Vec<ReadRecord>),
    /// The input has a fault. Nothing follows.
    Fault(Failure),
}

pub struct InputFeed {
    events: mpsc::Receiver<ReaderEvent>,
    open: bool,
    has_reached_end: bool,
    last_event: Instant,
}

impl InputFeed {
    pub fn start(
        input: PipelineInput,
        rules: EntryRules,
        checks: Vec<InputCheck>,
        lookup: Option<CacheLookup>,
    ) -> Result<Self, Failure> {
        let events = start(input, rules, checks, lookup)?;
        Ok(Self { events, open: true, has_reached_end: false, last_event: Instant::now() })
    }

    pub async fn next(&mut self) -> Option<ReaderEvent> {
        let event = self.events.recv().await;
        self.last_event = Instant::now();
        if event.is_none() {
            self.open = false;
            self.has_reached_end = true;
        }
        event
    }

    /// Returns the time at which the input counts as idle, unless an event arrives earlier.
    pub fn idle_at(&self) -> Instant {
        self.last_event + limits::IDLE
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    pub fn close(&mut self) {
        self.open = false;
    }

    pub fn has_reached_end(&self) -> bool {
        self.has_reached_end
    }
}

#[derive(Clone, Copy, Debug)]
pub struct EntryRules {
    pub limit: EntryLimit,
    /// Whether invalid records and entries that are too long are copied instead of refused.
    pub keep_going: bool,
}

/// Reads records and checks the entries that will be sent.
struct EntryReader {
    records: Box<dyn RecordReader>,
    protector: Arc<Protector>,
    rules: EntryRules,
}

impl EntryReader {
    fn new(input: &PipelineInput, rules: EntryRules) -> Self {
        let protector = input.protector.clone();
        let records = if protector.has_patterns() {
            input.format.protected_reader(rules.limit, protector.clone())
        } else {
            input.format.reader(rules.limit)
        };
        Self { records, protector, rules }
    }

    /// Returns false at the end of the input.
    fn next(&mut self, source: &mut Source, record: &mut Record) -> Result<bool, Failure> {
        if !self.records.read(source, record)? {
            return Ok(false);
        }
        if let Some(fault) = record.fault.take_if(|_| !self.rules.keep_going) {
            return Err(*fault);
        }
        self.protector.protect(record);
        self.check_sizes(record)?;
        Ok(true)
    }

    /// Fails if an entry does not fit into a request. With `--keep-going`, sets the fault of its slot instead. Skips the parts
    /// of a split text, which already fit; only the last part is checked.
    fn check_sizes(&self, record: &mut Record) -> Result<(), Failure> {
        let limit = self.rules.limit;
        for slot in (0..record.slots.len()).filter(|_| limit.enforced && !record.continues) {
            if let Some(fault) =
                record.slots.get_mut(slot).and_then(|slot| slot.fault.take_if(|_| !self.rules.keep_going))
            {
                return Err(*fault);
            }
            if let Some(failure) = too_large(record, slot, limit) {
                let failure = failure.hint_or_flag("split the text", "; --keep-going copies it unchanged");
                let Some(slot) = record.slots.get_mut(slot).filter(|_| self.rules.keep_going) else {
                    return Err(failure);
                };
                slot.fault.get_or_insert_with(|| Box::new(failure));
            }
        }
        Ok(())
    }
}

/// Returns the failure for a slot that, with its own context, does not fit into a request.
pub fn too_large(record: &Record, slot: usize, limit: EntryLimit) -> Option<Failure> {
    let EntryLimit { bytes: entry_bytes, body_bytes, .. } = limit;
    let context = record.record_context(slot);
    let fallback = record.fallback(slot).map_or("", FallbackText::sent);
    // JSON escapes a byte to at most six bytes.
    let bytes = record.slots.get(slot)?.sent_bytes().max(fallback.len()) + context.len();
    if bytes * 6 + CONTEXT_FIELD_BYTES <= entry_bytes {
        return None;
    }
    let text = escaped_len(record.sent_text(slot).unwrap_or_default().as_bytes());
    let own = if context.is_empty() { 0 } else { escaped_len(context.as_bytes()) + CONTEXT_FIELD_BYTES };
    let needed = text.max(escaped_len(fallback.as_bytes())) + own;
    if needed <= entry_bytes {
        return None;
    }
    let needed = needed + (body_bytes - entry_bytes);
    let what = format!("the text needs a request of {}; the limit is {}", counted(needed, "byte"), grouped(body_bytes));
    Some(Failure::usage(what).at(record.slot_origin(slot)))
}

/// The reader exits at the end of the input, or when the receiver is closed.
pub fn start(
    input: PipelineInput,
    rules: EntryRules,
    checks: Vec<InputCheck>,
    lookup: Option<CacheLookup>,
) -> Result<mpsc::Receiver<ReaderEvent>, Failure> {
    // A lookup may wait for another process, so it needs the thread.
    let inline = input.source.argument_bytes().is_some() && lookup.is_none();
    let (sender, receiver) = mpsc::channel(if inline { Semaphore::MAX_PERMITS } else { QUEUED_CHUNKS });
    let events = EventSender { sender, inline };
    let run = move || {
        if let Err(failure) = read(input, rules, checks, lookup, &events) {
            events.send(ReaderEvent::Fault(failure));
        }
    };
    if inline {
        run();
        return Ok(receiver);
    }
    machine::spawn("reader", run)?;
    Ok(receiver)
}

#[derive(Clone)]
struct EventSender {
    sender: mpsc::Sender<ReaderEvent>,
    /// Whether the reader runs on the caller's thread. Its channel is unbounded, because nothing is received until the reader is done.
    inline: bool,
}

impl EventSender {
    /// Returns false if the receiver is closed.
    fn send(&self, event: ReaderEvent) -> bool {
        if self.inline { self.sender.try_send(event).is_ok() } else { self.sender.blocking_send(event).is_ok() }
    }
}

fn read(
    input: PipelineInput,
    rules: EntryRules,
    checks: Vec<InputCheck>,
    lookup: Option<CacheLookup>,
    events: &EventSender,
) -> Result<(), Failure> {
    let reader = || EntryReader::new(&input, rules);
    let (mut scanner, mut reader) = (reader(), reader());
    let mut source = input.source;
    if source.is_repeatable() {
        let entries = scan(&mut source, &mut scanner, checks, || events.sender.is_closed())?;
        if !events.send(ReaderEvent::Scanned(entries)) {
            return Ok(());
        }
        source.rewind();
    }
    let chunk = RecordChunk { records: Vec::new(), bytes: 0, lookup, events: events.clone(), is_received: true };
    let chunk = Arc::new(Mutex::new(chunk));
    let shared = chunk.clone();
    source.before_blocking(Box::new(move || shared.lock().unwrap_or_else(PoisonError::into_inner).send()));
    let end = loop {
        let mut record = Record::default();
        match reader.next(&mut source, &mut record) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(failure) => break Err(failure),
        }
        let mut chunk = chunk.lock().unwrap_or_else(PoisonError::into_inner);
        chunk.push(record);
        if !chunk.is_received {
            return Ok(());
        }
    };
    chunk.lock().unwrap_or_else(PoisonError::into_inner).send();
    end
}

/// Checks an input for faults, compares it with the input of earlier runs, and rewinds it. Does nothing if the input cannot be read twice.
pub fn check_input(input: &mut PipelineInput, rules: EntryRules, checks: Vec<InputCheck>) -> Result<(), Failure> {
    if !input.source.is_repeatable() {
        return Ok(());
    }
    let mut reader = EntryReader::new(input, rules);
    scan(&mut input.source, &mut reader, checks, || false)?;
    input.source.rewind();
    Ok(())
}

/// Returns the number of entries.
fn scan(
    source: &mut Source,
    reader: &mut EntryReader,
    mut checks: Vec<InputCheck>,
    is_stopped: impl Fn() -> bool,
) -> Result<u64, Failure> {
    let (mut entries, mut rows) = (0, 0);
    let mut record = Record::default();
    let can_skip = checks.is_empty() && !reader.protector.has_patterns();
    loop {
        if can_skip {
            entries += reader.records.skip(source)?;
            if is_stopped() {
                return Ok(entries);
            }
        }
        if !reader.next(source, &mut record)? {
            break;
        }
        entries += record.slots.len() as u64;
        for check in &mut checks {
            check.add_row(rows, &record.bytes)?;
        }
        rows += 1;
        if rows % 4096 == 0 && is_stopped() {
            return Ok(entries);
        }
        record.clear();
    }
    checks.iter().try_for_each(InputCheck::finish)?;
    Ok(entries)
}

struct RecordChunk {
    records: Vec<ReadRecord>,
    bytes: usize,
    lookup: Option<CacheLookup>,
    events: EventSender,
    /// False after the receiver was closed.
    is_received: bool,
}

impl RecordChunk {
    fn push(&mut self, record: Record) {
        self.bytes += record.bytes.len();
        self.records.push(ReadRecord { record: Arc::new(record), cached: None });
        if self.records.len() >= CHUNK_RECORDS || self.bytes >= CHUNK_BYTES {
            self.send();
        }
    }

    fn send(&mut self) {
        if self.records.is_empty() {
            return;
        }
        self.bytes = 0;
        let mut records = std::mem::take(&mut self.records);
        if let Some(lookup) = &mut self.lookup {
            lookup.fill(&mut records);
        }
        self.is_received = self.events.send(ReaderEvent::Records(records));
    }
}
