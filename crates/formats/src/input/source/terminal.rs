//! Removes terminal and printer codes from a stream: escape sequences, and overstrikes (`N`, backspace, `N` for bold;
//! `_`, backspace, `N` for underlined).
//!
//! The adapter in `anstream` would also remove other control characters, which belong to the text, and all lines after
//! a string without terminator. Overstrikes work as in `col -b`: the last character printed in a column wins, and a
//! space only moves the cursor.

use std::ops::Range;

use unicode_width::UnicodeWidthChar as _;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EscapeState {
    #[default]
    Text,
    Escape,
    /// In a control sequence, `ESC [`.
    Control,
    /// In a string such as `ESC ]`, which ends with BEL or `ESC \`.
    String,
    /// After ESC in a string.
    StringEscape,
}

impl EscapeState {
    /// Removes escape sequences. An incomplete one continues in the next call.
    pub fn strip(&mut self, bytes: &mut Vec<u8>) {
        if *self == Self::Text && memchr::memchr(0x1b, bytes).is_none() {
            return;
        }
        bytes.retain(|&byte| self.keeps(byte));
    }

    #[allow(clippy::match_same_arms)] // a table of states is easier to read in full
    fn keeps(&mut self, byte: u8) -> bool {
        let (next, keep) = match (*self, byte) {
            // A line break ends every sequence: a missing terminator must not swallow the rest of the input.
            (_, b'\n') => (Self::Text, true),
            (Self::String, 0x1b) => (Self::StringEscape, false),
            (Self::String | Self::StringEscape, 0x07) | (Self::StringEscape, b'\\') => (Self::Text, false),
            (Self::String | Self::StringEscape, _) => (Self::String, false),
            (_, 0x1b) => (Self::Escape, false),
            (Self::Escape, b'[') => (Self::Control, false),
            (Self::Escape, b']' | b'P' | b'X' | b'^' | b'_') => (Self::String, false),
            (Self::Escape, 0x20..=0x2f) => (Self::Escape, false),
            (Self::Control, 0x20..=0x3f) => (Self::Control, false),
            (Self::Escape, 0x30..=0x7e) | (Self::Control, 0x40..=0x7e) => (Self::Text, false),
            (Self::Text | Self::Escape | Self::Control, _) => (Self::Text, true),
        };
        *self = next;
        keep
    }
}

const BACKSPACE: u8 = 0x08;
/// An incomplete line longer than this is passed on in parts.
const LINE_BYTES: usize = 64 * 1024;
/// Bytes kept back from the end of such a line, which a backspace may still change.
const REACHABLE_BYTES: usize = 4 * 1024;

/// Keeps back the incomplete last line.
#[derive(Debug, Default)]
pub struct Overstrikes {
    held: Vec<u8>,
}

impl Overstrikes {
    /// Replaces `bytes` by all text that is final. `last` means that the input has ended.
    pub fn remove(&mut self, bytes: &mut Vec<u8>, last: bool) {
        let searched = self.held.len();
        self.held.append(bytes);
        let done = self.final_len(searched, last);
        if done == 0 {
            return;
        }
        let rest = self.held.split_off(done);
        let lines = std::mem::replace(&mut self.held, rest);
        if memchr::memchr(BACKSPACE, &lines).is_none() {
            *bytes = lines;
            return;
        }
        for line in lines.split_inclusive(|byte| matches!(byte, b'\n' | 0)) {
            match std::str::from_utf8(line) {
                Ok(line) if line.contains('\u{8}') => print_line(line, bytes),
                _ => bytes.extend_from_slice(line),
            }
        }
    }

    /// Returns the number of leading bytes that no backspace can change anymore. The first `searched` bytes contain no
    /// LF or NUL.
    fn final_len(&self, searched: usize, last: bool) -> usize {
        let len = self.held.len();
        if last {
            return len;
        }
        let lines = self.held.get(searched..).and_then(|new| memchr::memrchr2(b'\n', 0, new));
        let lines = lines.map_or(0, |at| searched + at + 1);
        if len - lines <= LINE_BYTES {
            return lines;
        }
        // Never split within a character or next to a backspace.
        let is_boundary = |at: &usize| {
            let [before, after] = [at.wrapping_sub(1), *at].map(|at| self.held.get(at).copied().unwrap_or(b' '));
            before != BACKSPACE && !matches!(after, 0x80..=0xbf | BACKSPACE)
        };
        (len - REACHABLE_BYTES..len).find(is_boundary).unwrap_or(len)
    }
}

