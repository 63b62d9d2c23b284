//! Writes lines of JSON with their results.

use std::io::{self, Write};
use std::ops::Range;

use super::JsonLinesOptions;
use super::string::{StringText, is_ascii_style, write_string};
use crate::{Record, ResultRow, ResultWriter, Slot, splice, write_text};

pub(super) struct JsonLinesWriter {
    /// Languages of the members to add; empty to replace the sources.
    added: Vec<String>,
}

impl JsonLinesWriter {
    pub(super) fn new(options: &JsonLinesOptions, targets: &[String]) -> Self {
        Self { added: if options.added.is_empty() { Vec::new() } else { targets.to_vec() } }
    }

    /// Adds members for one source. Their names are the name of the source with `_` and the language.
    fn write_members(&self, row: &ResultRow, source: &SourceMember, out: &mut dyn Write) -> io::Result<()> {
        let bytes = &row.record.bytes;
        let part = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        for (target, language) in self.added.iter().enumerate() {
            if row.results.get(target).is_none_or(Option::is_none) {
                continue;
            }
            out.write_all(b",")?;
            out.write_all(part(&source.space))?;
            out.write_all(part(&source.name))?;
            write!(out, "_{language}")?;
            out.write_all(part(&source.colon))?;
            match source.slot {
                Some(slot) if row.text(target, slot) != row.record.text(slot) => {
                    let raw = str::from_utf8(part(&source.string)).unwrap_or_default();
                    let text = StringText::new(raw).unwrap_or_default().span;
                    out.write_all(raw.get(..text.start).unwrap_or_default().as_bytes())?;
                    if let Some(slot_data) = row.record.slots.get(slot) {
                        let original = raw.get(text.clone()).unwrap_or_default();
                        write_result(slot_data, original, row.text(target, slot).unwrap_or_default(), out)?;
                    }
                    out.write_all(raw.get(text.end..).unwrap_or_default().as_bytes())?;
                }
                _ => out.write_all(part(&source.string))?,
            }
            out.write_all(b"\"")?;
        }
        Ok(())
    }
}

impl ResultWriter for JsonLinesWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        let record = &row.record;
        if self.added.is_empty() {
            return splice(row, 0, out, |slot, text, out| {
                let source = record.bytes.get(slot.byte_range()).and_then(|bytes| str::from_utf8(bytes).ok());
                write_result(slot, source.unwrap_or_default(), text, out)
            });
        }
        let mut done = 0;
        for source in source_members(record) {
            let end = source.string.end + 1;
            out.write_all(record.bytes.get(done..end).unwrap_or_default())?;
            self.write_members(row, &source, out)?;
            done = end;
        }
        out.write_all(record.bytes.get(done..).unwrap_or_default())
    }
}

/// Writes a result as the content of a string, in the style of its source.
fn write_result(slot: &Slot, source: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut json = Vec::with_capacity(text.len() + 16);
    let ascii = !text.is_ascii() && is_ascii_style(source);
    if slot.crlf {
        let mut lines = Vec::with_capacity(text.len() + 16);
        write_text(slot, text, &mut lines)?;
        write_string(str::from_utf8(&lines).unwrap_or_default(), ascii, &mut json);
    } else {
        write_string(text, ascii, &mut json);
    }
    out.write_all(&json)
}

/// A member that gets results beside it, as ranges of its line.
struct SourceMember {
    /// `None` if the string is only whitespace.
    slot: Option<usize>,
    /// Whitespace to write after the comma.
    space: Range<usize>,
    /// The name with its opening quote.
    name: Range<usize>,
    /// From the closing quote of the name to the opening quote of the string.
    colon: Range<usize>,
    string: Range<usize>,
}

fn source_members(record: &Record) -> Vec<SourceMember> {
    let slots = record.slots.iter().enumerate().map(|(i, slot)| (slot.text_start as usize, Some(i)));
    let blanks = record.blanks.iter().map(|blank| (blank.start as usize, None));
    let mut starts: Vec<(usize, Option<usize>)> = slots.chain(blanks).collect();
    starts.sort_unstable();
    starts.into_iter().filter_map(|(at, slot)| SourceMember::around(&record.bytes, at, slot)).collect()
}

impl SourceMember {
    /// Finds the parts of a member from the start of its text.
    ///
    /// Only whitespace can precede the text in its string, so the nearest quote before it opens the string.
    fn around(bytes: &[u8], text_start: usize, slot: Option<usize>) -> Option<Self> {
        let quote = memchr::memrchr(b'"', bytes.get(..text_start)?)?;
        let string = quote + 1..quote + 1 + string_len(bytes.get(quote + 1..)?)?;
        let name_end = memchr::memrchr(b'"', bytes.get(..quote)?)?;
        let name_start = opening_quote(bytes.get(..name_end)?)?;
        let after = bytes.get(string.end + 1..)?;
        let space = match json_whitespace_len(after) {
            // Use the whitespace after the next comma, or else the whitespace before this member.
            len if after.get(len) == Some(&b',') => {
                let start = string.end + 1 + len + 1;
                start..start + json_whitespace_len(bytes.get(start..)?)
            }
            _ => {
                let before = bytes.get(..name_start)?;
                let start = before.len() - before.iter().rev().take_while(|byte| is_json_whitespace(**byte)).count();
                if start > 0 && bytes.get(start - 1) == Some(&b',') {
                    start..name_start
                } else {
                    // It is the only member: use the whitespace after its colon.
                    let colon = name_end + memchr::memchr(b':', bytes.get(name_end..quote)?)? + 1;
                    colon..quote
                }
            }
        };
        Some(Self { slot, space, name: name_start..name_end, colon: name_end..quote + 1, string })
    }
}

/// Returns the length of the string content at the start of `bytes`.
fn string_len(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let next = at + memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(next) == Some(&b'"') {
            return Some(next);
        }
        at = next + 2;
    }
}

/// Returns the last unescaped quote, which opens the name that ends here.
fn opening_quote(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr_iter(b'"', bytes).find(|at| *at == 0 || bytes.get(at - 1) != Some(&b'\\'))
}

fn is_json_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn json_whitespace_len(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_json_whitespace(**byte)).count()
}
