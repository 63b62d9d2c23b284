//! The markup of a file in a text: which of its spellings begins at a byte.

/// The spellings of markup, sorted, each with the longest other one that it begins with.
#[derive(Debug)]
pub(in crate::catalogs) struct MarkupIndex<'a> {
    sorted: Vec<(&'a str, Option<usize>)>,
}

impl<'a> MarkupIndex<'a> {
    pub(in crate::catalogs) fn new(markup: &'a [String]) -> Self {
        let mut spellings: Vec<&str> = markup.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
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
        Self { sorted }
    }

    /// Returns the bytes that a spelling begins with.
    pub(in crate::catalogs) fn first_bytes(&self) -> impl Iterator<Item = u8> {
        self.sorted.iter().filter_map(|(spelling, _)| spelling.bytes().next())
    }

    /// Returns the length of the longest spelling that a text begins with.
    pub(in crate::catalogs) fn len_at(&self, rest: &str) -> Option<usize> {
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
        let markup: Vec<String> =
            ["&", "&amp;", "&amp;lt;", "<b>", "<b", "<c>", ""].into_iter().map(str::to_owned).collect();
        let index = MarkupIndex::new(&markup);
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
    }
}