/// Appends the characters that are visible once the line is printed.
fn print_line(line: &str, out: &mut Vec<u8>) {
    let end = line.trim_end_matches(['\n', '\0']);
    let text = end.strip_suffix('\r').unwrap_or(end);
    // A column has one character with its combining marks.
    let mut columns: Vec<Range<usize>> = Vec::with_capacity(text.len());
    let mut cursor: usize = 0;
    for (at, c) in text.char_indices() {
        let after = at + c.len_utf8();
        match c {
            '\u{8}' => cursor = cursor.saturating_sub(1),
            ' ' if cursor < columns.len() => cursor += 1,
            _ => match columns.get_mut(cursor.wrapping_sub(1)) {
                Some(marked) if c.width() == Some(0) && marked.end == at => marked.end = after,
                _ => {
                    match columns.get_mut(cursor) {
                        Some(column) => *column = at..after,
                        None => columns.push(at..after),
                    }
                    cursor += 1;
                }
            },
        }
    }
    for column in columns {
        out.extend_from_slice(text.as_bytes().get(column).unwrap_or_default());
    }
    out.extend_from_slice(line.as_bytes().get(text.len()..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_sequences_across_chunks() {
        let text = b"\x1b[1;31mred\x1b[0m \x1b]8;;https://a.example\x1b\\link\x1b]8;;\x07 \x1b(Bx\x01\x1b]open\ny";
        for size in 1..9 {
            let mut state = EscapeState::default();
            let strip = |chunk: &[u8]| {
                let mut chunk = chunk.to_vec();
                state.strip(&mut chunk);
                chunk
            };
            let stripped: Vec<u8> = text.chunks(size).flat_map(strip).collect();
            assert_eq!(stripped, b"red link x\x01\ny", "{size}");
        }
    }

    fn removed(text: &str, chunk: usize) -> String {
        let (mut state, mut out) = (Overstrikes::default(), Vec::new());
        let mut chunks = text.as_bytes().chunks(chunk).peekable();
        while let Some(part) = chunks.next() {
            let mut part = part.to_vec();
            state.remove(&mut part, chunks.peek().is_none());
            out.append(&mut part);
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_last_character_of_a_column_wins() {
        for (text, expected) in [
            ("N\u{8}NA\u{8}AM\u{8}ME\u{8}E\n", "NAME\n"),
            ("_\u{8}f_\u{8}i_\u{8}l_\u{8}e x", "file x"),
            ("+\u{8}o bullet\r\nplain\r\n", "o bullet\r\nplain\r\n"),
            ("abc\u{8}\u{8}\u{8}abc abc\u{8}\u{8}X", "abc aXc"),
            ("é\u{8}é漢\u{8}漢e\u{301}\u{8}e\u{301}!", "é漢e\u{301}!"),
            ("\u{8}\u{8}a\u{8} b\n\u{8}c", "ab\nc"),
            ("x\u{8}x\0y\u{8}y\0", "x\0y\0"),
            ("no backspace\n", "no backspace\n"),
        ] {
            for chunk in 1..9 {
                assert_eq!(removed(text, chunk), expected, "{text:?} {chunk}");
            }
        }
    }

    #[test]
    fn a_line_without_an_end_is_passed_on_in_parts() {
        let mut state = Overstrikes::default();
        let mut bytes = "x\u{8}x".repeat(40_000).into_bytes();
        state.remove(&mut bytes, false);
        assert!(bytes.len() > 30_000 && state.held.len() <= REACHABLE_BYTES);
        let mut rest = Vec::new();
        state.remove(&mut rest, true);
        assert_eq!(String::from_utf8([bytes, rest].concat()).unwrap(), "x".repeat(40_000));
    }
}
