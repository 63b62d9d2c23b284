//! Values in the YAML of front matter: plain and quoted scalars, and block scalars. Other YAML is left as it is.

use std::fmt::Write;
use std::iter::Skip;
use std::ops::Range;
use std::str::CharIndices;

use super::BlockKind;
use super::front_matter::{FrontMatterValue, ValueError, not_text};

/// Returns whether front matter begins like a mapping.
pub(super) fn looks_like_mapping(content: &str) -> bool {
    if content.trim().is_empty() {
        return true;
    }
    let first = content.lines().next().unwrap_or_default();
    first.starts_with('#')
        || key_len(first).is_some()
        || content.lines().any(|line| key_len(line).is_some() && !first.trim().is_empty())
}

/// A line with a key.
struct KeyLine<'a> {
    indent: usize,
    key: &'a str,
    /// Where its value begins.
    value: usize,
}

/// Returns the texts of some keys, in the order of the file.
pub(super) fn values(content: &str, keys: &[String]) -> Result<Vec<FrontMatterValue>, ValueError> {
    let mut values = Vec::new();
    let mut parents: Vec<(usize, String)> = Vec::new();
    let mut inside_value: Option<usize> = None;
    let mut at = 0;
    for line in content.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = line.trim_end();
        let indent = text.len() - text.trim_start().len();
        if text.is_empty() || inside_value.is_some_and(|outer| indent > outer) {
            continue;
        }
        inside_value = None;
        let Some(KeyLine { indent, key, value }) = key_line(text, start) else {
            if text.trim_start().starts_with("- ") {
                inside_value = Some(indent);
            }
            continue;
        };
        while parents.pop_if(|(outer, _)| *outer >= indent).is_some() {}
        let path = parents.last().map_or_else(|| key.to_owned(), |(_, parent)| format!("{parent}.{key}"));
        if keys.contains(&path) {
            values.extend(value_at(content, value, indent, &path)?);
        }
        let rest = content.get(value..start + text.len()).unwrap_or_default();
        if rest.is_empty() || rest.starts_with('#') {
            parents.push((indent, path));
        } else {
            inside_value = Some(indent);
        }
    }
    Ok(values)
}

fn key_line(line: &str, start: usize) -> Option<KeyLine<'_>> {
    let content = line.trim_start();
    let indent = line.len() - content.len();
    let len = key_len(content)?;
    let key = content.get(..len)?.trim_end().trim_matches(['"', '\'']);
    let after = content.get(len + 1..)?;
    let space = after.len() - after.trim_start().len();
    Some(KeyLine { indent, key, value: start + indent + len + 1 + space })
}

/// Returns the length of the key that a line begins with.
fn key_len(line: &str) -> Option<usize> {
    let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
    let from = match quote {
        Some(quote) => line.get(1..)?.find(quote)? + 2,
        None if line.starts_with(['-', '#', '[', '{', '&', '*', '!', '|', '>', '%', '@', '`', ' ', '\t']) => {
            return None;
        }
        None => 0,
    };
    let rest = line.get(from..)?;
    let colon = rest.char_indices().find(|(at, c)| {
        *c == ':'
            && rest.get(at + 1..).is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t', '\r', '\n']))
    })?;
    (from + colon.0 > 0).then_some(from + colon.0)
}

