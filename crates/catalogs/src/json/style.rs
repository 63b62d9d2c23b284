//! The style of a JSON file: line endings, indentation, quotes, escapes, whitespace around colons.

use std::fmt::Write as _;

use super::node::{JsonMember, JsonNode, JsonShape};

/// How far to search back for the start of a line, in bytes, so that files with a single long line stay fast.
const LONG_LINE: usize = 4096;

/// How many members are examined to detect the quotes of values.
const NEIGHBOURS: usize = 16;

#[derive(Clone, Debug)]
pub struct JsonStyle {
    pub newline: &'static str,
    pub step: String,
    pub is_one_line: bool,
    pub escapes: JsonEscapes,
    /// Whether emptied objects keep a blank line between their brackets, as Xcode writes them. Its files are detected by the
    /// space before colons.
    pub has_blank_line_in_empty: bool,
    /// The colon with its surrounding whitespace.
    colon: String,
}

/// Characters that the file escapes although JSON does not require it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JsonEscapes {
    /// Non-ASCII characters, such as `é` as `\u00e9`.
    pub escapes_non_ascii: bool,
    pub has_uppercase_digits: bool,
    /// `/`, as `\/`.
    pub escapes_slash: bool,
}

#[derive(Clone, Debug)]
pub struct MemberStyle {
    /// The quote of names; `None` for names without quotes.
    pub name_quote: Option<char>,
    pub value_quote: char,
    pub colon: String,
    /// The whitespace between a comma and the next member on the same line.
    pub after_comma: String,
}

impl JsonStyle {
    pub fn of(text: &str, root: &JsonNode<'_>) -> Self {
        let newline = match memchr::memchr(b'\n', text.as_bytes()) {
            Some(at) if text.get(..at).is_some_and(|before| before.ends_with('\r')) => "\r\n",
            _ => "\n",
        };
        let inside = text.get(root.span.clone()).unwrap_or_default();
        let colon = first_colon(text, root).unwrap_or(": ");
        Self {
            newline,
            step: find_indent_step(text, root).unwrap_or_else(|| "  ".to_owned()),
            is_one_line: !root.members().is_empty() && !inside.contains(['\n', '\r']),
            escapes: JsonEscapes::of(text, root),
            has_blank_line_in_empty: colon.starts_with(' '),
            colon: colon.to_owned(),
        }
    }

    pub fn emptied_content(&self, text: &str, open: usize) -> String {
        if self.has_blank_line_in_empty {
            [self.newline, self.newline, line_indent(text, open)].concat()
        } else {
            String::new()
        }
    }

    pub fn member_style(&self, text: &str, container: &JsonNode<'_>) -> MemberStyle {
        let members = container.members();
        let quote_at = |at: usize| match text.as_bytes().get(at) {
            Some(b'"') => Some('"'),
            Some(b'\'') => Some('\''),
            _ => None,
        };
        let named = members.first().filter(|member| !member.name_span.is_empty());
        let name_quote = named.map_or(Some('"'), |member| quote_at(member.start()));
        let first_text = members.iter().take(NEIGHBOURS).find(|member| member.node.text().is_some());
        let value_quote = first_text.and_then(|member| quote_at(member.node.span.start)).or(name_quote).unwrap_or('"');
        let colon = named.and_then(|member| colon_of(text, member)).unwrap_or(&self.colon).to_owned();
        let space = members.windows(2).next().and_then(|pair| match pair {
            [a, b] => text.get(a.node.span.end..b.start())?.strip_prefix(','),
            _ => None,
        });
        let space = space.filter(|space| space.bytes().all(is_blank));
        let by_colon = if colon.ends_with(' ') { " " } else { "" };
        MemberStyle { name_quote, value_quote, after_comma: space.unwrap_or(by_colon).to_owned(), colon }
    }
}

impl JsonEscapes {
    /// Escaped invisible characters do not count, because people escape them to see them.
    fn of(text: &str, root: &JsonNode<'_>) -> Self {
        let mut found = EscapesFound::default();
        if text.contains('\\') {
            found.scan_node(text, root);
        }
        Self {
            escapes_non_ascii: text.is_ascii() && found.has_unicode,
            has_uppercase_digits: found.is_upper == Some(true),
            escapes_slash: found.has_escaped_slash && !found.has_slash,
        }
    }

    pub fn write_quoted(self, out: &mut String, quote: char, text: &str) {
        out.push(quote);
        for c in text.chars() {
            match c {
                '\\' => out.push_str(r"\\"),
                '\n' => out.push_str(r"\n"),
                '\r' => out.push_str(r"\r"),
                '\t' => out.push_str(r"\t"),
                '\u{8}' => out.push_str(r"\b"),
                '\u{c}' => out.push_str(r"\f"),
                '/' if self.escapes_slash => out.push_str(r"\/"),
                c if c == quote => out.extend(['\\', c]),
                c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => self.write_escape(out, c),
                c if self.escapes_non_ascii && !c.is_ascii() => self.write_escape(out, c),
                c => out.push(c),
            }
        }
        out.push(quote);
    }

