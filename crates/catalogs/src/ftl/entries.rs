//! Parses a Fluent file into messages and terms with their comments. Invalid text belongs to no entry.

use std::ops::Range;

use super::scan::{FtlScanner, ScannedPattern};
use crate::edit::next_line;

#[derive(Debug)]
pub(super) struct FtlEntry {
    /// The name, including the `-` of a term.
    pub id: Range<usize>,
    /// The start of the comment, or of the line if there is none.
    pub start: usize,
    pub line: usize,
    /// Excludes the line ending.
    pub end: usize,
    /// The position after its `=`.
    pub value_at: usize,
    pub value: Option<ScannedPattern>,
    pub attributes: Vec<FtlAttribute>,
}

#[derive(Debug)]
pub(super) struct FtlAttribute {
    pub name: Range<usize>,
    /// The end of the line before the attribute, so that the range includes that line ending.
    pub start: usize,
    pub end: usize,
    pub indent: usize,
    pub value_at: usize,
    pub value: ScannedPattern,
}

/// Returns the entries of a file, and the number of invalid entries.
pub(super) fn entries(text: &str) -> (Vec<FtlEntry>, u64) {
    let mut entries = Vec::new();
    let mut comment = None;
    let (mut junk, mut is_junk) = (0, false);
    let mut at = 0;
    while at < text.len() {
        let line = text.get(at..).unwrap_or_default();
        if line.starts_with('#') {
            let is_own =
                line.strip_prefix('#').is_some_and(|rest| rest.starts_with([' ', '\r', '\n']) || rest.is_empty());
            comment = if is_own { comment.or(Some(at)) } else { None };
            is_junk = false;
            at = next_line(text, at);
            continue;
        }
        let start = comment.take().unwrap_or(at);
        let is_name = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-');
        if let Some(entry) = is_name.then(|| entry(text, at, start)).flatten() {
            at = next_line(text, entry.end);
            entries.push(entry);
            is_junk = false;
        } else {
            let end = next_line(text, at);
            let is_blank = text.get(at..end).unwrap_or_default().trim().is_empty();
            // A line that does not start with a name belongs to the invalid entry before it.
            junk += u64::from(is_name || !(is_blank || is_junk));
            is_junk |= !is_blank;
            at = end;
        }
    }
    (entries, junk)
}

fn entry(text: &str, line: usize, start: usize) -> Option<FtlEntry> {
    let mut scanner = FtlScanner::new(text, line);
    let is_term = scanner.take(b'-');
    let name = scanner.identifier()?;
    scanner.skip_spaces();
    if !scanner.take(b'=') {
        return None;
    }
    let value_at = scanner.at;
    let value = scanner.pattern();
    if value.is_none() {
        // A message may have only attributes. If the pattern is invalid, look for them on its first line.
        scanner = FtlScanner::new(text, value_at);
        scanner.skip_spaces();
    }
    let mut end = value.as_ref().map_or(value_at, |_| scanner.at);
    let mut attributes = Vec::new();
    while let Some((attribute, after)) = attribute(text, scanner.at) {
        scanner = after;
        end = attribute.end;
        attributes.push(attribute);
    }
    let is_complete = if is_term { value.is_some() } else { value.is_some() || !attributes.is_empty() };
    (is_complete && scanner.take_line_end()).then_some(FtlEntry {
        id: line..name.end,
        start,
        line,
        end,
        value_at,
        value,
        attributes,
    })
}

fn attribute(text: &str, at: usize) -> Option<(FtlAttribute, FtlScanner<'_>)> {
    let mut scanner = FtlScanner::new(text, at);
    let mut indent = 0;
    let mut start = at;
    while scanner.at < text.len() && scanner.peek() != Some(b'.') {
        start = scanner.at;
        if !scanner.take_line_end() {
            return None;
        }
        indent = scanner.skip_spaces();
    }
    if start == scanner.at || !scanner.take(b'.') {
        return None;
    }
    let name = scanner.identifier()?;
    scanner.skip_spaces();
    if !scanner.take(b'=') {
        return None;
    }
    let value_at = scanner.at;
    let value = scanner.pattern()?;
    let end = scanner.at;
    // The attribute must end the line. The scanner stays before the line ending.
    let mut after = FtlScanner::new(text, end);
    after.take_line_end().then_some(())?;
    Some((FtlAttribute { name, start, end, indent, value_at, value }, scanner))
}

pub(super) fn note(text: &str, entry: &FtlEntry) -> Option<String> {
    let lines = text.get(entry.start..entry.line).unwrap_or_default().lines();
    let lines: Vec<&str> = lines.map(|line| line.trim_start_matches('#').trim()).collect();
    let note = lines.join("\n");
    (!note.trim().is_empty()).then(|| note.trim().to_owned())
}
