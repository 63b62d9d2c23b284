//! Records: chunks of the input with slots for the results.
//!
//! In some formats, a slot has its own request data: context, target languages, and the text to send again if the first
//! result is unusable.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use tulk_base::error::{Failure, Origin};
use tulk_catalogs::inline::{InlineToken, TaggedText};
use tulk_catalogs::{Sentence, TextSyntax};

use super::catalog::CatalogRecord;
use super::entries::RecordEntries;
use crate::input::source::{BYTE_ORDER_MARK, TextPosition};

/// Size limit of one entry.
#[derive(Clone, Copy, Debug)]
pub struct EntryLimit {
    /// Maximum size of the entry as JSON, in bytes, without quotes.
    pub bytes: usize,
    /// Maximum size of the complete request body in bytes, for messages.
    pub body_bytes: usize,
    /// Whether a longer record is refused. With `--no-check`, it is sent. Complete texts are split in either case.
    pub enforced: bool,
}

impl EntryLimit {
    /// The smallest possible limit in bytes; some characters would not fit into less.
    pub const MIN_BYTES: usize = 16;
}

/// Number of slots above which a record uses its [`LineIndex`].
const INDEXED_SLOTS: usize = 16;

/// A chunk of input that is written back as a unit: a line, or a part of a text.
///
/// Concatenated, the records of an input are the input.
#[derive(Debug, Default)]
pub struct Record {
    /// Bytes of the input, valid UTF-8. For a message catalogue, the decoded text without byte-order mark.
    pub bytes: Vec<u8>,
    /// The parts that results replace, in order and without overlaps.
    pub slots: Vec<Slot>,
    /// Start of the record, after a byte-order mark. Has no line if the record is a complete plain text.
    pub origin: Origin,
    /// Number of the first entry, from 1, counted over all inputs. All parts of a split text have the same number.
    pub entry: u64,
    /// Whether the entry continues in the next record.
    pub continues: bool,
    /// Whitespace-only entries: not sent, but listed.
    pub blanks: Vec<BlankEntry>,
    /// Whether it is the header of a table, which has no entries.
    pub is_header: bool,
    /// Names of the entries in listed results; `None` if they are only numbered.
    pub labels: Option<Arc<EntryLabels>>,
    /// Why the record could not be parsed. It then has no entries, and `--keep-going` copies it.
    pub fault: Option<Box<Failure>>,
    /// Starts of its lines.
    pub lines: LineIndex,
    /// Data of a message catalogue.
    pub catalog: Option<Arc<CatalogRecord>>,
}

/// A whitespace-only entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlankEntry {
    /// Number of slots before it.
    pub before_slot: u16,
    /// Index of its name in [`EntryLabels`].
    pub name: u16,
    /// Start of its whitespace, as a byte offset in the record.
    pub start: u32,
    /// End of its whitespace.
    pub end: u32,
}

/// Names of the entries of a record in listed results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryLabels {
    /// JSON field for the name: `column`, `field` or `key`; `None` to show only the line.
    pub key: Option<&'static str>,
    /// Names of the translated columns, fields or keys, or of the kinds of Markdown blocks.
    pub names: Vec<String>,
}

