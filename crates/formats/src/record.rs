//! Stretches of input, the places in them where results go, and what such a place needs in its request besides its text.
//!
//! In formats whose entries differ, a slot has the context of its request, the targets that it is sent to, and the text with
//! which it is sent again if its first result cannot be used.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use tulk_base::error::{Failure, Origin};
use tulk_catalogs::inline::{InlineToken, TaggedText};
use tulk_catalogs::{Sentence, TextMarks};

use super::catalog::CatalogRecord;
use super::entries::RecordEntries;
use crate::input::source::{BYTE_ORDER_MARK, TextPlace};

/// The size of one entry.
#[derive(Clone, Copy, Debug)]
pub struct EntryLimit {
    /// Bytes of the entry in JSON, without its quotes.
    pub bytes: usize,
    /// Bytes of the whole request body, for messages.
    pub body_bytes: usize,
    /// Whether a longer record is refused. `--no-check` sends it. Whole texts are cut in both cases.
    pub enforced: bool,
}

impl EntryLimit {
    /// The smallest limit in bytes: with fewer, some characters would not fit.
    pub const MIN_BYTES: usize = 16;
}

/// Number of slots from which their places are looked up in an index.
const INDEXED_SLOTS: usize = 16;

/// A stretch of input that is written back as a unit: a line, or a piece of a text.
///
/// The records of an input put together are the input.
#[derive(Debug, Default)]
pub struct Record {
    /// The bytes of the input, valid UTF-8. Of a message catalogue, the decoded text without byte-order mark.
    pub bytes: Vec<u8>,
    /// The places where results go, in order and without overlaps.
    pub slots: Vec<Slot>,
    /// Where the record begins, after the byte-order mark. Without a line if the record is the whole input.
    pub origin: Origin,
    /// Number of its first entry, from 1, counted over all inputs. The pieces of a text that was cut have the same number.
    pub entry: u64,
    /// Whether the entry continues in the next record.
    pub continues: bool,
    /// Entries that are blank: not sent, but listed.
    pub blanks: Vec<BlankEntry>,
    /// Whether it is the header of a table. It has no entries.
    pub is_header: bool,
    /// How its entries are named in listed results; `None` if their number says it all.
    pub places: Option<Arc<EntryPlaces>>,
    /// Why the record could not be understood. It has no entries, and `--keep-going` copies it.
    pub fault: Option<Box<Failure>>,
    /// Where its lines begin.
    pub lines: LineIndex,
    /// What is known of it as a message catalogue.
    pub catalog: Option<Arc<CatalogRecord>>,
}

/// A blank entry of a record with several entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlankEntry {
    /// The number of slots before it.
    pub before_slot: u16,
    /// Position of its name in [`EntryPlaces`].
    pub name: u16,
    /// Where its white space begins in the record.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// How listed results name the place of an entry, besides its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPlaces {
    /// The field of JSON results: `column` or `field`; `None` if there is only the line.
    pub key: Option<&'static str>,
    /// The names of the columns or fields that are translated.
    pub names: Vec<String>,
}

