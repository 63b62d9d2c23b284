//! Splits the bytes of a table into records, and records into cells.
//!
//! `csv-core` decides where a cell ends.

use std::ops::Range;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder, Terminator};
use tulk_base::limits;

/// Bytes of contents that the parser writes before it has to be called again. Nobody reads them.
const IGNORED_BYTES: usize = 4096;

/// Finds the cells of one record after the other. Bytes may arrive in pieces of any size.
pub(crate) struct CellScanner {
    parser: Reader,
    ignored: Vec<u8>,
    /// The columns whose cells are kept, ascending; `None` keeps the cells of all.
    selected: Option<Vec<usize>>,
    /// The cells that are kept, with their quotes.
    spans: Vec<Range<usize>>,
    /// Number of cells.
    count: usize,
    /// Where the current cell begins.
    cell: usize,
    /// Where the next byte is.
    at: usize,
}

/// How far a scan came.
pub(crate) struct ScanStep {
    /// Bytes that belong to the record, with the first byte of its line end.
    pub used: usize,
    /// Whether the record ends there.
    pub is_end: bool,
}

impl CellScanner {
    /// A scanner of records that CR, LF or both end.
    pub(super) fn new(delimiter: u8) -> Self {
        Self::with_terminator(delimiter, Terminator::CRLF)
    }

    /// A scanner of records that `terminator` ends.
    pub(crate) fn with_terminator(delimiter: u8, terminator: Terminator) -> Self {
        let mut parser = ReaderBuilder::new().delimiter(delimiter).terminator(terminator).build();
        let mut ignored = vec![0; IGNORED_BYTES];
        // At its start, the parser would skip a byte-order mark. After an empty line it does not.
        parser.read_field(b"\n", &mut ignored);
        Self { parser, ignored, selected: None, spans: Vec::new(), count: 0, cell: 0, at: 0 }
    }

    /// Keeps only the cells of these columns, which are in ascending order: of this record and all that follow.
    pub(super) fn keep(&mut self, columns: &[usize]) {
        self.spans = columns.iter().filter_map(|column| self.spans.get(*column).cloned()).collect();
        self.selected = Some(columns.to_vec());
    }

    /// Starts a record whose first cell begins at `start`.
    pub(crate) fn begin(&mut self, start: usize) {
        self.spans.clear();
        self.count = 0;
        self.cell = start;
        self.at = start;
    }

    /// Scans bytes of a record; without bytes, the record ends with the input.
    pub(crate) fn scan(&mut self, bytes: &[u8]) -> ScanStep {
        let mut used = 0;
        loop {
            let rest = bytes.get(used..).unwrap_or_default();
            if rest.is_empty() && used > 0 {
                return ScanStep { used, is_end: false };
            }
            let (result, read, _) = self.parser.read_field(rest, &mut self.ignored);
            used += read;
            self.at += read;
            match result {
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
                ReadFieldResult::Field { record_end: false } => self.end_cell(self.at - 1),
                ReadFieldResult::Field { record_end: true } | ReadFieldResult::End => {
                    self.end_cell(if bytes.is_empty() { self.at } else { self.at - 1 });
                    return ScanStep { used, is_end: true };
                }
            }
        }
    }

    fn end_cell(&mut self, end: usize) {
        let is_kept = match &self.selected {
            Some(selected) => selected.get(self.spans.len()) == Some(&self.count),
            None => self.count <= limits::TABLE_COLUMNS,
        };
        if is_kept {
            self.spans.push(self.cell..end);
        }
        self.count += 1;
        self.cell = end + 1;
    }

    /// Returns the cells of the record that are kept, with their quotes.
    pub(crate) fn spans(&self) -> &[Range<usize>] {
        &self.spans
    }

    /// Returns the number of cells of the record.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns where the cell begins in which the scan stopped.
    pub(crate) fn current_cell(&self) -> usize {
        self.cell
    }
}

/// Returns the cells of a whole record, which may have a line end.
pub(super) fn cells(record: &str, delimiter: u8) -> Vec<&str> {
    let record = record.get(..content_end(record.as_bytes())).unwrap_or_default();
    let mut scanner = CellScanner::new(delimiter);
    scanner.begin(0);
    scanner.scan(record.as_bytes());
    scanner.scan(b"");
    scanner.spans().iter().map(|span| record.get(span.clone()).unwrap_or_default()).collect()
}

/// Returns where the cells of a record end: before its line end.
pub(super) fn content_end(record: &[u8]) -> usize {
    let line = record.strip_suffix(b"\n").unwrap_or(record);
    line.strip_suffix(b"\r").unwrap_or(line).len()
}
