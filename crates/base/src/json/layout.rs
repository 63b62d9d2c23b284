//! Indents and compacts JSON text by its tokens. Numbers and strings are not parsed, so they keep their spelling.
//!
//! The text must be valid JSON.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::escape::controls_terminal;

/// Indents JSON text by two spaces a level; empty arrays and objects stay `[]` and `{}`.
///
/// With `terminal`, control characters that JSON allows in strings (DEL, C1, direction) are written as `\u009b`.
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
                if let Some(end) = tokens.closes_at_once() {
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

/// Escapes the control characters in a piece of JSON text, for a terminal. They can only occur in strings.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\t');
    if !text.chars().any(|c| controls_terminal(c) && !is_break(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push(&mut out, c, !is_break(c)));
    Cow::Owned(out)
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("  ");
    }
}

fn push(out: &mut String, c: char, terminal: bool) {
    if terminal && controls_terminal(c) {
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
    /// The next character outside of white space, and whether it is structural.
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

    /// Consumes the end of an empty array or object.
    fn closes_at_once(&mut self) -> Option<char> {
        while self.rest.next_if(|c| matches!(c, ' ' | '\t' | '\n' | '\r')).is_some() {}
        self.rest.next_if(|c| matches!(c, '}' | ']'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_order_survive() {
        let text = r#"{"b":12345678901234567890, "a":[1.10,-0e5 ,true],"e":[ ],"o":{ }}"#;
        let wanted = "{\n  \"b\": 12345678901234567890,\n  \"a\": [\n    1.10,\n    -0e5,\n    true\n  ],\n  \"e\": [],\n  \"o\": {}\n}";
        assert_eq!(indent(text, false), wanted);
        assert_eq!(compact(wanted, false), r#"{"b":12345678901234567890,"a":[1.10,-0e5,true],"e":[],"o":{}}"#);
    }

    #[test]
    fn structure_inside_strings_is_left_alone() {
        let text = r#"{"a": "x \"{[,: ]}\\", "b":"\\"}"#;
        assert_eq!(compact(text, false), r#"{"a":"x \"{[,: ]}\\","b":"\\"}"#);
        assert_eq!(indent(text, false), "{\n  \"a\": \"x \\\"{[,: ]}\\\\\",\n  \"b\": \"\\\\\"\n}");
    }

    #[test]
    fn scalars_stay_scalars() {
        for text in ["1.10", "null", r#""a b""#, "[]"] {
            assert_eq!(indent(text, false), text);
            assert_eq!(compact(text, false), text);
        }
    }

    #[test]
    fn a_terminal_gets_controls_as_json_escapes() {
        let text = "[\"\u{9b}31m\u{7f}\u{202e}\"]";
        assert_eq!(compact(text, true), r#"["\u009b31m\u007f\u202e"]"#);
        assert_eq!(compact(text, false), text);
    }
}
