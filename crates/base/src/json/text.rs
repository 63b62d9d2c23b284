//! Works on JSON as text: escapes strings, measures the escaped length without writing it, indents and compacts.
//!
//! Numbers and strings are not parsed, so they keep their notation. The text must be valid JSON.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns the length in bytes of `text` once escaped.
pub fn escaped_len(text: &[u8]) -> usize {
    text.iter().map(|&byte| usize::from(ESCAPED_LENGTHS[usize::from(byte)])).sum()
}

/// Appends the escaped `text`.
pub fn escape_into(out: &mut Vec<u8>, text: &[u8]) {
    let mut plain = 0;
    for (i, &byte) in text.iter().enumerate() {
        if ESCAPED_LENGTHS[usize::from(byte)] == 1 {
            continue;
        }
        out.extend_from_slice(text.get(plain..i).unwrap_or_default());
        plain = i + 1;
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            _ => {
                let hex = |nibble: u8| b"0123456789abcdef"[usize::from(nibble & 15)];
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', hex(byte >> 4), hex(byte)]);
            }
        }
    }
    out.extend_from_slice(text.get(plain..).unwrap_or_default());
}

/// Length of each byte once escaped.
const ESCAPED_LENGTHS: [u8; 256] = {
    let mut cost = [1; 256];
    let mut i = 0;
    while i < 0x20 {
        cost[i] = 6;
        i += 1;
    }
    cost[0x08] = 2;
    cost[0x09] = 2;
    cost[0x0a] = 2;
    cost[0x0c] = 2;
    cost[0x0d] = 2;
    cost[b'"' as usize] = 2;
    cost[b'\\' as usize] = 2;
    cost
};

/// Returns whether a terminal could interpret a character as a command: C0, DEL, C1, and characters that change the text
/// direction.
pub fn is_terminal_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Maximum indentation level. Deeper levels stay at this one, because their spaces would need far more memory than the text.
const DEEPEST_INDENT: usize = 32;

/// Indents JSON text by two spaces per level. Empty arrays and objects stay `[]` and `{}`.
///
/// With `terminal`, control characters that JSON allows in strings (DEL, C1, text direction) are written as escapes such as `\u009b`.
pub fn indent(text: &str, terminal: bool) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0usize;
    let mut tokens = Tokens { rest: text.chars().peekable(), in_string: false, after_backslash: false };
    while let Some((c, structural)) = tokens.next() {
        if !structural {
            push(&mut out, c, terminal);
            continue;
        }
        match c {
            '{' | '[' => {
                out.push(c);
                if let Some(end) = tokens.take_end_of_empty() {
                    out.push(end);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            _ => out.push_str(": "),
        }
    }
    out
}

/// Writes JSON text on one line, without spaces between tokens.
pub fn compact(text: &str, terminal: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut tokens = Tokens { rest: text.chars().peekable(), in_string: false, after_backslash: false };
    while let Some((c, _)) = tokens.next() {
        push(&mut out, c, terminal);
    }
    out
}

/// Escapes the control characters of JSON text for a terminal, except tabs and line breaks. The others can only occur in strings.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\t');
    if !text.chars().any(|c| is_terminal_control(c) && !is_break(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push(&mut out, c, !is_break(c)));
    Cow::Owned(out)
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth.min(DEEPEST_INDENT) {
        out.push_str("  ");
    }
}

fn push(out: &mut String, c: char, terminal: bool) {
    if terminal && is_terminal_control(c) {
        let _ = write!(out, "\\u{:04x}", u32::from(c));
    } else {
        out.push(c);
    }
}

struct Tokens<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    in_string: bool,
    after_backslash: bool,
}

impl Tokens<'_> {
    /// Returns the next character and whether it is structural. Skips whitespace outside strings.
    fn next(&mut self) -> Option<(char, bool)> {
        loop {
            let c = self.rest.next()?;
            if self.in_string {
                if self.after_backslash {
                    self.after_backslash = false;
                } else if c == '\\' {
                    self.after_backslash = true;
                } else if c == '"' {
                    self.in_string = false;
                }
                return Some((c, false));
            }
            match c {
                ' ' | '\t' | '\n' | '\r' => {}
                '"' => {
                    self.in_string = true;
                    return Some((c, false));
                }
                '{' | '}' | '[' | ']' | ',' | ':' => return Some((c, true)),
                _ => return Some((c, false)),
            }
        }
    }

    fn take_end_of_empty(&mut self) -> Option<char> {
        while self.rest.next_if(|c| matches!(c, ' ' | '\t' | '\n' | '\r')).is_some() {}
        self.rest.next_if(|c| matches!(c, '}' | ']'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_stops_growing_at_the_maximum_level() {
        let deep = |depth: usize| indent(&format!("{}1{}", "[".repeat(depth), "]".repeat(depth)), false).len();
        assert_eq!(deep(DEEPEST_INDENT + 100) - deep(DEEPEST_INDENT), 100 * 2 * (2 * DEEPEST_INDENT + 2));
    }

    #[test]
    fn escapes_like_serde_and_computes_the_escaped_length() {
        let mut text: String = (0u8..0x80).map(char::from).collect();
        text.push_str("é漢🙂\u{2028}\u{feff}");
        let mut out = Vec::new();
        escape_into(&mut out, text.as_bytes());
        assert_eq!(out.len(), escaped_len(text.as_bytes()));
        assert_eq!(format!("\"{}\"", String::from_utf8(out).unwrap()), serde_json::to_string(&text).unwrap());
    }

    #[test]
    fn keeps_number_notation_and_field_order() {
        let text = r#"{"b":12345678901234567890, "a":[1.10,-0e5 ,true],"e":[ ],"o":{ }}"#;
        let wanted = "{\n  \"b\": 12345678901234567890,\n  \"a\": [\n    1.10,\n    -0e5,\n    true\n  ],\n  \"e\": [],\n  \"o\": {}\n}";
        assert_eq!(indent(text, false), wanted);
        assert_eq!(compact(wanted, false), r#"{"b":12345678901234567890,"a":[1.10,-0e5,true],"e":[],"o":{}}"#);
    }

    #[test]
    fn brackets_inside_strings_do_not_change() {
        let text = r#"{"a": "x \"{[,: ]}\\", "b":"\\"}"#;
        assert_eq!(compact(text, false), r#"{"a":"x \"{[,: ]}\\","b":"\\"}"#);
        assert_eq!(indent(text, false), "{\n  \"a\": \"x \\\"{[,: ]}\\\\\",\n  \"b\": \"\\\\\"\n}");
    }

    #[test]
    fn scalars_are_written_unchanged() {
        for text in ["1.10", "null", r#""a b""#, "[]"] {
            assert_eq!(indent(text, false), text);
            assert_eq!(compact(text, false), text);
        }
    }

    #[test]
    fn control_characters_are_escaped_for_a_terminal() {
        let text = "[\"\u{9b}31m\u{7f}\u{202e}\"]";
        assert_eq!(compact(text, true), r#"["\u009b31m\u007f\u202e"]"#);
        assert_eq!(compact(text, false), text);
    }
}