impl Record {
    /// Returns where the text of a slot begins; for a record that is the whole input, only its name.
    pub fn slot_origin(&self, slot: usize) -> Origin {
        let Origin { source, line, column } = self.origin.clone();
        let Some(slot) = self.slots.get(slot).filter(|_| line > 0) else { return self.origin.clone() };
        let mut place = TextPlace { line, column };
        let is_start = place == TextPlace::START;
        let mut start = 0;
        if self.slots.len() > INDEXED_SLOTS {
            let (lines, line_start) = self.lines.line_of(&self.bytes, slot.text_start as usize);
            if lines > 0 {
                place = TextPlace { line: line + lines, column: 1 };
            }
            start = line_start;
        }
        let before = self.bytes.get(start..slot.text_start as usize).unwrap_or_default();
        let place = place.after(before.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_start).unwrap_or(before));
        place.in_input(&source)
    }

    /// Empties it, and keeps its memory for another record.
    pub fn clear(&mut self) {
        let Self { mut bytes, mut slots, mut blanks, .. } = std::mem::take(self);
        bytes.clear();
        slots.clear();
        blanks.clear();
        *self = Self { bytes, slots, blanks, ..Self::default() };
    }

    /// Adds a blank entry that is the whole record, without byte-order mark and terminator.
    pub fn add_blank_entry(&mut self) {
        let text = std::str::from_utf8(&self.bytes).unwrap_or_default();
        let start = if text.starts_with('\u{feff}') { BYTE_ORDER_MARK.len() } else { 0 };
        let text = text.get(start..).unwrap_or_default();
        let end = text.strip_suffix('\0').or_else(|| text.strip_suffix("\r\n")).or_else(|| text.strip_suffix('\n'));
        let end = start + end.unwrap_or(text).len();
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else { return };
        self.blanks.push(BlankEntry { before_slot: 0, name: 0, start, end });
    }

    /// Returns its entries in order, the blank ones too.
    pub fn entries(&self) -> RecordEntries<'_> {
        RecordEntries::new(self)
    }

    /// Returns what is sent for a slot: its text, with tags around its tokens if there are any.
    pub fn sent_text(&self, slot: usize) -> Option<&str> {
        match self.slots.get(slot)?.tagged.as_deref() {
            Some(tagged) => Some(tagged.sent()),
            None => self.text(slot),
        }
    }

    /// Returns what is sent for a slot, and its number of code points. Tags do not count.
    pub fn sent_text_and_chars(&self, slot: usize) -> Option<(&str, u64)> {
        match self.slots.get(slot)?.tagged.as_deref() {
            Some(tagged) => Some((tagged.sent(), tagged.chars())),
            None => self.text(slot).map(|text| (text, text.chars().count() as u64)),
        }
    }

    /// Returns the number of code points that are sent for a slot. Tags do not count.
    pub fn sent_chars(&self, slot: usize) -> u64 {
        self.sent_text_and_chars(slot).map_or(0, |(_, chars)| chars)
    }

    /// Appends the text of a slot without its tokens, with spaces as line ends.
    pub fn push_words(&self, slot: usize, to: &mut String) {
        let Some(text) = self.text(slot) else { return };
        let mut done = 0;
        let tokens = self.slots.get(slot).map(|slot| slot.tokens.as_slice()).unwrap_or_default();
        let ranges = tokens.iter().map(|token| (token.range.start as usize, token.range.end as usize));
        for (start, end) in ranges.chain([(text.len(), text.len())]) {
            let words = text.get(done..start).unwrap_or_default();
            to.extend(words.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
            done = end;
        }
    }

    /// Returns the text of a slot as it is in the input, with LF as line ends.
    pub fn text(&self, slot: usize) -> Option<&str> {
        let slot = self.slots.get(slot)?;
        match &slot.text {
            Some(text) => Some(text),
            None => std::str::from_utf8(self.bytes.get(slot.byte_range())?).ok(),
        }
    }

    /// Returns what a slot needs in its request besides its text.
    pub fn request(&self, slot: usize) -> Option<&SlotRequest> {
        self.slots.get(slot)?.request.as_deref()
    }

    /// Returns whether a target needs the result of a slot.
    pub fn is_for(&self, slot: usize, target: &str) -> bool {
        let targets = self.request(slot).and_then(|request| request.targets.as_deref());
        targets.is_none_or(|targets| targets.iter().any(|other| other == target))
    }

    /// Returns the context of a slot; empty if it has none of its own.
    pub fn own_context(&self, slot: usize) -> &str {
        self.request(slot).and_then(|request| request.context.as_deref()).unwrap_or_default()
    }

    /// Returns what is sent for a slot if the first result cannot be used, unless that is its text once more.
    pub fn fallback(&self, slot: usize) -> Option<&FallbackText> {
        self.request(slot)?.sample.as_deref()?.fallback.as_ref()
    }

    /// Returns the order in which its slots are sent, if it is not their own: those with the same context together.
    pub fn sending_order(&self) -> Option<Vec<usize>> {
        if self.slots.iter().all(|slot| slot.request.as_deref().is_none_or(|request| request.context.is_none())) {
            return None;
        }
        let mut groups: HashMap<&str, usize> = HashMap::new();
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(self.slots.len());
        for slot in 0..self.slots.len() {
            let next = groups.len();
            order.push((*groups.entry(self.own_context(slot)).or_insert(next), slot));
        }
        order.sort_unstable();
        Some(order.into_iter().map(|(_, slot)| slot).collect())
    }
}

/// A place in a record where one result goes.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// The bytes that are replaced.
    pub span: Range<u32>,
    /// Where its text begins in the record: the start of `span`, unless the result is written elsewhere.
    pub text_start: u32,
    /// The text, if it differs from the bytes.
    pub text: Option<String>,
    /// Whether the line ends are CRLF. They are sent as LF and restored in the result.
    pub crlf: bool,
    /// Position of its name in [`EntryPlaces`].
    pub name: u16,
    /// The parts of the text that stay as they are, in order and without overlaps.
    pub tokens: Vec<InlineToken>,
    /// The text with its tokens as tags, if it is sent so.
    pub tagged: Option<Box<TaggedText>>,
    /// Why it cannot be sent. With `--keep-going` its source is the result.
    pub fault: Option<Box<Failure>>,
    /// What its request and its result need besides its text.
    pub request: Option<Box<SlotRequest>>,
}

