//! Evidence for a dialect in a single text.

use super::is_message_format_2;
use crate::placeholders::braces;

/// The dialect features found in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence(u16);

impl Evidence {
    /// `{{name}}` or `$t(key)`.
    pub(super) const I18NEXT: Self = Self(1);
    /// `{{.Name}}`.
    pub(super) const GO: Self = Self(1 << 1);
    /// `{n, plural, …}` or `{x, select, …}`.
    pub(super) const ICU_BRANCHES: Self = Self(1 << 2);
    /// `{n, number}` and other typed arguments.
    pub(super) const ICU_TYPES: Self = Self(1 << 3);
    /// `@:key`.
    pub(super) const LINK: Self = Self(1 << 4);
    /// Plural forms separated by pipes, at least one with a number: `{n} car | {n} cars`.
    pub(super) const PIPES: Self = Self(1 << 5);
    /// `%{name}`.
    pub(super) const PERCENT_BRACES: Self = Self(1 << 6);
    /// `{0}`.
    pub(super) const NUMBERED: Self = Self(1 << 7);
    /// `{name}`.
    pub(super) const NAMED: Self = Self(1 << 8);
    /// A doubled apostrophe within a word.
    pub(super) const DOUBLED_APOSTROPHE: Self = Self(1 << 9);
    /// `{0}` after a single apostrophe; Java would take it for quoted text.
    pub(super) const AFTER_APOSTROPHE: Self = Self(1 << 10);
    /// ` | `.
    pub(super) const PIPE: Self = Self(1 << 11);
    const COUNT: Self = Self(1 << 12);
    /// `%s`, `%d`, `%(name)s`.
    pub(super) const PRINTF: Self = Self(1 << 13);
    /// `'{{name}}'`; ICU would take it for quoted text.
    pub(super) const QUOTED_I18NEXT: Self = Self(1 << 14);
    /// `'{{.Name}}'`.
    pub(super) const QUOTED_GO: Self = Self(1 << 15);

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) fn has_any(self, others: &[Self]) -> bool {
        others.iter().any(|other| self.has(*other))
    }

    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    pub(super) fn of(text: &str) -> Self {
        let mut found = Self::default();
        let bytes = text.as_bytes();
        // Fast path: most texts have none of these characters.
        if memchr::memchr3(b'{', b'$', b'@', bytes).or_else(|| memchr::memchr3(b'%', b'|', b'\'', bytes)).is_none() {
            return found;
        }
        if is_message_format_2(text) {
            return found;
        }
        let mut at = 0;
        // The apostrophe that opens the current quotation, as Java reads the text.
        let mut quote: Option<usize> = None;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'{' => {
                    at += found.add_braces(text, at, quote);
                    continue;
                }
                b'$' if bytes.get(at + 1..).is_some_and(|rest| rest.starts_with(b"t(")) => found.add(Self::I18NEXT),
                b'@' if bytes.get(at + 1).is_some_and(|next| matches!(next, b':' | b'.')) => {
                    let before = text.get(..at).and_then(|before| before.chars().next_back());
                    let is_word = before.is_some_and(char::is_alphanumeric);
                    if !is_word && text.get(at..).and_then(braces::linked_len).is_some() {
                        found.add(Self::LINK);
                    }
                }
                b'%' if bytes.get(at + 1) == Some(&b'{') => {
                    let content = bytes.get(at + 2..).unwrap_or_default();
                    let len = content.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                    if len > 0 && content.get(len) == Some(&b'}') {
                        found.add(Self::PERCENT_BRACES);
                        at += len + 2;
                    }
                }
                b'%' if is_printf(bytes.get(at + 1..).unwrap_or_default()) => found.add(Self::PRINTF),
                b'|' if at > 0 && bytes.get(at - 1..at + 2) == Some(b" | ") => found.add(Self::PIPE),
                b'\'' if bytes.get(at + 1) == Some(&b'\'') => {
                    let is_letter =
                        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80);
                    if at > 0 && is_letter(bytes.get(at - 1)) && is_letter(bytes.get(at + 2)) {
                        found.add(Self::DOUBLED_APOSTROPHE);
                    }
                    at += 1;
                }
                b'\'' => quote = if quote.is_some() { None } else { Some(at) },
                _ => {}
            }
            at += 1;
        }
        if found.has(Self::PIPE) && found.has(Self::COUNT) {
            found.add(Self::PIPES);
        }
        found
    }

    /// Returns the number of bytes to skip.
    fn add_braces(&mut self, text: &str, at: usize, quote: Option<usize>) -> usize {
        let Some(rest) = text.get(at..) else { return 1 };
        if let Some(len) = braces::double_brace_len(rest) {
            let content = rest.get(2..len - 2).unwrap_or_default();
            if !content.contains(['{', '}']) {
                let is_quoted = at > 0 && text.as_bytes().get(at - 1) == Some(&b'\'');
                self.add_template(content.trim_start_matches('-').trim(), is_quoted);
                return len;
            }
        }
        let head = rest.get(1..).unwrap_or_default();
        let head = head.split(['{', '}', '\n']).next().unwrap_or_default();
        let mut parts = head.split(',');
        let name = parts.next().unwrap_or_default().trim();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        if name.is_empty() || !name.chars().all(is_part) {
            return 1;
        }
        let is_numbered = name.bytes().all(|byte| byte.is_ascii_digit());
        if is_numbered && quote.is_some_and(|quote| quote + 1 < at) {
            self.add(Self::AFTER_APOSTROPHE);
        }
        match parts.next().map(str::trim) {
            Some("plural" | "select" | "selectordinal") if parts.next().is_some() => {
                self.add(Self::ICU_BRANCHES);
                return braces::message_len(rest).unwrap_or(1);
            }
            Some("number" | "date" | "time" | "spellout" | "ordinal" | "duration") => {
                self.add(if is_numbered { Self::NUMBERED } else { Self::ICU_TYPES });
            }
            None if rest.as_bytes().get(head.len() + 1) == Some(&b'}') => {
                self.add(if is_numbered { Self::NUMBERED } else { Self::NAMED });
                if matches!(name, "n" | "count") {
                    self.add(Self::COUNT);
                }
            }
            Some("choice") if is_numbered => self.add(Self::NUMBERED),
            _ => {}
        }
        1
    }

    /// Keywords of Go templates may also be names, so they are inconclusive.
    fn add_template(&mut self, content: &str, is_quoted: bool) {
        let is_go = |word: &str| word.starts_with('.') && word.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic);
        let first = content.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        if content.split([' ', '(']).any(is_go) {
            self.add(if is_quoted { Self::QUOTED_GO } else { Self::GO });
        } else if !first.is_empty() && !matches!(first, "if" | "else" | "end" | "range" | "with" | "template") {
            self.add(if is_quoted { Self::QUOTED_I18NEXT } else { Self::I18NEXT });
        }
    }
}

/// Returns whether the text after a `%` looks like an intended printf placeholder: `s`, `d`, `(name)s`.
fn is_printf(rest: &[u8]) -> bool {
    let name = match rest.first() {
        Some(b'(') => rest.iter().position(|byte| *byte == b')').map_or(0, |end| end + 1),
        _ => 0,
    };
    let is_end = |byte: Option<&u8>| !byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    matches!(rest.get(name), Some(b's' | b'd')) && is_end(rest.get(name + 1))
}