/// Returns the text that begins at `at`, the value of a key with an indentation; `None` if it is a number or nothing.
fn value_at(content: &str, at: usize, indent: usize, key: &str) -> Result<Option<FrontMatterValue>, ValueError> {
    let rest = content.get(at..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default().trim_end();
    let value = |kind, len, text| Ok(Some(FrontMatterValue { kind, range: at..at + len, text }));
    match line.chars().next() {
        Some('"') => {
            let (len, text) = double_quoted(rest).ok_or_else(|| not_text(key, at))?;
            value(BlockKind::DoubleQuoted, len, text)
        }
        Some('\'') => {
            let (len, text) = single_quoted(rest).ok_or_else(|| not_text(key, at))?;
            value(BlockKind::SingleQuoted, len, text)
        }
        Some('|' | '>') => Ok(block_scalar(content, at, indent, line.starts_with('>'))),
        None | Some('#') => {
            let next = rest.lines().skip(1).find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
            let is_nested = next.is_some_and(|line| {
                let inner = line.len() - line.trim_start().len();
                inner > indent || (inner == indent && line.trim_start().starts_with("- "))
            });
            if is_nested { Err(not_text(key, at)) } else { Ok(None) }
        }
        Some('[' | '{' | '&' | '*' | '!' | '@' | '`' | '%') => Err(not_text(key, at)),
        Some(_) => {
            let (len, text) = plain(rest, indent);
            if is_special(&text) { Ok(None) } else { value(BlockKind::PlainScalar, len, text) }
        }
    }
}

/// Returns the length and the text of a plain scalar with its continuation lines.
fn plain(rest: &str, indent: usize) -> (usize, String) {
    let (mut len, mut text, mut at) = (0, String::new(), 0);
    for (number, line) in rest.split_inclusive('\n').enumerate() {
        let content = line.split(" #").next().unwrap_or_default().trim_end();
        let words = content.trim_start();
        let is_deeper = content.len() - words.len() > indent;
        if number > 0 && (words.is_empty() || !is_deeper || words.starts_with('#')) {
            break;
        }
        if number > 0 {
            text.push(' ');
        }
        text.push_str(words);
        len = at + content.len();
        at += line.len();
        if content.len() < line.trim_end().len() {
            break;
        }
    }
    (len, text)
}

/// Returns whether a plain scalar is a number, a truth value or null.
fn is_special(text: &str) -> bool {
    let word = text.to_ascii_lowercase();
    matches!(word.as_str(), "true" | "false" | "null" | "~" | "yes" | "no" | "on" | "off" | "y" | "n" | ".inf" | ".nan")
        || text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(' ')
        || text.parse::<f64>().is_ok()
}

/// Returns the length and the text of a quoted scalar.
fn double_quoted(rest: &str) -> Option<(usize, String)> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((at + 1, text)),
            '\n' => fold_line(&mut text, &mut chars),
            '\\' => {
                let escape = chars.next()?.1;
                let mut code = |digits: usize| {
                    let hex: String = chars.by_ref().take(digits).map(|(_, c)| c).collect();
                    u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32)
                };
                text.push(match escape {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    '0' => '\0',
                    'e' => '\u{1b}',
                    'N' => '\u{85}',
                    '_' => '\u{a0}',
                    '"' | '\\' | '/' | ' ' => escape,
                    'x' => code(2)?,
                    'u' => code(4)?,
                    'U' => code(8)?,
                    _ => return None,
                });
            }
            c => text.push(c),
        }
    }
    None
}

fn single_quoted(rest: &str) -> Option<(usize, String)> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' if rest.get(at + 1..).is_some_and(|after| after.starts_with('\'')) => {
                chars.next();
                text.push('\'');
            }
            '\'' => return Some((at + 1, text)),
            '\n' => fold_line(&mut text, &mut chars),
            c => text.push(c),
        }
    }
    None
}

/// Makes a space of a line break and the white space around it.
fn fold_line(text: &mut String, chars: &mut Skip<CharIndices<'_>>) {
    let len = text.trim_end().len();
    text.truncate(len);
    text.push(' ');
    let spaces = chars.clone().take_while(|(_, c)| c.is_whitespace()).count();
    chars.by_ref().take(spaces).for_each(drop);
}

/// Returns a block scalar without its indentation.
fn block_scalar(content: &str, at: usize, indent: usize, folded: bool) -> Option<FrontMatterValue> {
    let start = at + memchr::memchr(b'\n', content.get(at..)?.as_bytes())? + 1;
    let mut inner = None;
    let (mut range, mut text, mut position): (Option<Range<usize>>, String, usize) = (None, String::new(), start);
    let mut breaks = 0;
    for line in content.get(start..)?.split_inclusive('\n') {
        let line_text = line.trim_end();
        let spaces = line_text.len() - line_text.trim_start_matches(' ').len();
        if line_text.is_empty() {
            breaks += 1;
        } else if spaces <= indent {
            break;
        } else {
            let inner = *inner.get_or_insert(spaces);
            let words = line_text.get(inner.min(spaces)..)?;
            let begin = position + inner.min(spaces);
            if let Some(range) = &mut range {
                let separator = if !folded {
                    "\n".repeat(breaks + 1)
                } else if breaks > 0 {
                    "\n".repeat(breaks)
                } else {
                    " ".to_owned()
                };
                text.push_str(&separator);
                range.end = position + line_text.len();
            } else {
                range = Some(begin..position + line_text.len());
            }
            text.push_str(words);
            breaks = 0;
        }
        position += line.len();
    }
    let kind = if folded { BlockKind::FoldedBlock } else { BlockKind::LiteralBlock };
    Some(FrontMatterValue { kind, range: range?, text })
}

