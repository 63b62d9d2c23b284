//! Where the words are in a file, and how results are put back or listed.
//!
//! A format is plain blocking code: a [`RecordReader`] cuts the input into [`Record`]s that tile it byte for byte, and a
//! [`ResultWriter`] turns finished [`Row`]s into output bytes. Nothing here knows of requests, threads or files.
//! To add one: a file here, a variant of [`Format`], an arm in its two `match`es.

mod lines;
pub mod results;
mod text;

use std::ops::Range;
use std::sync::Arc;

use serde_json::value::RawValue;

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
    /// Appends a row's output.
    fn write(&mut self, row: &Row, out: &mut Vec<u8>) -> Result<(), Failure>;

    /// Appends what ends the output; also called after a failure, so that what is there can be read.
    fn finish(&mut self, _out: &mut Vec<u8>) -> Result<(), Failure> {
        Ok(())
    }

    /// Whether the output so far ends where a later run could go on.
    fn whole(&self) -> bool {
        true
    }

    /// Whether an output of `bytes` bytes, left by an earlier run, can be gone on with; then it is from here on.
    fn resume(&mut self, _bytes: u64) -> bool {
        true
    }
}
