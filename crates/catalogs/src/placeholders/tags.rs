//! Finds well-formed tags in a text, and pairs them.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::inline::{InlineToken, TokenKind};

/// HTML elements without content or with an optional end tag.
const WITHOUT_END_TAG: &[&str] =
    &["area", "br", "col", "embed", "hr", "img", "input", "li", "p", "source", "track", "wbr"];

/// In bytes. Without a limit, each unfinished tag of a hostile text would be searched to the end of the text.
const MAX_TAG_LEN: usize = 1 << 14;

/// A start or end tag with its attributes. An ellipsis, as in `<a …>`, may replace attributes.
static TAG: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = r"(?x)^<(?<end>/)?(?<name>[0-9]+ | [A-Za-z][-0-9A-Za-z_:.]*)";
    let value = r#"(?<value>[\ \t\n\f\r]*=[\ \t\n\f\r]*(?:"[^"]*" | '[^']*' | [^\ \t\n\f\r"'<>=`]+))"#;
    let attribute = r"[\ \t\n\f\r]+[-0-9A-Za-z_:.@\[\]\x80-\u{10FFFF}]+";
    Regex::new(&format!(r"{name}(?<attributes>(?:{attribute}{value}?)*)[\ \t\n\f\r]*(?<empty>/)?>")).ok()
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    name: &'a str,
    role: TagRole,
    /// Whether it is markup even without a counterpart.
    pub(super) is_certain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagRole {
    Start,
    End,
    Empty,
}

/// Returns the tag or comment at the start of `rest`, and its length.
pub(super) fn tag_at(rest: &str) -> Option<(Tag<'_>, usize)> {
    if rest.starts_with("<!--") {
        return Some((Tag { name: "", role: TagRole::Empty, is_certain: true }, comment_len(rest.as_bytes())?));
    }
    let start = (0..4).find_map(|less| rest.get(..MAX_TAG_LEN - less)).unwrap_or(rest);
    let found = TAG.as_ref()?.captures(start)?;
    let (len, name) = (found.get(0)?.len(), found.name("name")?.as_str());
    let has = |part: &str| found.name(part).is_some_and(|part| !part.is_empty());
    let role = match (has("end"), has("empty")) {
        (true, false) if !has("attributes") => TagRole::End,
        (true, _) => return None,
        (false, true) => TagRole::Empty,
        (false, false) => TagRole::Start,
    };
    let is_certain = role != TagRole::Start
        || has("value")
        || name.starts_with(|c: char| c.is_ascii_digit())
        || WITHOUT_END_TAG.iter().any(|known| known.eq_ignore_ascii_case(name));
    Some((Tag { name, role, is_certain }, len))
}

/// A comment must not contain the start of another, so that no byte is searched twice.
fn comment_len(bytes: &[u8]) -> Option<usize> {
    let content = bytes.get(4..)?;
    for at in memchr::memchr2_iter(b'<', b'>', content) {
        let (before, from) = content.split_at_checked(at)?;
        if from.starts_with(b"<!--") {
            return None;
        }
        if from.starts_with(b">") && before.ends_with(b"--") {
            return Some(at + 5);
        }
    }
    None
}

/// Returns the tag that a markup string represents: `<b>`, an XLIFF inline element, or, in a text that is escaped twice,
/// `&lt;b&gt;` or `&lt;b>`.
pub(super) fn markup_as_tag(markup: &str) -> Option<Tag<'_>> {
    let escaped = markup.strip_prefix("&lt;");
    if let Some(inner) = escaped.and_then(|rest| rest.strip_suffix("&gt;").or(rest.strip_suffix('>'))) {
        let (role, inner) = match (inner.strip_prefix('/'), inner.strip_suffix('/')) {
            (Some(inner), _) => (TagRole::End, inner),
            (None, Some(inner)) => (TagRole::Empty, inner),
            (None, None) => (TagRole::Start, inner),
        };
        let name = inner.get(..name_len(inner.as_bytes())?)?;
        return Some(Tag { name, role, is_certain: true });
    }
    inline_element(markup).or_else(|| tag_at(markup).filter(|(_, len)| *len == markup.len()).map(|(tag, _)| tag))
}

