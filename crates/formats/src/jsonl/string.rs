//! Strings of JSON: from their bytes to text, and from a result back to bytes in the same style.

use std::io::Write as _;
use std::ops::Range;

use tulk_base::json::escape_into;

/// The text of a string, without the white space around it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct StringText {
    /// Its bytes in the string; empty if the string is blank.
    pub(super) span: Range<usize>,
    /// The text, if it differs from the bytes.
    pub(super) text: Option<String>,
}

impl StringText {
    /// Returns the text of a string; `raw` is what is between its quotes, valid JSON.
    ///
    /// Fails with the position of a surrogate without its pair, which stands for no character.
    pub(super) fn new(raw: &str) -> Result<Self, usize> {
        if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
            let text = raw.trim();
            let start = if text.is_empty() { 0 } else { raw.len() - raw.trim_start().len() };
            return Ok(Self { span: start..start + text.len(), text: None });
        }
        let mut trimmed = TrimmedText { text: String::with_capacity(raw.len()), ..TrimmedText::default() };
        let mut at = 0;
        while let Some((piece, end)) = next_piece(raw, at)? {
            match piece {
                StringPiece::Plain(text) => trimmed.add(text, at..end),
                StringPiece::Escaped(c) => trimmed.add(c.encode_utf8(&mut [0; 4]), at..end),
            }
            at = end;
        }
        let TrimmedText { mut text, text_end, span } = trimmed;
        text.truncate(text_end);
        // Each escape is longer than its character.
        let text = (text.len() != span.len()).then_some(text);
        Ok(Self { span, text })
    }
}

/// Returns the whole text of a string; `raw` is what is between its quotes. Fails as [`StringText::new`] does.
pub(super) fn unescape(raw: &str) -> Result<String, usize> {
    let mut text = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some((piece, end)) = next_piece(raw, at)? {
        match piece {
            StringPiece::Plain(part) => text.push_str(part),
            StringPiece::Escaped(c) => text.push(c),
        }
        at = end;
    }
    Ok(text)
}

/// A text that white space at its ends is left out of.
#[derive(Default)]
struct TrimmedText {
    /// The text, with white space at its end.
    text: String,
    /// Where it ends without that.
    text_end: usize,
    /// The bytes of the string up to there.
    span: Range<usize>,
}

impl TrimmedText {
    /// Adds a part, which is these bytes of the string: a character that is escaped, or the text as it is.
    fn add(&mut self, part: &str, bytes: Range<usize>) {
        let is_start = self.text.is_empty();
        let rest = if is_start { part.trim_start() } else { part };
        let kept = rest.trim_end().len();
        if kept > 0 {
            let is_whole = kept == part.len();
            if is_start {
                let start = if is_whole { bytes.start } else { bytes.end - rest.len() };
                self.span = start..start;
            }
            self.span.end = if is_whole { bytes.end } else { bytes.end - (rest.len() - kept) };
            self.text_end = self.text.len() + kept;
        }
        self.text.push_str(rest);
    }
}

/// A part of a string.
enum StringPiece<'a> {
    /// Bytes that stand for themselves.
    Plain(&'a str),
    /// A character that is escaped.
    Escaped(char),
}

/// Returns the part of a string that begins at `at`, and its end.
fn next_piece(raw: &str, at: usize) -> Result<Option<(StringPiece<'_>, usize)>, usize> {
    let rest = raw.get(at..).unwrap_or_default();
    let plain = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
    if plain > 0 {
        return Ok(rest.get(..plain).map(|text| (StringPiece::Plain(text), at + plain)));
    }
    let escaped = |c: char, len: usize| Ok(Some((StringPiece::Escaped(c), at + len)));
    match rest.as_bytes().get(1) {
        None => Ok(None),
        Some(b'b') => escaped('\u{8}', 2),
        Some(b'f') => escaped('\u{c}', 2),
        Some(b'n') => escaped('\n', 2),
        Some(b'r') => escaped('\r', 2),
        Some(b't') => escaped('\t', 2),
        Some(b'u') => {
            let first = code_unit(rest).ok_or(at)?;
            let second = rest.get(6..).filter(|_| (0xd800..0xdc00).contains(&first)).and_then(code_unit);
            let units = std::iter::once(first).chain(second);
            match char::decode_utf16(units).next() {
                Some(Ok(c)) => escaped(c, if c.len_utf16() == 2 { 12 } else { 6 }),
                _ => Err(at),
            }
        }
        Some(byte) => escaped(char::from(*byte), 2),
    }
}

