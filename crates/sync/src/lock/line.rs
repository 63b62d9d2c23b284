//! A line of the lock: file, key, and a field `LANG:AUTHOR:SOURCE:TARGET` for each language, separated by tabs. With a
//! note, a field ends with `:NOTE`. After a merge, the file may have conflict markers and contradicting lines.

use std::borrow::Cow;
use std::fmt::Write as _;

use tulk_catalogs::UnitKey;

use super::{LockEntry, TargetAuthor};
use crate::digest::TextDigest;

/// Longer keys are cut to this length and get a digest of the complete key.
const MAX_KEY_BYTES: usize = 200;
/// Separates a cut key from its digest.
const CUT_MARK: char = '~';
/// Target digest of a unit without a target.
const NO_TARGET: &str = "-";

/// For allocation.
const USUAL_FIELD_BYTES: usize = "\tde:t:0000000:0000000".len();

pub struct LockLine<'a> {
    pub file: Cow<'a, str>,
    pub key: Cow<'a, str>,
    pub fields: Vec<(&'a str, LockEntry)>,
}

/// Returns the notation of a key in the lock.
pub fn lock_key(key: &UnitKey) -> String {
    let mut text = key.to_string();
    if text.len() > MAX_KEY_BYTES {
        let digest = TextDigest::of_text(&text);
        let end = (0..=MAX_KEY_BYTES).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        let _ = write!(text, "{CUT_MARK}{digest}");
    }
    text
}

/// Parses a key of the lock, for matching patterns. A position in a list is parsed as a name.
pub fn parse_lock_key(text: &str) -> UnitKey {
    let (mut names, mut name) = (Vec::new(), String::new());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => name.extend(chars.next()),
            '.' => names.push(std::mem::take(&mut name)),
            c => name.push(c),
        }
    }
    names.push(name);
    UnitKey::names(names)
}

/// Returns `None` for an invalid line.
pub fn parse_line(line: &str) -> Option<LockLine<'_>> {
    let (file, rest) = line.split_at_checked(memchr::memchr(b'\t', line.as_bytes())?)?;
    let mut rest = rest.strip_prefix('\t')?;
    let key = next_field(&mut rest);
    let (file, key) = (unescape(file)?, unescape(key)?);
    let mut fields = Vec::with_capacity(rest.len() / USUAL_FIELD_BYTES + 1);
    while let Some(after) = rest.strip_prefix('\t') {
        rest = after;
        fields.push(parse_field(next_field(&mut rest))?);
    }
    if file.is_empty() || fields.is_empty() {
        return None;
    }
    Some(LockLine { file, key, fields })
}

fn next_field<'a>(rest: &mut &'a str) -> &'a str {
    let end = memchr::memchr(b'\t', rest.as_bytes()).unwrap_or(rest.len());
    let (field, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    *rest = after;
    field
}

fn parse_field(field: &str) -> Option<(&str, LockEntry)> {
    let (language, rest) = field.split_at_checked(field.bytes().position(|byte| byte == b':')?)?;
    let (author, rest) = rest.split_at_checked(":t:".len())?;
    let author = match author {
        ":t:" => TargetAuthor::Tulk,
        ":p:" => TargetAuthor::Person,
        ":x:" => TargetAuthor::Failed,
        _ => return None,
    };
    let (source, rest) = rest.split_at_checked(TextDigest::CHARS)?;
    let (source, rest) = (TextDigest::parse(source)?, rest.strip_prefix(':')?);
    let without = rest.strip_prefix(NO_TARGET).filter(|rest| rest.is_empty() || rest.starts_with(':'));
    let (target, rest) = if let Some(rest) = without {
        (None, rest)
    } else {
        let (target, rest) = rest.split_at_checked(TextDigest::CHARS)?;
        (Some(TextDigest::parse(target)?), rest)
    };
    let note = match rest.strip_prefix(':') {
        Some(note) => Some(TextDigest::parse(note)?),
        None if rest.is_empty() => None,
        None => return None,
    };
    (!language.is_empty()).then_some((language, LockEntry { author, source, note, target }))
}

pub fn write_line<'a>(out: &mut String, file: &str, key: &str, fields: impl Iterator<Item = (&'a str, LockEntry)>) {
    escape(file, out);
    out.push('\t');
    escape(key, out);
    for (language, LockEntry { author, source, note, target }) in fields {
        out.push('\t');
        out.push_str(language);
        out.push_str(match author {
            TargetAuthor::Tulk => ":t:",
            TargetAuthor::Person => ":p:",
            TargetAuthor::Failed => ":x:",
        });
        let _ = match target {
            Some(target) => write!(out, "{source}:{target}"),
            None => write!(out, "{source}:{NO_TARGET}"),
        };
        if let Some(note) = note {
            let _ = write!(out, ":{note}");
        }
    }
    out.push('\n');
}

fn escape(text: &str, out: &mut String) {
    if !text.contains(['\\', '\t', '\n', '\r']) {
        return out.push_str(text);
    }
    for c in text.chars() {
        match c {
            '\\' => out.push_str(r"\\"),
            '\t' => out.push_str(r"\t"),
            '\n' => out.push_str(r"\n"),
            '\r' => out.push_str(r"\r"),
            c => out.push(c),
        }
    }
}

fn unescape(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('\\') {
        return Some(text.into());
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(match (c, c == '\\') {
            (_, true) => match chars.next()? {
                '\\' => '\\',
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            (c, false) => c,
        });
    }
    Some(out.into())
}

/// Returns lines with their numbers, from 1. Skips empty lines, conflict markers, and the common ancestor in a conflict.
pub fn significant_lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let mut is_ancestor = false;
    (1..).zip(text.split('\n')).filter_map(move |(number, line)| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match conflict_marker(line) {
            Some('|') => is_ancestor = true,
            Some(_) => is_ancestor = false,
            None if is_ancestor || line.is_empty() => {}
            None => return Some((number, line)),
        }
        None
    })
}

/// A conflict marker is seven equal characters, then a space or the end of the line.
fn conflict_marker(line: &str) -> Option<char> {
    ['<', '|', '=', '>'].into_iter().find(|c| {
        let marks = line.chars().take_while(|other| other == c).count();
        marks == 7 && line.get(7..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}
