//! Stretches of input, the places in them where results go, and the results.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::inline::{InlineToken, TaggedText};
use crate::error::{Failure, Origin};
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

/// A stretch of input that is written back as a unit: a line, or a piece of a text.
///
/// The records of an input put together are the input.
#[derive(Debug, Default)]
pub struct Record {
    /// The bytes of the input, valid UTF-8.
    pub bytes: Vec<u8>,
    /// The places where results go, in order and without overlaps.
    pub slots: Vec<Slot>,
    /// Where the record begins, after the byte-order mark. Without a line if the record is the whole input.
    pub origin: Origin,
    /// Number of its entry, from 1, counted over all inputs. The pieces of a text that was cut have the same number.
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
}

/// A blank entry of a record with several entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlankEntry {
    /// The number of slots before it.
    pub before_slot: u16,
    /// Position of its name in [`EntryPlaces`].
    pub name: u16,
    /// Where it begins in the record.
    pub start: u32,
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
        let before = self.bytes.get(..slot.text_start as usize).unwrap_or_default();
        let place = TextPlace { line, column };
        let is_start = place == TextPlace::START;
        let place = place.after(before.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_start).unwrap_or(before));
        place.in_input(&source)
    }

    /// Returns the text of a blank entry: its white space, without byte-order mark and terminator.
    pub fn blank_text(&self) -> &str {
        let text = std::str::from_utf8(&self.bytes).unwrap_or_default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        text.strip_suffix('\0')
            .or_else(|| text.strip_suffix("\r\n"))
            .or_else(|| text.strip_suffix('\n'))
            .unwrap_or(text)
    }

    /// Returns what is sent for a slot: its text, with tags around its tokens if there are any.
    pub fn sent_text(&self, slot: usize) -> Option<&str> {
        match self.slots.get(slot)?.tagged.as_deref() {
            Some(tagged) => Some(tagged.sent()),
            None => self.text(slot),
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

    /// Returns the bytes that are replaced, as a range of the record's.
    pub fn byte_range(&self) -> Range<usize> {
        self.span.start as usize..self.span.end as usize
    }
}

/// Returns whether there are line ends and all of them are CRLF.
pub(super) fn all_crlf(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut any = false;
    for at in memchr::memchr_iter(b'\n', bytes) {
        if at == 0 || bytes.get(at - 1) != Some(&b'\r') {
            return false;
        }
        any = true;
    }
    any
}

/// The service's result for one entry.
#[derive(Clone, Debug, Default)]
pub struct EntryResult {
    /// The text; `None` if the entry was refused and the source text is used instead.
    pub text: Option<String>,
    /// The service's JSON object, if JSON output needs it.
    pub raw: Option<Box<RawValue>>,
    /// Billed characters, if the service reported them.
    pub billed: Option<u64>,
}

/// A record with the results of some targets, ready to be written.
#[derive(Clone, Debug)]
pub struct ResultRow {
    /// What was read.
    pub record: Arc<Record>,
    /// Results by target of the sink, then by slot; `None` for a target that failed before this row.
    pub results: Vec<Option<Vec<Arc<EntryResult>>>>,
}

impl ResultRow {
    /// Returns the text of a slot for a target: the result, or the source text if the entry was refused.
    pub fn text(&self, target: usize, slot: usize) -> Option<&str> {
        let result = self.results.get(target)?.as_ref()?.get(slot)?;
        result.text.as_deref().or_else(|| self.record.text(slot))
    }

    /// Returns the result of a slot for a target.
    pub fn result(&self, target: usize, slot: usize) -> Option<&EntryResult> {
        self.results.get(target)?.as_ref()?.get(slot).map(AsRef::as_ref)
    }
}

/// Writes a record with a target's results in place of its texts; `write` writes one result.
///
/// If a result equals the text of its slot, the bytes of the input are written unchanged.
pub fn splice(
    row: &ResultRow,
    target: usize,
    out: &mut dyn Write,
    write: impl Fn(&Slot, &str, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let record = &row.record;
    let mut done = 0;
    for (i, slot) in record.slots.iter().enumerate() {
        let Some(text) = row.result(target, i).and_then(|r| r.text.as_deref()) else { continue };
        if record.text(i) == Some(text) {
            continue;
        }
        out.write_all(record.bytes.get(done..slot.byte_range().start).unwrap_or_default())?;
        write(slot, text, out)?;
        done = slot.byte_range().end;
    }
    out.write_all(record.bytes.get(done..).unwrap_or_default())
}

/// Writes a result, with CRLF if the entry had it.
pub fn write_text(slot: &Slot, text: &str, out: &mut dyn Write) -> io::Result<()> {
    if !slot.crlf {
        return out.write_all(text.as_bytes());
    }
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        out.write_all(line.strip_suffix('\r').unwrap_or(line).as_bytes())?;
        out.write_all(b"\r\n")?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(record: Record, text: &str) -> ResultRow {
        let result = Arc::new(EntryResult { text: Some(text.to_owned()), raw: None, billed: None });
        ResultRow { record: Arc::new(record), results: vec![Some(vec![result])] }
    }

    fn spliced(bytes: &str, result: &str) -> String {
        let slot = Slot::new(bytes.as_bytes(), 0..bytes.len()).unwrap();
        let record = Record { bytes: bytes.as_bytes().to_vec(), slots: vec![slot], ..Record::default() };
        let mut out = Vec::new();
        splice(&row(record, result), 0, &mut out, write_text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_blank_entry_has_its_own_text() {
        for (bytes, text) in
            [("", ""), ("\n", ""), (" \t\r\n", " \t"), ("\n\0", "\n"), ("\u{feff}\n\n", "\n"), (" ", " ")]
        {
            assert_eq!(Record { bytes: bytes.into(), ..Record::default() }.blank_text(), text, "{bytes:?}");
        }
    }

    #[test]
    fn outer_white_space_is_kept_and_not_sent() {
        assert_eq!(spliced("\t\u{a0}one \n", "EINS"), "\t\u{a0}EINS \n");
        assert!(Slot::new(b" \t\r\n", 0..4).is_none());
    }

    #[test]
    fn crlf_is_sent_as_lf_and_restored() {
        let slot = Slot::new(b"a\r\nb\r\n", 0..6).unwrap();
        assert_eq!(slot.text.as_deref(), Some("a\nb"));
        assert_eq!(spliced("a\r\nb\r\n", "A\nB"), "A\r\nB\r\n");
        assert_eq!(spliced("a\r\nb\nc", "A\nB"), "A\nB", "mixed line ends are sent unchanged");
    }

    #[test]
    fn a_result_equal_to_the_text_leaves_the_bytes_unchanged() {
        assert_eq!(spliced("a\r\nb ", "a\nb"), "a\r\nb ");
    }
}
