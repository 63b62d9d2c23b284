//! CSV records of a dictionary file, with the line and column of each field and each misplaced quote.
//!
//! Each line is split separately, so a mistake does not hide problems on later lines. A quote inside an unquoted field is
//! ordinary text.

use std::borrow::Cow;

use csv_core::Terminator;

use super::problem::{DictionaryRule, PhraseSide};
use crate::csv::cells::CellScanner;
use crate::csv::content::{closing_quote, content, is_unclosed};
use crate::csv::named_delimiter;
use crate::input::problem::column_after;

/// Separators that spreadsheets write. The first one that fits is used.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];
/// Maximum number of lines for detecting the separator.
const LINES_TO_RECOGNIZE: usize = 100;

pub(super) struct DictionaryField<'a> {
    /// Column of its first character, including the quote.
    pub column: u32,
    pub text: Cow<'a, str>,
}

/// A record: one line, or several if a quoted field contains line breaks.
pub(super) struct DictionaryCsvRecord<'a> {
    /// Its first line, from 1.
    pub line: u32,
    /// Empty if the line is not UTF-8.
    pub fields: Vec<DictionaryField<'a>>,
    /// Misplaced quotes and quoted line breaks: line, column and broken rule.
    pub faults: Vec<(u32, u32, DictionaryRule)>,
    pub not_utf8: Option<InvalidUtf8Line<'a>>,
}

pub(super) struct InvalidUtf8Line<'a> {
    /// Bytes before the first invalid byte.
    pub valid: &'a [u8],
    /// Offset of the first invalid byte in the input.
    pub offset: usize,
}

/// Skips blank lines.
pub(super) struct DictionaryCsvReader<'a> {
    bytes: &'a [u8],
    /// Offset of the next unread line.
    next_line: usize,
    /// The last line that was read, from 1.
    line: u32,
    delimiter: u8,
    scanner: CellScanner,
}

impl<'a> DictionaryCsvReader<'a> {
    /// Detects the separator, unless a first line such as `sep=;` sets it. That line is not a record.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let first = line_at(bytes, 0);
        let named = named_delimiter(first);
        let delimiter = named.unwrap_or_else(|| recognized_delimiter(bytes));
        let (next_line, line) = if named.is_some() { (first.len() + 1, 1) } else { (0, 0) };
        Self { bytes, next_line, line, delimiter, scanner: line_scanner(delimiter) }
    }

    /// Returns whether the service can parse the file: comma-separated, without a `sep=` line.
    pub(super) fn is_readable_by_service(&self) -> bool {
        self.delimiter == b',' && self.next_line == 0
    }

    pub(super) fn next(&mut self) -> Option<DictionaryCsvRecord<'a>> {
        while self.next_line < self.bytes.len() {
            let start = self.next_line;
            let line = line_at(self.bytes, start);
            self.next_line = start + line.len() + 1;
            self.line += 1;
            let line = trim_cr(line);
            match std::str::from_utf8(line) {
                Ok(text) if text.bytes().all(|b| b == b' ') => {}
                Ok(text) => return Some(self.read_record(start, text)),
                Err(error) => {
                    let valid = line.get(..error.valid_up_to()).unwrap_or_default();
                    let not_utf8 = Some(InvalidUtf8Line { valid, offset: start + valid.len() });
                    let (fields, faults) = (Vec::new(), Vec::new());
                    return Some(DictionaryCsvRecord { line: self.line, fields, faults, not_utf8 });
                }
            }
        }
        None
    }

    fn read_record(&mut self, start: usize, line: &'a str) -> DictionaryCsvRecord<'a> {
        let mut record =
            DictionaryCsvRecord { line: self.line, fields: Vec::with_capacity(4), faults: Vec::new(), not_utf8: None };
        let column_at = |offset: usize| column_after(line.get(..offset).unwrap_or_default());
        self.scanner.begin(0);
        self.scanner.scan(line.as_bytes());
        let last = self.scanner.current_cell();
        let is_open = is_unclosed(line.get(last..).unwrap_or_default());
        if !is_open {
            self.scanner.scan(b"\n");
        }
        for span in self.scanner.spans() {
            let cell = line.get(span.clone()).unwrap_or_default();
            let closed = cell.strip_prefix('"').and_then(|quoted| closing_quote(quoted.as_bytes()));
            if let Some(end) = closed.map(|end| end + 2).filter(|end| *end < cell.len()) {
                record.faults.push((record.line, column_at(span.start + end), DictionaryRule::Quotes));
            }
            record.fields.push(DictionaryField { column: column_at(span.start), text: content(cell) });
        }
        if is_open {
            self.scanner = line_scanner(self.delimiter);
            self.report_multiline_field(start + last + 1, column_after(line), column_at(last), &mut record);
        }
        record
    }

    /// Reports a quoted field that does not end on its line, and continues after the line with the closing quote.
    ///
    /// `opened` is the offset after the opening quote. Without a closing quote, only this line is skipped, so that
    /// later lines are still checked.
    fn report_multiline_field(
        &mut self,
        opened: usize,
        line_end: u32,
        column: u32,
        record: &mut DictionaryCsvRecord<'a>,
    ) {
        let side = if record.fields.is_empty() { PhraseSide::Source } else { PhraseSide::Target };
        // The actual number of fields is unknown. Two fields avoid a second report about the number.
        record.fields.resize_with(2, || DictionaryField { column, text: Cow::Borrowed("") });
        let quoted = self.bytes.get(opened..).unwrap_or_default();
        let Some(end) = closing_quote(quoted) else {
            record.faults.push((self.line, column, DictionaryRule::Quotes));
            return;
        };
        let mut break_column = line_end;
        for at in memchr::memchr_iter(b'\n', quoted.get(..end).unwrap_or_default()) {
            record.faults.push((self.line, break_column, DictionaryRule::Newline { side, c: '\n' }));
            self.line += 1;
            let line = line_at(self.bytes, opened + at + 1);
            self.next_line = opened + at + 1 + line.len() + 1;
            break_column = column_after(&String::from_utf8_lossy(trim_cr(line)));
        }
    }
}

/// Returns a scanner in which a carriage return within a line is text, so that it is reported.
fn line_scanner(delimiter: u8) -> CellScanner {
    CellScanner::with_terminator(delimiter, Terminator::Any(b'\n'))
}

/// Returns the first separator that splits all lines into the same number of cells; otherwise the comma.
fn recognized_delimiter(bytes: &[u8]) -> u8 {
    let splits_all = |delimiter: u8| {
        let is_blank = |line: &[u8]| trim_cr(line).iter().all(|byte| *byte == b' ');
        // A line with an open quote continues on the next line.
        let is_part = |line: &[u8]| memchr::memchr_iter(b'"', line).count() % 2 == 1;
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !is_blank(line) && !is_part(line));
        let mut counts = lines.take(LINES_TO_RECOGNIZE).map(|line| cell_count(line, delimiter));
        counts.next().is_some_and(|first| first > 1 && counts.all(|count| count == first))
    };
    DELIMITERS.into_iter().find(|delimiter| splits_all(*delimiter)).unwrap_or(b',')
}

fn cell_count(line: &[u8], delimiter: u8) -> usize {
    let mut scanner = line_scanner(delimiter);
    scanner.begin(0);
    scanner.scan(trim_cr(line));
    scanner.scan(b"\n");
    scanner.spans().len()
}

fn line_at(bytes: &[u8], start: usize) -> &[u8] {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len())).unwrap_or_default()
}

fn trim_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
