//! JSON text, indented or packed by its tokens: no number or string is read, so none changes.
//!
//! Not for making JSON; the text given must be valid. Spec: command line, "Streams and formats".

use std::borrow::Cow;
use std::fmt::Write as _;

use super::escape;

/// Indents JSON text by two spaces a level; empty arrays and objects stay `[]` and `{}`.
///
/// With `terminal`, control characters that JSON allows in strings (DEL, C1, direction) are written as `\u009b`.
pub fn indent(text: &str, terminal: bool) -> String {
    let mut made = String::with_capacity(text.len() * 2);
    let mut depth = 0usize;
    let mut tokens = Tokens { rest: text.chars().peekable(), in_string: false, after_backslash: false };
    while let Some((c, structural)) = tokens.next() {
        if !structural {
            push(&mut made, c, terminal);
            continue;
        }
        match c {
            '{' | '[' => {
                made.push(c);
                if let Some(end) = tokens.closes_at_once() {
                    made.push(end);
                } else {
                    depth += 1;
                    line(&mut made, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut made, depth);
                made.push(c);
            }
            ',' => {
                made.push(c);
                line(&mut made, depth);
            }
            _ => made.push_str(": "),
        }
    }
    made
}

/// Packs JSON text into one line without spaces between tokens.
pub fn pack(text: &str, terminal: bool) -> String {
    let mut made = String::with_capacity(text.len());
    let mut tokens = Tokens { rest: text.chars().peekable(), in_string: false, after_backslash: false };
    while let Some((c, _)) = tokens.next() {
        push(&mut made, c, terminal);
    }
    made
}

/// A stretch of JSON text for a terminal: what is odd, and can only stand in a string, is written as `\u009b`.
pub fn terminal(text: &str) -> Cow<'_, str> {
    let breaks = |c: char| matches!(c, '\n' | '\r' | '\t');
    if !text.chars().any(|c| escape::is_odd(c) && !breaks(c)) {
        return Cow::Borrowed(text);
    }
    let mut made = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push(&mut made, c, !breaks(c)));
    Cow::Owned(made)
}

fn line(made: &mut String, depth: usize) {
    made.push('\n');
    for _ in 0..depth {
        made.push_str("  ");
    }
}

fn push(made: &mut String, c: char, terminal: bool) {
    if terminal && escape::is_odd(c) {
        let _ = write!(made, "\\u{:04x}", u32::from(c));
    } else {
        made.push(c);
    }
}

struct Tokens<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    in_string: bool,
    after_backslash: bool,
}

impl Tokens<'_> {
    /// The next character that is no space between tokens, and whether it is structure.
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

    /// Takes the end of an array or object that holds nothing.
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
        assert_eq!(pack(wanted, false), r#"{"b":12345678901234567890,"a":[1.10,-0e5,true],"e":[],"o":{}}"#);
    }

    #[test]
    fn structure_inside_strings_is_left_alone() {
        let text = r#"{"a": "x \"{[,: ]}\\", "b":"\\"}"#;
        assert_eq!(pack(text, false), r#"{"a":"x \"{[,: ]}\\","b":"\\"}"#);
        assert_eq!(indent(text, false), "{\n  \"a\": \"x \\\"{[,: ]}\\\\\",\n  \"b\": \"\\\\\"\n}");
    }

    #[test]
    fn scalars_stay_scalars() {
        for text in ["1.10", "null", r#""a b""#, "[]"] {
            assert_eq!(indent(text, false), text);
            assert_eq!(pack(text, false), text);
        }
    }

    #[test]
    fn a_terminal_gets_controls_as_json_escapes() {
        let text = "[\"\u{9b}31m\u{7f}\u{202e}\"]";
        assert_eq!(pack(text, true), r#"["\u009b31m\u007f\u202e"]"#);
        assert_eq!(pack(text, false), text);
    }
}
