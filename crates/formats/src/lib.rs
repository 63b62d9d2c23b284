//! File formats: find the texts in an input, and write results back or list them.
//!
//! Input: a [`Source`], which a [`RecordReader`] splits into [`Record`]s; concatenated, they are the input, byte for
//! byte, or the decoded text of a message catalogue. Output: the bytes that a [`ResultWriter`] makes of finished
//! [`ResultRow`]s. No code depends on requests or output files. All code is blocking and uses no threads, except
//! [`input::audio`].
//!
//! To add a format, write a module with a [`TextFormat`] and add a line to [`FILE_FORMATS`]. Message catalogues are in
//! `tulk-catalogs`.

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

pub use self::catalog::{SentenceParts, sentence_fallback};
pub use self::columns::{ResultColumn, ResultColumns};
pub use self::csv::TableOptions;
pub use self::entries::RecordEntry;
pub use self::jsonl::JsonLinesOptions;
pub use self::lines::EntryTerminator;
pub use self::named::{DIALECTS, FileFormatOptions, NamedFormat};
pub use self::record::{BlankEntry, EntryLabels, EntryLimit, FallbackText, Record, SampleText, Slot, SlotRequest};
pub use self::result_row::{EntryResult, RejectedResults, ResultRow, splice, write_text};

use crate::input::source::Source;

/// An input format: finds the texts in an input, and writes results back.
///
/// Implemented by the options type of each format, in its own module.
pub trait TextFormat: fmt::Debug + Send + Sync {
    /// Creates a reader; `limit` is the size limit of one entry.
    fn reader(&self, limit: EntryLimit) -> Box<dyn RecordReader>;

    /// Creates a reader that does not split placeholders. The default suits formats that do not split entries.
    fn protected_reader(&self, limit: EntryLimit, _protection: Arc<dyn TextProtection>) -> Box<dyn RecordReader> {
        self.reader(limit)
    }

    /// Creates the writer for `--format text`: replaces the texts of the input, or adds results for each of `targets`.
    fn writer(&self, targets: &[String]) -> Box<dyn ResultWriter>;

    /// Returns whether whitespace-only entries are counted and have a row in listed results.
    fn counts_whitespace_only(&self) -> bool {
        true
    }

    /// Returns whether `--context-lines` counts entries. Otherwise it counts lines of the input.
    fn has_entry_context(&self) -> bool {
        true
    }

    /// Returns the default of `--context-lines`.
    fn context_lines(&self) -> usize {
        0
    }

    /// Returns whether results are added beside their sources, so one output has all targets.
    fn adds_results(&self) -> bool {
        false
    }

    /// Returns whether entries are sent as XML with tags around their tokens, so `&` and `<` are escaped.
    fn has_tokens(&self) -> bool {
        false
    }

    /// Returns whether the format decodes its input itself, so UTF-16 is possible.
    fn takes_any_encoding(&self) -> bool {
        false
    }

    /// Checks a result before it is used. The error says what is wrong.
    fn check_result(&self, _record: &Record, _slot: usize, _text: &str) -> Result<(), String> {
        Ok(())
    }

    /// Checks the results that can only be judged together, and returns the unusable ones. `target` is the index of the
    /// target in the row.
    fn check_row(&self, _row: &ResultRow, _target: usize, _name: &str) -> Vec<RejectedResults> {
        Vec::new()
    }
}

/// Shared handle to a [`TextFormat`].
#[derive(Clone, Debug)]
pub struct InputFormat(Arc<dyn TextFormat>);

impl InputFormat {
    /// Wraps a format.
    pub fn new(format: impl TextFormat + 'static) -> Self {
        Self(Arc::new(format))
    }

    /// Returns the format in which the complete input is one entry. The input is split if it does not fit into one request.
    pub fn text() -> Self {
        Self::new(text::WholeText)
    }

    /// Returns the format in which each line is an entry.
    pub fn lines() -> Self {
        Self::new(EntryTerminator::Line)
    }

    /// Returns the format in which each text up to a NUL is an entry.
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

/// Formats of `--as` other than message catalogues, in the order of the help.
pub const FILE_FORMATS: &[FileFormat] = &[subtitles::SRT, subtitles::VTT, markdown::MARKDOWN];

/// A format of `--as`.
#[derive(Clone, Copy, Debug)]
pub struct FileFormat {
    /// Name on the command line.
    pub name: &'static str,
    /// Description for the help.
    pub help: &'static str,
    /// Lowercase file extensions.
    pub extensions: &'static [&'static str],
    /// Parts that the writer preserves, as a phrase for messages, such as `its timings`.
    pub keeps: &'static str,
    /// Creates the format.
    pub new: fn(&FileFormatOptions) -> InputFormat,
}

/// Splits an input into records.
pub trait RecordReader: Send {
    /// Reads the next record into `into`, which is empty. Returns false at the end of the input.
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure>;

    /// Skips records that are in memory already, as long as each has exactly one entry and no fault. Returns their
    /// number; 0 does not mean that the input has ended.
    fn skip(&mut self, _input: &mut Source) -> Result<u64, Failure> {
        Ok(0)
    }
}

/// Converts finished rows to output.
pub trait ResultWriter: Send {
    /// Writes the output of a row; `out` is buffered.
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()>;

    /// Writes the end of the output. It is also called after a failure, so that the output is well formed.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Returns whether a later run could resume after the output so far.
    fn is_resumable_here(&self) -> bool {
        true
    }

    /// Returns whether a later run can resume an unfinished output at all. If not, the output is finished, so that it
    /// is well formed.
    fn is_resumable(&self) -> bool {
        true
    }

    /// Prepares to append to the `bytes` bytes that an earlier run wrote.
    fn resume_after(&mut self, _bytes: u64) {}
}
