//! Turns changes of a `.strings` file into edits of values, and insertions and removals of entries with their comments
//! and the blank lines between them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::CatalogError;
use super::super::catalog::UnitText;
use super::super::edit::{Edit, newline_of, previous_line};
use super::entries::{StringsEntry, quoted};
use crate::catalog::{Change, UnitKeyPart};

/// `units` are the positions of the entries that are units.
pub fn edits(
    text: &str,
    entries: &[StringsEntry],
    units: &[usize],
    changes: &[Change<'_>],
) -> Result<Vec<Edit>, CatalogError> {
    let removed = changes.iter().filter_map(|change| match change {
        Change::Remove { unit } => units.get(*unit).copied(),
        _ => None,
    });
    let line_end = newline_of(text);
    let editor = StringsEditor { text, entries, removed: removed.collect(), line_end };
    let mut edits = editor.removals();
    let mut new_lines = Vec::new();
    for change in changes {
        match change {
            Change::Set { unit, text, .. } => {
                let Some(entry) = units.get(*unit).and_then(|number| entries.get(*number)) else { continue };
                edits.extend(set(entry, single(text, entry.key_range.start)?));
            }
            Change::Insert { like, text, after, before } => {
                let place = |unit: Option<usize>| units.get(unit?).copied();
                let Some(UnitKeyPart::Name(key)) = like.key.0.last() else {
                    return Err(CatalogError::new(0, "a .strings file has no lists"));
                };
                let new = NewStringsEntry { key, text: single(text, 0)?, note: like.note.as_deref() };
                match editor.find_neighbour(place(*after), place(*before)) {
                    Some((number, is_after)) => edits.extend(editor.insertion(&new, number, is_after)),
                    None => new_lines.push(editor.lines(&new, "", " = ")),
                }
            }
            Change::Remove { .. } => {}
        }
    }
    if !new_lines.is_empty() {
        edits.push(editor.insert_into_empty(&new_lines.join(line_end)));
    }
    Ok(edits)
}

struct NewStringsEntry<'a> {
    key: &'a str,
    text: &'a str,
    note: Option<&'a str>,
}

fn single(text: &UnitText, at: usize) -> Result<&str, CatalogError> {
    let hint = "write them to a .stringsdict file";
    text.single(at, "a .strings file has no plurals").map_err(|error| error.hint(hint))
}

fn set(entry: &StringsEntry, text: &str) -> Option<Edit> {
    let new = quoted(text);
    match &entry.value {
        Some(value) if value.text == text => None,
        Some(value) => Some(Edit::replace(value.range.clone(), new)),
        None if entry.key == text => None,
        None => Some(Edit::insert(entry.key_range.end, [" = ", &new].concat())),
    }
}

struct StringsEditor<'a> {
    text: &'a str,
    entries: &'a [StringsEntry],
    removed: BTreeSet<usize>,
    line_end: &'static str,
}

