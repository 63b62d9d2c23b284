//! CSV of dictionaries: records with the line and column of each field, quoted line breaks found and told.
//!
//! A reader of its own, since it must say the column of every field and go on after every fault. A quote inside a field
//! that does not start with one is ordinary text. Spec: "Glossaries", CSV.

use std::borrow::Cow;

use super::column_after;
use super::problem::{Rule, Side};

/// One field and the column it starts in.
pub(super) struct Field<'a> {
    pub column: u32,
    pub text: Cow<'a, str>,
}

/// One record; a line, or more where a quoted field holds line breaks.
pub(super) struct Record<'a> {
    pub line: u32,
    pub fields: Vec<Field<'a>>,
    pub faults: Vec<(u32, u32, Rule)>,
    /// Line, its bytes, how many of them are UTF-8, offset of the line.
    pub not_utf8: Option<(u32, &'a [u8], usize, usize)>,
}

/// Reads records one after the other; blank lines are skipped.
pub(super) struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Records<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 0 }
    }

    pub(super) fn next(&mut self) -> Option<Record<'a>> {
        while self.at < self.bytes.len() {
            let start = self.at;
            let rest = self.bytes.get(start..).unwrap_or_default();
            let length = line_end(rest);
            self.line += 1;
            let raw = trim_cr(rest.get(..length).unwrap_or_default());
            let text = match std::str::from_utf8(raw) {
                Ok(text) => text,
                Err(error) => {
                    self.at = start + length + 1;
                    let not_utf8 = Some((self.line, raw, error.valid_up_to(), start));
                    return Some(Record { line: self.line, fields: Vec::new(), faults: Vec::new(), not_utf8 });
                }
            };
            self.at = start + length + 1;
            if !text.bytes().all(|b| b == b' ') {
                return Some(self.record(start, text));
            }
        }
        None
    }

    /// The record that starts with `text`, the line at `start`.
    fn record(&mut self, start: usize, text: &'a str) -> Record<'a> {
        let first = self.line;
        let mut record = Record { line: first, fields: Vec::new(), faults: Vec::new(), not_utf8: None };
        let mut rest = text;
        loop {
            let column = column_after(text.get(..text.len() - rest.len()).unwrap_or_default());
            let Some(quoted) = rest.strip_prefix('"') else {
                let (field, more) = rest.split_once(',').map_or((rest, None), |(field, more)| (field, Some(more)));
                record.fields.push(Field { column, text: field.into() });
                match more {
                    Some(more) => rest = more,
                    None => return record,
                }
                continue;
            };
            let Some(end) = closing_quote(quoted) else {
                self.over_lines(start, text, column, &mut record);
                return record;
            };
            let field = quoted.get(..end).unwrap_or_default();
            let field = if field.contains('"') { field.replace("\"\"", "\"").into() } else { field.into() };
            record.fields.push(Field { column, text: field });
            let after = quoted.get(end + 1..).unwrap_or_default();
            match after.strip_prefix(',') {
                Some(more) => rest = more,
                None if after.is_empty() => return record,
                None => {
                    let place = column_after(text.get(..text.len() - after.len()).unwrap_or_default());
                    record.faults.push((first, place, Rule::Quotes));
                    match after.split_once(',') {
                        Some((_, more)) => rest = more,
                        None => return record,
                    }
                }
            }
        }
    }

    /// A quoted field that does not end on its line: up to its closing quote if there is one, each break a fault.
    ///
    /// Without a closing quote only this line is lost, so that the lines after it are checked.
    fn over_lines(&mut self, start: usize, text: &str, column: u32, record: &mut Record<'a>) {
        let side = if record.fields.is_empty() { Side::Source } else { Side::Target };
        let opened = start + byte_of(text, column) + 1;
        let quoted = self.bytes.get(opened..).unwrap_or_default();
        let Some(end) = closing_quote_bytes(quoted) else {
            record.faults.push((self.line, column, Rule::Quotes));
            fill(record, column);
            return;
        };
        let mut inside = column_after(text);
        let mut from = opened;
        for at in memchr::memchr_iter(b'\n', quoted.get(..end).unwrap_or_default()) {
            record.faults.push((self.line, inside, Rule::Newline { side, c: '\n' }));
            self.line += 1;
            from = opened + at + 1;
            let line = self.bytes.get(from..).unwrap_or_default();
            let line = trim_cr(line.get(..line_end(line)).unwrap_or_default());
            inside = column_after(&String::from_utf8_lossy(line));
        }
        let last = self.bytes.get(from..).unwrap_or_default();
        self.at = from + line_end(last) + 1;
        fill(record, column);
    }
}

/// The record is refused for another reason than its number of fields, which is not known.
fn fill(record: &mut Record<'_>, column: u32) {
    while record.fields.len() < 2 {
        record.fields.push(Field { column, text: Cow::Borrowed("") });
    }
    record.fields.truncate(2);
}

/// The byte where a column starts.
fn byte_of(text: &str, column: u32) -> usize {
    text.char_indices().nth(column as usize - 1).map_or(text.len(), |(at, _)| at)
}

fn line_end(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())
}

fn trim_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn closing_quote(quoted: &str) -> Option<usize> {
    closing_quote_bytes(quoted.as_bytes())
}

/// The first quote that is not doubled.
fn closing_quote_bytes(quoted: &[u8]) -> Option<usize> {
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
