//! Finds the markup of a file format in its texts.

use std::ops::Range;

/// The markup strings, sorted. Each has the index of the longest other string that is a prefix of it.
#[derive(Debug)]
pub(crate) struct MarkupIndex<'a> {
    sorted: Vec<(&'a str, Option<usize>)>,
    first: Vec<u8>,
}

impl<'a> MarkupIndex<'a> {
    /// Ignores empty strings.
    pub(crate) fn new(markup: impl IntoIterator<Item = &'a str>) -> Self {
        let mut strings: Vec<&str> = markup.into_iter().filter(|part| !part.is_empty()).collect();
        strings.sort_unstable();
        strings.dedup();
        let mut sorted: Vec<(&str, Option<usize>)> = Vec::with_capacity(strings.len());
        for markup in strings {
            let mut shorter = sorted.len().checked_sub(1);
            while let Some((other, next)) = shorter.and_then(|at| sorted.get(at)) {
                if markup.starts_with(other) {
                    break;
                }
                shorter = *next;
            }
            sorted.push((markup, shorter));
        }
        let mut first: Vec<u8> = sorted.iter().filter_map(|(markup, _)| markup.bytes().next()).collect();
        first.dedup();
        Self { sorted, first }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    pub(crate) fn first_bytes(&self) -> &[u8] {
        &self.first
    }

    /// Returns the first markup at or after `from`.
    pub(crate) fn next_in(&self, text: &str, mut from: usize) -> Option<Range<usize>> {
        loop {
            from += text.as_bytes().get(from..)?.iter().position(|byte| self.first.contains(byte))?;
            match text.get(from..).and_then(|rest| self.len_at(rest)) {
                Some(len) => return Some(from..from + len),
                None => from += 1,
            }
        }
    }

    pub(crate) fn len_at(&self, rest: &str) -> Option<usize> {
        let mut candidate = self.sorted.partition_point(|(markup, _)| *markup <= rest).checked_sub(1);
        while let Some((markup, shorter)) = candidate.and_then(|at| self.sorted.get(at)) {
            if rest.starts_with(markup) {
                return Some(markup.len());
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
    fn finds_the_longest_match() {
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
