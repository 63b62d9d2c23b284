//! Values of fields in lines of JSON (`--jsonl`).

use super::lines::{LineReader, LineWriter};
use super::{EntryLimit, EntryTerminator, Record, RecordReader, ResultRow, ResultWriter, TextFormat};
use crate::error::Failure;
use crate::input::source::Source;

/// Which values are translated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonLinesOptions {
    /// `--field`: JSON pointers of the values.
    pub fields: Vec<String>,
    /// `--append`: results become new fields beside their sources.
    pub append: bool,
}

impl TextFormat for JsonLinesOptions {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(JsonLinesReader::new(self))
    }

    fn writer(&self, targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(JsonLinesWriter::new(self, targets))
    }

    fn adds_results(&self) -> bool {
        self.append
    }
}

/// Reads lines of JSON.
pub struct JsonLinesReader(LineReader);

impl JsonLinesReader {
    /// A reader at the start of an input.
    pub fn new(_options: &JsonLinesOptions) -> Self {
        let limit = EntryLimit { bytes: 1000, body_bytes: 1000, enforced: false };
        Self(LineReader::new(EntryTerminator::Line, limit))
    }
}

impl RecordReader for JsonLinesReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        self.0.read(input, into)
    }
}

/// Writes records with their results.
pub struct JsonLinesWriter(LineWriter);

impl JsonLinesWriter {
    /// A writer of results for these targets.
    pub fn new(_options: &JsonLinesOptions, _targets: &[String]) -> Self {
        Self(LineWriter(EntryTerminator::Line))
    }
}

impl ResultWriter for JsonLinesWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        self.0.write(row, out)
    }
}