impl Slot {
    /// Returns the slot of an entry in `bytes`, or `None` if the entry is blank.
    ///
    /// White space around the entry is left out.
    pub fn new(bytes: &[u8], within: Range<usize>) -> Option<Self> {
        let entry = std::str::from_utf8(bytes.get(within.clone())?).ok()?;
        let start = within.start + (entry.len() - entry.trim_start().len());
        let entry = entry.trim();
        if entry.is_empty() {
            return None;
        }
        let span = u32::try_from(start).ok()?..u32::try_from(start + entry.len()).ok()?;
        let crlf = all_crlf(entry);
        let text = crlf.then(|| entry.replace("\r\n", "\n"));
        Some(Self { text_start: span.start, span, text, crlf, ..Self::default() })
    }

    /// Returns the number of bytes that are sent, with tags.
    pub fn sent_bytes(&self) -> usize {
        match (self.tagged.as_deref(), &self.text) {
            (Some(tagged), _) => tagged.sent().len(),
            (None, Some(text)) => text.len(),
            (None, None) => self.byte_range().len(),
        }
    }

    /// Returns the bytes that are replaced, as a range of the record's.
    pub fn byte_range(&self) -> Range<usize> {
        self.span.start as usize..self.span.end as usize
    }
}

/// Returns whether there are line ends and all of them are CRLF.
pub(super) fn all_crlf(text: &str) -> bool {
    let count = |byte| memchr::memchr_iter(byte, text.as_bytes()).count();
    let line_ends = count(b'\n');
    // A CR of its own would be lost between LF and CRLF.
    line_ends > 0 && count(b'\r') == line_ends && text.matches("\r\n").count() == line_ends
}

/// What a slot needs in its request besides its text.
#[derive(Clone, Debug, Default)]
pub struct SlotRequest {
    /// Information about this entry for the service. It is sent as context, and only with entries that have the same, unless it is
    /// a note.
    pub context: Option<Arc<str>>,
    /// Whether the context is a note: entries with different ones can share a request.
    pub is_note: bool,
    /// The names of the targets that need it; `None` if all do.
    pub targets: Option<Arc<[String]>>,
    /// The number that stands in the text in the place of a placeholder.
    pub sample: Option<Box<SampleText>>,
    /// Whether its placeholders must stay in their order.
    pub is_ordered: bool,
    /// How the text marks what is not translated, if no more of that may be in its result.
    pub marks: Option<Arc<TextMarks>>,
}

/// A text with a number in the place of a placeholder.
#[derive(Clone, Debug)]
pub struct SampleText {
    /// The sentence, which puts the placeholder back.
    pub sentence: Sentence,
    /// What is sent if the number does not come back.
    pub fallback: Option<FallbackText>,
}

/// A text with the placeholder itself.
#[derive(Clone, Debug)]
pub struct FallbackText {
    /// The text.
    pub text: String,
    /// The parts that stay as they are.
    pub tokens: Vec<InlineToken>,
    /// The text with its tokens as tags.
    pub tagged: Option<TaggedText>,
}

impl FallbackText {
    /// Returns what is sent.
    pub fn sent(&self) -> &str {
        self.tagged.as_ref().map_or(&self.text, TaggedText::sent)
    }

    /// Returns the number of code points that are sent. Tags do not count.
    pub fn chars(&self) -> u64 {
        self.tagged.as_ref().map_or_else(|| self.text.chars().count() as u64, TaggedText::chars)
    }
}

/// The starts of the lines of a record, found when they are first needed.
#[derive(Debug, Default)]
pub struct LineIndex(OnceLock<Vec<u32>>);

