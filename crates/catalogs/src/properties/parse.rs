//! Parses the keys and values of a properties file.

use std::ops::Range;

use crate::CatalogError;
use crate::edit::line_end_len;

#[derive(Debug, Default)]
pub struct PropertyEntry {
    /// Includes the comment directly above.
    pub start: usize,
    pub key_start: usize,
    pub key_end: usize,
    pub key: String,
    /// Whether anything separates the key from the value; with `has_delimiter`, it contains `=` or `:`.
    pub has_separator: bool,
    pub has_delimiter: bool,
    pub value: Range<usize>,
    pub text: String,
    /// The comment directly above.
    pub note: Option<String>,
    /// Excludes the line ending.
    pub end: usize,
}

impl PropertyEntry {
    /// The range between key and value.
    pub fn separator(&self) -> Range<usize> {
        self.key_end..self.value.start
    }

    pub fn indent<'t>(&self, text: &'t str) -> &'t str {
        let before = text.get(..self.key_start).unwrap_or_default();
        before.get(before.trim_end_matches(BLANKS).len()..).unwrap_or_default()
    }
}

/// Whitespace that separates keys from values, and is ignored at the start of lines.
const BLANKS: [char; 3] = [' ', '\t', '\u{c}'];

/// Fails at an invalid `\u` escape.
pub fn parse(text: &str) -> Result<Vec<PropertyEntry>, CatalogError> {
    let mut entries = Vec::new();
    let mut at = 0;
    let mut comment: Option<(usize, Vec<&str>)> = None;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start_matches(BLANKS);
        let start = text.len() - trimmed.len();
        match trimmed.as_bytes().first() {
            None | Some(b'\n' | b'\r') => {
                comment = None;
                at = start + line_end_len(trimmed);
            }
            // A line with only a backslash is not continued, so the next line may be a comment.
            Some(b'\\') if trimmed.get(1..).is_some_and(|rest| line_end_len(rest) > 0) => {
                comment = None;
                at = start + 1 + line_end_len(trimmed.get(1..).unwrap_or_default());
            }
            Some(b'#' | b'!') => {
                let length = memchr::memchr2(b'\n', b'\r', trimmed.as_bytes()).unwrap_or(trimmed.len());
                let line = trimmed.get(1..length).unwrap_or_default();
                comment.get_or_insert((at, Vec::new())).1.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
                at = start + length + line_end_len(trimmed.get(length..).unwrap_or_default());
            }
            Some(_) => {
                let mut line = LogicalLine { text, at: start, end: start };
                let entry = read_entry(&mut line)?;
                let above = comment.take();
                let start = above.as_ref().map_or(at, |(start, _)| *start);
                let note = above.map(|(_, lines)| lines.join("\n")).filter(|note| !note.trim().is_empty());
                at = line.at + line_end_len(text.get(line.at..).unwrap_or_default());
                entries.extend(entry.map(|entry| PropertyEntry { start, note, ..entry }));
            }
        }
    }
    Ok(entries)
}

/// Returns `None` if the line is only a backslash.
fn read_entry(line: &mut LogicalLine<'_>) -> Result<Option<PropertyEntry>, CatalogError> {
    let mut entry = PropertyEntry { key_start: line.at, ..PropertyEntry::default() };
    let mut next = line.next()?;
    if next.is_none() {
        return Ok(None);
    }
    while let Some(read) = next.as_ref().filter(|read| read.is_escaped || !is_separator(read.c)) {
        entry.key.push(read.c);
        entry.key_end = line.at;
        next = line.next()?;
    }
    if entry.key.is_empty() {
        entry.key_end = entry.key_start;
    }
    while let Some(read) = next.as_ref().filter(|read| !read.is_escaped && is_separator(read.c)) {
        if matches!(read.c, '=' | ':') {
            if entry.has_delimiter {
                break;
            }
            entry.has_delimiter = true;
        }
        entry.has_separator = true;
        next = line.next()?;
    }
    let value = next.as_ref().map(|read| read.at);
    while let Some(read) = next {
        entry.text.push(read.c);
        next = line.next()?;
    }
    entry.end = line.end;
    entry.value = value.unwrap_or(entry.end)..entry.end;
    Ok(Some(entry))
}

fn is_separator(c: char) -> bool {
    BLANKS.contains(&c) || matches!(c, '=' | ':')
}

#[derive(Debug)]
struct PropertyChar {
    at: usize,
    c: char,
    is_escaped: bool,
}

#[derive(Debug)]
struct LogicalLine<'t> {
    text: &'t str,
    at: usize,
    /// Before the line ending, or before a backslash at the end of the file.
    end: usize,
}

impl LogicalLine<'_> {
    fn next(&mut self) -> Result<Option<PropertyChar>, CatalogError> {
        loop {
            let at = self.at;
            let rest = self.text.get(at..).unwrap_or_default();
            let mut chars = rest.chars();
            self.end = at;
            match chars.next() {
                None | Some('\n' | '\r') => return Ok(None),
                Some('\\') => {}
                Some(c) => {
                    self.at += c.len_utf8();
                    return Ok(Some(PropertyChar { at, c, is_escaped: false }));
                }
            }
            let rest = chars.as_str();
            let c = match chars.next() {
                None => {
                    self.at = self.text.len();
                    return Ok(None);
                }
                Some('\n' | '\r') => {
                    let next = rest.get(line_end_len(rest)..).unwrap_or_default().trim_start_matches(BLANKS);
                    self.at = self.text.len() - next.len();
                    continue;
                }
                Some('u') => {
                    self.at = at + 6;
                    let unit = self.code_unit(at)?;
                    let c = self.character(unit, at)?;
                    return Ok(Some(PropertyChar { at, c, is_escaped: true }));
                }
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('f') => '\u{c}',
                Some(c) => c,
            };
            self.at = self.text.len() - chars.as_str().len();
            return Ok(Some(PropertyChar { at, c, is_escaped: true }));
        }
    }

    /// There is an escape such as `\u00E9` at `at`.
    fn code_unit(&self, at: usize) -> Result<u16, CatalogError> {
        let digits = self.text.get(at..at + 6).and_then(|escape| escape.strip_prefix("\\u"));
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        unit.ok_or_else(|| CatalogError::new(at, "`\\u` must be followed by four hexadecimal digits"))
    }

    /// Consumes the second escape of a surrogate pair.
    fn character(&mut self, unit: u16, at: usize) -> Result<char, CatalogError> {
        let mut units = vec![unit];
        if (0xd800..0xdc00).contains(&unit)
            && let Ok(second) = self.code_unit(self.at)
        {
            units.push(second);
            self.at += 6;
        }
        let mut chars = char::decode_utf16(units);
        let lone = || CatalogError::new(at, "half a surrogate pair is missing");
        let c = chars.next().and_then(Result::ok).ok_or_else(lone)?;
        if chars.next().is_some() { Err(lone()) } else { Ok(c) }
    }
}
