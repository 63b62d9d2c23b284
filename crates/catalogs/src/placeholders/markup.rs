//! The markup of a file in a text: which of its spellings begins at a byte.

use std::ops::Range;

/// The spellings of markup, sorted, each with the longest other one that it begins with.
#[derive(Debug)]
pub(crate) struct MarkupIndex<'a> {
    sorted: Vec<(&'a str, Option<usize>)>,
    /// The bytes that a spelling begins with.
    first: Vec<u8>,
}

impl<'a> MarkupIndex<'a> {
    /// Collects spellings. Empty ones are left out.
    pub(crate) fn new(markup: impl IntoIterator<Item = &'a str>) -> Self {
        let mut spellings: Vec<&str> = markup.into_iter().filter(|part| !part.is_empty()).collect();
        spellings.sort_unstable();
        spellings.dedup();
        let mut sorted: Vec<(&str, Option<usize>)> = Vec::with_capacity(spellings.len());
        for spelling in spellings {
            let mut shorter = sorted.len().checked_sub(1);
            while let Some((other, next)) = shorter.and_then(|at| sorted.get(at)) {
                if spelling.starts_with(other) {
                    break;
                }
                shorter = *next;
            }
            sorted.push((spelling, shorter));
        }
        let mut first: Vec<u8> = sorted.iter().filter_map(|(spelling, _)| spelling.bytes().next()).collect();
        first.dedup();
        Self { sorted, first }
    }

    /// Returns whether there are no spellings.
    pub(crate) fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// Returns the bytes that a spelling begins with.
    pub(crate) fn first_bytes(&self) -> &[u8] {
        &self.first
    }

    /// Returns where the next spelling at a byte or behind it is.
    pub(crate) fn next_in(&self, text: &str, mut from: usize) -> Option<Range<usize>> {
        loop {
            from += text.as_bytes().get(from..)?.iter().position(|byte| self.first.contains(byte))?;
            match text.get(from..).and_then(|rest| self.len_at(rest)) {
                Some(len) => return Some(from..from + len),
                None => from += 1,
            }
        }
    }

    /// Returns the length of the longest spelling that a text begins with.
    pub(crate) fn len_at(&self, rest: &str) -> Option<usize> {
        let mut candidate = self.sorted.partition_point(|(spelling, _)| *spelling <= rest).checked_sub(1);
        while let Some((spelling, shorter)) = candidate.and_then(|at| self.sorted.get(at)) {
            if rest.starts_with(spelling) {
                return Some(spelling.len());
            }
            candidate = *shorter;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_spelling_is_found() {
        let index = MarkupIndex::new(["&", "&amp;", "&amp;lt;", "<b>", "<b", "<c>", ""]);
        for (text, len) in [
            ("&amp;lt", Some(5)),
            ("&amp;lt;", Some(8)),
            ("&zzz", Some(1)),
            ("&a", Some(1)),
            ("<b> x", Some(3)),
            ("<bx>", Some(2)),
            ("<c", None),
            ("", None),
        ] {
            assert_eq!(index.len_at(text), len, "{text}");
        }
        assert_eq!(index.next_in("ä&ä<b>", 0), Some(2..3));
        assert_eq!(index.next_in("ä&ä<b>", 3), Some(5..8));
        assert_eq!(index.next_in("ä&ä<b>", 6), None);
    }
}
