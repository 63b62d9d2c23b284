//! Parses the entries of a `.strings` file.

use std::ops::Range;

use super::super::CatalogError;
use super::super::edit::next_line;

/// `"key" = "value";`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringsEntry {
    pub key: String,
    /// `None` in `"key";`, whose key is also the text.
    pub value: Option<StringToken>,
    pub key_range: Range<usize>,
    /// The contents of the comments directly above.
    pub comments: Vec<Range<usize>>,
    /// Starts at the first comment or the key; ends after the semicolon, or after a comment that follows it on the line.
    pub range: Range<usize>,
    /// Whether only whitespace is between the previous entry and this one.
    pub follows_previous: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringToken {
    pub text: String,
    /// Includes the quotes.
    pub range: Range<usize>,
    /// `None` without quotes.
    pub quote: Option<char>,
}

/// Fails at text other than entries and comments. With `errors`, such errors are collected there and their lines skipped.
pub fn entries(text: &str, mut errors: Option<&mut Vec<CatalogError>>) -> Result<Vec<StringsEntry>, CatalogError> {
    if ["<?xml", "<!DOCTYPE", "<plist"].iter().any(|start| text.trim_start().starts_with(start)) {
        return Err(CatalogError::new(0, "the file is a property list in XML")
            .hint("write its texts as `\"key\" = \"text\";`, as in the file of a project"));
    }
    let mut scanner = StringsScanner { text, at: 0 };
    let mut entries: Vec<StringsEntry> = Vec::new();
    // Whether the scanner is still on the line of the last entry, with only comments in between.
    let mut is_same_line = false;
    let mut follows_previous = false;
    loop {
        // The comments directly above the next entry, and their start.
        let (mut comments, mut start) = (Vec::new(), None);
        loop {
            let gap = scanner.skip_space();
            let breaks = text.get(gap).unwrap_or_default().matches('\n').count();
            if breaks > 1 && start.is_some() {
                comments.clear();
                (start, follows_previous) = (None, false);
            }
            is_same_line &= breaks == 0;
            let from = scanner.at;
            let Some(comment) = scanner.comment()? else { break };
            if let Some(entry) = entries.last_mut().filter(|_| is_same_line && scanner.is_at_line_end()) {
                entry.range.end = scanner.at;
            } else {
                start = start.or(Some(from));
                comments.push(comment);
            }
        }
        if scanner.rest().is_empty() {
            return Ok(entries);
        }
        let (start, at) = (start.unwrap_or(scanner.at), scanner.at);
        let (key, value) = match (scanner.entry(), &mut errors) {
            (Err(error), Some(errors)) => {
                errors.push(error);
                scanner.at = next_line(text, at);
                (is_same_line, follows_previous) = (false, false);
                continue;
            }
            (entry, _) => entry?,
        };
        let key_range = key.range;
        entries.push(StringsEntry {
            key: key.text,
            value,
            key_range,
            comments,
            range: start..scanner.at,
            follows_previous,
        });
        (is_same_line, follows_previous) = (true, true);
    }
}

