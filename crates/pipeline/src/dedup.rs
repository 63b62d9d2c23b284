//! Sends equal entries with equal context only once, within a bounded window.

use std::cell::{Cell, RefCell};
use std::collections::hash_map::RandomState;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasher as _;
use std::rc::Rc;
use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_formats::{EntryResult, Record};

use super::index::SlotPosition;

/// A text is copied if it has at most `MAX_COPIED_BYTES`, or if its record is larger than twice the text plus this many bytes. Otherwise,
/// the record is kept instead of a copy.
const MAX_UNUSED_RECORD_BYTES: usize = 256;
/// Maximum size of a text that is always copied: copying is faster and needs less memory than keeping its record.
const MAX_COPIED_BYTES: usize = 512;

/// An entry that was or will be sent.
pub struct SentEntry {
    text: SentText,
    /// Size of the text in bytes, including tags.
    bytes: usize,
    /// Number of code points in the text, without tags.
    pub chars: u64,
    /// The slot for which the entry is sent.
    pub position: SlotPosition,
    state: RefCell<SentState>,
    /// Whether the slot at `position` has its result.
    has_own_result: Cell<bool>,
    /// Whether this is the second try, after a result that could not be used. There is no third try.
    is_repeated: Cell<bool>,
}

enum SentText {
    InRecord(Arc<Record>),
    Copied(Box<str>),
}

enum SentState {
    /// No response yet. These other slots wait for the same result.
    Waiting(Vec<SlotPosition>),
    Answered(Arc<EntryResult>),
    Refused(Failure),
}

/// The slots that waited for a result, in order.
pub type WaitingSlots = std::iter::Chain<std::option::IntoIter<SlotPosition>, std::vec::IntoIter<SlotPosition>>;

pub enum Duplicate {
    /// The slot now waits for the earlier entry's result.
    Waiting,
    /// The service's result for the earlier entry, and whether it came from a second try.
    Answered(Arc<EntryResult>, bool),
    Refused(Failure),
}

impl SentEntry {
    /// Creates an entry that has no result yet.
    pub fn new(record: &Arc<Record>, position: SlotPosition) -> Rc<Self> {
        let (sent, chars) = record.sent_text_and_chars(position.slot).unwrap_or_default();
        let is_sparse = record.bytes.len() > 2 * sent.len() + MAX_UNUSED_RECORD_BYTES;
        let text = if is_sparse || sent.len() <= MAX_COPIED_BYTES {
            SentText::Copied(sent.into())
        } else {
            SentText::InRecord(record.clone())
        };
        Self::with_text(text, sent.len(), chars, position)
    }

    fn with_text(text: SentText, bytes: usize, chars: u64, position: SlotPosition) -> Rc<Self> {
        let state = RefCell::new(SentState::Waiting(Vec::new()));
        let (has_own_result, is_repeated) = (Cell::new(false), Cell::new(false));
        Rc::new(Self { text, bytes, chars, position, state, has_own_result, is_repeated })
    }

    /// Creates the second try of an entry, after a result that could not be used. It sends the fallback form.
    pub fn fallback(record: &Record, position: SlotPosition) -> Option<Rc<Self>> {
        let fallback = record.fallback(position.slot)?;
        let sent = fallback.sent();
        let entry = Self::with_text(SentText::Copied(sent.into()), sent.len(), fallback.chars(), position);
        entry.is_repeated.set(true);
        Some(entry)
    }

    /// Creates the second try of an entry that cannot use the result of an equal entry.
    pub fn repeated(record: &Arc<Record>, position: SlotPosition) -> Rc<Self> {
        let entry = Self::new(record, position);
        entry.is_repeated.set(true);
        entry
    }

    /// Returns whether this is a second try.
    pub fn is_repeated(&self) -> bool {
        self.is_repeated.get()
    }

    /// Returns the text that is sent, including tags.
    pub fn text(&self) -> &str {
        match &self.text {
            SentText::InRecord(record) => record.sent_text(self.position.slot).unwrap_or_default(),
            SentText::Copied(text) => text,
        }
    }

    /// Returns the result of this entry for an equal entry at `position`, or makes that slot wait for the result.
    pub fn join(&self, position: SlotPosition) -> Duplicate {
        match &mut *self.state.borrow_mut() {
            SentState::Answered(result) => Duplicate::Answered(result.clone(), self.is_repeated()),
            SentState::Refused(failure) => Duplicate::Refused(failure.clone()),
            SentState::Waiting(slots) => {
                slots.push(position);
                Duplicate::Waiting
            }
        }
    }

    /// Stores the service's result and returns the slots that waited for it.
    pub fn answer(&self, result: &Arc<EntryResult>) -> WaitingSlots {
        self.settle(SentState::Answered(result.clone()))
    }

    /// Stores the service's refusal and returns the slots that waited for a result.
    pub fn refuse(&self, failure: &Failure) -> WaitingSlots {
        self.settle(SentState::Refused(failure.clone()))
    }

