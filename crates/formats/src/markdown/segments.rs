//! Splits a result into words and markup, and repairs it so that the markup stays valid.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use tulk_catalogs::inline::{InlineToken, TokenKind};

#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) text: String,
    /// Kind of its token; `None` for words.
    pub(super) token: Option<TokenKind>,
}

impl Segment {
    fn words(text: &str) -> Self {
        Self { text: text.replace("\r\n", " ").replace(['\n', '\r'], " "), token: None }
    }

    fn is_fixed(&self) -> bool {
        self.token == Some(TokenKind::Fixed)
    }

    /// Returns whether it is an address without `<` and `>`.
    fn is_bare_address(&self) -> bool {
        let is_address = self.text.contains("://") || self.text.contains('@') || self.text.contains("www.");
        self.is_fixed() && is_address && self.text.starts_with(char::is_alphanumeric)
    }

    fn is_emphasis(&self) -> bool {
        matches!(self.token, Some(TokenKind::Open(_) | TokenKind::Close(_)))
            && self.text.bytes().all(|byte| matches!(byte, b'*' | b'_' | b'~'))
    }
}

/// Splits a result at the tokens of its text. Fails if one is missing.
///
/// A marker such as `*` may also be plain text; tokens in the order of the source are tried first.
pub(super) fn split_at_tokens(text: &str, tokens: &[InlineToken], result: &str) -> Result<Vec<Segment>, String> {
    let result = result.trim();
    let texts: Vec<&str> = tokens
        .iter()
        .map(|token| text.get(token.range.start as usize..token.range.end as usize).unwrap_or_default())
        .collect();
    if let Some(missing) = texts.iter().find(|text| !result.contains(**text)) {
        return Err(format!("\"{}\" is missing", missing.trim()));
    }
    let found = find_in_order(&texts, tokens, result).or_else(|| TokenFinder::new(&texts, tokens).find_all(result));
    Ok(build_segments(result, &found.unwrap_or_default()))
}

type FoundToken = (Range<usize>, TokenKind);

/// Returns the ranges of the tokens if they have the order of the source.
fn find_in_order(texts: &[&str], tokens: &[InlineToken], result: &str) -> Option<Vec<FoundToken>> {
    let mut from = 0;
    let mut found = Vec::with_capacity(tokens.len());
    for (text, token) in texts.iter().zip(tokens) {
        let start = from + result.get(from..)?.find(text)?;
        from = start + text.len();
        found.push((start..from, token.kind));
    }
    Some(found)
}

fn build_segments(result: &str, found: &[FoundToken]) -> Vec<Segment> {
    let mut segments = Vec::with_capacity(2 * found.len() + 1);
    let mut from = 0;
    for (range, kind) in found {
        let words = result.get(from..range.start).unwrap_or_default();
        segments.extend((!words.is_empty()).then(|| Segment::words(words)));
        let text = result.get(range.clone()).unwrap_or_default().to_owned();
        segments.push(Segment { text, token: Some(*kind) });
        from = range.end;
    }
    let words = result.get(from..).unwrap_or_default();
    segments.extend((!words.is_empty()).then(|| Segment::words(words)));
    segments
}

/// The tokens still to be found.
struct TokenFinder<'a> {
    by_text: HashMap<&'a str, VecDeque<TokenKind>>,
    /// Distinct token texts by first byte, longest first.
    texts: HashMap<u8, Vec<&'a str>>,
    /// Open pairs, innermost last.
    open: Vec<u16>,
}

impl<'a> TokenFinder<'a> {
    fn new(all: &[&'a str], tokens: &[InlineToken]) -> Self {
        let mut by_text: HashMap<&str, VecDeque<TokenKind>> = HashMap::new();
        for (text, token) in all.iter().zip(tokens) {
            by_text.entry(text).or_default().push_back(token.kind);
        }
        let mut texts: HashMap<u8, Vec<&str>> = HashMap::new();
        for text in by_text.keys() {
            let first = text.as_bytes().first().copied().unwrap_or_default();
            texts.entry(first).or_default().push(text);
        }
        for texts in texts.values_mut() {
            texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        }
        Self { by_text, texts, open: Vec::new() }
    }

    /// Returns the ranges of the tokens, in any order; `None` if one is not found.
    fn find_all(mut self, result: &str) -> Option<Vec<FoundToken>> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(rest) = result.get(at..).filter(|rest| !rest.is_empty()) {
            match self.take_token_at_start(rest) {
                Some((len, kind)) => {
                    found.push((at..at + len, kind));
                    at += len;
                }
                None => at += rest.chars().next().map_or(1, char::len_utf8),
            }
        }
        self.by_text.values().all(VecDeque::is_empty).then_some(found)
    }

