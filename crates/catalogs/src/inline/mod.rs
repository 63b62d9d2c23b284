//! Texts with parts that are not translated: placeholders, markup, code.
//!
//! Input: a text and its [`InlineToken`]s. Output: the text as it is sent, and, from the service's result, the text with its
//! tokens in place. A translation is sent as XML: the text is escaped once, and tokens are elements that are ignored or that
//! enclose text. The result is unescaped once, and each token must be in it exactly once. Rephrase and correct know no markup:
//! they get a number in braces for code and links, and all other tokens as they are, which are only verified.

mod restore;
mod wire_tag;

use std::fmt;
use std::ops::Range;

use tulk_base::json::escaped_len;

pub use self::restore::TokenLoss;

/// A part of a text that is not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineToken {
    /// Its bytes in the text.
    pub range: Range<u32>,
    /// What it is.
    pub kind: TokenKind,
}

impl InlineToken {
    /// A token that is sent as an ignored element. `None` if the range is too large.
    pub fn fixed(range: Range<usize>) -> Option<Self> {
        let range = u32::try_from(range.start).ok()?..u32::try_from(range.end).ok()?;
        Some(Self { range, kind: TokenKind::Fixed })
    }

    /// Returns its bytes in the text.
    pub fn byte_range(&self) -> Range<usize> {
        self.range.start as usize..self.range.end as usize
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// It is sent as an element whose content is ignored.
    Fixed,
    /// It begins a stretch of text, such as emphasis. The number is that of its end, and of no other pair in the text.
    Open(u16),
    /// It ends the stretch with this number.
    Close(u16),
}

/// Finds the placeholders of a text before it is cut into entries.
pub trait TextProtection: fmt::Debug + Send + Sync {
    /// Returns the placeholders of a text, in order and without overlaps.
    fn tokens(&self, text: &str) -> Vec<InlineToken>;

    /// Returns whether placeholders are sent with tags.
    fn has_tags(&self) -> bool;

    /// Returns the size of a text as it is sent, in JSON.
    fn sent_len(&self, text: &str) -> usize;
}

/// The element around a token that stays as it is. It is listed in `ignore_tags`.
pub const FIXED_ELEMENT: &str = "x";
/// The element around the text between two tokens.
pub const PAIR_ELEMENT: &str = "g";

/// A text in the form in which it is sent, and what is needed to check and restore its result.
#[derive(Clone, Debug)]
pub struct TaggedText {
    sent: String,
    /// Code points that are sent, without tags.
    chars: u64,
    /// The tokens that are sent: the number of an element is a position here, from 1.
    elements: Vec<TokenElement>,
    /// The bytes of all elements, one after the other.
    sources: String,
    /// Whether tokens are sent without tags, as they are or as a number, so that they are only counted.
    is_unchanged: bool,
    /// Whether placeholders must stay in their order.
    is_ordered: bool,
    /// Whether the text begins, or ends, with white space.
    blank_ends: [bool; 2],
}

/// A token, or the two that belong together: where its bytes are in `sources`.
#[derive(Clone, Debug, Default)]
struct TokenElement {
    start: Range<u32>,
    /// The bytes of its end, if it encloses text. Without tags, the number that is sent in its place.
    end: Option<Range<u32>>,
}

impl TaggedText {
    /// A text as XML. `tokens` are in order and do not overlap.
    ///
    /// A token that begins or ends a stretch of text, but whose counterpart is missing or crosses another, is sent as a fixed one.
    /// Characters that XML does not allow are sent as empty elements, so that the XML is always well formed.
    pub fn new(text: &str, tokens: &[InlineToken]) -> Self {
        let mut tagged = Self::empty(text);
        tagged.sent.reserve(text.len() + tokens.len() * 24);
        let partners = partners(tokens);
        let mut element_of: Vec<usize> = Vec::with_capacity(tokens.len());
        let mut done = 0;
        for (token, partner) in tokens.iter().zip(&partners) {
            let range = token.byte_range();
            let (Some(before), Some(source)) = (text.get(done..range.start), text.get(range.clone())) else {
                element_of.push(0);
                continue;
            };
            tagged.push_text(before);
            done = range.end;
            match (token.kind, partner) {
                (TokenKind::Close(_), Some(first)) => {
                    let element = element_of.get(*first).copied().unwrap_or_default();
                    let source = tagged.add_source(source);
                    if let Some(element) = tagged.elements.get_mut(element) {
                        element.end = Some(source);
                    }
                    push_end(&mut tagged.sent, PAIR_ELEMENT);
                    element_of.push(element);
                }
                (TokenKind::Open(_), Some(_)) => {
                    element_of.push(tagged.elements.len());
                    tagged.open(PAIR_ELEMENT, source);
                }
                _ => {
                    element_of.push(tagged.elements.len());
                    tagged.open(FIXED_ELEMENT, source);
                    tagged.chars += escape(source, &mut tagged.sent, |_, _| {});
                    push_end(&mut tagged.sent, FIXED_ELEMENT);
                }
            }
        }
        tagged.push_text(text.get(done..).unwrap_or_default());
        tagged
    }