/// Returns the tag that an XLIFF inline element represents: `<bpt id="1">`, or Angular's `<x id="START_LINK"/>`. Its name
/// is the id or name that both elements of a pair share.
fn inline_element(markup: &str) -> Option<Tag<'_>> {
    let element = markup.strip_prefix('<')?;
    let element = element.get(..name_len(element.as_bytes())?)?;
    let first = |names: &[&str]| names.iter().find_map(|name| attribute_of(markup, name));
    let (role, name) = match element {
        "bpt" | "bx" | "sc" => (TagRole::Start, first(&["rid", "id"])?),
        "ept" | "ex" | "ec" => (TagRole::End, first(&["startRef", "rid", "id"])?),
        "x" => {
            let id = attribute_of(markup, "id")?;
            // A pair may have different numbers at its start and end.
            let id = id.trim_end_matches(|c: char| c.is_ascii_digit());
            let id = id.strip_suffix('_').unwrap_or(id);
            match id.strip_prefix("START_") {
                Some(name) => (TagRole::Start, name),
                None => (TagRole::End, id.strip_prefix("CLOSE_")?),
            }
        }
        _ => return None,
    };
    Some(Tag { name, role, is_certain: true })
}

fn attribute_of<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    loop {
        let (before, after) = rest.split_once(name)?;
        rest = after;
        let value = after.trim_start().strip_prefix('=').map(str::trim_start);
        if before.ends_with(|c: char| c.is_ascii_whitespace())
            && let Some(value) = value
            && let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\''))
        {
            return value.get(1..)?.split_once(quote).map(|(value, _)| value);
        }
    }
}

/// A name is a word, or the number of a component.
fn name_len(bytes: &[u8]) -> Option<usize> {
    let first = bytes.first()?;
    let len = if first.is_ascii_digit() {
        bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
    } else if first.is_ascii_alphabetic() {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.');
        bytes.iter().take_while(is_part).count()
    } else {
        return None;
    };
    Some(len)
}

#[derive(Debug, Default)]
pub(super) struct TagPairs<'a> {
    /// The tokens, and whether each counts without a counterpart.
    tokens: Vec<(InlineToken, bool)>,
    /// The name of each open start tag, and its index in `tokens`.
    open: Vec<(&'a str, usize)>,
    /// The number of open start tags by name.
    counts: HashMap<&'a str, usize>,
    pairs: u16,
}

impl<'a> TagPairs<'a> {
    /// With `is_certain`, the token counts without a counterpart.
    pub(super) fn push(&mut self, at: usize, len: usize, tag: Option<Tag<'a>>, is_certain: bool) {
        let Some(token) = InlineToken::fixed(at..at + len) else { return };
        let position = self.tokens.len();
        self.tokens.push((token, is_certain));
        match tag {
            Some(Tag { name, role: TagRole::Start, .. }) => {
                self.open.push((name, position));
                *self.counts.entry(name).or_default() += 1;
            }
            Some(Tag { name, role: TagRole::End, .. }) => self.close(name, position),
            _ => {}
        }
    }

    /// Pairs an end tag with the last open start tag of its name. The start tags between them stay unpaired.
    fn close(&mut self, name: &str, position: usize) {
        if self.counts.get(name).is_none_or(|count| *count == 0) {
            return;
        }
        while let Some((open, start)) = self.open.pop() {
            if let Some(count) = self.counts.get_mut(open) {
                *count -= 1;
            }
            if open != name {
                continue;
            }
            if self.pairs < u16::MAX {
                self.pairs += 1;
                for (at, kind) in [(start, TokenKind::Open(self.pairs)), (position, TokenKind::Close(self.pairs))] {
                    if let Some((token, is_certain)) = self.tokens.get_mut(at) {
                        token.kind = kind;
                        *is_certain = true;
                    }
                }
            }
            return;
        }
    }

    pub(super) fn into_tokens(self) -> Vec<InlineToken> {
        self.tokens.into_iter().filter(|(_, is_certain)| *is_certain).map(|(token, _)| token).collect()
    }
}
