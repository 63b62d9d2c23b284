//! Cells of CSV and TSV files (`--csv`, `--tsv`).

use super::lines::{LineReader, LineWriter};
use super::{EntryLimit, EntryTerminator, Record, RecordReader, ResultRow, ResultWriter, TextFormat};
use crate::error::Failure;
use crate::input::source::Source;

/// Which cells are translated, and how the file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// `--column`: names or numbers of columns, as given.
    pub columns: Vec<String>,
    /// `,` or a tab.
    pub delimiter: u8,
    /// Whether the first record names the columns.
    pub has_header: bool,
    /// `--append`: results become new columns.
    pub append: bool,
}

impl TextFormat for TableOptions {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(TableReader::new(self))
    }

    fn writer(&self, targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(TableWriter::new(self, targets))
    }

    fn adds_results(&self) -> bool {
        self.append
    }
}

/// Reads records of a table.
pub struct TableReader(LineReader);

impl TableReader {
    /// A reader at the start of an input.
    pub fn new(_options: &TableOptions) -> Self {
        let limit = EntryLimit { bytes: 1000, body_bytes: 1000, enforced: false };
        Self(LineReader::new(EntryTerminator::Line, limit))
    }
}

impl RecordReader for TableReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        self.0.read(input, into)
    }
}

/// Writes records with their results.
pub struct TableWriter(LineWriter);

impl TableWriter {
    /// A writer of results for these targets.
    pub fn new(_options: &TableOptions, _targets: &[String]) -> Self {
        Self(LineWriter(EntryTerminator::Line))
    }
}

impl ResultWriter for TableWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        self.0.write(row, out)
    }
}
