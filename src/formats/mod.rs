//! Where the words are in a file, and how results are put back or listed.
//!
//! A format is plain blocking code: a [`RecordReader`] cuts the input into [`Record`]s that tile it byte for byte, and a
//! [`ResultWriter`] turns finished [`Row`]s into output bytes. Nothing here knows of requests, threads or files.
//! To add one: a file here, a variant of [`Format`], an arm in its two `match`es.

mod columns;
mod lines;
pub mod results;
mod text;

use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use serde_json::value::RawValue;

pub use columns::Columns;

use crate::error::{Failure, Origin};
use crate::input::source::Source;

pub use lines::Ending;

/// How the input is cut into entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// The whole input is one entry; past the body limit it is cut.
    Text,
    /// One entry a line.
    Lines,
    /// Entries end with NUL.
    Nul,
}

impl Format {
    /// A reader from the start of an input; `room` is what one entry may take.
    pub fn reader(&self, room: Room) -> Box<dyn RecordReader> {
        match self {
            Self::Text => Box::new(text::Reader::new(room)),
            Self::Lines => Box::new(lines::Reader::new(Ending::Line, room)),
            Self::Nul => Box::new(lines::Reader::new(Ending::Nul, room)),
        }
    }

    /// The writer that gives the input back with its words replaced: `--format text`, one target.
    pub fn writer(&self) -> Box<dyn ResultWriter> {
        match self {
            Self::Text => Box::new(text::Writer),
            Self::Lines => Box::new(lines::Writer(Ending::Line)),
            Self::Nul => Box::new(lines::Writer(Ending::Nul)),
        }
    }

    /// Whether an entry is a record of its own even when blank, so that listed results count it too.
    pub fn counts_blank(&self) -> bool {
        !matches!(self, Self::Text)
    }
}

/// What one entry may take of a request's body.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes of the entry as JSON escapes it, without its quotes.
    pub bytes: usize,
    /// The limit of the whole body, for messages.
    pub limit: usize,
    /// Whether an entry above that is refused (records) — `--no-check` sends it anyway. Whole text is cut either way.
    pub check: bool,
}

/// A stretch of input written back whole: a line, a CSV record, a cue, a block. Records tile the input.
#[derive(Debug, Default)]
pub struct Record {
    /// The bytes as they stood, valid UTF-8.
    pub bytes: Vec<u8>,
    /// The places results go, in order, not overlapping.
    pub slots: Vec<Slot>,
    /// Where it begins.
    pub origin: Origin,
    /// Number of the entry (or record) it belongs to, from 1 over the whole input; pieces of a cut text share it.
    pub entry: u64,
    /// Whether the same entry goes on in the next record.
    pub more: bool,
}

/// A place in a record where one result goes.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The bytes replaced; empty where something is added.
    pub at: Range<u32>,
    /// The text to send where the bytes at `at` are not it.
    pub text: Option<String>,
    /// The format's note to itself for putting the result back.
    pub form: u8,
}

/// One result of the service.
#[derive(Clone, Debug, Default)]
pub struct Translated {
    /// The text; `None` where the entry failed and its source passes through.
    pub text: Option<String>,
    /// The service's object, kept when `--json` or JSONL want it.
    pub raw: Option<Box<RawValue>>,
    /// Characters billed, if the service said so.
    pub billed: Option<u64>,
}

/// A record with the results of some targets, ready to be written.
#[derive(Clone, Debug)]
pub struct Row {
    /// What was read.
    pub record: Arc<Record>,
    /// By target of the sink, then by slot; `None` for a target that failed before this row.
    pub results: Vec<Option<Vec<Arc<Translated>>>>,
}

impl Row {
    /// The text of a slot for a target: the result, or the source where that passes through.
    pub fn text(&self, target: usize, slot: usize) -> Option<&str> {
        let result = self.results.get(target)?.as_ref()?.get(slot)?;
        result.text.as_deref().or_else(|| self.record.sent(slot))
    }

    /// The result object of a slot for a target.
    pub fn result(&self, target: usize, slot: usize) -> Option<&Translated> {
        self.results.get(target)?.as_ref()?.get(slot).map(AsRef::as_ref)
    }
}

/// Cuts an input into records.
pub trait RecordReader: Send {
    /// Reads the next record into `into`, which is empty; false at the end of the input.
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure>;
}

/// Turns finished rows into output.
pub trait ResultWriter: Send {
    /// Writes a row's output; `out` is buffered.
    fn write(&mut self, row: &Row, out: &mut dyn Write) -> io::Result<()>;