impl StringsEditor<'_> {
    /// Consecutive entries are removed together, with the whitespace on one side.
    fn removals(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut numbers = self.removed.iter().copied().peekable();
        while let Some(first) = numbers.next() {
            let mut last = first;
            while let Some(next) = numbers.next_if(|next| *next == last + 1 && self.is_following_previous(*next)) {
                last = next;
            }
            let (Some(start), Some(end)) = (self.entries.get(first), self.entries.get(last)) else { continue };
            let before =
                first.checked_sub(1).filter(|_| self.is_following_previous(first)).and_then(|it| self.entries.get(it));
            let after = self.entries.get(last + 1).filter(|_| self.is_following_previous(last + 1));
            let range = match (before, after) {
                (Some(before), _) => before.range.end..end.range.end,
                (None, Some(after)) => start.range.start..after.range.start,
                (None, None) => self.line_start(start.range.start)..end.range.end,
            };
            edits.push(Edit::remove(range));
        }
        edits
    }

    fn is_following_previous(&self, number: usize) -> bool {
        self.entries.get(number).is_some_and(|entry| entry.follows_previous)
    }

    /// Returns the start of the line ending and indentation before `at`, or `at` if other text precedes it on the line.
    fn line_start(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
        let line = before.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        line.map_or(if before.is_empty() { 0 } else { at }, str::len)
    }

    /// Returns the entry next to which a new one is inserted (`true` means after it); `None` if no entry stays.
    fn find_neighbour(&self, after: Option<usize>, before: Option<usize>) -> Option<(usize, bool)> {
        let is_kept = |number: &usize| *number < self.entries.len() && !self.removed.contains(number);
        let back = |from: usize| (0..from).rev().find(is_kept).map(|number| (number, true));
        let on = |from: usize| (from..self.entries.len()).find(is_kept).map(|number| (number, false));
        match (after, before) {
            (Some(after), _) => back(after + 1).or_else(|| on(after + 1)),
            (None, Some(before)) => {
                // Prefer the preceding entry if it is in the same section.
                let previous = before.checked_sub(1).filter(|_| self.is_following_previous(before)).filter(is_kept);
                previous.map(|number| (number, true)).or_else(|| on(before)).or_else(|| back(before))
            }
            (None, None) => back(self.entries.len()),
        }
    }

    fn insertion(&self, new: &NewStringsEntry<'_>, number: usize, is_after: bool) -> Option<Edit> {
        let entry = self.entries.get(number)?;
        let indent = self.indent(entry.range.start);
        let lines = self.lines(new, indent, self.separator(entry));
        // `behind` is the text after the value: the semicolon, and a comment on the same line.
        let value_end = entry.value.as_ref().map_or(entry.key_range.end, |value| value.range.end);
        let behind = self.text.get(value_end..entry.range.end).unwrap_or_default();
        let gap = match self.line_ends_between(number) {
            // After `//`, the rest of the line is a comment.
            gap if gap.is_empty() && is_after && behind.contains("//") => self.line_end.to_owned(),
            gap => gap,
        };
        let indent = if gap.is_empty() { "" } else { indent };
        Some(if is_after {
            Edit::insert(entry.range.end, [&gap, indent, &lines].concat())
        } else {
            Edit::insert(entry.range.start, [&lines, &gap, indent].concat())
        })
    }

    /// Inserts entries into a file in which no other entry stays.
    fn insert_into_empty(&self, lines: &str) -> Edit {
        if let (Some(first), Some(last)) = (self.entries.first(), self.entries.last()) {
            let line_end = if self.line_start(first.range.start) == 0 { "" } else { self.line_end };
            return Edit::insert(last.range.end, [line_end, lines].concat());
        }
        let content = self.text.trim_end();
        let breaks = self.text.get(content.len()..).unwrap_or_default().matches('\n').count();
        match breaks {
            _ if content.is_empty() => Edit::insert(0, lines),
            0 => Edit::insert(self.text.len(), [self.line_end, self.line_end, lines].concat()),
            1 => Edit::insert(self.text.len(), [self.line_end, lines, self.line_end].concat()),
            _ => {
                let last_line = previous_line(self.text, self.text.len()).unwrap_or(self.text.len());
                Edit::insert(last_line, [self.line_end, lines].concat())
            }
        }
    }

    /// The first line is not indented.
    fn lines(&self, new: &NewStringsEntry<'_>, indent: &str, equals: &str) -> String {
        let mut out = String::new();
        if let Some(note) = new.note {
            let note = note.replace("*/", "* /").replace('\r', "");
            let note = note.replace('\n', &[self.line_end, indent, "   "].concat());
            out.extend(["/* ", &note, " */", self.line_end, indent]);
        }
        out.extend([&quoted(new.key), equals, &quoted(new.text), ";"]);
        out
    }

    /// Returns the line endings between an entry and its neighbour.
    fn line_ends_between(&self, number: usize) -> String {
        let between = |first: usize, second: usize| {
            let start = self.entries.get(first)?.range.end;
            let range: Range<usize> = start..self.entries.get(second).filter(|next| next.follows_previous)?.range.start;
            Some(self.text.get(range).unwrap_or_default().matches('\n').count())
        };
        let before = number.checked_sub(1).and_then(|before| between(before, number));
        let breaks = before.or_else(|| between(number, number + 1)).unwrap_or(1);
        self.line_end.repeat(breaks.min(2))
    }

    /// Returns the text between key and value, if it is only spaces and `=`.
    fn separator(&self, entry: &StringsEntry) -> &str {
        let range = entry.value.as_ref().map(|value| entry.key_range.end..value.range.start);
        let equals = range.and_then(|range| self.text.get(range)).unwrap_or_default();
        if equals.trim_matches(' ') == "=" { equals } else { " = " }
    }

    /// Returns the whitespace before `at`, if nothing else precedes `at` on its line.
    fn indent(&self, at: usize) -> &str {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.trim_end_matches([' ', '\t']);
        before.get(line.len()..).filter(|_| line.is_empty() || line.ends_with('\n')).unwrap_or_default()
    }
}