impl Record {
    /// Returns where the text of a slot starts. If the record is a complete plain text, the origin has no line and column.
    pub fn slot_origin(&self, slot: usize) -> Origin {
        let Origin { source, line, column } = self.origin.clone();
        let Some(slot) = self.slots.get(slot).filter(|_| line > 0) else { return self.origin.clone() };
        let mut position = TextPosition { line, column };
        let is_start = position == TextPosition::START;
        let mut start = 0;
        if self.slots.len() > INDEXED_SLOTS {
            let (lines, line_start) = self.lines.line_of(&self.bytes, slot.text_start as usize);
            if lines > 0 {
                position = TextPosition { line: line + lines, column: 1 };
            }
            start = line_start;
        }
        let before = self.bytes.get(start..slot.text_start as usize).unwrap_or_default();
        let position = position.after(before.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_start).unwrap_or(before));
        position.in_input(&source)
    }

    /// Empties the record, but keeps its buffers for the next one.
    pub fn clear(&mut self) {
        let Self { mut bytes, mut slots, mut blanks, .. } = std::mem::take(self);
        bytes.clear();
        slots.clear();
        blanks.clear();
        *self = Self { bytes, slots, blanks, ..Self::default() };
    }

    /// Adds a whitespace-only entry that spans the record, without byte-order mark and terminator.
    pub fn add_blank_entry(&mut self) {
        let text = std::str::from_utf8(&self.bytes).unwrap_or_default();
        let start = if text.starts_with('\u{feff}') { BYTE_ORDER_MARK.len() } else { 0 };
        let text = text.get(start..).unwrap_or_default();
        let end = text.strip_suffix('\0').or_else(|| text.strip_suffix("\r\n")).or_else(|| text.strip_suffix('\n'));
        let end = start + end.unwrap_or(text).len();
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else { return };
        self.blanks.push(BlankEntry { before_slot: 0, name: 0, start, end });
    }

    /// Returns the entries in order, including whitespace-only ones.
    pub fn entries(&self) -> RecordEntries<'_> {
        RecordEntries::new(self)
    }

    /// Returns the text to send for a slot, with tags around its tokens if there are any.
    pub fn sent_text(&self, slot: usize) -> Option<&str> {
        match self.slots.get(slot)?.tagged.as_deref() {
            Some(tagged) => Some(tagged.sent()),
            None => self.text(slot),
        }
    }

    /// Returns the text to send for a slot, and its number of code points, tags excluded.
    pub fn sent_text_and_chars(&self, slot: usize) -> Option<(&str, u64)> {
        match self.slots.get(slot)?.tagged.as_deref() {
            Some(tagged) => Some((tagged.sent(), tagged.chars())),
            None => self.text(slot).map(|text| (text, text.chars().count() as u64)),
        }
    }

    /// Returns the number of code points to send for a slot, tags excluded.
    pub fn sent_chars(&self, slot: usize) -> u64 {
        self.sent_text_and_chars(slot).map_or(0, |(_, chars)| chars)
    }

    /// Appends the text of a slot without its tokens, and with spaces as line endings.
    pub fn push_plain_text(&self, slot: usize, to: &mut String) {
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

    /// Returns the source text of a slot, with LF as line endings.
    pub fn text(&self, slot: usize) -> Option<&str> {
        let slot = self.slots.get(slot)?;
        match &slot.text {
            Some(text) => Some(text),
            None => std::str::from_utf8(self.bytes.get(slot.byte_range())?).ok(),
        }
    }

    /// Returns the request data of a slot.
    pub fn request(&self, slot: usize) -> Option<&SlotRequest> {
        self.slots.get(slot)?.request.as_deref()
    }

    /// Returns whether a target needs a result for a slot.
    pub fn is_needed_by(&self, slot: usize, target: &str) -> bool {
        let targets = self.request(slot).and_then(|request| request.targets.as_deref());
        targets.is_none_or(|targets| targets.iter().any(|other| other == target))
    }

    /// Returns the context of a slot; empty if it has none.
    pub fn record_context(&self, slot: usize) -> &str {
        self.request(slot).and_then(|request| request.context.as_deref()).unwrap_or_default()
    }

    /// Returns the text to send if the first result of a slot is unusable; `None` to send its text again.
    pub fn fallback(&self, slot: usize) -> Option<&FallbackText> {
        self.request(slot)?.sample.as_deref()?.fallback.as_ref()
    }

    /// Returns the order in which to send the slots, so that slots with the same context are adjacent; `None` for the
    /// order of the record.
    pub fn sending_order(&self) -> Option<Vec<usize>> {
        if self.slots.iter().all(|slot| slot.request.as_deref().is_none_or(|request| request.context.is_none())) {
            return None;
        }
        let mut groups: HashMap<&str, usize> = HashMap::new();
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(self.slots.len());
        for slot in 0..self.slots.len() {
            let next = groups.len();
            order.push((*groups.entry(self.record_context(slot)).or_insert(next), slot));
        }
        order.sort_unstable();
        Some(order.into_iter().map(|(_, slot)| slot).collect())
    }
}

/// A position in a record for one result.
#[derive(Clone, Debug, Default)]
pub struct Slot {
    /// Bytes to replace.
    pub span: Range<u32>,
    /// Start of the text in the record. Differs from the start of `span` if the result is written elsewhere, or if `span`
    /// includes quotes or whitespace before the text.
    pub text_start: u32,
    /// The text, if it differs from the bytes of `span`.
    pub text: Option<String>,
    /// Whether all line endings are CRLF. They are sent as LF and restored in the result.
    pub crlf: bool,
    /// Index of its name in [`EntryLabels`].
    pub name: u16,
    /// Protected parts of the text, in order and without overlaps.
    pub tokens: Vec<InlineToken>,
    /// The text with its tokens as tags, if it is sent that way.
    pub tagged: Option<Box<TaggedText>>,
    /// Why the slot cannot be sent. With `--keep-going`, its source is the result.
    pub fault: Option<Box<Failure>>,
    /// Data for its request and its result.
    pub request: Option<Box<SlotRequest>>,
}

impl Slot {
    /// Creates a slot for the entry at `within`; `None` if it is only whitespace. The slot excludes outer whitespace.
    pub fn new(bytes: &[u8], within: Range<usize>) -> Option<Self> {
        let entry = std::str::from_utf8(bytes.get(within.clone())?).ok()?;
        let start = within.start + (entry.len() - entry.trim_start().len());
        let entry = entry.trim();
        if entry.is_empty() {
            return None;
        }
        let span = u32::try_from(start).ok()?..u32::try_from(start + entry.len()).ok()?;
        let crlf = has_only_crlf(entry);
        let text = crlf.then(|| entry.replace("\r\n", "\n"));
        Some(Self { text_start: span.start, span, text, crlf, ..Self::default() })
    }

    /// Returns the number of bytes to send, including tags.
    pub fn sent_bytes(&self) -> usize {
        match (self.tagged.as_deref(), &self.text) {
            (Some(tagged), _) => tagged.sent().len(),
            (None, Some(text)) => text.len(),
            (None, None) => self.byte_range().len(),
        }
    }