/// Returns the number of an escape such as `\u00e9` at the start of a text.
fn code_unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// Returns whether a string has escapes for characters outside of ASCII, and nothing else outside of ASCII.
pub(super) fn is_ascii_style(raw: &str) -> bool {
    let mut at = 0;
    if !raw.is_ascii() {
        return false;
    }
    while let Ok(Some((piece, end))) = next_piece(raw, at) {
        if matches!(piece, StringPiece::Escaped(c) if !c.is_ascii()) {
            return true;
        }
        at = end;
    }
    false
}

/// Appends a text as the inside of a string. With `ascii`, characters outside of ASCII are escaped too.
pub(super) fn write_string(text: &str, ascii: bool, out: &mut Vec<u8>) {
    if !ascii || text.is_ascii() {
        return escape_into(out, text.as_bytes());
    }
    for part in text.split_inclusive(|c: char| !c.is_ascii()) {
        let last = part.chars().next_back().filter(|c| !c.is_ascii());
        let plain = part.len() - last.map_or(0, char::len_utf8);
        escape_into(out, part.get(..plain).unwrap_or_default().as_bytes());
        for unit in last.iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()) {
            let _ = write!(out, "\\u{unit:04x}"); // a Vec takes everything
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the text of a string and its bytes.
    fn check(raw: &str, text: &str, span: &str) {
        let found = StringText::new(raw).unwrap();
        assert_eq!(raw.get(found.span.clone()), Some(span), "{raw}");
        assert_eq!(found.text.as_deref().unwrap_or(span), text, "{raw}");
        let whole: String = serde_json::from_str(&format!("\"{raw}\"")).unwrap();
        assert_eq!(whole.trim(), text, "{raw}");
        assert_eq!(unescape(raw).unwrap(), whole);
    }

    #[test]
    fn the_text_of_a_string_is_what_is_written_without_outer_white_space() {
        check("", "", "");
        check(" \\t ", "", "");
        check("plain", "plain", "plain");
        check("  two words \u{a0}", "two words", "two words");
        check("\\n\\n a\\nb\\u00a0 \\u2003", "a\nb", "a\\nb");
        check(" \\\"x\\\" ", "\"x\"", "\\\"x\\\"");
        check("a\\\\n", "a\\n", "a\\\\n");
        check("\\/\\b\\f\\r\\u0041", "/\u{8}\u{c}\rA", "\\/\\b\\f\\r\\u0041");
        check("\\ud83d\\uDE00 é", "😀 é", "\\ud83d\\uDE00 é");
        check("\\n  only the ends\\n", "only the ends", "only the ends");
        check(" é\\u0020x\\u0020\\u0020", "é x", "é\\u0020x");
    }

    #[test]
    fn a_surrogate_without_its_pair_is_no_text() {
        for (raw, at) in
            [("\\ud800", 0), ("ab\\udc00", 2), ("\\ud83d\\u0041", 0), ("\\n\\ud83d!", 2), ("\\ud83d\\n", 0)]
        {
            assert_eq!(StringText::new(raw), Err(at), "{raw}");
        }
        assert_eq!(StringText::new("\\ud83d\\ud83d\\ude00"), Err(0));
    }

    #[test]
    fn a_result_is_written_in_the_style_of_its_source() {
        let written = |text: &str, source: &str| {
            let mut out = Vec::new();
            write_string(text, is_ascii_style(source), &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written("\"é\"\n\\/😀\u{7f}\u{1}", "Hello\\n\\u0001"), "\\\"é\\\"\\n\\\\/😀\u{7f}\\u0001");
        assert_eq!(written("é\n😀x\"", "\\u00E9"), "\\u00e9\\n\\ud83d\\ude00x\\\"");
        assert_eq!(written("é", "\\u00e9é"), "é");
        assert_eq!(written("é", "\\\\u00e9"), "é", "an escaped backslash");
    }
}
