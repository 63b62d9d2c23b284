//! Converts JSON strings to text, and results back to strings in the style of their source.

use std::io::Write as _;
use std::ops::Range;

use tulk_base::json::escape_into;

/// The text of a string, without outer whitespace.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct StringText {
    /// Bytes of the text in the string; empty if the string is only whitespace.
    pub(super) span: Range<usize>,
    /// The text, if it differs from these bytes.
    pub(super) text: Option<String>,
}

impl StringText {
    /// Decodes a string; `raw` is valid JSON between its quotes.
    ///
    /// Fails at a surrogate without its pair, which is not a character; the error is its byte offset.
    pub(super) fn new(raw: &str) -> Result<Self, usize> {
        if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
            let text = raw.trim();
            let start = if text.is_empty() { 0 } else { raw.len() - raw.trim_start().len() };
            return Ok(Self { span: start..start + text.len(), text: None });
        }
        let mut trimmed = TrimmedText { text: String::with_capacity(raw.len()), ..TrimmedText::default() };
        let mut at = 0;
        while let Some((fragment, end)) = next_fragment(raw, at)? {
            match fragment {
                StringFragment::Plain(text) => trimmed.add(text, at..end),
                StringFragment::Escaped(c) => trimmed.add(c.encode_utf8(&mut [0; 4]), at..end),
            }
            at = end;
        }
        let TrimmedText { mut text, text_end, span } = trimmed;
        text.truncate(text_end);
        // Every escape sequence is longer than its character.
        let text = (text.len() != span.len()).then_some(text);
        Ok(Self { span, text })
    }
}

/// Decodes a string including outer whitespace. Fails like [`StringText::new`].
pub(super) fn unescape(raw: &str) -> Result<String, usize> {
    let mut text = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some((fragment, end)) = next_fragment(raw, at)? {
        match fragment {
            StringFragment::Plain(part) => text.push_str(part),
            StringFragment::Escaped(c) => text.push(c),
        }
        at = end;
    }
    Ok(text)
}

/// Builds a text without outer whitespace.
#[derive(Default)]
struct TrimmedText {
    /// The text, including trailing whitespace.
    text: String,
    /// End of the text without trailing whitespace.
    text_end: usize,
    /// Bytes of the text in the string.
    span: Range<usize>,
}

impl TrimmedText {
    /// Appends a fragment: plain text, or the character of an escape sequence. `bytes` is its range in the string.
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

enum StringFragment<'a> {
    Plain(&'a str),
    Escaped(char),
}

/// Returns the fragment at `at`, and its end.
fn next_fragment(raw: &str, at: usize) -> Result<Option<(StringFragment<'_>, usize)>, usize> {
    let rest = raw.get(at..).unwrap_or_default();
    let plain = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
    if plain > 0 {
        return Ok(rest.get(..plain).map(|text| (StringFragment::Plain(text), at + plain)));
    }
    let escaped = |c: char, len: usize| Ok(Some((StringFragment::Escaped(c), at + len)));
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

/// Parses an escape such as `\u00e9` at the start of a text.
fn code_unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// Returns whether a string is pure ASCII and escapes other characters.
pub(super) fn is_ascii_style(raw: &str) -> bool {
    let mut at = 0;
    if !raw.is_ascii() {
        return false;
    }
    while let Ok(Some((fragment, end))) = next_fragment(raw, at) {
        if matches!(fragment, StringFragment::Escaped(c) if !c.is_ascii()) {
            return true;
        }
        at = end;
    }
    false
}

/// With `ascii`, escapes all non-ASCII characters.
pub(super) fn write_string(text: &str, ascii: bool, out: &mut Vec<u8>) {
    if !ascii || text.is_ascii() {
        return escape_into(out, text.as_bytes());
    }
    for part in text.split_inclusive(|c: char| !c.is_ascii()) {
        let last = part.chars().next_back().filter(|c| !c.is_ascii());
        let plain = part.len() - last.map_or(0, char::len_utf8);
        escape_into(out, part.get(..plain).unwrap_or_default().as_bytes());
        for unit in last.iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()) {
            let _ = write!(out, "\\u{unit:04x}"); // writing to a `Vec` cannot fail
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, text: &str, span: &str) {
        let found = StringText::new(raw).unwrap();
        assert_eq!(raw.get(found.span.clone()), Some(span), "{raw}");
        assert_eq!(found.text.as_deref().unwrap_or(span), text, "{raw}");
        let whole: String = serde_json::from_str(&format!("\"{raw}\"")).unwrap();
        assert_eq!(whole.trim(), text, "{raw}");
        assert_eq!(unescape(raw).unwrap(), whole);
    }

    #[test]
    fn the_text_of_a_string_has_no_outer_whitespace() {
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
    fn refuses_a_surrogate_without_its_pair() {
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
