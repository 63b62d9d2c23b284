//! Where the lines of a large record begin, so that the place of a slot is found without reading everything before it.

use std::sync::OnceLock;

/// The starts of the lines of a record, found when they are first needed.
#[derive(Debug, Default)]
pub struct LineIndex(OnceLock<Vec<u32>>);

impl LineIndex {
    /// Returns the number of line ends before a place, and where its line begins.
    pub fn line_of(&self, bytes: &[u8], place: usize) -> (u64, usize) {
        let starts = self.0.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', bytes);
            ends.filter_map(|end| u32::try_from(end + 1).ok()).collect()
        });
        let before = starts.partition_point(|start| *start as usize <= place);
        let start = before.checked_sub(1).and_then(|last| starts.get(last)).map_or(0, |start| *start as usize);
        (before as u64, start)
    }

    /// Returns whether the starts have been looked up.
    #[cfg(test)]
    pub fn is_used(&self) -> bool {
        self.0.get().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_belongs_to_the_line_that_begins_before_it() {
        let (index, bytes) = (LineIndex::default(), b"ab\n\ncd\n");
        let found: Vec<_> = (0..=bytes.len()).map(|place| index.line_of(bytes, place)).collect();
        assert_eq!(found, [(0, 0), (0, 0), (0, 0), (1, 3), (2, 4), (2, 4), (2, 4), (3, 7)]);
    }
}
