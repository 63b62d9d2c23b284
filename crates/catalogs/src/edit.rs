//! Edits of bytes.

use std::ops::Range;

/// Replaces a range of a text. An empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// What is written instead.
    pub text: String,
}

impl Edit {
    /// Replaces a range.
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    /// Inserts before a byte.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }

    /// Removes a range.
    pub fn remove(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }
}

/// Applies edits, which may be in any order but must not overlap. Of several at one place, the insertions come first, in their
/// order.
///
/// Returns `None` if edits overlap or lie outside of the text.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
