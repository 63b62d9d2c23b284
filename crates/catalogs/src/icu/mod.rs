//! ICU MessageFormat: messages with arguments, plurals and selects, and the patterns of Java, which quote in another way.
//!
//! Input: the text of a message. Output: its parts, in a tree that other syntaxes share.
//! A literal text is written back with the quoting that it needs, in the style of its source.

mod parser;

pub(crate) use self::parser::IcuMessage;

use crate::placeholders::braces;

/// What an apostrophe means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IcuQuoting {
    /// It quotes only before a character that means something; else it is an apostrophe (ICU, ARB, next-intl).
    Optional,
    /// It always quotes, and two stand for one (Java).
    Required,
}

/// Maximum depth of arguments within branches.
const MAX_DEPTH: usize = 128;

/// Writes parts of a message. Literal text is quoted where it would mean something else.
#[derive(Debug)]
pub(crate) struct QuoteWriter {
    out: String,
    /// Literal text that was not written yet: what follows decides about its last apostrophe.
    literal: String,
    quoting: IcuQuoting,
    /// Whether every apostrophe is doubled.
    doubles: bool,
    /// Whether `#` means the number.
    in_plural: bool,
}

impl QuoteWriter {
    /// A writer for the content of a branch, or of a message without branches.
    pub(crate) fn new(quoting: IcuQuoting, doubles: bool, in_plural: bool) -> Self {
        let doubles = doubles || quoting == IcuQuoting::Required;
        Self { out: String::new(), literal: String::new(), quoting, doubles, in_plural }
    }

    /// Appends literal text.
    pub(crate) fn push_literal(&mut self, text: &str) {
        self.literal.push_str(text);
    }

    /// Appends an argument.
    pub(crate) fn push_syntax(&mut self, spelling: &str) {
        self.flush(true);
        self.out.push_str(spelling);
    }

    /// Returns what was written. `is_branch` tells whether a brace follows.
    pub(crate) fn finish(mut self, is_branch: bool) -> String {
        self.flush(is_branch);
        self.out
    }

    fn is_special(&self, c: char) -> bool {
        matches!(c, '{' | '}') || c == '#' && self.in_plural && self.quoting == IcuQuoting::Optional
    }

    /// Writes the literal text. `before_syntax` tells whether a character with a meaning follows.
    fn flush(&mut self, before_syntax: bool) {
        let literal = std::mem::take(&mut self.literal);
        let mut rest = literal.as_str();
        while let Some(start) = rest.find(|c| self.is_special(c)) {
            let (plain, from) = rest.split_at(start);
            self.push_plain(plain, true);
            let len = self.quoted_len(from);
            self.out.push('\'');
            self.out.push_str(&from.get(..len).unwrap_or_default().replace('\'', "''"));
            self.out.push('\'');
            rest = from.get(len..).unwrap_or_default();
        }
        self.push_plain(rest, before_syntax);
    }

    /// Returns how much of a text is quoted together: a template in double braces, or up to the last special character of the word,
    /// and apostrophes behind it, as one after the end of a quote would not end it.
    fn quoted_len(&self, text: &str) -> usize {
        let template_end = braces::double(text).unwrap_or_default();
        let mut end = template_end;
        for (at, c) in text.char_indices().skip_while(|(at, _)| *at < template_end) {
            if self.is_special(c) || c == '\'' && end == at {
                end = at + c.len_utf8();
            } else if c.is_whitespace() {
                break;
            }
        }
        end
    }

    /// Writes text without special characters. Its apostrophes are doubled where they would quote.
    fn push_plain(&mut self, text: &str, before_syntax: bool) {
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            self.out.push(c);
            let quotes = match chars.peek() {
                // A tag or `#` after it is literal in one library and quoted in another.
                Some(next) => matches!(next, '\'' | '<') || *next == '#' && self.in_plural,
                None => before_syntax,
            };
            if c == '\'' && (self.doubles || quotes || self.out.ends_with("''")) {
                self.out.push('\'');
            }
        }
    }
}

#[cfg(test)]
mod tests;
