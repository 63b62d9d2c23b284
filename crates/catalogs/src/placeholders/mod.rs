//! Finds the parts of a text that are not translated: placeholders, tags, and entities.
//!
//! Input: a text, its placeholder syntax, and the markup of its file format. Output: tokens in order, without overlaps:
//! a placeholder is one fixed token; a pair of tags is two tokens that enclose text. The time is linear in the length of
//! the text.

pub(super) mod braces;
mod entities;
mod markup;
mod printf;
mod tags;
#[cfg(test)]
mod tests;

pub(super) use self::markup::MarkupIndex;
pub(super) use self::printf::{has_date, is_date_format};
use self::tags::{Tag, TagPairs};
use crate::ftl::text::placeables;
use crate::inline::InlineToken;

/// Placeholder syntax of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// `{name}` and other common placeholders in braces: the default for unknown formats.
    #[default]
    Braces,
    /// `%s`, `%1$d`, `%(name)s`, `%%`: C, Python, PHP, Android, Apple (`%@`, `%lld`).
    Printf,
    /// As [`Self::Printf`], but neither Qt arguments (`%1`) nor a hyphen without a width (`%-a`): Android, Apple.
    Mobile,
    /// As [`Self::Printf`], but any conversion may follow a space: `% s`, `%(name) s`.
    Python,
    /// `%1`, `%L1`, `%n`: Qt and KDE. Any text may follow: `%1s` is the placeholder `%1` and an `s`.
    Qt,
    /// No placeholders: a PO text that has none, or whose flags rule them out.
    Plain,
    /// ICU MessageFormat: ARB, and the dialect `icu`.
    Icu,
    /// `{{name}}`, `$t(key)`.
    I18next,
    /// `{name}`, `{0}`, `@:key`, `%{name}`.
    Vue,
    /// `{{.Name}}`: Go templates.
    GoTemplate,
    /// `%{name}`: Ruby.
    Ruby,
    /// `{0}` of Java's `MessageFormat`, with its apostrophes: the dialect `spring`.
    MessageFormat,
    /// `{0}`, `{0:N2}`: .NET.
    DotNet,
    /// `:name`, and the pipes between the parts of a plural: Laravel.
    Laravel,
    /// `{ $name }`, `{ -term }`, selectors: Fluent.
    Fluent,
}

/// A match at a byte of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SyntaxMatch {
    /// A placeholder, with its length in bytes.
    Token(usize),
    /// Text in which no placeholder starts, with its length in bytes.
    Text(usize),
}

impl Syntax {
    /// All syntaxes.
    pub const ALL: &[Self] = &[
        Self::Braces,
        Self::Printf,
        Self::Mobile,
        Self::Python,
        Self::Qt,
        Self::Plain,
        Self::Icu,
        Self::I18next,
        Self::Vue,
        Self::GoTemplate,
        Self::Ruby,
        Self::MessageFormat,
        Self::DotNet,
        Self::Laravel,
        Self::Fluent,
    ];

