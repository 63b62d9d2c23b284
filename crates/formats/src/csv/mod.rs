//! Cells of CSV and TSV files (`--csv`, `--tsv`).
//!
//! Input: records as in RFC 4180, with any line endings. An empty line is kept, but is not a record. A record
//! with more or fewer cells than the first one is a fault. Output: the same bytes with other texts in some cells, or with
//! cells added at the end of each record. A quoted cell stays quoted; an unquoted cell gets quotes only if its new text
//! needs them.

pub(crate) mod cells;
pub(crate) mod content;
mod reader;
mod select;
#[cfg(test)]
mod tests;
mod writer;

use self::reader::TableReader;
pub(crate) use self::select::named_delimiter;
use self::writer::{AppendWriter, TableWriter};
use super::{EntryLimit, RecordReader, ResultWriter, TextFormat};

/// Options of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// `--column`: names or numbers of columns, as given.
    pub columns: Vec<String>,
    /// The byte between cells: `,`, a tab, or the value of `--delimiter`.
    pub delimiter: u8,
    /// Whether the first record is a header.
    pub has_header: bool,
    /// `--append`: targets (BCP 47) whose results become new columns. If empty, results replace their sources.
    pub appended: Vec<String>,
}

impl TextFormat for TableOptions {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(TableReader::new(self))
    }

    fn writer(&self, targets: &[String]) -> Box<dyn ResultWriter> {
        if self.adds_results() {
            return Box::new(AppendWriter::new(self, targets));
        }
        Box::new(TableWriter::new(self))
    }

    fn adds_results(&self) -> bool {
        !self.appended.is_empty()
    }
}

fn delimiter_name(delimiter: u8) -> String {
    if delimiter == b'\t' { "a tab".to_owned() } else { format!("`{}`", char::from(delimiter)) }
}
