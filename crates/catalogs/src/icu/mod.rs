//! ICU MessageFormat: messages with arguments, plurals and selects, and Java message patterns, which quote differently.
//!
//! Input: the text of a message. Output: its parts, as a tree that other syntaxes share. Literal text is written back
//! with the necessary quotes, in the style of the source.

mod parser;

pub(crate) use self::parser::IcuMessage;

use crate::placeholders::braces;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IcuQuoting {
    /// An apostrophe starts a quote only before a special character; otherwise it is text (ICU, ARB, next-intl).
    Optional,
    /// An apostrophe always starts a quote; two of them represent one apostrophe (Java).
    Required,
}

const MAX_DEPTH: usize = 128;

/// Writes parts of a message, and quotes special characters in literal text.
#[derive(Debug)]
pub(crate) struct QuoteWriter {
    out: String,
    /// Literal text not written yet: the following text decides how its last apostrophe is quoted.
    literal: String,
    quoting: IcuQuoting,
    doubles_apostrophes: bool,
    /// Whether the parts are in a plural, where `#` represents the number.
    in_plural: bool,
}

impl QuoteWriter {
    /// For the content of a branch, or for a message without branches.
    pub(crate) fn new(quoting: IcuQuoting, doubles_apostrophes: bool, in_plural: bool) -> Self {
        let doubles_apostrophes = doubles_apostrophes || quoting == IcuQuoting::Required;
        Self { out: String::new(), literal: String::new(), quoting, doubles_apostrophes, in_plural }
    }

    pub(crate) fn push_literal(&mut self, text: &str) {
        self.literal.push_str(text);
    }

    pub(crate) fn push_syntax(&mut self, spelling: &str) {
        self.flush(true);
        self.out.push_str(spelling);
    }

    /// `is_branch` tells whether a closing brace follows.
    pub(crate) fn finish(mut self, is_branch: bool) -> String {
        self.flush(is_branch);
        self.out
    }

    fn is_special(&self, c: char) -> bool {
        matches!(c, '{' | '}') || c == '#' && self.in_plural && self.quoting == IcuQuoting::Optional
    }

    /// `before_syntax` tells whether a special character follows.
    fn flush(&mut self, before_syntax: bool) {
        let literal = std::mem::take(&mut self.literal);
        let mut rest = literal.as_str();
        while let Some(start) = rest.find(|c| self.is_special(c)) {
            let (plain, from) = rest.split_at(start);
            self.push_plain(plain, true);
            let len = self.len_to_quote(from);
            self.out.push('\'');
            self.out.push_str(&from.get(..len).unwrap_or_default().replace('\'', "''"));
            self.out.push('\'');
            rest = from.get(len..).unwrap_or_default();
        }
        self.push_plain(rest, before_syntax);
    }

    /// Returns the length of the text to put in one quote: from the start of `text` to the last special character before the
    /// next whitespace. A template in double braces at the start is included, even if it contains whitespace. Apostrophes
    /// directly after the end are included, because they would continue the quote.
    fn len_to_quote(&self, text: &str) -> usize {
        let template_end = braces::double_brace_len(text).unwrap_or_default();
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

    /// Doubles apostrophes that would start a quote.
    fn push_plain(&mut self, text: &str, before_syntax: bool) {
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            self.out.push(c);
            let quotes = match chars.peek() {
                // Libraries disagree on whether an apostrophe before a tag or `#` starts a quote, so it is doubled.
                Some(next) => matches!(next, '\'' | '<') || *next == '#' && self.in_plural,
                None => before_syntax,
            };
            if c == '\'' && (self.doubles_apostrophes || quotes || self.out.ends_with("''")) {
                self.out.push('\'');
            }
        }
    }
}

#[cfg(test)]
mod tests;