    /// Returns the placeholders, tags and entities of a text, in order and without overlaps. `markup` lists strings
    /// that are always tokens.
    ///
    /// A start tag counts only if it has a counterpart, an attribute with a value, a number as its name, or the name of an
    /// HTML element that needs no end tag; any other, such as `<file>`, is text. An ICU argument with branches is one token:
    /// its branches are not searched.
    pub fn tokens(self, text: &str, markup: &[String]) -> Vec<InlineToken> {
        if markup.is_empty() && !self.may_have_tokens(text.as_bytes()) {
            return Vec::new();
        }
        if self.is_printf() && is_date_format(text) {
            return InlineToken::fixed(0..text.len()).into_iter().collect();
        }
        let markup = MarkupIndex::new(markup.iter().map(String::as_str));
        let mut pairs = TagPairs::default();
        let mut at = 0;
        let starts = self.can_start_token(&markup);
        let placeables: Vec<_> = if self == Self::Fluent { placeables(text) } else { Vec::new() };
        while let Some(byte) = text.as_bytes().get(at) {
            if !starts.get(usize::from(*byte)).copied().unwrap_or_default() {
                at += 1;
                continue;
            }
            let rest = text.get(at..).unwrap_or_default();
            if let Some(len) = markup.len_at(rest) {
                let whole = rest.get(..len).unwrap_or_default();
                pairs.push(at, len, tags::markup_as_tag(whole), true);
                at += len;
            } else if let Some((tag, len)) = (*byte == b'<').then(|| tags::tag_at(rest)).flatten() {
                let is_certain = tag.is_certain;
                pairs.push(at, len, Some(tag), is_certain);
                at += len;
            } else if let Some(len) = (*byte == b'&').then(|| entities::len_at(text, at)).flatten() {
                pairs.push(at, len, None::<Tag<'_>>, true);
                at += len;
            } else {
                let placeable = placeables.binary_search_by_key(&at, |(range, _)| range.start);
                let placeable = placeable.ok().and_then(|found| placeables.get(found));
                let found = match placeable {
                    Some((range, _)) => Some(SyntaxMatch::Token(range.len())),
                    None => self.match_at(text, at),
                };
                match found {
                    Some(SyntaxMatch::Token(len)) => {
                        pairs.push(at, len, None::<Tag<'_>>, true);
                        at += len;
                    }
                    Some(SyntaxMatch::Text(len)) => at += len,
                    None => at += 1,
                }
            }
        }
        pairs.into_tokens()
    }

    /// Returns whether its texts may also be ICU messages with a plural or select.
    pub fn may_have_choices(self) -> bool {
        matches!(self, Self::Braces | Self::DotNet | Self::Printf | Self::Mobile | Self::Plain)
    }

    pub(super) fn is_printf(self) -> bool {
        matches!(self, Self::Printf | Self::Mobile | Self::Python)
    }

    /// Returns whether the placeholders of a text must keep their order, because two or more are like `%s`: without a
    /// name or number.
    pub fn is_ordered(self, text: &str, tokens: &[InlineToken]) -> bool {
        let is_unnamed = |token: &&InlineToken| {
            let Some(source) = text.get(token.byte_range()) else { return false };
            match self {
                Self::Printf | Self::Mobile | Self::Python => printf::is_positional(source),
                Self::Braces => source == "{}" || source.starts_with("{:"),
                _ => false,
            }
        };
        tokens.iter().filter(is_unnamed).nth(1).is_some()
    }

    /// Returns whether a token may be ordinary text, so that it counts as a placeholder only if the source has it too. In
    /// Laravel, such a token is a colon and a word directly after a non-ASCII letter, as in `邮箱:info@example.com`.
    pub(super) fn may_be_prose(self, text: &str, token: &InlineToken) -> bool {
        let range = token.byte_range();
        self == Self::Laravel
            && text.as_bytes().get(range.start) == Some(&b':')
            && text.get(..range.start).is_some_and(|before| before.ends_with(char::is_alphanumeric))
    }

    fn first_bytes(self) -> &'static [u8] {
        match self {
            Self::Printf | Self::Mobile | Self::Python | Self::Qt | Self::Ruby => b"%",
            Self::Plain => b"",
            Self::Braces => b"{$%",
            Self::Vue => b"{%@",
            Self::I18next => b"{$",
            Self::GoTemplate | Self::Fluent => b"{",
            Self::Icu => b"{'",
            Self::MessageFormat => b"{'$",
            Self::DotNet => b"{}",
            Self::Laravel => b":|",
        }
    }

    fn may_have_tokens(self, text: &[u8]) -> bool {
        let first = match *self.first_bytes() {
            [] => None,
            [a] => memchr::memchr(a, text),
            [a, b] => memchr::memchr2(a, b, text),
            [a, b, c] => memchr::memchr3(a, b, c, text),
            _ => Some(0),
        };
        first.or_else(|| memchr::memchr2(b'<', b'&', text)).is_some()
    }

    fn can_start_token(self, markup: &MarkupIndex<'_>) -> [bool; 256] {
        let mut starts = [false; 256];
        for byte in self.first_bytes().iter().copied().chain(*b"<&").chain(markup.first_bytes().iter().copied()) {
            if let Some(start) = starts.get_mut(usize::from(byte)) {
                *start = true;
            }
        }
        starts
    }

    fn match_at(self, text: &str, at: usize) -> Option<SyntaxMatch> {
        let rest = text.get(at..)?;
        if !self.first_bytes().contains(rest.as_bytes().first()?) {
            return None;
        }
        match self {
            // The placeables of Fluent are found before this.
            Self::Plain | Self::Fluent => None,
            Self::Printf => printf::len_at(text, at).map(SyntaxMatch::Token),
            Self::Mobile => printf::mobile_len_at(text, at).map(SyntaxMatch::Token),
            Self::Python => {
                let len = printf::len_at(text, at).or_else(|| printf::spaced_len_at(text, at));
                len.map(SyntaxMatch::Token)
            }
            Self::Qt => printf::qt_len_at(rest).map(SyntaxMatch::Token),
            Self::Ruby => braces::ruby(rest),
            Self::Braces => braces::any_notation(rest),
            Self::Vue => braces::vue(text, at),
            Self::I18next => braces::i18next(rest),
            Self::GoTemplate => braces::double_brace_len(rest).map(SyntaxMatch::Token),
            Self::Icu => braces::icu(rest),
            Self::MessageFormat => braces::message_format(rest),
            Self::DotNet => braces::dot_net(rest),
            Self::Laravel => braces::laravel(text, at),
        }
    }
}
