//! Keeps text of inputs and of the service from acting as commands of a GitHub Actions workflow.
//!
//! The runner executes every line of a step's output that begins with `::`, even after white space. Such a line is written
//! with a space between the colons.

use crate::config::env;

use super::terminals::stdout_is_file;

/// Watches a stream of bytes for lines that begin with `::`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkflowGuard(LineState);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineState {
    /// Only white space so far.
    Start,
    /// White space and a colon.
    Colon,
    /// Anything else.
    Inside,
}

impl WorkflowGuard {
    /// Returns a guard at the start of a line, if a workflow may read the stream.
    pub fn of_process() -> Option<Self> {
        env::text(env::GITHUB_ACTIONS).map(|_| Self(LineState::Start))
    }

    /// As [`WorkflowGuard::of_process`], for stdout: the bytes of a file stay as they are.
    pub fn of_stdout() -> Option<Self> {
        Self::of_process().filter(|_| !stdout_is_file())
    }

    /// Returns the next bytes of the stream with a space between two colons at the start of a line.
    pub fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len());
        for byte in bytes {
            self.0 = match (self.0, *byte) {
                (_, b'\n' | b'\r') => LineState::Start,
                (LineState::Start, b':') => LineState::Colon,
                (LineState::Start, byte) if may_be_blank(byte) => LineState::Start,
                (LineState::Colon, b':') => {
                    out.push(b' ');
                    LineState::Inside
                }
                _ => LineState::Inside,
            };
            out.push(*byte);
        }
        out
    }

    /// Returns a whole text, which begins a line.
    pub fn text(mut self, text: &str) -> String {
        String::from_utf8(self.pass(text.as_bytes())).unwrap_or_default()
    }
}

/// Returns whether a byte is a blank or control character, or part of a blank of Unicode.
fn may_be_blank(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | 0x7f..=0x8a | 0x9a | 0x9f | 0xa0 | 0xa8 | 0xa9 | 0xaf | 0xbb | 0xbf | 0xc2 | 0xe1..=0xe3 | 0xef)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(pieces: &[&str]) -> String {
        let mut guard = WorkflowGuard(LineState::Start);
        pieces.iter().map(|piece| String::from_utf8(guard.pass(piece.as_bytes())).unwrap()).collect()
    }

    #[test]
    fn no_line_begins_with_a_command() {
        assert_eq!(
            guard(&["::error::x\n  ::set-env\r\t::a\u{a0}\n\u{3000}::b"]),
            ": :error::x\n  : :set-env\r\t: :a\u{a0}\n\u{3000}: :b"
        );
        assert_eq!(guard(&["a ::b\n: ::c\n:d:\n"]), "a ::b\n: ::c\n:d:\n");
        assert_eq!(guard(&[":", ":x", "\n", " ", ":", ":"]), ": :x\n : :");
    }
}