    /// Returns the length and kind of the token at the start of a text.
    fn take_token_at_start(&mut self, text: &str) -> Option<(usize, TokenKind)> {
        let candidates = self.texts.get(text.as_bytes().first()?)?;
        for candidate in candidates.iter().filter(|candidate| text.starts_with(**candidate)) {
            let Some(kinds) = self.by_text.get_mut(candidate) else { continue };
            let innermost = self.open.last().copied().map(TokenKind::Close);
            let position = kinds
                .iter()
                .position(|kind| Some(*kind) == innermost)
                .or_else(|| kinds.iter().position(|kind| matches!(kind, TokenKind::Close(n) if self.open.contains(n))))
                .or_else(|| kinds.iter().position(|kind| !matches!(kind, TokenKind::Close(_))));
            let Some(kind) = position.and_then(|position| kinds.remove(position)) else { continue };
            match kind {
                TokenKind::Open(number) => self.open.push(number),
                TokenKind::Close(number) => self.open.retain(|open| *open != number),
                TokenKind::Fixed => {}
            }
            return Some((candidate.len(), kind));
        }
        None
    }
}

/// Moves whitespace at the inner ends of emphasis outside, because markers beside whitespace are invalid.
pub(super) fn move_spaces_outside(segments: &mut Vec<Segment>) {
    for at in 0..segments.len() {
        let Some(segment) = segments.get(at).filter(|segment| segment.is_emphasis()) else { continue };
        let is_open = matches!(segment.token, Some(TokenKind::Open(_)));
        let inner = if is_open { at.checked_add(1) } else { at.checked_sub(1) };
        let Some(inner) = inner.and_then(|inner| segments.get_mut(inner)).filter(|inner| inner.token.is_none()) else {
            continue;
        };
        let kept = if is_open { inner.text.trim_start() } else { inner.text.trim_end() };
        let moved = inner.text.len() - kept.len();
        if moved == 0 {
            continue;
        }
        inner.text = kept.to_owned();
        let outer = if is_open { at.checked_sub(1) } else { at.checked_add(1) };
        match outer.and_then(|outer| segments.get_mut(outer)) {
            Some(outer) if outer.token.is_none() && is_open => {
                outer.text.truncate(outer.text.trim_end_matches(' ').len());
                outer.text.push(' ');
            }
            Some(outer) if outer.token.is_none() => outer.text = format!(" {}", outer.text.trim_start_matches(' ')),
            Some(_) => add_space(segments, at, is_open),
            None => {}
        }
    }
    segments.retain(|segment| !segment.text.is_empty());
}

/// Adds a space to a marker, so that it is not part of a word.
fn add_space(segments: &mut [Segment], at: usize, before: bool) {
    if let Some(segment) = segments.get_mut(at) {
        if before {
            segment.text.insert(0, ' ');
        } else {
            segment.text.push(' ');
        }
    }
}

/// Adds spaces where an emphasis marker would not be recognized: between punctuation and a letter.
pub(super) fn pad_emphasis(segments: &mut [Segment]) {
    let first = |segment: Option<&Segment>| segment.and_then(|segment| segment.text.chars().next());
    let last = |segment: Option<&Segment>| segment.and_then(|segment| segment.text.chars().next_back());
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    for at in 0..segments.len() {
        let Some(segment) = segments.get(at).filter(|segment| segment.is_emphasis()) else { continue };
        let is_open = matches!(segment.token, Some(TokenKind::Open(_)));
        let before = at.checked_sub(1).and_then(|before| last(segments.get(before)));
        let after = first(segments.get(at + 1));
        let (inner, outer) = if is_open { (after, before) } else { (before, after) };
        let is_like_underscore = segment.text.contains('_') || segment.text == "~";
        let is_after_other =
            is_open && at.checked_sub(1).and_then(|b| segments.get(b)).is_some_and(Segment::is_emphasis);
        if is_after_other || is_word(outer) && (is_like_underscore || !is_word(inner)) {
            add_space(segments, at, is_open);
        }
    }
}

