//! Where known placeholders are in a result.
//!
//! Input: the spellings of placeholders, and a text. Output: the places of the spellings, the longest where several begin.

use std::ops::Range;

/// The spellings of placeholders.
#[derive(Debug)]
pub(super) struct PlaceholderSpellings<'a> {
    sorted: Vec<&'a str>,
}

impl<'a> PlaceholderSpellings<'a> {
    pub(super) fn new(spellings: impl Iterator<Item = &'a str>) -> Self {
        let mut sorted: Vec<&str> = spellings.filter(|spelling| !spelling.is_empty()).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self { sorted }
    }

    /// Returns the places of spellings in a text, in order and without overlaps.
    pub(super) fn places<'t>(&self, text: &'t str) -> Vec<(Range<usize>, &'t str)> {
        let mut starts = [false; 256];
        for byte in self.sorted.iter().filter_map(|spelling| spelling.bytes().next()) {
            if let Some(start) = starts.get_mut(usize::from(byte)) {
                *start = true;
            }
        }
        let mut places = Vec::new();
        let mut at = 0;
        while let Some(byte) = text.as_bytes().get(at) {
            let can_start = starts.get(usize::from(*byte)).copied().unwrap_or_default();
            let found = can_start.then(|| text.get(at..).and_then(|rest| self.longest_at(rest))).flatten();
            if let Some(spelling) = found {
                places.push((at..at + spelling.len(), spelling));
            }
            at += found.map_or(1, str::len);
        }
        places
    }

    /// Returns the longest spelling that a text begins with.
    fn longest_at<'t>(&self, rest: &'t str) -> Option<&'t str> {
        let mut prefix = rest;
        loop {
            let before = self.sorted.partition_point(|spelling| *spelling <= prefix).checked_sub(1)?;
            let spelling = self.sorted.get(before)?;
            let common = common_len(spelling, prefix);
            if common == spelling.len() {
                return rest.get(..common);
            }
            // Only what is common can begin a shorter spelling.
            prefix = rest.get(..common).filter(|common| !common.is_empty())?;
        }
    }
}

/// Returns the length of what two texts begin with.
fn common_len(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_spelling_is_found() {
        let spellings = PlaceholderSpellings::new(["%s", "%s1", "{a}", "{ab}", "#", "'#'"].into_iter());
        let places = spellings.places("%s %s1 {a}{ab}{abc}'#'#'");
        let found: Vec<&str> = places.iter().map(|(_, spelling)| *spelling).collect();
        assert_eq!(found, ["%s", "%s1", "{a}", "{ab}", "'#'", "#"]);
    }
}
