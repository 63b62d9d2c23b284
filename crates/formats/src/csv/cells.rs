//! Splits the bytes of a table into records, and records into cells. `csv-core` decides where a cell ends.

use std::ops::Range;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder, Terminator};
use tulk_base::limits;

/// Size of the parser's output buffer, whose content is not used.
const IGNORED_BYTES: usize = 4096;

/// Splits a record into cells. Its bytes may arrive in chunks of any size.
pub(crate) struct CellScanner {
    parser: Reader,
    ignored: Vec<u8>,
    /// The columns whose cells are kept, ascending; `None` keeps all, but at most one cell more than
    /// the maximum number of columns.
    selected: Option<Vec<usize>>,
    /// The kept cells, with their quotes.
    spans: Vec<Range<usize>>,
    /// Number of cells in the record.
    count: usize,
    cell: usize,
    at: usize,
}

pub(crate) struct ScanStep {
    /// Bytes that belong to the record, including the first byte of its line ending.
    pub used: usize,
    pub is_end: bool,
}

impl CellScanner {
    pub(super) fn new(delimiter: u8) -> Self {
        Self::with_terminator(delimiter, Terminator::CRLF)
    }

    pub(crate) fn with_terminator(delimiter: u8, terminator: Terminator) -> Self {
        let mut parser = ReaderBuilder::new().delimiter(delimiter).terminator(terminator).build();
        let mut ignored = vec![0; IGNORED_BYTES];
        // First give the parser an empty line, because it would skip a byte-order mark at the start of its input.
        parser.read_field(b"\n", &mut ignored);
        Self { parser, ignored, selected: None, spans: Vec::new(), count: 0, cell: 0, at: 0 }
    }

    /// Keeps only the cells of these columns, which are ascending, in this record and all later ones.
    pub(super) fn keep_columns(&mut self, columns: &[usize]) {
        self.spans = columns.iter().filter_map(|column| self.spans.get(*column).cloned()).collect();
        self.selected = Some(columns.to_vec());
    }

    pub(crate) fn begin(&mut self, start: usize) {
        self.spans.clear();
        self.count = 0;
        self.cell = start;
        self.at = start;
    }

    /// Scans the next bytes of a record. If `bytes` is empty, the input has ended, and the record ends with it.
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

    pub(crate) fn spans(&self) -> &[Range<usize>] {
        &self.spans
    }

    pub(super) fn cell_count(&self) -> usize {
        self.count
    }

    /// Returns the start of the cell in which the scan stopped.
    pub(crate) fn current_cell(&self) -> usize {
        self.cell
    }
}

/// Returns the cells of a complete record, with or without its line ending.
pub(super) fn cells(record: &str, delimiter: u8) -> Vec<&str> {
    let record = record.get(..content_end(record.as_bytes())).unwrap_or_default();
    let mut scanner = CellScanner::new(delimiter);
    scanner.begin(0);
    scanner.scan(record.as_bytes());
    scanner.scan(b"");
    scanner.spans().iter().map(|span| record.get(span.clone()).unwrap_or_default()).collect()
}

/// Returns the length of a record without its line ending.
pub(super) fn content_end(record: &[u8]) -> usize {
    let line = record.strip_suffix(b"\n").unwrap_or(record);
    line.strip_suffix(b"\r").unwrap_or(line).len()
}
