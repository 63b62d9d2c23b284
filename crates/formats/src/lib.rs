//! Where the texts are in a file, and how results are written back or listed.
//!
//! Input: a [`Source`], which a [`RecordReader`] cuts into [`Record`]s that together are the input, byte for byte.
//! Output: bytes, which a [`ResultWriter`] makes of finished [`ResultRow`]s. All of it is blocking code, independent of
//! requests, threads and output files.
//!
//! To add a format: a file here with a [`TextFormat`], and a line in [`FILE_FORMATS`]. Message catalogues are in `tulk-catalogs`.

mod catalog;
mod columns;
mod csv;
mod entries;
pub mod input;
mod jsonl;
mod lines;
mod markdown;
mod named;
mod record;
mod result_row;
pub mod results;
mod subtitles;
#[cfg(any(test, feature = "fuzzing"))]
pub mod test_records;
mod text;

use std::fmt;
use std::io::{self, Write};
use std::ops::Deref;
use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_catalogs::inline::TextProtection;

pub use self::catalog::{SentenceParts, fallback as sentence_fallback};
pub use self::columns::{ResultColumn, ResultColumns};
pub use self::csv::TableOptions;
pub use self::entries::RecordEntry;
pub use self::jsonl::JsonLinesOptions;
pub use self::lines::EntryTerminator;
pub use self::named::{DIALECTS, FileFormatOptions, NamedFormat};
pub use self::record::{BlankEntry, EntryLimit, EntryPlaces, FallbackText, Record, SampleText, Slot, SlotRequest};
pub use self::result_row::{EntryResult, RejectedResults, ResultRow, splice, write_text};

use crate::input::source::Source;

/// A format of input: where the texts are in it, and how results are written back.
///
/// Each format is a type with its options, in a file of its own.
pub trait TextFormat: fmt::Debug + Send + Sync {
    /// Returns a reader for an input; `limit` is the size of one entry.
    fn reader(&self, limit: EntryLimit) -> Box<dyn RecordReader>;

    /// Returns a reader that does not cut inside of placeholders. A format that cuts nothing needs no other reader.
    fn protected_reader(&self, limit: EntryLimit, _protection: Arc<dyn TextProtection>) -> Box<dyn RecordReader> {
        self.reader(limit)
    }

    /// Returns the writer for `--format text`: the input with its texts replaced, or with results added for each of `targets`.
    fn writer(&self, targets: &[String]) -> Box<dyn ResultWriter>;

    /// Returns whether blank entries count, so that listed results have a row for them too.
    fn counts_blank(&self) -> bool {
        true
    }

    /// Returns whether each entry is a line of context for those after it. Otherwise the lines of the input are.
    fn has_entry_context(&self) -> bool {
        true
    }

    /// Returns the number of lines or entries that are sent as context if `--context-lines` does not say it.
    fn context_lines(&self) -> usize {
        0
    }

    /// Returns whether results are added beside their sources, so that one output has all targets.
    fn adds_results(&self) -> bool {
        false
    }

    /// Returns whether all entries are sent with tags around their tokens, so that `&` and `<` are escaped.
    fn has_tokens(&self) -> bool {
        false
    }

    /// Returns whether it decodes its inputs itself, so that they may be in UTF-16.
    fn takes_any_encoding(&self) -> bool {
        false
    }

    /// Checks a result before it is used. The error says what is wrong with it.
    fn check_result(&self, _record: &Record, _slot: usize, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// Returns the results of a row that can only be checked together, and cannot be used. `target` is the position of the target
    /// in the row, `name` its name.
    fn check_row(&self, _row: &ResultRow, _target: usize, _name: &str) -> Vec<RejectedResults> {
        Vec::new()
    }
}

/// The format of an input.
#[derive(Clone, Debug)]
pub struct InputFormat(Arc<dyn TextFormat>);

impl InputFormat {
    /// A format with its options.
    pub fn new(format: impl TextFormat + 'static) -> Self {
        Self(Arc::new(format))
    }

    /// The whole input is one entry. It is cut if it does not fit into one request.
    pub fn text() -> Self {
        Self::new(text::WholeText)
    }

    /// Each line is an entry.
    pub fn lines() -> Self {
        Self::new(EntryTerminator::Line)
    }

    /// Entries end with NUL.
    pub fn nul() -> Self {
        Self::new(EntryTerminator::Nul)
    }
}

impl Deref for InputFormat {
    type Target = dyn TextFormat;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// The formats that `--as` names before those of message catalogues, in the order of the help.
pub const FILE_FORMATS: &[FileFormat] = &[subtitles::SRT, subtitles::VTT, markdown::MARKDOWN];

/// A file format that `--as` names.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, for the help.
    pub help: &'static str,
    /// The endings of its files.
    pub endings: &'static [&'static str],
    /// What is kept of such a file, such as `its timings`.
    pub keeps: &'static str,
    /// Creates the format.
    pub new: fn(&FileFormatOptions) -> InputFormat,
}

/// Cuts an input into records.
pub trait RecordReader: Send {
    /// Reads the next record into `into`, which is empty. Returns false at the end of the input.
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure>;

    /// Skips records that have one entry each, and no fault, as far as they are already in memory. Returns their number,
    /// which may be 0 anywhere.
    fn skip(&mut self, _input: &mut Source) -> Result<u64, Failure> {
        Ok(0)
    }
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
