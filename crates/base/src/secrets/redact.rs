//! Replaces values in a text, however they are escaped.

use std::borrow::Cow;

use super::readings::Readings;
use super::{REDACTED, is_long};

/// Size in bytes of the chunks for which readings are held in memory.
const CHUNK_BYTES: usize = 64 << 10;
const MAX_ESCAPED_BYTES: usize = 16 << 10;

/// Replaces the values with `***`. Earlier `values` take precedence.
pub(super) fn redact_values<'a>(text: &'a str, values: &[Box<str>]) -> Cow<'a, str> {
    let bytes = text.as_bytes();
    let (mut redacted, mut kept, mut at) = (String::new(), 0, 0);
    let mut is_first = [false; 256];
    for first in values.iter().filter_map(|value| value.bytes().next()) {
        if let Some(place) = is_first.get_mut(usize::from(first)) {
            *place = true;
        }
    }
    while at < bytes.len() {
        let start = at;
        let chunk = Chunk::new(bytes, start);
        while at < bytes.len().min(start + CHUNK_BYTES) {
            // Fast path: most bytes can only be read as written.
            let only = chunk.readings.only_byte(at - start);
            if only.is_some_and(|byte| is_first.get(usize::from(byte)) == Some(&false)) {
                at += 1;
                continue;
            }
            match values.iter().find_map(|value| chunk.find(at, value)) {
                Some(end) => {
                    redacted.push_str(text.get(kept..at).unwrap_or_default());
                    redacted.push_str(REDACTED);
                    (kept, at) = (end, end);
                }
                None => at += 1,
            }
        }
    }
    if kept == 0 && redacted.is_empty() {
        return Cow::Borrowed(text);
    }
    redacted.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(redacted)
}

struct Chunk<'a> {
    text: &'a [u8],
    start: usize,
    readings: Readings<'a>,
}

impl<'a> Chunk<'a> {
    fn new(text: &'a [u8], start: usize) -> Self {
        let end = text.len().min(start + CHUNK_BYTES + MAX_ESCAPED_BYTES);
        Self { text, start, readings: Readings::new(text.get(start..end).unwrap_or_default()) }
    }

