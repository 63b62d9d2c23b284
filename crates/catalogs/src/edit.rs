//! Edits of byte ranges and of complete lines, and functions that find, insert and remove lines.

use std::collections::BTreeSet;
use std::ops::Range;

/// A replacement of a byte range. An empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced bytes.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

impl Edit {
    /// Replaces a range.
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    /// Inserts text before a byte.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }

    /// Removes a range.
    pub fn remove(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }
}

/// Applies edits, which may be in any order but must not overlap. At the same position, insertions come first, in their
/// order.
///
/// Returns `None` if edits overlap or are out of range.
pub fn apply_edits(text: &str, mut edits: Vec<Edit>) -> Option<String> {
    edits.sort_by_key(|edit| (edit.range.start, !edit.range.is_empty()));
    let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut out = String::with_capacity(text.len() + added);
    let mut done = 0;
    for edit in edits {
        out.push_str(text.get(done..edit.range.start)?);
        out.push_str(&edit.text);
        done = edit.range.end;
    }
    out.push_str(text.get(done..)?);
    Some(out)
}

/// Returns the end of the line that contains the byte `at`, without the line ending.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let end = memchr::memchr(b'\n', rest).map_or(text.len(), |found| at + found);
    if end > at && text.as_bytes().get(end - 1) == Some(&b'\r') { end - 1 } else { end }
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', text.as_bytes().get(..at).unwrap_or_default()).map_or(0, |found| found + 1)
}

/// Returns the start of the line after the one that contains the byte `at`, or the end of the text.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(text.len(), |found| at + found + 1)
}

/// Returns the line ending of the first line, `\n` or `\r\n`, for formats in which a lone `\r` does not end a line.
pub(super) fn newline_of(text: &str) -> &'static str {
    let first = text.get(..next_line(text, 0)).unwrap_or_default();
    if first.ends_with("\r\n") { "\r\n" } else { "\n" }
}

/// `\n`, `\r\n` or `\r`.
pub(super) fn first_newline_of(text: &str) -> &'static str {
    match memchr::memchr2(b'\n', b'\r', text.as_bytes()) {
        Some(at) if text.as_bytes().get(at) == Some(&b'\n') => "\n",
        Some(at) if text.as_bytes().get(at + 1) == Some(&b'\n') => "\r\n",
        Some(_) => "\r",
        None => "\n",
    }
}