    fn write_escape(self, out: &mut String, c: char) {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = if self.has_uppercase_digits { write!(out, "\\u{unit:04X}") } else { write!(out, "\\u{unit:04x}") };
        }
    }
}

/// The characters and escapes in the strings of a file, which show its escape style.
#[derive(Debug, Default)]
struct EscapesFound {
    has_unicode: bool,
    is_upper: Option<bool>,
    has_slash: bool,
    has_escaped_slash: bool,
}

impl EscapesFound {
    fn scan_node(&mut self, text: &str, node: &JsonNode<'_>) {
        if node.text().is_some() {
            self.scan_string(text.get(node.span.clone()).unwrap_or_default());
        }
        for member in node.members() {
            self.scan_string(text.get(member.name_span.clone()).unwrap_or_default());
            self.scan_node(text, &member.node);
        }
    }

    fn scan_string(&mut self, raw: &str) {
        let bytes = raw.as_bytes();
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'\\', b'/', bytes.get(at..).unwrap_or_default()) {
            at += found;
            if bytes.get(at) == Some(&b'/') {
                self.has_slash = true;
                at += 1;
                continue;
            }
            match bytes.get(at + 1) {
                Some(b'/') => self.has_escaped_slash = true,
                Some(b'u') => self.scan_digits(raw.get(at + 2..at + 6).unwrap_or_default()),
                _ => {}
            }
            at += 2;
        }
    }

    fn scan_digits(&mut self, digits: &str) {
        let Ok(unit) = u32::from_str_radix(digits, 16) else { return };
        let is_invisible =
            matches!(unit, 0x80..=0xa0 | 0xad | 0x2000..=0x200f | 0x2028..=0x202f | 0x205f..=0x206f | 0x3000 | 0xfeff);
        if unit >= 0x80 && !is_invisible {
            self.has_unicode = true;
        }
        if self.is_upper.is_none() && digits.contains(|c: char| c.is_ascii_alphabetic()) {
            self.is_upper = Some(digits.contains(|c: char| c.is_ascii_uppercase()));
        }
    }
}

/// Empty if the line is very long.
pub fn line_indent(text: &str, at: usize) -> &str {
    let near = at.saturating_sub(LONG_LINE);
    let before = text.as_bytes().get(near..at).unwrap_or_default();
    let start = match memchr::memrchr2(b'\n', b'\r', before) {
        Some(end) => near + end + 1,
        None if near == 0 => 0,
        None => return "",
    };
    let line = text.get(start..).unwrap_or_default();
    let end = line.bytes().position(|byte| !is_blank(byte)).unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

/// Returns the indentation before `at` if only whitespace precedes it on its line.
pub fn indent_if_first_on_line(text: &str, at: usize) -> Option<&str> {
    let before = text.as_bytes().get(..at)?;
    let end = before.iter().rposition(|byte| !is_blank(*byte))?;
    let is_break = matches!(before.get(end), Some(b'\n' | b'\r'));
    if is_break { text.get(end + 1..at) } else { None }
}

pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns the range of the line ending after `at`, if only whitespace is between them.
pub fn line_end_after(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let rest = text.as_bytes().get(at..)?;
    let blanks = rest.iter().position(|byte| !is_blank(*byte))?;
    let start = at + blanks;
    match (rest.get(blanks), rest.get(blanks + 1)) {
        (Some(b'\r'), Some(b'\n')) => Some(start..start + 2),
        (Some(b'\r' | b'\n'), _) => Some(start..start + 1),
        _ => None,
    }
}

/// Extends a range of complete lines by the blank lines around it.
pub fn with_blank_lines(text: &str, lines: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let before = text.get(..lines.start).unwrap_or_default().trim_end_matches([' ', '\t', '\n', '\r']);
    let start = line_end_after(text, before.len()).map_or(lines.start, |end| end.end.min(lines.start));
    let mut end = lines.end;
    while let Some(blank) = line_end_after(text, end) {
        end = blank.end;
    }
    start..end
}

fn find_indent_step(text: &str, node: &JsonNode<'_>) -> Option<String> {
    let of_members = node.members().first().and_then(|member| {
        let indent = indent_if_first_on_line(text, member.start())?;
        Some(indent.strip_prefix(line_indent(text, node.span.start))?.to_owned())
    });
    of_members.or_else(|| node.members().iter().find_map(|member| find_indent_step(text, &member.node)))
}

fn first_colon<'t>(text: &'t str, node: &JsonNode<'_>) -> Option<&'t str> {
    match &node.shape {
        JsonShape::Object(members) if !members.is_empty() => members.iter().find_map(|member| colon_of(text, member)),
        _ => node.members().iter().find_map(|member| first_colon(text, &member.node)),
    }
}

fn colon_of<'t>(text: &'t str, member: &JsonMember<'_>) -> Option<&'t str> {
    let between = text.get(member.name_span.end..member.node.span.start)?;
    between.bytes().all(|byte| is_blank(byte) || byte == b':').then_some(between)
}