struct StringsScanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> StringsScanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) -> Range<usize> {
        let start = self.at;
        self.at = self.text.len() - self.rest().trim_start().len();
        start..self.at
    }

    fn is_at_line_end(&self) -> bool {
        let rest = self.rest().trim_start_matches([' ', '\t', '\r']);
        rest.is_empty() || rest.starts_with('\n')
    }

    /// Returns the range of the content.
    fn comment(&mut self) -> Result<Option<Range<usize>>, CatalogError> {
        let start = self.at + 2;
        let rest = self.rest();
        if let Some(content) = rest.strip_prefix("//") {
            let line = content.split_once('\n').map_or(content, |(line, _)| line);
            let end = start + line.trim_end_matches('\r').len();
            self.at = end;
            return Ok(Some(start..end));
        }
        let Some(content) = rest.strip_prefix("/*") else { return Ok(None) };
        let Some(len) = content.find("*/") else {
            return Err(CatalogError::new(self.at, "a comment is not closed"));
        };
        self.at = start + len + 2;
        Ok(Some(start..start + len))
    }

    fn entry(&mut self) -> Result<(StringToken, Option<StringToken>), CatalogError> {
        let key = self.token("a key")?;
        let mut end = self.at;
        self.skip_comments()?;
        let mut value = None;
        if self.rest().starts_with('=') {
            self.at += 1;
            self.skip_comments()?;
            value = Some(self.token("a text")?);
            end = self.at;
            self.skip_comments()?;
        }
        if !self.rest().starts_with(';') {
            return Err(CatalogError::new(end, "a ';' is missing after the text"));
        }
        self.at += 1;
        Ok((key, value))
    }

    fn skip_comments(&mut self) -> Result<(), CatalogError> {
        loop {
            self.skip_space();
            if self.comment()?.is_none() {
                return Ok(());
            }
        }
    }

    fn token(&mut self, what: &str) -> Result<StringToken, CatalogError> {
        let start = self.at;
        let rest = self.rest();
        if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let content = rest.get(1..).unwrap_or_default();
            let Some(len) = quoted_content_len(content, quote) else {
                return Err(CatalogError::new(start, "a string is not closed"));
            };
            self.at = start + len + 2;
            let text = decode(content.get(..len).unwrap_or_default());
            return Ok(StringToken { text, range: start..self.at, quote: Some(quote) });
        }
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '/' | ':' | '.' | '-');
        let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if len == 0 {
            return Err(CatalogError::new(start, format!("{what} is expected here")));
        }
        self.at = start + len;
        let text = rest.get(..len).unwrap_or_default().to_owned();
        Ok(StringToken { text, range: start..self.at, quote: None })
    }
}

/// Excludes the closing quote; `None` if it is missing.
fn quoted_content_len(content: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in content.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// The characters of octal escapes from `\200`, in the encoding of NeXTSTEP.
const NEXTSTEP: &str = "\u{a0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\u{fffd}\u{fffd}";

fn decode(content: &str) -> String {
    let mut out = String::with_capacity(content.len());
    let mut rest = content.chars();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.as_str().starts_with('\n') => {}
            '\\' => push_escaped(&mut rest, &mut out),
            c => out.push(c),
        }
    }
    out
}

fn push_escaped(rest: &mut std::str::Chars<'_>, out: &mut String) {
    let c = match rest.next() {
        Some('a') => '\u{7}',
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('v') => '\u{b}',
        Some('U') => unicode_escape(rest),
        Some(c @ '0'..='7') => octal_escape(c, rest),
        Some(c) => c,
        None => return,
    };
    out.push(c);
}

/// Reads up to four hexadecimal digits, and the second escape of a surrogate pair.
fn unicode_escape(rest: &mut std::str::Chars<'_>) -> char {
    let first = hex_digits(rest);
    let mut ahead = rest.clone();
    if (0xd800..0xdc00).contains(&first) && ahead.next() == Some('\\') && ahead.next() == Some('U') {
        let second = hex_digits(&mut ahead);
        if let Some(Ok(c)) = char::decode_utf16([first, second]).next() {
            *rest = ahead;
            return c;
        }
    }
    char::from_u32(first.into()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn hex_digits(rest: &mut std::str::Chars<'_>) -> u16 {
    let mut code = 0;
    for _ in 0..4 {
        let mut ahead = rest.clone();
        let digit = ahead.next().and_then(|c| c.to_digit(16)).and_then(|digit| u16::try_from(digit).ok());
        let Some(digit) = digit else { break };
        code = code * 16 + digit;
        *rest = ahead;
    }
    code
}

/// Reads up to three digits, of which `first` is the first.
fn octal_escape(first: char, rest: &mut std::str::Chars<'_>) -> char {
    let mut code = first.to_digit(8).unwrap_or_default();
    for _ in 0..2 {
        let mut ahead = rest.clone();
        let Some(digit) = ahead.next().and_then(|c| c.to_digit(8)) else { break };
        code = code * 8 + digit;
        *rest = ahead;
    }
    let high = code.checked_sub(0x80).and_then(|at| NEXTSTEP.chars().nth(at as usize));
    high.or(char::from_u32(code)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let code = format!("\\U{:04X}", u32::from(c));
                out.push_str(&code);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
