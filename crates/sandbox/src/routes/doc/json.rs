//! JSON files: string values are translated; names, numbers, order, whitespace and escapes are kept.

use std::ops::Range;
use std::path::Path;

use serde::de::IgnoredAny;
use tulk_base::json::escape_into;

use super::translation::{DocumentError, DocumentTranslator, SourceForms, TextEdit, apply_edits, read_text};

/// Returns the number of billed characters.
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
    let file = read_text(source)?;
    let text = file.strip_prefix('\u{feff}').unwrap_or(&file);
    // `IgnoredAny` builds no value, so any nesting depth is accepted.
    serde_json::from_str::<IgnoredAny>(text)
        .map_err(|error| DocumentError::document(format!("The file is not valid JSON: {error}.")))?;
    let values = string_values(&file);
    translator.refuse_same_language(values.iter().filter_map(|value| unescape(file.get(value.clone())?)))?;
    let (mut edits, mut characters) = (Vec::new(), 0);
    for value in values {
        let source = file.get(value.clone()).unwrap_or_default();
        let Some(text) = unescape(source).filter(|text| !text.trim().is_empty()) else { continue };
        characters += translator.characters(&text);
        let translated = translator.translate(&text);
        if translated != text {
            edits.push(TextEdit { text: escape(&translated, source), range: value });
        }
    }
    std::fs::write(result, apply_edits(&file, edits))?;
    Ok(characters)
}

/// Finds the string values, without their quotes and without object names. The text must be valid JSON.
fn string_values(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let find = |needle: u8, from: usize| Some(from + memchr::memchr(needle, bytes.get(from..)?)?);
    let mut values = Vec::new();
    let mut at = 0;
    while let Some(quote) = find(b'"', at) {
        let start = quote + 1;
        let mut end = start;
        while let Some(&byte) = bytes.get(end).filter(|&&byte| byte != b'"') {
            end += if byte == b'\\' { 2 } else { 1 };
        }
        at = end + 1;
        let rest = text.get(at..).unwrap_or_default();
        if !rest.trim_start_matches([' ', '\t', '\n', '\r']).starts_with(':') {
            values.push(start..end);
        }
    }
    values
}

/// Returns `None` if the string contains a lone surrogate.
fn unescape(source: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{source}\"")).ok()
}

/// Characters that are escaped in the source get the same escapes.
fn escape(translated: &str, source: &str) -> String {
    let mut forms = SourceForms::new(chars_with_forms(source));
    let mut out = Vec::with_capacity(translated.len());
    for c in translated.chars() {
        match forms.next(c) {
            Some(form) => out.extend_from_slice(form.as_bytes()),
            None => escape_into(&mut out, c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the characters of a string, each with its source form (itself or an escape). The string must not contain
/// lone surrogates.
fn chars_with_forms(source: &str) -> impl Iterator<Item = (char, &str)> + Clone {
    let mut rest = source;
    std::iter::from_fn(move || {
        let plain = rest.chars().next()?;
        let lengths: &[usize] = match (plain, rest.as_bytes().get(1)) {
            // A character above U+FFFF is a pair of escapes.
            ('\\', Some(b'u')) => &[6, 12],
            ('\\', _) => &[2],
            _ => &[],
        };
        let escaped = lengths.iter().find_map(|&len| Some((unescape(rest.get(..len)?)?.chars().next()?, len)));
        let (c, len) = escaped.unwrap_or((plain, plain.len_utf8()));
        let (form, after) = rest.split_at(len);
        rest = after;
        Some((c, form))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_strings_that_are_values() {
        let text = r#"{"a" : "b", "c":["d\\", "e\"f"],"g":{"":"", "h":1}}"#;
        let values: Vec<&str> = string_values(text).into_iter().map(|range| text.get(range).unwrap()).collect();
        assert_eq!(values, ["b", r"d\\", r#"e\"f"#, ""]);
        assert_eq!(string_values("\"a\"").first(), Some(&(1..2)));
    }

    #[test]
    fn a_translation_has_the_escapes_of_its_source() {
        for (translated, source, expected) in [
            ("é/\"\n😀", r#"\u00e9\/\"\n\ud83d\uDE00"#, r#"\u00e9\/\"\n\ud83d\uDE00"#),
            ("é/\"\n\u{1}😀", "x", r#"é/\"\n\u0001😀"#),
            ("/a/a/", r"\//", r"\/a/a/"),
            ("a\\b", r"\\u0061", r"a\\b"),
        ] {
            assert_eq!(escape(translated, source), expected);
        }
    }

    #[test]
    fn does_not_unescape_a_lone_surrogate() {
        for (text, expected) in [(r"\ud800", None), (r"\ud83d\ude00", Some("😀")), (r"\u0041", Some("A"))] {
            assert_eq!(unescape(text).as_deref(), expected, "{text}");
        }
    }
}
