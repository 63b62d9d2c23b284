//! Where the texts are in a file, and how results are written back or listed.
//!
//! Input: a [`Source`], which a [`RecordReader`] cuts into [`Record`]s that together are the input, byte for byte.
//! Output: bytes, which a [`ResultWriter`] makes of finished [`ResultRow`]s. All of it is blocking code, independent of
//! requests, threads and output files.
//!
//! To add a format: a file here, a variant of [`InputFormat`], and an arm in each of its two `match`es.

mod columns;
mod lines;
mod record;
pub mod results;
mod text;

use std::io::{self, Write};

pub use self::columns::ResultColumns;
pub use self::lines::EntryTerminator;
pub use self::record::{EntryLimit, EntryResult, Record, ResultRow, Slot, splice, write_text};

use crate::error::Failure;
use crate::input::source::Source;

/// How the input is cut into entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// The whole input is one entry. It is cut if it does not fit into one request.
    Text,
    /// Each line is an entry.
    Lines,
    /// Entries end with NUL.
    Nul,
}

impl InputFormat {
    /// Returns a reader for an input; `limit` is the size of one entry.
    pub fn reader(&self, limit: EntryLimit) -> Box<dyn RecordReader> {
        match self {
            Self::Text => Box::new(text::TextReader::new(limit)),
            Self::Lines => Box::new(lines::LineReader::new(EntryTerminator::Line, limit)),
            Self::Nul => Box::new(lines::LineReader::new(EntryTerminator::Nul, limit)),
        }
    }

    /// Returns the writer for `--format text` and one target: the input with its texts replaced.
    pub fn writer(&self) -> Box<dyn ResultWriter> {
        match self {
            Self::Text => Box::new(text::TextWriter),
            Self::Lines => Box::new(lines::LineWriter(EntryTerminator::Line)),
            Self::Nul => Box::new(lines::LineWriter(EntryTerminator::Nul)),
        }
    }

    /// Returns whether blank entries count, so that listed results have a row for them too.
    pub fn counts_blank(&self) -> bool {
        !matches!(self, Self::Text)
    }
}

/// Cuts an input into records.
pub trait RecordReader: Send {
    /// Reads the next record into `into`, which is empty. Returns false at the end of the input.
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure>;
}

/// Turns finished rows into output.
pub trait ResultWriter: Send {
    /// Writes the output of a row; `out` is buffered.
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()>;

    /// Writes the end of the output. It is also called after a failure, so that the output can be read.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Returns whether a later run could continue after the output so far.
    fn is_resumable_here(&self) -> bool {
        true
    }

    /// Returns whether a later run can continue an unfinished output at all. If not, the output is ended, so that it can be
    /// read.
    fn is_resumable(&self) -> bool {
        true
    }

    /// Continues after the `bytes` bytes that an earlier run wrote.
    fn resume_after(&mut self, _bytes: u64) {}
}