    fn settle(&self, state: SentState) -> WaitingSlots {
        let own = (!self.has_own_result.replace(true)).then_some(self.position);
        let others = match self.state.replace(state) {
            SentState::Waiting(slots) => slots,
            SentState::Answered(_) | SentState::Refused(_) => Vec::new(),
        };
        own.into_iter().chain(others)
    }

    /// Makes slots wait for the result of a second try.
    pub fn wait_again(&self, mut slots: Vec<SlotPosition>) {
        self.is_repeated.set(true);
        if let Some(own) = slots.iter().position(|slot| *slot == self.position) {
            slots.remove(own);
            self.has_own_result.set(false);
        }
        self.state.replace(SentState::Waiting(slots));
    }

    #[cfg(test)]
    pub(super) fn of_text(text: &str) -> Rc<Self> {
        let slots = tulk_formats::Slot::new(text.as_bytes(), 0..text.len()).into_iter().collect();
        let record = Record { bytes: text.as_bytes().to_vec(), slots, ..Record::default() };
        Self::new(&Arc::new(record), SlotPosition { row: super::index::RowNumber(0), slot: 0 })
    }
}

pub struct Dedup {
    hasher: RandomState,
    entries: HashMap<u64, Rc<SentEntry>>,
    /// Hashes and sizes in bytes, oldest first.
    by_age: VecDeque<(u64, usize)>,
    bytes: usize,
    max_bytes: usize,
}

impl Dedup {
    pub fn new(max_bytes: usize) -> Self {
        Self { hasher: RandomState::new(), entries: HashMap::new(), by_age: VecDeque::new(), bytes: 0, max_bytes }
    }

    pub fn hash(&self, context: &str, text: &str) -> u64 {
        if context.is_empty() { self.hasher.hash_one(text) } else { self.hasher.hash_one((context, text)) }
    }

    pub fn find(&self, hash: u64, text: &str) -> Option<&Rc<SentEntry>> {
        self.entries.get(&hash).filter(|entry| entry.text() == text)
    }

    /// Adds an entry, and removes the oldest entries if the window is full.
    pub fn insert(&mut self, hash: u64, entry: &Rc<SentEntry>) {
        let bytes = entry.bytes;
        self.entries.insert(hash, entry.clone());
        self.by_age.push_back((hash, bytes));
        self.bytes += bytes;
        while self.bytes > self.max_bytes {
            let Some((hash, bytes)) = self.by_age.pop_front() else { break };
            self.bytes -= bytes;
            self.entries.remove(&hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::index::RowNumber;
    use super::*;

    #[test]
    fn an_equal_entry_waits_for_the_result_or_gets_it() {
        let mut dedup = Dedup::new(1000);
        let hash = dedup.hash("", "a");
        assert!(dedup.find(hash, "a").is_none());
        dedup.insert(hash, &SentEntry::of_text("a"));
        let slot = SlotPosition { row: RowNumber(7), slot: 0 };
        assert!(matches!(dedup.find(hash, "a").unwrap().join(slot), Duplicate::Waiting));
        let result = Arc::new(EntryResult { text: Some("A".into()), ..EntryResult::default() });
        let own = SlotPosition { row: RowNumber(0), slot: 0 };
        assert_eq!(dedup.find(hash, "a").unwrap().answer(&result).collect::<Vec<_>>(), [own, slot]);
        let Duplicate::Answered(found, false) = dedup.find(hash, "a").unwrap().join(slot) else { panic!("no result") };
        assert_eq!(found.text.as_deref(), Some("A"));
    }

    #[test]
    fn distinguishes_contexts_and_detects_hash_collisions() {
        let mut dedup = Dedup::new(1000);
        assert_ne!(dedup.hash("", "a"), dedup.hash("x", "a"));
        dedup.insert(5, &SentEntry::of_text("a"));
        assert!(dedup.find(5, "b").is_none());
    }

    #[test]
    fn keeps_a_record_that_consists_mostly_of_one_large_text() {
        for (size, padding, kept) in [(600, 0, true), (600, 2000, false), (4, 0, false)] {
            let text = "x".repeat(size);
            let bytes = [text.as_bytes(), &vec![b' '; padding]].concat();
            let slots = tulk_formats::Slot::new(&bytes, 0..size).into_iter().collect();
            let record = Arc::new(Record { bytes, slots, ..Record::default() });
            let entry = SentEntry::new(&record, SlotPosition { row: RowNumber(0), slot: 0 });
            assert_eq!((entry.text(), entry.chars), (text.as_str(), size as u64));
            assert_eq!(Arc::strong_count(&record) == 2, kept);
        }
    }

    #[test]
    fn the_size_of_the_window_is_limited() {
        let mut dedup = Dedup::new(1000);
        for n in 0..10_000 {
            let text = n.to_string();
            dedup.insert(dedup.hash("", &text), &SentEntry::of_text(&text));
        }
        assert_eq!((dedup.entries.len(), dedup.by_age.len()), (250, 250), "four digits each");
        let (first, last) = ("9750", "9749");
        assert!(dedup.find(dedup.hash("", first), first).is_some());
        assert!(dedup.find(dedup.hash("", last), last).is_none());
    }
}
