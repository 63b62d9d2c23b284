//! CSV records of a dictionary file, with the line and column of every field and of every misplaced quote.
//!
//! `csv-core` splits a line with quotes into fields and removes the quotes. It works field by field, so the column of
//! each one is known, and it starts again on the next line after a mistake. A quote inside an unquoted field is ordinary
//! text.

use std::borrow::Cow;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder, Terminator};

use super::problem::{DictionaryRule, PhraseSide};
use crate::input::problem::column_after;

/// One field of a record.
pub(super) struct DictionaryCsvField<'a> {
    /// The column the field starts in, quote included.
    pub column: u32,
    /// The text without its quotes.
    pub text: Cow<'a, str>,
}

/// One record: a line, or more if a quoted field contains line breaks.
pub(super) struct DictionaryCsvRecord<'a> {
    /// The line the record starts on, from 1.
    pub line: u32,
    /// The fields; empty if the line is not UTF-8.
    pub fields: Vec<DictionaryCsvField<'a>>,
    /// Line, column and broken rule of every misplaced quote and quoted line break.
    pub faults: Vec<(u32, u32, DictionaryRule)>,
    /// The line, if it is not UTF-8.
    pub not_utf8: Option<InvalidUtf8Line<'a>>,
}

/// A line that is not UTF-8.
pub(super) struct InvalidUtf8Line<'a> {
    /// The part of the line before the first invalid byte.
    pub valid: &'a [u8],
    /// Offset of the first invalid byte, from the start of the input.
    pub offset: usize,
}

/// Reads one record after the other and skips blank lines.
pub(super) struct DictionaryCsvReader<'a> {
    bytes: &'a [u8],
    /// Offset of the next unread line.
    next_line: usize,
    /// Number of the last line that was read.
    line: u32,
    parser: Reader,
    /// The current field without its quotes.
    unquoted: Vec<u8>,
}

/// What the parser found at the start of its input.
struct ParsedField {
    /// Length in the input, quotes included, separator excluded.
    length: usize,
    /// Length of the unquoted text.
    unquoted: usize,
    /// Whether the record ends here.
    is_last: bool,
}

impl<'a> DictionaryCsvReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        // A carriage return inside a line is text, so that it is reported with its column.
        let parser = ReaderBuilder::new().terminator(Terminator::Any(b'\n')).build();
        Self { bytes, next_line: 0, line: 0, parser, unquoted: Vec::new() }
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
                Ok(text) => return Some(self.record(start, text)),
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

    /// Reads the record that starts with `line`, which is at offset `start`.
    fn record(&mut self, start: usize, line: &'a str) -> DictionaryCsvRecord<'a> {
        let mut record =
            DictionaryCsvRecord { line: self.line, fields: Vec::with_capacity(4), faults: Vec::new(), not_utf8: None };
        let column_at = |offset: usize| column_after(line.get(..offset).unwrap_or_default());
        // Most lines have no quotes. Splitting them at commas takes half the time.
        if memchr::memchr(b'"', line.as_bytes()).is_none() {
            let mut offset = 0;
            for text in line.split(',') {
                record.fields.push(DictionaryCsvField { column: column_at(offset), text: Cow::Borrowed(text) });
                offset += text.len() + 1;
            }
            return record;
        }
        self.parser.reset();
        let mut offset = 0;
        loop {
            let rest = line.get(offset..).unwrap_or_default();
            let field = self.parse_field(rest.as_bytes());
            let raw = rest.get(..field.length).unwrap_or_default();
            let column = column_at(offset);
            let text = match raw.strip_prefix('"') {
                None => Cow::Borrowed(raw),
                Some(quoted) => {
                    let Some(end) = closing_quote(quoted.as_bytes()) else {
                        self.multiline_field(start + offset + 1, column_after(line), column, &mut record);
                        return record;
                    };
                    if end + 1 < quoted.len() {
                        record.faults.push((record.line, column_at(offset + end + 2), DictionaryRule::Quotes));
                    }
                    match quoted.get(..end).unwrap_or_default() {
                        text if text.contains('"') => self.unquoted(field.unquoted),
                        text => Cow::Borrowed(text),
                    }
                }
            };
            record.fields.push(DictionaryCsvField { column, text });
            if field.is_last {
                return record;
            }
            offset += field.length + 1;
        }
    }

    /// Parses the first field of the rest of a line.
    fn parse_field(&mut self, rest: &[u8]) -> ParsedField {
        if self.unquoted.len() <= rest.len() {
            self.unquoted.resize(rest.len() + 1, 0);
        }
        let (mut consumed, mut unquoted) = (0, 0);
        loop {
            let input = rest.get(consumed..).unwrap_or_default();
            let output = self.unquoted.get_mut(unquoted..).unwrap_or_default();
            let (result, read, written) = self.parser.read_field(input, output);
            consumed += read;
            unquoted += written;
            match result {
                // An empty input, which the next turn passes, is the end of the line.
                ReadFieldResult::InputEmpty => {}
                ReadFieldResult::Field { record_end: false } => {
                    return ParsedField { length: consumed - 1, unquoted, is_last: false };
                }
                ReadFieldResult::Field { record_end: true } | ReadFieldResult::End | ReadFieldResult::OutputFull => {
                    return ParsedField { length: consumed, unquoted, is_last: true };
                }
            }
        }
    }

    fn unquoted(&self, length: usize) -> Cow<'a, str> {
        let bytes = self.unquoted.get(..length).unwrap_or_default();
        Cow::Owned(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Reports a quoted field that does not end on its line, and continues after the line its quote closes on.
    ///
    /// `opened` is the offset after the opening quote. Without a closing quote only this line is lost, so that the
    /// lines after it are checked.
    fn multiline_field(&mut self, opened: usize, line_end: u32, column: u32, record: &mut DictionaryCsvRecord<'a>) {
        let side = if record.fields.is_empty() { PhraseSide::Source } else { PhraseSide::Target };
        // The number of fields is unknown. With two of them only the quotes are reported.
        record.fields.resize_with(2, || DictionaryCsvField { column, text: Cow::Borrowed("") });
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

/// The line at an offset, without its line feed.
fn line_at(bytes: &[u8], start: usize) -> &[u8] {
    let rest = bytes.get(start..).unwrap_or_default();
    rest.get(..memchr::memchr(b'\n', rest).unwrap_or(rest.len())).unwrap_or_default()
}

fn trim_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The offset of the first quote that is not doubled.
fn closing_quote(quoted: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'"', quoted.get(at..)?) {
        if quoted.get(at + found + 1) == Some(&b'"') {
            at += found + 2;
        } else {
            return Some(at + found);
        }
    }
    None
}
