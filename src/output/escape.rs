//! Odd characters: what a terminal or a row must not be given as it is.
//!
//! Not for colour, and not for JSON's own escapes (`json.rs`). Spec: command line, "Streams and formats".

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::json::controls_terminal;

/// Text for a terminal: tabs and line ends (LF, CRLF) stay, all else that is odd becomes `\u{1b}`.
pub fn terminal(text: &str) -> Cow<'_, str> {
    let fine = |c: char| c == '\n' || c == '\t' || !controls_terminal(c);
    if text.chars().all(fine) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if fine(c) || (c == '\r' && rest.peek() == Some(&'\n')) {
            shown.push(c);
        } else {
            push_code(&mut shown, c);
        }
    }
    Cow::Owned(shown)
}

/// One cell of a table: always one line; other odd characters only matter on a terminal.
pub fn cell(text: &str, terminal: bool) -> Cow<'_, str> {
    one_line(text, terminal, false)
}

/// One field of a TSV row: tab, newline, carriage return and backslash become `\t \n \r \\`.
pub fn field(text: &str, terminal: bool) -> Cow<'_, str> {
    one_line(text, terminal, true)
}

fn one_line(text: &str, terminal: bool, backslash: bool) -> Cow<'_, str> {
    let breaks =
        |c: char| matches!(c, '\t' | '\n' | '\r') || (backslash && c == '\\') || (terminal && controls_terminal(c));
    if !text.chars().any(breaks) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\t' => line.push_str("\\t"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\\' if backslash => line.push_str("\\\\"),
            c if terminal && controls_terminal(c) => push_code(&mut line, c),
            c => line.push(c),
        }
    }
    Cow::Owned(line)
}

fn push_code(text: &mut String, c: char) {
    let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_one_line_and_can_be_read_back() {
        assert_eq!(field("a\tb\nc\rd\\e", false), "a\\tb\\nc\\rd\\\\e");
        assert_eq!(field("plain", true), "plain");
    }

    #[test]
    fn a_pipe_gets_control_characters_as_they_are() {
        assert_eq!(field("\u{1b}[31m", false), "\u{1b}[31m");
        assert_eq!(cell("\u{1b}[31m", false), "\u{1b}[31m");
    }

    #[test]
    fn a_terminal_never_gets_an_escape_sequence() {
        assert_eq!(cell("a\u{1b}[31m\u{9b}0m\u{7f}", true), "a\\u{1b}[31m\\u{9b}0m\\u{7f}");
        assert_eq!(terminal("a\u{1b}]0;x\u{7}"), "a\\u{1b}]0;x\\u{7}");
        assert_eq!(terminal("x\u{202e}cod.exe\u{2066}"), "x\\u{202e}cod.exe\\u{2066}");
    }

    #[test]
    fn text_keeps_its_line_ends_but_no_lone_return() {
        assert_eq!(terminal("a\r\nb\tc\n"), "a\r\nb\tc\n");
        assert_eq!(terminal("\u{1}a\r\nb"), "\\u{1}a\r\nb");
        assert_eq!(terminal("good\rbad"), "good\\u{d}bad");
    }

    #[test]
    fn a_cell_keeps_its_backslash() {
        assert_eq!(cell("C:\\x\ny", false), "C:\\x\\ny");
    }
}
