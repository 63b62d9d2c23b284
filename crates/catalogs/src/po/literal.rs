//! Quoted strings of PO: escapes, and folding of a text over several lines.

use std::ops::Range;

use icu_segmenter::LineSegmenter;
use icu_segmenter::options::LineBreakOptions;
use unicode_width::UnicodeWidthChar as _;

use crate::CatalogError;

/// The columns that the quotes of a line take.
const QUOTES: usize = 2;

/// Decodes the quoted strings of a line. Appends their bytes to `out`, and the offset of each byte in `text` to
/// `offsets`. `line` must start with a quote; whitespace may follow each string. Returns the end of the last string.
/// Fails if a string is not closed or if other text follows.
pub fn decode_line(
    text: &str,
    line: Range<usize>,
    out: &mut Vec<u8>,
    mut offsets: Option<&mut Vec<usize>>,
) -> Result<usize, CatalogError> {
    let bytes = text.as_bytes();
    let mut at = line.start;
    let mut end = line.start;
    while at < line.end {
        match bytes.get(at) {
            Some(b'"') => at += 1,
            Some(b' ' | b'\t') => {
                at += 1;
                continue;
            }
            _ => return Err(CatalogError::new(at, "a string in double quotes is expected here")),
        }
        loop {
            let byte = bytes.get(at).copied().filter(|_| at < line.end);
            let start = at;
            match byte {
                None => return Err(CatalogError::new(at, "the string is not closed at the end of its line")),
                Some(b'"') => break,
                Some(b'\\') => out.push(escape_at(bytes, &mut at, line.end)?),
                Some(byte) => {
                    out.push(byte);
                    at += 1;
                }
            }
            if let Some(offsets) = offsets.as_deref_mut() {
                offsets.push(start);
            }
        }
        at += 1;
        end = at;
    }
    Ok(end)
}

/// Moves `at` past the escape.
fn escape_at(bytes: &[u8], at: &mut usize, end: usize) -> Result<u8, CatalogError> {
    let start = *at;
    let letter = bytes.get(start + 1).copied().filter(|_| start + 1 < end);
    *at = start + 2;
    let digits = |from: usize, most: usize, radix: u32| {
        let digits = bytes.get(from..end).unwrap_or_default().iter().take(most);
        digits.map_while(|byte| char::from(*byte).to_digit(radix)).collect::<Vec<u32>>()
    };
    let value = |digits: &[u32], radix: u32| {
        let number = digits.iter().fold(0, |number: u32, digit| number.saturating_mul(radix).saturating_add(*digit));
        u8::try_from(number).map_err(|_| CatalogError::new(start, "the value of the escape is larger than one byte"))
    };
    Ok(match letter {
        Some(b'n') => b'\n',
        Some(b't') => b'\t',
        Some(b'r') => b'\r',
        Some(b'a') => 7,
        Some(b'b') => 8,
        Some(b'v') => 11,
        Some(b'f') => 12,
        Some(byte @ (b'"' | b'\\')) => byte,
        Some(b'0'..=b'7') => {
            let digits = digits(start + 1, 3, 8);
            *at = start + 1 + digits.len();
            value(&digits, 8)?
        }
        Some(b'x') => {
            let digits = digits(start + 2, 8, 16);
            *at = start + 2 + digits.len();
            if digits.is_empty() {
                return Err(CatalogError::new(start, "`\\x` must be followed by hexadecimal digits"));
            }
            value(&digits, 16)?
        }
        _ => return Err(CatalogError::new(start, "the backslash does not start a valid escape")),
    })
}

/// Fails if a text contains U+0000, which PO files cannot hold.
pub fn check_characters(text: &str, at: usize) -> Result<(), CatalogError> {
    if text.contains('\0') {
        return Err(CatalogError::new(at, "PO files cannot hold the character U+0000"));
    }
    Ok(())
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{b}' => out.push_str("\\v"),
        '\u{c}' => out.push_str("\\f"),
        '\0'..='\u{1f}' | '\u{7f}' => {
            let code = c as u32;
            out.push('\\');
            out.extend([code >> 6, code >> 3, code].iter().filter_map(|digit| char::from_digit(digit & 7, 8)));
        }
        c => out.push(c),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoLayout {
    pub newline: &'static str,
    /// Lines are folded after this column; `None` for no folding.
    pub width: Option<usize>,
}

/// `column` is the column of the first quote.
pub fn encode(text: &str, column: usize, layout: PoLayout) -> String {
    let portions: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut lines, is_one_line) = match portions[..] {
        [] => (vec![String::new()], true),
        [only] => {
            let mut whole = String::with_capacity(only.len() + QUOTES);
            let width: usize = only.chars().map(|c| push_measured(&mut whole, c)).sum();
            if layout.width.is_none_or(|most| column + QUOTES + width <= most) {
                (vec![whole], true)
            } else {
                (fold(only, layout.width), false)
            }
        }
        _ => (portions.iter().flat_map(|portion| fold(portion, layout.width)).collect(), false),
    };
    if !is_one_line {
        lines.insert(0, String::new());
    }
    let mut out = String::with_capacity(text.len() + lines.len() * (QUOTES + layout.newline.len()));
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            out.push_str(layout.newline);
        }
        out.extend(["\"", line, "\""]);
    }
    out
}

/// Encodes a line for insertion within quotes, and folds it if it is too wide.
pub fn encode_within(text: &str, layout: PoLayout) -> String {
    fold(text, layout.width).join(&["\"", layout.newline, "\""].concat())
}

/// Escapes a text and folds it into lines. A line feed may only be its last character.
fn fold(text: &str, width: Option<usize>) -> Vec<String> {
    let most = width.unwrap_or(usize::MAX);
    let mut lines = Vec::new();
    let (mut line, mut line_width) = (String::new(), QUOTES);
    let breaks = LineSegmenter::new_for_non_complex_scripts(LineBreakOptions::default());
    let mut start = 0;
    for end in breaks.segment_str(text).skip(1) {
        let mut word = String::new();
        let word_width =
            text.get(start..end).unwrap_or_default().chars().map(|c| push_measured(&mut word, c)).sum::<usize>();
        start = end;
        if line_width + word_width > most && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
            line_width = QUOTES;
        }
        line.push_str(&word);
        line_width += word_width;
    }
    lines.push(line);
    lines
}

/// Returns the width in columns.
fn push_measured(out: &mut String, c: char) -> usize {
    let from = out.len();
    push_escaped(out, c);
    if c.is_ascii() { out.len() - from } else { c.width().unwrap_or(0) }
}