/// Returns the length of the line ending at the start of a text.
pub(super) fn line_end_len(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Returns the end of the line before the line at `start`, without its line ending; `None` for the first line.
pub(super) fn previous_line(text: &str, start: usize) -> Option<usize> {
    let before = text.get(..start)?;
    let before = before.strip_suffix("\r\n").or_else(|| before.strip_suffix(['\n', '\r']))?;
    Some(before.len())
}

/// Returns the edit that inserts complete lines at the start of a line, or at the end of a text even if its last line has
/// no ending.
pub(super) fn insert_lines(text: &str, at: usize, lines: &str, newline: &str) -> Edit {
    let before = text.get(..at).unwrap_or_default();
    let is_line = before.is_empty() || before.ends_with('\n');
    Edit::insert(at, if is_line { [lines, newline].concat() } else { [newline, lines].concat() })
}

/// Joins ranges that overlap or touch. They must be sorted.
pub(super) fn join_ranges(ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// Joins removals that touch or overlap, unless another edit is between them. A removal at the end of a file without
/// final newline also removes the line ending before it.
pub(super) fn join_removals(text: &str, edits: Vec<Edit>) -> Vec<Edit> {
    let (mut removals, mut edits): (Vec<Edit>, Vec<Edit>) = edits.into_iter().partition(|edit| edit.text.is_empty());
    removals.sort_by_key(|edit| edit.range.start);
    let positions: BTreeSet<usize> = edits.iter().flat_map(|edit| [edit.range.start, edit.range.end]).collect();
    let touches = |at: usize| usize::from(!positions.contains(&at));
    let mut joined: Vec<Edit> = Vec::new();
    for edit in removals {
        match joined.last_mut() {
            Some(last) if edit.range.start < last.range.end + touches(edit.range.start) => {
                last.range.end = last.range.end.max(edit.range.end);
            }
            _ => joined.push(edit),
        }
    }
    if let Some(last) = joined.last_mut().filter(|last| last.range.end == text.len()) {
        let before = text.get(..last.range.start).unwrap_or_default();
        if !text.ends_with('\n') && before.ends_with('\n') && !positions.contains(&last.range.start) {
            let before = before.strip_suffix('\n').unwrap_or(before);
            last.range.start = before.strip_suffix('\r').unwrap_or(before).len();
        }
    }
    edits.append(&mut joined);
    edits
}

/// `None` if the texts are equal.
pub(super) fn smallest_edit(old: &str, new: &str) -> Option<Edit> {
    let same = old.bytes().zip(new.bytes()).take_while(|(old, new)| old == new).count();
    let start = (0..=same).rev().find(|at| old.is_char_boundary(*at) && new.is_char_boundary(*at))?;
    let (old_rest, new_rest) = (old.get(start..)?, new.get(start..)?);
    let same = old_rest.bytes().rev().zip(new_rest.bytes().rev()).take_while(|(old, new)| old == new).count();
    let is_boundary = |len: &usize| {
        old_rest.is_char_boundary(old_rest.len() - len) && new_rest.is_char_boundary(new_rest.len() - len)
    };
    let end = (0..=same).rev().find(is_boundary)?;
    let text = new_rest.get(..new_rest.len() - end)?;
    let range = start..old.len() - end;
    (!range.is_empty() || !text.is_empty()).then(|| Edit::replace(range, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply_edits;

    #[test]
    fn edits_are_applied_in_the_order_of_the_text() {
        let edits = vec![Edit::remove(3..4), Edit::insert(1, "x"), Edit::replace(1..2, "B"), Edit::insert(1, "y")];
        assert_eq!(apply_edits("abcd", edits).unwrap(), "axyBc");
    }

    #[test]
    fn overlapping_edits_are_refused() {
        assert_eq!(apply_edits("abcd", vec![Edit::remove(0..2), Edit::remove(1..3)]), None);
        assert_eq!(apply_edits("abcd", vec![Edit::remove(3..5)]), None);
    }

    #[test]
    fn removals_are_joined_and_keep_the_last_line_end_as_it_was() {
        let removed = |text: &str, ranges: &[(usize, usize)]| {
            let edits = ranges.iter().map(|(start, end)| Edit::remove(*start..*end)).collect();
            apply_edits(text, join_removals(text, edits)).unwrap()
        };
        assert_eq!(removed("a\nb\nc", &[(2, 4), (4, 5)]), "a");
        assert_eq!(removed("a\r\nb", &[(3, 4)]), "a");
        assert_eq!(removed("a\nb\n", &[(2, 4)]), "a\n");
        assert_eq!(removed("abcdef", &[(1, 5), (2, 3)]), "af");
        let edits = vec![Edit::remove(2..4), Edit::insert(4, "x\n"), Edit::remove(4..6)];
        assert_eq!(apply_edits("a\nb\nc\nd", join_removals("a\nb\nc\nd", edits)).unwrap(), "a\nx\nd");
    }

    #[test]
    fn finds_line_boundaries() {
        assert_eq!((line_start("ab\ncd", 4), line_end("ab\r\ncd", 0), next_line("ab\r\ncd", 1)), (3, 2, 4));
        assert_eq!((newline_of("a\r\nb\n"), newline_of("a"), newline_of("a\nb\r\n")), ("\r\n", "\n", "\n"));
        assert_eq!(["a\r\nb\n", "a\nb\r\n", "a\rb", "a"].map(first_newline_of), ["\r\n", "\n", "\r", "\n"]);
        assert_eq!(
            [previous_line("a\r\nb", 3), previous_line("a\nb", 2), previous_line("a", 0)],
            [Some(1), Some(1), None]
        );
        assert_eq!([line_end_len("\r\na"), line_end_len("\n"), line_end_len("a")], [2, 1, 0]);
        assert_eq!(join_ranges([0..2, 1..3, 3..4, 5..6]), [0..4, 5..6]);
        assert_eq!(insert_lines("a", 1, "b", "\n"), Edit::insert(1, "\nb"));
        assert_eq!(insert_lines("a\n", 2, "b", "\n"), Edit::insert(2, "b\n"));
    }

    #[test]
    fn difference_is_the_smallest_edit() {
        for (old, new, edit) in [
            ("abc", "abc", None),
            ("abc", "axc", Some(Edit::replace(1..2, "x"))),
            ("äöü", "äßü", Some(Edit::replace(2..4, "ß"))),
            ("aa", "aaa", Some(Edit::insert(2, "a"))),
            ("aaa", "a", Some(Edit::remove(1..3))),
            ("", "x", Some(Edit::insert(0, "x"))),
        ] {
            assert_eq!(smallest_edit(old, new), edit);
        }
    }
}