    /// Writes what ends the output; also called after a failure, so that what is there can be read.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Whether the output so far ends where a later run could go on.
    fn whole(&self) -> bool {
        true
    }

    /// Whether a later run can go on with what this one leaves. If not, what is left is ended, so that it can be read.
    fn can_go_on(&self) -> bool {
        true
    }

    /// Goes on behind the `bytes` bytes that an earlier run left.
    fn resume(&mut self, _bytes: u64) {}
}

/// `Slot::form`: the entry's line ends were CRLF and are sent as LF.
pub const CRLF: u8 = 1;

impl Slot {
    /// The slot of an entry that stands in `bytes`: outer white space is left out, line ends that are all CRLF are sent
    /// as LF. `None` where nothing is left to send.
    pub fn new(bytes: &[u8], within: Range<usize>) -> Option<Self> {
        let entry = std::str::from_utf8(bytes.get(within.clone())?).ok()?;
        let start = within.start + (entry.len() - entry.trim_start().len());
        let entry = entry.trim();
        if entry.is_empty() {
            return None;
        }
        let at = u32::try_from(start).ok()?..u32::try_from(start + entry.len()).ok()?;
        if all_crlf(entry) {
            return Some(Self { at, text: Some(entry.replace("\r\n", "\n")), form: CRLF });
        }
        Some(Self { at, text: None, form: 0 })
    }

    /// The bytes it replaces, as a range of the record's.
    pub fn range(&self) -> Range<usize> {
        self.at.start as usize..self.at.end as usize
    }
}

/// Whether there are line ends, and each is CRLF.
fn all_crlf(text: &str) -> bool {
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

impl Record {
    /// The text that is sent for a slot.
    pub fn sent(&self, slot: usize) -> Option<&str> {
        let slot = self.slots.get(slot)?;
        match &slot.text {
            Some(text) => Some(text),
            None => std::str::from_utf8(self.bytes.get(slot.range())?).ok(),
        }
    }

    /// Empties it for the next reading, keeping nothing.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Writes a record with a target's results in their places; `put` writes one result by its slot's form.
///
/// Where a result equals what was sent, the bytes stay as they stood.
pub fn splice(
    row: &Row,
    target: usize,
    out: &mut dyn Write,
    put: impl Fn(u8, &str, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let record = &row.record;
    let mut done = 0;
    for (i, slot) in record.slots.iter().enumerate() {
        let Some(text) = row.result(target, i).and_then(|r| r.text.as_deref()) else { continue };
        if record.sent(i) == Some(text) {
            continue;
        }
        out.write_all(record.bytes.get(done..slot.range().start).unwrap_or_default())?;
        put(slot.form, text, out)?;
        done = slot.range().end;
    }
    out.write_all(record.bytes.get(done..).unwrap_or_default())
}

/// Writes a result, with CRLF where the entry had it.
pub fn put_text(form: u8, text: &str, out: &mut dyn Write) -> io::Result<()> {
    if form != CRLF {
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

    fn row(record: Record, text: &str) -> Row {
        let result = Arc::new(Translated { text: Some(text.to_owned()), raw: None, billed: None });
        Row { record: Arc::new(record), results: vec![Some(vec![result])] }
    }

    fn spliced(bytes: &str, result: &str) -> String {
        let slot = Slot::new(bytes.as_bytes(), 0..bytes.len()).unwrap();
        let record = Record { bytes: bytes.as_bytes().to_vec(), slots: vec![slot], ..Record::default() };
        let mut out = Vec::new();
        splice(&row(record, result), 0, &mut out, put_text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn outer_white_space_is_kept_and_not_sent() {
        assert_eq!(spliced("\t\u{a0}one \n", "EINS"), "\t\u{a0}EINS \n");
        assert!(Slot::new(b" \t\r\n", 0..4).is_none());
    }

    #[test]
    fn crlf_is_sent_as_lf_and_put_back() {
        let slot = Slot::new(b"a\r\nb\r\n", 0..6).unwrap();
        assert_eq!(slot.text.as_deref(), Some("a\nb"));
        assert_eq!(spliced("a\r\nb\r\n", "A\nB"), "A\r\nB\r\n");
        assert_eq!(spliced("a\r\nb\nc", "A\nB"), "A\nB", "mixed line ends are sent as they are");
    }

    #[test]
    fn an_equal_result_leaves_the_bytes() {
        assert_eq!(spliced("a\r\nb ", "a\nb"), "a\r\nb ");
    }
}