    /// A text for a service that knows no tags. Its tokens must be in the result as often as in the text.
    ///
    /// Of the markup in `own`, what has letters or digits, such as code and the addresses of links, is sent as a number in braces:
    /// `{1}`. Everything else in `tokens`, which are those of `own` and of patterns, is sent as it is.
    pub fn without_tags(text: &str, tokens: &[InlineToken], own: &[InlineToken]) -> Self {
        let mut tagged = Self { is_unchanged: true, ..Self::empty(text) };
        let source_of = |token: &InlineToken| text.get(token.byte_range()).unwrap_or_default();
        let has_words = |token: &InlineToken| source_of(token).contains(char::is_alphanumeric);
        let partners = partners(own);
        let is_replaced: Vec<&InlineToken> = own
            .iter()
            .zip(&partners)
            .filter(|(token, partner)| has_words(token) || partner.and_then(|at| own.get(at)).is_some_and(has_words))
            .map(|(token, _)| token)
            .collect();
        let mut numbers =
            (1..).map(|number: u32| format!("{{{number}}}")).filter(|number| !text.contains(number.as_str()));
        let mut done = 0;
        for token in tokens {
            let range = token.byte_range();
            let (Some(before), Some(source)) = (text.get(done..range.start), text.get(range.clone())) else { continue };
            tagged.sent.push_str(before);
            done = range.end;
            let start = tagged.add_source(source);
            let number = is_replaced.contains(&token).then(|| numbers.next()).flatten();
            tagged.sent.push_str(number.as_deref().unwrap_or(source));
            let end = number.map(|number| tagged.add_source(&number));
            tagged.elements.push(TokenElement { start, end });
        }
        tagged.sent.push_str(text.get(done..).unwrap_or_default());
        tagged.chars = tagged.sent.chars().count() as u64;
        tagged
    }

    fn empty(text: &str) -> Self {
        Self {
            sent: String::new(),
            chars: 0,
            elements: Vec::new(),
            sources: String::new(),
            is_unchanged: false,
            is_ordered: false,
            blank_ends: [text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace)],
        }
    }

    /// Requires that placeholders stay in their order, because they have neither names nor numbers. Markup may move.
    #[must_use]
    pub fn ordered(self, is_ordered: bool) -> Self {
        Self { is_ordered, ..self }
    }

    /// Returns what is sent.
    pub fn sent(&self) -> &str {
        &self.sent
    }

    /// Returns the parts of the text that stay as they are.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().flat_map(|element| {
            let (start, end) = self.sources_of(element);
            std::iter::once(start).chain(end.filter(|_| !self.is_unchanged))
        })
    }

    /// Returns the number of code points that are sent, without tags. Those of an entity count one by one.
    pub fn chars(&self) -> u64 {
        self.chars
    }

    /// Returns the result of the service as a text with its tokens in place of tags.
    ///
    /// Fails if a token is not in it exactly once. Around tags the white space of the result is kept, but none is added at the
    /// ends of a text that has none there.
    pub fn restore(&self, result: &str) -> Result<String, TokenLoss> {
        if self.is_unchanged {
            restore::verify(self, result)?;
            let numbered = self.elements.iter().filter_map(|element| {
                let (source, number) = self.sources_of(element);
                Some((number?, source))
            });
            return Ok(numbered.fold(result.to_owned(), |text, (number, source)| text.replacen(number, source, 1)));
        }
        restore::restore(self, result)
    }

    fn add_source(&mut self, source: &str) -> Range<u32> {
        let start = self.sources.len();
        self.sources.push_str(source);
        u32::try_from(start).unwrap_or(u32::MAX)..u32::try_from(self.sources.len()).unwrap_or(u32::MAX)
    }

    /// Begins the next element.
    fn open(&mut self, name: &str, source: &str) {
        let start = self.add_source(source);
        self.elements.push(TokenElement { start, end: None });
        let id = self.elements.len().to_string();
        self.sent.extend(["<", name, " id=\"", &id, "\">"]);
    }

    fn push_text(&mut self, text: &str) {
        // Escaping needs the sources while it writes, so both are taken out.
        let mut sent = std::mem::take(&mut self.sent);
        self.chars += escape(text, &mut sent, |refused, sent| {
            std::mem::swap(&mut self.sent, sent);
            self.open(FIXED_ELEMENT, refused);
            push_end(&mut self.sent, FIXED_ELEMENT);
            std::mem::swap(&mut self.sent, sent);
        });
        self.sent = sent;
    }

    /// Returns what is sent without tags for a token.
    fn sent_as(&self, element: &TokenElement) -> &str {
        let (source, number) = self.sources_of(element);
        number.unwrap_or(source)
    }

    /// Returns the bytes of an element: a token, or the one before and the one after the enclosed text.
    fn sources_of(&self, element: &TokenElement) -> (&str, Option<&str>) {
        let source =
            |range: &Range<u32>| self.sources.get(range.start as usize..range.end as usize).unwrap_or_default();
        (source(&element.start), element.end.as_ref().map(source))
    }
}