    /// Returns `span` as `usize`.
    pub fn byte_range(&self) -> Range<usize> {
        self.span.start as usize..self.span.end as usize
    }
}

/// Returns whether there are line endings and all are CRLF.
pub(super) fn has_only_crlf(text: &str) -> bool {
    let count = |byte| memchr::memchr_iter(byte, text.as_bytes()).count();
    let line_ends = count(b'\n');
    // A CR that is not part of a CRLF would not survive the conversion to LF and back.
    line_ends > 0 && count(b'\r') == line_ends && text.matches("\r\n").count() == line_ends
}

/// Data for the request and the result of a slot.
#[derive(Clone, Debug, Default)]
pub struct SlotRequest {
    /// Information about this entry for the service. Entries with different contexts share a request only if the contexts
    /// are notes.
    pub context: Option<Arc<str>>,
    /// Whether the context is a note.
    pub is_note: bool,
    /// Targets that need the entry; `None` for all.
    pub targets: Option<Arc<[String]>>,
    /// Set if a sample number is sent in place of a placeholder.
    pub sample: Option<Box<SampleText>>,
    /// Whether its placeholders must keep their order.
    pub is_ordered: bool,
    /// Placeholder syntax for refusing results with added placeholders; `None` for no check.
    pub text_syntax: Option<Arc<TextSyntax>>,
}

/// A text with a sample number in place of a placeholder.
#[derive(Clone, Debug)]
pub struct SampleText {
    /// The sentence with the sample number. [`Sentence::finish`] puts the placeholder back into the result.
    pub sentence: Sentence,
    /// The text to send if the result lacks the number.
    pub fallback: Option<FallbackText>,
}

/// A text with the placeholder instead of the sample number.
#[derive(Clone, Debug)]
pub struct FallbackText {
    /// The text to send, untagged.
    pub text: String,
    /// Protected parts of the text.
    pub tokens: Vec<InlineToken>,
    /// The text with its tokens as tags.
    pub tagged: Option<TaggedText>,
}

impl FallbackText {
    /// Returns the text to send.
    pub fn sent(&self) -> &str {
        self.tagged.as_ref().map_or(&self.text, TaggedText::sent)
    }

    /// Returns the number of code points to send, tags excluded.
    pub fn chars(&self) -> u64 {
        self.tagged.as_ref().map_or_else(|| self.text.chars().count() as u64, TaggedText::chars)
    }
}

/// Starts of the lines of a record, computed on first use.
#[derive(Debug, Default)]
pub struct LineIndex(OnceLock<Vec<u32>>);

impl LineIndex {
    /// Returns the number of line endings before `offset`, and the start of its line.
    pub fn line_of(&self, bytes: &[u8], offset: usize) -> (u64, usize) {
        let starts = self.0.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', bytes);
            ends.filter_map(|end| u32::try_from(end + 1).ok()).collect()
        });
        let before = starts.partition_point(|start| *start as usize <= offset);
        let start = before.checked_sub(1).and_then(|last| starts.get(last)).map_or(0, |start| *start as usize);
        (before as u64, start)
    }

    #[cfg(test)]
    pub fn is_used(&self) -> bool {
        self.0.get().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_index_does_not_change_the_origin_of_a_slot() {
        let line = "\u{e9}a \u{2028}b\n";
        let text = format!("\u{feff}{}", line.repeat(30));
        // Two slots per line: its first character and its fifth.
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
    fn columns_of_slots_are_counted_from_the_start_column_of_the_record() {
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
    fn clear_keeps_the_buffers() {
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
    fn crlf_is_restored_only_if_all_line_endings_are_crlf() {
        for text in ["a\r\nb", "\r\n", "a\r\n\r\nb"] {
            assert!(has_only_crlf(text), "{text:?}");
        }
        for text in ["", "a", "\n", "a\nb", "a\rb\nc", "a\r\r\nb", "a\r\nb\nc", "a\r\nb\r"] {
            assert!(!has_only_crlf(text), "{text:?}");
        }
    }

    #[test]
    fn context_has_neither_tokens_nor_line_breaks() {
        use tulk_catalogs::inline::TokenKind;
        let bytes = b"a *b*\nc".to_vec();
        let tokens = [2..3, 4..5].map(|range| InlineToken { range, kind: TokenKind::Fixed }).to_vec();
        let slots = vec![Slot { tokens, ..Slot::new(&bytes, 0..7).unwrap() }];
        let record = Record { bytes, slots, ..Record::default() };
        let mut words = "> ".to_owned();
        record.push_plain_text(0, &mut words);
        assert_eq!(words, "> a b c");
    }

    #[test]
    fn an_offset_belongs_to_the_last_line_that_starts_at_or_before_it() {
        let (index, bytes) = (LineIndex::default(), b"ab\n\ncd\n");
        let found: Vec<_> = (0..=bytes.len()).map(|offset| index.line_of(bytes, offset)).collect();
        assert_eq!(found, [(0, 0), (0, 0), (0, 0), (1, 3), (2, 4), (2, 4), (2, 4), (3, 7)]);
    }
}
