//! Where the texts are in a file, and how results are written back or listed.
//!
//! Input: a [`Source`], which a [`RecordReader`] cuts into [`Record`]s that together are the input, byte for byte.
//! Output: bytes, which a [`ResultWriter`] makes of finished [`ResultRow`]s. All of it is blocking code, independent of
//! requests, threads and output files.
//!
//! To add a format: a file here, a variant of [`InputFormat`], and an arm in each of its two `match`es.

mod columns;
mod csv;
pub mod inline;
mod jsonl;
mod lines;
mod markdown;
mod record;
pub mod results;
mod subtitles;
mod text;

use std::io::{self, Write};

pub use self::columns::ResultColumns;
pub use self::csv::TableOptions;
pub use self::jsonl::JsonLinesOptions;
pub use self::lines::EntryTerminator;
pub use self::markdown::MarkdownOptions;
pub use self::record::{BlankEntry, EntryLimit, EntryPlaces, EntryResult, Record, ResultRow, Slot, splice, write_text};
pub use self::subtitles::SubtitleSyntax;

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
    /// The cells of some columns of a CSV or TSV file are entries.
    Table(TableOptions),
    /// The values of some fields of each line's JSON are entries.
    JsonLines(JsonLinesOptions),
    /// Each cue is an entry.
    Subtitles(SubtitleSyntax),
    /// Each block of text is an entry.
    Markdown(MarkdownOptions),
}

impl InputFormat {
    /// Returns a reader for an input; `limit` is the size of one entry.
    pub fn reader(&self, limit: EntryLimit) -> Box<dyn RecordReader> {
        match self {
            Self::Text => Box::new(text::TextReader::new(limit)),
            Self::Lines => Box::new(lines::LineReader::new(EntryTerminator::Line, limit)),
            Self::Nul => Box::new(lines::LineReader::new(EntryTerminator::Nul, limit)),
            Self::Table(options) => Box::new(csv::TableReader::new(options)),
            Self::JsonLines(options) => Box::new(jsonl::JsonLinesReader::new(options)),
            Self::Subtitles(syntax) => Box::new(subtitles::CueReader::new(*syntax)),
            Self::Markdown(options) => Box::new(markdown::MarkdownReader::new(options)),
        }
    }

    /// Returns the writer for `--format text`: the input with its texts replaced, or with results added for each of `targets`.
    pub fn writer(&self, targets: &[String]) -> Box<dyn ResultWriter> {
        match self {
            Self::Text => Box::new(text::TextWriter),
            Self::Lines => Box::new(lines::LineWriter(EntryTerminator::Line)),
            Self::Nul => Box::new(lines::LineWriter(EntryTerminator::Nul)),
            Self::Table(options) => Box::new(csv::TableWriter::new(options, targets)),
            Self::JsonLines(options) => Box::new(jsonl::JsonLinesWriter::new(options, targets)),
            Self::Subtitles(syntax) => Box::new(subtitles::CueWriter::new(*syntax)),
            Self::Markdown(_) => Box::new(markdown::MarkdownWriter),
        }
    }

    /// Returns whether blank entries count, so that listed results have a row for them too.
    pub fn counts_blank(&self) -> bool {
        !matches!(self, Self::Text)
    }

    /// Returns whether results are added beside their sources, so that one output has all targets.
    pub fn adds_results(&self) -> bool {
        match self {
            Self::Table(options) => options.append,
            Self::JsonLines(options) => options.append,
            _ => false,
        }
    }

    /// Returns whether all entries are sent with tags around their tokens, so that `&` and `<` are escaped.
    pub fn has_tokens(&self) -> bool {
        matches!(self, Self::Subtitles(_) | Self::Markdown(_))
    }

    /// Checks a result before it is used. The error says what is wrong with it.
    pub fn check_result(&self, record: &Record, slot: usize, text: &str) -> Result<(), String> {
        match self {
            Self::Markdown(_) => markdown::check_result(record, slot, text),
            _ => Ok(()),
        }
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