fn push_end(sent: &mut String, name: &str) {
    sent.extend(["</", name, ">"]);
}

/// Returns the position of the other token of each pair; `None` for fixed tokens and for pairs that cross others.
fn partners(tokens: &[InlineToken]) -> Vec<Option<usize>> {
    let mut partners = vec![None; tokens.len()];
    let mut open: Vec<(u16, usize)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Fixed => {}
            TokenKind::Open(number) => open.push((number, at)),
            TokenKind::Close(number) => {
                let Some(found) = open.iter().rposition(|(open, _)| *open == number) else { continue };
                let first = open.get(found).map(|(_, first)| *first).unwrap_or_default();
                open.truncate(found);
                for (one, other) in [(first, at), (at, first)] {
                    if let Some(partner) = partners.get_mut(one) {
                        *partner = Some(other);
                    }
                }
            }
        }
    }
    partners
}

/// Returns whether a text has letters outside of its tokens.
pub fn has_letters(text: &str, tokens: &[InlineToken]) -> bool {
    let mut from = 0;
    let mut pieces = tokens.iter().map(|token| {
        let piece = text.get(from..token.range.start as usize);
        from = token.range.end as usize;
        piece
    });
    let before = pieces.by_ref().flatten().any(|piece| piece.contains(char::is_alphabetic));
    before || text.get(from..).is_some_and(|piece| piece.contains(char::is_alphabetic))
}

/// Returns the size of a text as XML in JSON. `is_token` tells whether it is a fixed token. `element` is the number of the next
/// element and counts on.
pub fn tagged_len(text: &str, is_token: bool, element: &mut usize) -> usize {
    let mut xml = String::new();
    let mut tags = 0;
    let mut count = |element: &mut usize| {
        // Each quote takes two bytes.
        tags += "<x id=\\\"\\\"></x>".len() + element.to_string().len();
        *element += 1;
    };
    if is_token {
        count(element);
    }
    escape(text, &mut xml, |_, _| {
        if !is_token {
            count(element);
        }
    });
    escaped_len(xml.as_bytes()) + tags
}

/// Appends a text as XML. Returns the number of characters that it has there.
///
/// Characters that XML does not allow are left out and given to `refused`, which may write something in their place.
fn escape(text: &str, out: &mut String, mut refused: impl FnMut(&str, &mut String)) -> u64 {
    let mut chars = 0;
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'&' | b'<' | b'>' | 0..0x20 | 0xef)) {
        let (before, from) = rest.split_at(at);
        let first = from.chars().next().unwrap_or_default();
        let (one, after) = from.split_at(first.len_utf8());
        chars += before.chars().count();
        out.push_str(before);
        let written = match first {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            // A parser would read it as a line feed.
            '\r' => "&#13;",
            '\0'..'\t' | '\u{b}'..' ' | '\u{fffe}' | '\u{ffff}' => {
                refused(one, out);
                rest = after;
                continue;
            }
            _ => one,
        };
        out.push_str(written);
        chars += written.chars().count();
        rest = after;
    }
    out.push_str(rest);
    (chars + rest.chars().count()) as u64
}

#[cfg(test)]
mod tests;