    /// Returns the end of a value that starts at a position of the text.
    fn find(&self, start: usize, value: &str) -> Option<usize> {
        let first = value.bytes().next();
        if !self.readings.all_at(start - self.start).any(|(byte, _)| Some(byte) == first) {
            return None;
        }
        let ends = self.ends(start - self.start, value.as_bytes());
        let mut ends = ends.into_iter().map(|end| self.start + end);
        if is_long(value) {
            return ends.max();
        }
        let is_word_byte = |at: Option<usize>| {
            at.and_then(|at| self.text.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        };
        let is_start = !is_word_byte(start.checked_sub(1)) || self.readings.is_after_break(start - self.start);
        ends.find(|end| is_start && !is_word_byte(Some(*end)))
    }

    /// Returns the ends of all escaped forms of a value at a position of the chunk.
    fn ends(&self, start: usize, value: &[u8]) -> Vec<usize> {
        let mut ends = vec![start];
        let mut last = None;
        for &byte in value {
            // A run of backslashes counts as one.
            if byte == b'\\' && last == Some(byte) {
                continue;
            }
            let next = ends.iter().flat_map(|at| self.readings.all_at(*at));
            ends =
                next.filter(|(read, _)| *read == byte || (byte == b' ' && *read == b'+')).map(|(_, end)| end).collect();
            ends.sort_unstable();
            ends.dedup();
            if ends.is_empty() {
                return ends;
            }
            last = Some(byte);
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(text: &str, values: &[&str]) -> String {
        let values: Vec<Box<str>> = values.iter().map(|value| (*value).into()).collect();
        redact_values(text, &values).into_owned()
    }

    #[test]
    fn redacts_a_long_value_anywhere() {
        assert_eq!(redacted("key k-12345678 in xk-12345678x", &["k-12345678"]), "key *** in x***x");
        assert_eq!(redacted("k-12345678k-12345678", &["k-12345678"]), "******");
        assert_eq!(redacted("k-1234567, k-1234567", &["k-12345678"]), "k-1234567, k-1234567");
        assert_eq!(redacted("grüße k-12345678 ä", &["k-12345678"]), "grüße *** ä");
    }

    #[test]
    fn redacts_a_short_value_only_as_a_complete_word() {
        assert_eq!(
            redacted("work, working, rework, homework; key=work", &["work"]),
            "***, working, rework, homework; key=***"
        );
        assert_eq!(redacted("äwork workä", &["work"]), "äwork workä");
        assert_eq!(redacted(r"a\nwork%20work&#32;work\u0041work", &["work"]), r"a\n***%20***&#32;***\u0041work");
    }

    #[test]
    fn redacts_encoded_values() {
        let values = ["a+b/c==\"\\é"];
        for text in [
            "a+b/c==\"\\é",
            r#"a+b/c==\"\é"#,
            r#"a+b\/c==\\\"\\\\é"#,
            "a%2Bb%2Fc%3D%3D%22%5C%C3%A9",
            "a%2bb%2fc%3d%3d%22%5c%c3%a9",
            "a%252Bb%252Fc%253D%253D%2522%255C%25C3%25A9",
            r"a+b/c\u003d\u003d\u0022\u005cé",
        ] {
            assert_eq!(redacted(&format!("<{text}>"), &values), "<***>", "{text}");
        }
        // `\u0075` is read as `u`, and so is `\u` without digits.
        for text in [r"\u0072u\u006e-12345", r"r\u0075n-12345", r"r\un-12345"] {
            assert_eq!(redacted(text, &["run-12345"]), "***", "{text}");
        }
    }

    #[test]
    fn redacts_values_in_nested_escapes() {
        for text in [
            r"\u0053E\u004b-12345",
            r"\u0053E\u004B\u002D1234\u0035",
            r"\\u0053\\\\u0045K\-12345",
            r"\u005cu0053EK-12345",
            r"%5Cu0053E%5cu004b-12345",
            r"\u0025\u0035\u0033EK-12345",
            r"&#83;&#x45;&#0075;-12345",
            r"&#83&#69;K-12345",
            r"&amp;#83;EK-12345",
            r"&#92;u0053EK-12345",
            r"\u0026#83;EK-12345",
            r"&bsol;u0053E&percnt;4B-12345",
            r"%u0053%u0045K-12345",
            r"%25%35%33EK-12345",
            r"=53=45=4B-12345",
            r"\x53\u{45}\U0000004b-12345",
            r"\123EK-12345",
            r"\u00\u0035\u0033EK-12345",
        ] {
            assert_eq!(redacted(&format!("<{text}>"), &["SEK-12345"]), "<***>", "{text}");
        }
        // An incomplete escape before the value does not hide it.
        for before in ["%", "=", "%c", "&#1", r"\u00", r"\u0"] {
            let text = format!(r"{before}abc\u002d\u0031%32345");
            assert_eq!(redacted(&text, &["abc-12345"]), format!("{before}***"));
        }
    }

    /// Writes a byte as an escape.
    type Form = fn(u8) -> String;

    #[test]
    fn redacts_values_in_any_mixture_of_escapes() {
        let value = "fab0/Se+cret-99:\"\\x=%41&lt;";
        // Each kind of escape: the character that starts it, which must itself be escaped, and the ways to escape a byte.
        let layers: [(u8, &[Form]); 4] = [
            (b'%', &[|byte| format!("%{byte:02X}"), |byte| format!("%{byte:02x}")]),
            (b'\\', &[|byte| format!("\\u{byte:04x}"), |byte| format!("\\u{byte:04X}")]),
            (b'&', &[|byte| format!("&#{byte};"), |byte| format!("&#x{byte:X};"), |byte| format!("&#{byte:04};")]),
            (b'=', &[|byte| format!("={byte:02X}"), |byte| format!("={byte:02x}")]),
        ];
        let mut random = 1_u32;
        let mut pick = |count: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) as usize % count
        };
        for _ in 0..1000 {
            let mut text = value.to_owned();
            for _ in 0..=pick(3) {
                let (lead, forms) = layers[pick(layers.len())];
                let mut encode = |byte| {
                    let is_escaped = byte == lead || pick(2) == 0;
                    if is_escaped { forms[pick(forms.len())](byte) } else { char::from(byte).to_string() }
                };
                text = text.bytes().map(&mut encode).collect();
            }
            let redacted = redacted(&format!("({text})"), &[value]);
            assert_eq!(redacted, "(***)", "{text}");
        }
    }

    #[test]
    fn redacts_values_across_chunk_boundaries() {
        for before in CHUNK_BYTES - 40..CHUNK_BYTES + 40 {
            let text = format!("{}\\u0053EK-12\\u003345 %20", "x".repeat(before));
            assert_eq!(redacted(&text, &["SEK-12345"]), format!("{}*** %20", "x".repeat(before)), "{before}");
        }
    }

    #[test]
    fn text_with_only_escapes_takes_linear_time() {
        for chunk in [r"\", "%", "%25", "&", "&#", r"\u005c", "=3", r"\u00", "&amp;", "%5c%5c"] {
            let check = |text: &String| assert_eq!(redacted(text, &["SEK-12345"]), *text);
            tulk_growth::assert_linear(chunk, 256, |n| chunk.repeat(n), check);
        }
    }

    #[test]
    fn the_longest_value_wins() {
        assert_eq!(redacted("wss://h/?token=0123456789", &["wss://h/?token=0123456789", "0123456789"]), "***");
    }
}
