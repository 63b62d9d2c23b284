//! Java properties files: a key and a text on each logical line, which may span several lines.
//!
//! Input: the text of a file, and changes of leaves. Output: a leaf per key, and edits.

mod parse;
#[cfg(test)]
mod tests;

use super::Dialect;
use crate::{CatalogKind, TreeFormat};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use self::parse::{PropertyEntry, parse};
use super::edit::{first_newline_of, join_ranges, line_end_len, previous_line};
use super::{CatalogError, DuplicateKey, Edit, Leaf, LeafChange, LeafFormat, LeafTree, UnitKey, UnitKeyPart};

pub const KIND: CatalogKind = CatalogKind {
    name: "properties",
    help: "Java properties",
    extensions: &["properties"],
    format: &TreeFormat(PropertiesFormat),
    syntax: None,
    is_bilingual: false,
};

#[derive(Debug)]
pub struct PropertiesFormat;

impl LeafFormat for PropertiesFormat {
    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Spring, Dialect::Icu]
    }

    fn leaves(&self, text: &str) -> Result<LeafTree, CatalogError> {
        let entries = parse(text)?;
        let effective = effective_entries(&entries);
        let mut tree = LeafTree::default();
        for (at, entry) in entries.into_iter().enumerate() {
            let key = UnitKey::name(entry.key);
            if effective.binary_search(&at).is_ok() {
                tree.leaves.push(Leaf { key, text: Some(entry.text), note: entry.note, at: entry.value.start });
            } else {
                tree.duplicates.push(DuplicateKey { key, at: entry.key_start });
            }
        }
        Ok(tree)
    }

    fn leaf_edits(&self, text: &str, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError> {
        let entries = parse(text)?;
        let effective = effective_entries(&entries);
        let style = PropertyStyle::of(text, &entries);
        let mut delimited =
            entries.iter().filter(|entry| entry.has_delimiter).filter_map(|entry| separator_of(text, entry));
        let separator = delimited.next().unwrap_or("=");
        PropertyWriter { text, entries, effective, style, separator }.edits(changes)
    }
}

/// Returns the position of the last entry of each key.
fn effective_entries(entries: &[PropertyEntry]) -> Vec<usize> {
    let last: HashMap<&str, usize> = entries.iter().enumerate().map(|(at, entry)| (entry.key.as_str(), at)).collect();
    let counts = |(at, entry): (usize, &PropertyEntry)| (last.get(entry.key.as_str()) == Some(&at)).then_some(at);
    entries.iter().enumerate().filter_map(counts).collect()
}

/// Returns `None` if the separator spans lines.
fn separator_of<'t>(text: &'t str, entry: &PropertyEntry) -> Option<&'t str> {
    let separator = text.get(entry.separator())?;
    (!separator.is_empty() && !separator.contains(['\\', '\n', '\r'])).then_some(separator)
}

#[derive(Clone, Copy, Debug)]
struct PropertyStyle {
    /// Whether non-ASCII characters are written without escapes.
    is_raw: bool,
    /// Whether escapes have lowercase digits: `\u00e4`, not `\u00E4`.
    has_small_digits: bool,
    line_end: &'static str,
}

impl PropertyStyle {
    /// Ignores comments, because they do not show how the file is decoded.
    fn of(text: &str, entries: &[PropertyEntry]) -> Self {
        let raw = |entry: &PropertyEntry| text.get(entry.key_start..entry.end).unwrap_or_default();
        let small = |raw: &str| {
            let mut escapes = raw.split("\\u").skip(1);
            escapes.any(|escape| escape.bytes().take(4).any(|byte| matches!(byte, b'a'..=b'f')))
        };
        Self {
            is_raw: entries.iter().any(|entry| !raw(entry).is_ascii()),
            has_small_digits: entries.iter().any(|entry| small(raw(entry))),
            line_end: first_newline_of(text),
        }
    }

    fn push(self, out: &mut String, c: char) {
        match c {
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(c),
            c if self.is_raw && !c.is_control() => out.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let digits = if self.has_small_digits { format!("{unit:04x}") } else { format!("{unit:04X}") };
                    out.extend(["\\u", &digits]);
                }
            }
        }
    }

    /// `has_delimiter` tells whether the separator before the value contains `=` or `:`.
    fn value(self, text: &str, has_delimiter: bool) -> String {
        let mut out = String::with_capacity(text.len());
        for (at, c) in text.char_indices() {
            if at == 0 && (c == ' ' || (!has_delimiter && matches!(c, '=' | ':'))) {
                out.push('\\');
            }
            self.push(&mut out, c);
        }
        out
    }

    fn key(self, key: &str) -> String {
        let mut out = String::with_capacity(key.len());
        for (at, c) in key.char_indices() {
            if matches!(c, ' ' | '=' | ':') || (at == 0 && matches!(c, '#' | '!')) {
                out.push('\\');
            }
            self.push(&mut out, c);
        }
        out
    }
}

#[derive(Debug)]
struct PropertyWriter<'t> {
    text: &'t str,
    entries: Vec<PropertyEntry>,
    effective: Vec<usize>,
    style: PropertyStyle,
    /// The first separator with `=` or `:`, for new keys.
    separator: &'t str,
}

