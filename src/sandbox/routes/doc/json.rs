//! JSON: string values are translated; names, numbers, order, spaces and escapes stay.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use serde::de::IgnoredAny;

use super::translator::{DocumentError, DocumentTranslator, read_text};
use crate::json::escape_into;
use crate::sandbox::markup::MarkupSyntax;

pub(super) const SYNTAX: MarkupSyntax = MarkupSyntax::None;
/// Number of values from which the language is detected.
const SAMPLE_VALUES: usize = 50;

/// Translates a JSON file and returns its characters.
pub(super) fn translate(translator: &DocumentTranslator, source: &Path, result: &Path) -> Result<u64, DocumentError> {
    let file = read_text(source)?;
    let text = file.strip_prefix('\u{feff}').unwrap_or(&file);
    // This reads any depth of nesting, because it keeps nothing.
    serde_json::from_str::<IgnoredAny>(text)
        .map_err(|error| DocumentError::document(format!("The file is not valid JSON: {error}.")))?;
    let values = string_values(&file);
    let sample: Vec<String> = values
        .iter()
        .filter_map(|value| unescape(&file, value))
        .filter(|text| !text.trim().is_empty())
        .take(SAMPLE_VALUES)
        .collect();
    if !sample.is_empty() {
        translator.refuse_same_language(&sample.join("\n"))?;
    }
    let mut out = String::with_capacity(file.len() * 2);
    let (mut done, mut characters) = (0, 0);
    for value in values {
        let Some(text) = unescape(&file, &value) else { continue };
        characters += translator.characters(&text);
        let translated = translator.translate(&text);
        if translated != text {
            out.push_str(file.get(done..value.start).unwrap_or_default());
            out.push_str(&escape(&translated, file.get(value.clone()).unwrap_or_default()));
            done = value.end;
        }
    }
    out.push_str(file.get(done..).unwrap_or_default());
    std::fs::write(result, out)?;
    Ok(characters)
}

/// Finds the strings that are values, without their quotes. The text must be valid JSON.
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

/// Returns a string with its escapes resolved. `None` if one of them is half of a character.
fn unescape(text: &str, value: &Range<usize>) -> Option<String> {
    serde_json::from_str(text.get(value.start - 1..=value.end)?).ok()
}

/// Escapes a translation. Characters that are escaped in the source have the same escapes.
fn escape(translated: &str, source: &str) -> String {
    let escapes = escapes(source);
    let mut out = String::with_capacity(translated.len());
    for c in translated.chars() {
        if let Some(escape) = escapes.get(&c) {
            out.push_str(escape);
            continue;
        }
        let mut bytes = Vec::new();
        escape_into(&mut bytes, c.encode_utf8(&mut [0; 4]).as_bytes());
        out.push_str(&String::from_utf8_lossy(&bytes));
    }
    out
}

/// Returns the characters that are escaped in a string, with their escapes.
fn escapes(source: &str) -> HashMap<char, &str> {
    let mut escapes = HashMap::new();
    let mut at = 0;
    while let Some(found) = source.get(at..).and_then(|rest| rest.find('\\')) {
        let start = at + found;
        let len = match source.as_bytes().get(start + 1) {
            Some(b'u') => 6,
            _ => 2,
        };
        // A character beyond U+FFFF has two escapes.
        let escape = [len, 12].into_iter().filter_map(|len| source.get(start..start + len)).find_map(|escape| {
            let text: String = serde_json::from_str(&format!("\"{escape}\"")).ok()?;
            Some((text.chars().next()?, escape))
        });
        at = start + escape.map_or(len, |(_, escape)| escape.len());
        escapes.extend(escape);
    }
    escapes
}