impl LineIndex {
    /// Returns the number of line ends before a place, and where its line begins.
    pub fn line_of(&self, bytes: &[u8], place: usize) -> (u64, usize) {
        let starts = self.0.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', bytes);
            ends.filter_map(|end| u32::try_from(end + 1).ok()).collect()
        });
        let before = starts.partition_point(|start| *start as usize <= place);
        let start = before.checked_sub(1).and_then(|last| starts.get(last)).map_or(0, |start| *start as usize);
        (before as u64, start)
    }

    /// Returns whether the starts have been looked up.
    #[cfg(test)]
    pub fn is_used(&self) -> bool {
        self.0.get().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_slot_does_not_depend_on_how_it_is_found() {
        let line = "\u{e9}a \u{2028}b\n";
        let text = format!("\u{feff}{}", line.repeat(30));
        // Two slots in each line: its first character and its fifth.
        let slot = |n: usize| {
            let line = 3 + n / 2 * line.len();
            let range = if n.is_multiple_of(2) { line..line + 2 } else { line + 7..line + 8 };
            Slot::new(text.as_bytes(), range).unwrap()
        };
        for count in [INDEXED_SLOTS, 60] {
            let slots = (0..count).map(slot).collect();
            let origin = Origin::at("a", 1, 1);
            let record = Record { bytes: text.clone().into(), slots, origin, ..Record::default() };
            for n in 0..count {
                let column = if n.is_multiple_of(2) { 1 } else { 5 };
                assert_eq!(record.slot_origin(n), Origin::at("a", 1 + n as u64 / 2, column), "{n} of {count}");
            }
        }
    }

    #[test]
    fn a_slot_after_the_start_of_a_line_has_the_column_of_its_input() {
        let text = "a ".repeat(20);
        for count in [1, 20] {
            let slots = (0..count).map(|n| Slot::new(text.as_bytes(), n * 2..n * 2 + 1).unwrap()).collect();
            let record =
                Record { bytes: text.clone().into(), slots, origin: Origin::at("a", 3, 5), ..Record::default() };
            for n in 0..count {
                assert_eq!(record.slot_origin(n), Origin::at("a", 3, 5 + 2 * n as u64), "{n} of {count}");
            }
            let whole = Record { origin: Origin::whole("a"), ..record };
            assert_eq!(whole.slot_origin(count - 1), Origin::whole("a"));
        }
    }

    #[test]
    fn the_lines_of_a_record_are_indexed_only_for_many_slots() {
        for (count, is_used) in [(1, false), (15, false), (16, false), (17, true), (60, true)] {
            let bytes = b"a\n".repeat(count);
            let slots = (0..count).map(|n| Slot::new(&bytes, 2 * n..2 * n + 1).unwrap()).collect();
            let record = Record { bytes, slots, origin: Origin::at("a", 1, 1), ..Record::default() };
            assert_eq!(record.slot_origin(count - 1), Origin::at("a", count as u64, 1));
            assert_eq!(record.lines.is_used(), is_used, "{count} slots");
        }
    }

    #[test]
    fn a_record_that_is_emptied_keeps_its_memory() {
        let bytes = b"one two".to_vec();
        let slots = vec![Slot::new(&bytes, 0..3).unwrap()];
        let mut record = Record { bytes, slots, entry: 7, continues: true, ..Record::default() };
        record.add_blank_entry();
        record.clear();
        assert_eq!((record.bytes.len(), record.slots.len(), record.blanks.len()), (0, 0, 0));
        assert_eq!((record.entry, record.continues), (0, false));
        assert!(record.bytes.capacity() >= 7 && record.slots.capacity() >= 1 && record.blanks.capacity() >= 1);
    }

    #[test]
    fn a_slot_is_measured_as_it_is_sent() {
        let bytes = "d\u{e9}j\u{e0}\r\nvu ".as_bytes();
        let record =
            Record { bytes: bytes.to_vec(), slots: vec![Slot::new(bytes, 0..11).unwrap()], ..Record::default() };
        assert_eq!(record.sent_text(0), Some("d\u{e9}j\u{e0}\nvu"));
        assert_eq!((record.sent_chars(0), record.slots[0].sent_bytes()), (7, 9));
        assert_eq!((record.sent_chars(1), record.sent_text(1)), (0, None));
        let plain = Slot::new(b" abc ", 0..5).unwrap();
        assert_eq!((plain.sent_bytes(), plain.byte_range()), (3, 1..4));
    }

    #[test]
    fn line_ends_are_restored_only_if_all_of_them_are_crlf() {
        for text in ["a\r\nb", "\r\n", "a\r\n\r\nb"] {
            assert!(all_crlf(text), "{text:?}");
        }
        for text in ["", "a", "\n", "a\nb", "a\rb\nc", "a\r\r\nb", "a\r\nb\nc", "a\r\nb\r"] {
            assert!(!all_crlf(text), "{text:?}");
        }
    }

    #[test]
    fn context_has_neither_tokens_nor_line_ends() {
        use tulk_catalogs::inline::TokenKind;
        let bytes = b"a *b*\nc".to_vec();
        let tokens = [2..3, 4..5].map(|range| InlineToken { range, kind: TokenKind::Fixed }).to_vec();
        let slots = vec![Slot { tokens, ..Slot::new(&bytes, 0..7).unwrap() }];
        let record = Record { bytes, slots, ..Record::default() };
        let mut words = "> ".to_owned();
        record.push_words(0, &mut words);
        assert_eq!(words, "> a b c");
    }

    #[test]
    fn a_place_belongs_to_the_line_that_begins_before_it() {
        let (index, bytes) = (LineIndex::default(), b"ab\n\ncd\n");
        let found: Vec<_> = (0..=bytes.len()).map(|place| index.line_of(bytes, place)).collect();
        assert_eq!(found, [(0, 0), (0, 0), (0, 0), (1, 3), (2, 4), (2, 4), (2, 4), (3, 7)]);
    }
}
