//! Escapes characters that would break a row or control a terminal.
//!
//! Escapes for JSON are in `tulk_base::json`.

use std::borrow::Cow;
use std::fmt::Write as _;

use tulk_base::json::is_terminal_control;

/// Escapes text for a terminal: control characters become codes such as `\u{1b}`, except tabs and line ends (LF, CRLF).
pub fn terminal(text: &str) -> Cow<'_, str> {
    let is_safe = |c: char| c == '\n' || c == '\t' || !is_terminal_control(c);
    if text.chars().all(is_safe) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if is_safe(c) || (c == '\r' && rest.peek() == Some(&'\n')) {
            escaped.push(c);
        } else {
            push_code(&mut escaped, c);
        }
    }
    Cow::Owned(escaped)
}

/// Escapes tabs and line breaks in a table cell. Other control characters are escaped only on a terminal.
pub fn cell(text: &str, terminal: bool) -> Cow<'_, str> {
    one_line(text, terminal, false)
}

/// Escapes a TSV field: tab, newline, carriage return and backslash become `\t \n \r \\`.
pub fn field(text: &str, terminal: bool) -> Cow<'_, str> {
    one_line(text, terminal, true)
}

fn one_line(text: &str, terminal: bool, backslash: bool) -> Cow<'_, str> {
    let needs_escape =
        |c: char| matches!(c, '\t' | '\n' | '\r') || (backslash && c == '\\') || (terminal && is_terminal_control(c));
    if !text.chars().any(needs_escape) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\t' => line.push_str("\\t"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\\' if backslash => line.push_str("\\\\"),
            c if terminal && is_terminal_control(c) => push_code(&mut line, c),
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
    fn escapes_a_field_into_one_line() {
        assert_eq!(field("a\tb\nc\rd\\e", false), "a\\tb\\nc\\rd\\\\e");
        assert_eq!(field("plain", true), "plain");
    }

    #[test]
    fn a_pipe_gets_control_characters_unchanged() {
        assert_eq!(field("\u{1b}[31m", false), "\u{1b}[31m");
        assert_eq!(cell("\u{1b}[31m", false), "\u{1b}[31m");
    }

    #[test]
    fn a_terminal_never_gets_an_escape_sequence() {
        assert_eq!(cell("a\u{1b}[31m\u{9b}0m\u{7f}", true), "a\\u{1b}[31m\\u{9b}0m\\u{7f}");
        assert_eq!(terminal("a\u{1b}]0;x\u{7}"), "a\\u{1b}]0;x\\u{7}");
        assert_eq!((terminal("a\0b").as_ref(), cell("a\0b", true).as_ref()), ("a\\u{0}b", "a\\u{0}b"));
        assert_eq!(terminal("x\u{202e}cod.exe\u{2066}"), "x\\u{202e}cod.exe\\u{2066}");
    }

    #[test]
    fn text_keeps_line_ends_but_not_a_lone_carriage_return() {
        assert_eq!(terminal("a\r\nb\tc\n"), "a\r\nb\tc\n");
        assert_eq!(terminal("\u{1}a\r\nb"), "\\u{1}a\r\nb");
        assert_eq!(terminal("good\rbad"), "good\\u{d}bad");
    }

    #[test]
    fn a_cell_keeps_backslashes() {
        assert_eq!(cell("C:\\x\ny", false), "C:\\x\\ny");
    }
}
