//! Removes terminal escape sequences from a stream that arrives in chunks.
//!
//! `anstream` has an adapter for this. It is not used here, because it also removes other control characters, which belong to
//! the text, and because a string without its terminator would swallow all lines that follow.

/// Where a stream is in an escape sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EscapeState {
    /// Outside of sequences.
    #[default]
    Text,
    /// After ESC.
    Escape,
    /// In a control sequence, `ESC [`.
    Control,
    /// In a string such as `ESC ]`, up to BEL or `ESC \`.
    String,
    /// After ESC in a string.
    StringEscape,
}

impl EscapeState {
    /// Removes the sequences in `bytes`. One that is cut off continues in the next call.
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
}