impl PropertyWriter<'_> {
    fn edits(&self, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError> {
        let mut edits = Vec::new();
        let removed = self.removed(changes)?;
        let mut kept = None;
        let siblings: Vec<Option<usize>> = (0..self.entries.len())
            .map(|at| {
                if !removed.contains(&at) {
                    kept = Some(at);
                }
                kept
            })
            .collect();
        for change in changes {
            match change {
                LeafChange::Set { leaf, text } => edits.extend(self.set(self.entry(*leaf)?.1, text)),
                LeafChange::Insert { key, text, after, before } => {
                    let last = || self.entries.len().checked_sub(1);
                    let place = match (after, before) {
                        (Some(after), _) => Some(self.entry(*after)?.0),
                        (None, Some(before)) => self.entry(*before)?.0.checked_sub(1),
                        (None, None) => last(),
                    };
                    let sibling = place.and_then(|at| *siblings.get(at)?);
                    edits.push(self.insert(key, text, sibling));
                }
                LeafChange::Remove { .. } | LeafChange::RenameRoot { .. } => {}
            }
        }
        let has_insert = changes.iter().any(|change| matches!(change, LeafChange::Insert { .. }));
        edits.extend(self.removals(&removed, removed.len() == self.entries.len() && !has_insert));
        Ok(edits)
    }

    /// Also returns the position of the entry.
    fn entry(&self, leaf: usize) -> Result<(usize, &PropertyEntry), CatalogError> {
        let entry = self.effective.get(leaf).and_then(|at| Some((*at, self.entries.get(*at)?)));
        entry.ok_or_else(|| CatalogError::new(0, "the file has fewer keys than changes"))
    }

    /// Includes all occurrences of a removed key, so that no earlier one becomes effective.
    fn removed(&self, changes: &[LeafChange<'_>]) -> Result<BTreeSet<usize>, CatalogError> {
        let mut keys = BTreeSet::new();
        for change in changes {
            if let LeafChange::Remove { leaf } = change {
                keys.insert(self.entry(*leaf)?.1.key.as_str());
            }
        }
        let entries = self.entries.iter().enumerate();
        Ok(entries.filter(|(_, entry)| keys.contains(entry.key.as_str())).map(|(at, _)| at).collect())
    }

    fn set(&self, entry: &PropertyEntry, text: &str) -> Option<Edit> {
        if entry.text == text {
            return None;
        }
        let added = if entry.has_separator { "" } else { self.separator };
        let value = self.style.value(text, entry.has_delimiter || added.contains(['=', ':']));
        Some(Edit::replace(entry.value.clone(), [added, &value].concat()))
    }

    fn insert(&self, key: &UnitKey, text: &str, sibling: Option<usize>) -> Edit {
        let sibling = sibling.and_then(|at| self.entries.get(at));
        let separator = sibling.and_then(|sibling| separator_of(self.text, sibling));
        let parts = key.0.iter().map(|part| match part {
            UnitKeyPart::Name(name) => name.clone(),
            UnitKeyPart::Item(number) => number.to_string(),
        });
        let key = self.style.key(&parts.collect::<Vec<_>>().join("."));
        // Whitespace alone cannot separate an empty key from its value.
        let separator = separator.filter(|separator| !key.is_empty() || separator.contains(['=', ':']));
        let separator = separator.unwrap_or(self.separator);
        let indent = sibling.or(self.entries.first()).map_or("", |sibling| sibling.indent(self.text));
        let value = self.style.value(text, separator.contains(['=', ':']));
        let line_end = self.style.line_end;
        let place = sibling.map(|sibling| (sibling.end, line_end, "")).or_else(|| {
            let first = self.entries.first()?;
            Some(previous_line(self.text, first.start).map_or((0, "", line_end), |previous| (previous, line_end, "")))
        });
        // In a file with only comments, the first key goes after a blank line, so that no comment becomes its note.
        let (at, before, behind) = place.unwrap_or((self.text.len(), "", line_end));
        // After a carriage return, a line feed would become part of the same line ending.
        let is_cut = before == "\n" && self.text.get(..at).is_some_and(|text| text.ends_with('\r'));
        let before = if is_cut { "\r" } else { before };
        let rest = self.text.trim_end_matches(['\n', '\r', ' ', '\t']);
        let lines = self.text.get(rest.len()..).unwrap_or_default().matches(['\n', '\r']).count() / line_end.len();
        let blank = if self.entries.is_empty() && !rest.is_empty() { 2_usize.saturating_sub(lines) } else { 0 };
        Edit::insert(at, [&line_end.repeat(blank), before, indent, &key, separator, &value, behind].concat())
    }

    fn removals(&self, removed: &BTreeSet<usize>, is_emptied: bool) -> Vec<Edit> {
        let ranges = removed.iter().filter_map(|at| self.entries.get(*at)).map(|entry| {
            let mut start = previous_line(self.text, entry.start).unwrap_or(0);
            if is_emptied {
                // No key stays in the file. Also remove the blank line above the key; inserting a key adds it again.
                start = previous_line(self.text, start).unwrap_or(start);
            }
            start..entry.end
        });
        let has_first = removed.contains(&0) && self.entries.first().is_some_and(|first| first.start == 0);
        let remove = |range: Range<usize>| {
            let rest = self.text.get(range.end..).unwrap_or_default();
            // The first line has no line before it, so its own line ending is removed.
            let more = if has_first && range.start == 0 { line_end_len(rest) } else { 0 };
            Edit::remove(range.start..range.end + more)
        };
        join_ranges(ranges).into_iter().map(remove).collect()
    }
}
