//! Cells of CSV and TSV files (`--csv`, `--tsv`).
//!
//! Input: records as RFC 4180 describes them, with any line ends. A line without any bytes is kept and is not a record; a
//! record whose number of cells differs from the header's is a fault.
//!
//! Output: the same bytes with other texts in some cells, or with cells added at the end of each record. A cell that was
//! quoted stays quoted, and another one is quoted only if its new text needs it.
//!
//! | file | what it does |
//! |---|---|
//! | `cells` | splits records into cells |
//! | `content` | the text inside a cell, and cells with other texts |
//! | `select` | finds the columns that `--column` names |
//! | `reader`, `writer` | records with their entries, and how results are written |

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

/// Which cells are translated, and how the file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// `--column`: names or numbers of columns, as given.
    pub columns: Vec<String>,
    /// The byte between cells: `,`, a tab, or that of `--delimiter`.
    pub delimiter: u8,
    /// Whether the first record names the columns.
    pub has_header: bool,
    /// `--append`: the targets whose results become new columns, in BCP 47. Without any, results replace their sources.
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

/// Returns a delimiter as messages show it.
fn shown(delimiter: u8) -> String {
    if delimiter == b'\t' { "a tab".to_owned() } else { format!("`{}`", char::from(delimiter)) }
}