/// Adds spaces between adjacent code spans, whose backticks would merge.
pub(super) fn pad_code(segments: &mut [Segment]) {
    for at in 1..segments.len() {
        let is_after_code = segments.get(at - 1).is_some_and(|before| before.is_fixed() && before.text.ends_with('`'));
        if is_after_code && segments.get(at).is_some_and(|code| code.is_fixed() && code.text.starts_with('`')) {
            add_space(segments, at, true);
        }
    }
}

/// Adds spaces between a bare address and words, which would become part of the address.
pub(super) fn pad_addresses(segments: &mut [Segment]) {
    for at in 0..segments.len() {
        if !segments.get(at).is_some_and(Segment::is_bare_address) {
            continue;
        }
        let words = |at: Option<usize>| at.and_then(|at| segments.get(at)).filter(|segment| segment.token.is_none());
        let before = words(at.checked_sub(1)).is_some_and(|words| words.text.ends_with(char::is_alphanumeric));
        let after = words(Some(at + 1)).is_some_and(|words| words.text.starts_with(char::is_alphanumeric));
        if before {
            add_space(segments, at, true);
        }
        if after {
            add_space(segments, at, false);
        }
    }
}

/// Escapes characters that would become markup.
pub(super) fn escape_markup(segments: &mut [Segment]) {
    for at in 0..segments.len() {
        let Some(segment) = segments.get(at).filter(|segment| segment.token.is_none()) else { continue };
        let is_before_link = segments.get(at + 1).is_some_and(|link| link.text.starts_with('['));
        let mut escaped = String::with_capacity(segment.text.len() + 8);
        let mut last = None;
        let mut rest = segment.text.chars().peekable();
        while let Some(c) = rest.next() {
            let next = rest.peek().copied();
            let is_inside_word = last.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric);
            let is_markup = match c {
                '`' | '*' | '[' | ']' | '~' | '$' | '{' | '}' => true,
                '_' => !is_inside_word,
                '!' => next.is_none() && is_before_link,
                '\\' => next.is_none_or(|next| next.is_ascii_punctuation()),
                '<' => next.is_none_or(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
                '&' => next.is_none_or(|next| next.is_ascii_alphanumeric() || next == '#'),
                _ => false,
            };
            if is_markup {
                escaped.push('\\');
            }
            escaped.push(c);
            last = Some(c);
        }
        if let Some(before) = escape_position(&escaped).filter(|_| at == 0) {
            escaped.insert(before, '\\');
        }
        if let Some(segment) = segments.get_mut(at) {
            segment.text = escaped;
        }
    }
    // Trailing `#` characters would be removed from a heading.
    if let Some(end) = segments.last_mut().filter(|end| end.token.is_none() && end.text.ends_with('#')) {
        let before = end.text.trim_end_matches('#').len();
        end.text.insert(before, '\\');
    }
}

/// Escapes text that would start a block after a hard line break.
pub(super) fn escape_line_starts(segments: &mut [Segment]) {
    for at in 1..segments.len() {
        let is_after_break =
            segments.get(at - 1).is_some_and(|before| before.text.trim_end_matches([' ', '\t', '>']).ends_with('\n'));
        let Some(segment) = segments.get_mut(at).filter(|segment| is_after_break && segment.token.is_none()) else {
            continue;
        };
        if let Some(before) = escape_position(&segment.text) {
            segment.text.insert(before, '\\');
        }
    }
}

pub(super) fn escape_pipes(segments: &mut [Segment]) {
    for segment in segments.iter_mut().filter(|segment| segment.token.is_none()) {
        segment.text = segment.text.replace('|', "\\|");
    }
}

/// Returns where to insert a backslash in a text that would start a list item, a heading, a quote or another block.
fn escape_position(text: &str) -> Option<usize> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        return text.get(digits..).filter(|rest| rest.starts_with(['.', ')'])).map(|_| digits);
    }
    let is_bullet = text == "*" || text.starts_with("* ");
    (is_bullet || text.starts_with(['#', '>', '-', '+', '=', ':', '!', '?'])).then_some(0)
}
