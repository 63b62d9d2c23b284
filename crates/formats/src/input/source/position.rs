//! Line and column of positions in an input.

use std::sync::Arc;

use tulk_base::error::{Failure, Origin};

/// A position in a text. LF ends a line, and columns are in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
}

impl TextPosition {
    /// The start of a text.
    pub const START: Self = Self { line: 1, column: 1 };

    /// Adds the name of the input.
    pub fn in_input(self, name: &Arc<str>) -> Origin {
        Origin { source: name.clone(), line: self.line, column: self.column }
    }

    /// Returns the position after this many lines, each with its line ending.
    #[must_use]
    pub fn after_lines(self, lines: u64) -> Self {
        if lines == 0 { self } else { Self { line: self.line + lines, column: 1 } }
    }

    /// Returns the position after these bytes. They must be valid UTF-8, except for an incomplete character at the end.
    #[must_use]
    pub fn after(self, bytes: &[u8]) -> Self {
        let characters = |line: &[u8]| line.iter().filter(|byte| !matches!(byte, 0x80..=0xbf)).count() as u64;
        let last = memchr::memrchr(b'\n', bytes);
        let Some((before, last_line)) = last.and_then(|last| bytes.split_at_checked(last)) else {
            return Self { column: self.column + characters(bytes), ..self };
        };
        let lines = memchr::memchr_iter(b'\n', before).count() as u64;
        Self { line: self.line + lines + 1, column: characters(last_line) }
    }

    /// Adds the position after the bytes read so far to an error that has only the name of the input.
    pub fn locate(self, failure: Failure, read: &[u8], name: &Arc<str>) -> Failure {
        match &failure.at {
            Some(at) if at.line == 0 => failure.at(self.after(read).in_input(name)),
            _ => failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_by_lf_and_columns_by_character() {
        let after = |text: &str| {
            let position = TextPosition::START.after(text.as_bytes());
            (position.line, position.column)
        };
        assert_eq!(after(""), (1, 1));
        assert_eq!(after("añ漢"), (1, 4));
        assert_eq!(after("a\r\nb\u{2028}c\0"), (2, 5));
        assert_eq!(after("a\n\n"), (3, 1));
        let position = TextPosition { line: 4, column: 7 };
        assert_eq!(position.after(b"ab"), TextPosition { line: 4, column: 9 });
    }
}