/// Writes a text as a value of a kind. The source is what it replaces.
pub(super) fn render(kind: BlockKind, source: &str, text: &str) -> String {
    match kind {
        BlockKind::LiteralBlock | BlockKind::FoldedBlock => block_lines(kind, source, text),
        BlockKind::SingleQuoted if !text.contains(char::is_control) => format!("'{}'", text.replace('\'', "''")),
        BlockKind::PlainScalar if is_plain(text) => text.to_owned(),
        _ => quote(text),
    }
}

fn block_lines(kind: BlockKind, source: &str, text: &str) -> String {
    let end = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let others = source.split('\n').skip(1).filter(|line| !line.trim().is_empty());
    let Some(indent) = others.map(|line| line.len() - line.trim_start_matches(' ').len()).min() else {
        return text.trim().replace('\n', " ");
    };
    let end = if kind == BlockKind::FoldedBlock { end.repeat(2) } else { end.to_owned() };
    let mut written = String::new();
    for (number, line) in text.trim().lines().enumerate() {
        let line = line.trim_end();
        if number > 0 {
            written.push_str(&end);
        }
        if number > 0 && !line.is_empty() {
            written.push_str(&" ".repeat(indent));
        }
        written.push_str(line);
    }
    written
}

/// Returns whether a text can be written without quotes.
fn is_plain(text: &str) -> bool {
    let is_marked = text.starts_with(|c: char| {
        c.is_ascii_punctuation() && !matches!(c, '(' | '.' | '/' | '<' | '$' | '+' | '=' | '_' | '~')
    });
    !(text.is_empty()
        || text.trim() != text
        || is_marked
        || is_special(text)
        || text.contains(": ")
        || text.ends_with(':')
        || text.contains(" #")
        || text.contains(char::is_control))
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\x{:02x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
#[allow(clippy::string_slice)] // a wrong position fails the test
mod tests {
    use super::*;

    fn found(content: &str, keys: &[&str]) -> Result<Vec<(String, String)>, ValueError> {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let values = values(content, &keys)?;
        Ok(values.into_iter().map(|value| (content[value.range].to_owned(), value.text)).collect())
    }

    fn value(content: &str) -> (String, String) {
        found(content, &["a"]).unwrap().pop().unwrap_or_default()
    }

    #[test]
    fn scalars_of_every_style_are_read() {
        for (content, source, text) in [
            ("a: one two # note\n", "one two", "one two"),
            ("a: one\n  two\nb: c\n", "one\n  two", "one two"),
            ("'a': 'it''s'\r\n", "'it''s'", "it's"),
            ("a: \"x \\\"y\\\" \\u00e9\"\n", "\"x \\\"y\\\" \\u00e9\"", "x \"y\" é"),
            ("a: |\n  one\n   two\n\n  three\nb: c\n", "one\n   two\n\n  three", "one\n two\n\nthree"),
            ("a: >-\n  one\n  two\n\n  three\n", "one\n  two\n\n  three", "one two\nthree"),
            ("b:\n  a: no\na: yes or no\n", "yes or no", "yes or no"),
            ("a: true\n", "", ""),
            ("a: 2026-01-01\n", "", ""),
            ("a:\nb: c\n", "", ""),
        ] {
            assert_eq!(value(content), (source.to_owned(), text.to_owned()), "{content:?}");
        }
    }

    #[test]
    fn nested_keys_have_a_path_and_lists_are_refused() {
        let content = "p:\n  q:\n    a: one\n  r: two\nlist:\n  - a: three\n";
        assert_eq!(found(content, &["p.q.a", "p.r", "a"]).unwrap().len(), 2);
        for (content, at) in [("a: [b]\n", 3), ("a:\n  - b\n", 2), ("a:\n- b\n", 2), ("a: &x b\n", 3), ("a: \"b\n", 3)]
        {
            assert_eq!(found(content, &["a"]).unwrap_err().at, at, "{content:?}");
        }
    }

    #[test]
    fn a_written_value_is_read_as_the_same_text() {
        for text in
            ["plain", "it's: a \"test\" # x", "- a", "true", "12", "a\\b", "[x]", "é 漢", "ends:", "#", "'q'", "a\tb"]
        {
            for kind in [BlockKind::PlainScalar, BlockKind::SingleQuoted, BlockKind::DoubleQuoted] {
                let written = format!("a: {}\n", render(kind, "", text));
                assert_eq!(value(&written).1, text, "{written}");
            }
        }
        assert_eq!(render(BlockKind::LiteralBlock, "a\n    b", "one\n\ntwo"), "one\n\n    two");
        assert_eq!(render(BlockKind::FoldedBlock, "a\n  b", "one\ntwo"), "one\n\n  two");
    }
}
