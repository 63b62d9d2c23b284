//! Converts byte offsets of a text to lines and columns.

use std::cell::OnceCell;
use std::sync::Arc;

use super::error::Origin;

/// Distance in bytes between two recorded positions.
const STEP_BYTES: usize = 1024;

/// Converts many byte offsets of one text. Each conversion takes constant time, even in a single long line.
#[derive(Debug)]
pub struct TextPositions<'a> {
    source: Arc<str>,
    text: &'a str,
    /// Position of every [`STEP_BYTES`]th byte. Computed at first use.
    kept: OnceCell<Vec<LineColumn>>,
}

/// Line and column, from 1.
#[derive(Clone, Copy, Debug)]
struct LineColumn(u64, u64);

impl LineColumn {
    /// Columns count characters, so continuation bytes of UTF-8 are skipped.
    fn after(self, bytes: &[u8]) -> Self {
        bytes.iter().fold(self, |Self(line, column), byte| match byte {
            b'\n' => Self(line + 1, 1),
            0x80..=0xbf => Self(line, column),
            _ => Self(line, column + 1),
        })
    }
}

impl<'a> TextPositions<'a> {
    /// Creates the converter without reading the text. `source` is the text's name in messages.
    pub fn new(source: &str, text: &'a str) -> Self {
        Self { source: source.into(), text, kept: OnceCell::new() }
    }

    /// Returns the line and column of a byte.
    pub fn origin(&self, at: usize) -> Origin {
        let at = at.min(self.text.len());
        let kept = self.kept.get_or_init(|| {
            let mut place = LineColumn(1, 1);
            let starts = self.text.as_bytes().chunks(STEP_BYTES).map(|chunk| {
                let start = place;
                place = place.after(chunk);
                start
            });
            starts.collect()
        });
        let number = (at / STEP_BYTES).min(kept.len().saturating_sub(1));
        let start = kept.get(number).copied().unwrap_or(LineColumn(1, 1));
        let LineColumn(line, column) =
            start.after(self.text.as_bytes().get(number * STEP_BYTES..at).unwrap_or_default());
        Origin { source: self.source.clone(), line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_equal_those_counted_from_the_start() {
        let lines = "é\nabc🍵d\n\n".repeat(300);
        for text in ["", "a", "\n", &lines, &"äx".repeat(1500), &"x".repeat(STEP_BYTES), &"x\n".repeat(STEP_BYTES)] {
            let places = TextPositions::new("f", text);
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                assert_eq!(places.origin(at), Origin::of_byte("f", text, at), "{at}");
            }
        }
    }
}
