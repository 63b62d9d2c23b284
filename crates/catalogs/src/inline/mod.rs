//! Protects the parts of a text that are not translated: placeholders, markup, code.
//!
//! Input: a text and its [`InlineToken`]s. Output: the text to send, and, from the service's result, the text with its
//! tokens in place. A translation is sent as XML: the text is escaped, and tokens become elements that are ignored or
//! that enclose text; in the result, each token must occur exactly once. Rephrase and correct do not support markup:
//! code and links are sent as a number in braces, all other tokens unchanged. In the result, tokens and numbers are counted, and numbers
//! become tokens again.

mod restore;
mod wire_tag;

use std::fmt;
use std::ops::Range;

use tulk_base::json::escaped_len;

pub use self::restore::TokenLoss;

/// A protected part of a text; it is not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineToken {
    /// Byte range in the text.
    pub range: Range<u32>,
    /// How it is sent.
    pub kind: TokenKind,
}

impl InlineToken {
    /// Creates a token for an ignored element. `None` if the range exceeds `u32`.
    pub fn fixed(range: Range<usize>) -> Option<Self> {
        let range = u32::try_from(range.start).ok()?..u32::try_from(range.end).ok()?;
        Some(Self { range, kind: TokenKind::Fixed })
    }

    /// Returns the byte range as `usize`.
    pub fn byte_range(&self) -> Range<usize> {
        self.range.start as usize..self.range.end as usize
    }
}

/// How a token is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// As an element whose content is ignored.
    Fixed,
    /// As the start tag of an element, such as emphasis. The number identifies its pair in the text.
    Open(u16),
    /// As the end tag of the element with this number.
    Close(u16),
}

/// Finds the placeholders of a text before it is split into entries.
pub trait TextProtection: fmt::Debug + Send + Sync {
    /// Returns the placeholders of a text, in order and without overlaps.
    fn tokens(&self, text: &str) -> Vec<InlineToken>;

    /// Returns whether placeholders are sent as tags.
    fn has_tags(&self) -> bool;

    /// Returns the length of a text in the JSON of a request, in bytes.
    fn sent_len(&self, text: &str) -> usize;
}

/// Element around a token that must stay unchanged. It is listed in `ignore_tags`.
pub const FIXED_ELEMENT: &str = "x";
/// Element around the text between a pair of tokens.
pub const PAIR_ELEMENT: &str = "g";

/// A text to send, with its tokens for checking and restoring the result.
#[derive(Clone, Debug)]
pub struct TaggedText {
    sent: String,
    /// Code points, without tags.
    chars: u64,
    /// The id of an XML element is its index here plus 1.
    elements: Vec<TokenElement>,
    /// The source texts of all elements, concatenated.
    sources: String,
    /// Whether tokens are sent without tags, unchanged or as a number.
    is_untagged: bool,
    is_ordered: bool,
    /// At the start, and at the end.
    has_outer_whitespace: [bool; 2],
}

/// A token or a pair, as ranges of `sources`.
#[derive(Clone, Debug, Default)]
struct TokenElement {
    start: Range<u32>,
    /// Source of the end token of a pair.
    end: Option<Range<u32>>,
    /// The number sent in place of a token without tags.
    number: Option<Range<u32>>,
}

impl TaggedText {
    /// Converts a text to XML. `tokens` are in order and do not overlap. A token whose counterpart is missing, or whose
    /// pair crosses another, becomes a fixed token. Characters that XML does not allow become empty elements, so the XML is
    /// well formed.
    pub fn new(text: &str, tokens: &[InlineToken]) -> Self {
        let mut tagged = Self::empty(text);
        tagged.sent.reserve(text.len() + tokens.len() * 24);
        let partners = find_partners(tokens);
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

    /// Converts a text for a service without tag support. The result must have each token as often as the text.
    ///
    /// `own` are the tokens of the text's format; `tokens` are these and the matches of patterns. Tokens of the format that have letters
    /// or digits, such as code and link addresses, are sent as a number in braces: `{1}`. All other tokens are sent unchanged.
    pub fn without_tags(text: &str, tokens: &[InlineToken], own: &[InlineToken]) -> Self {
        let mut tagged = Self { is_untagged: true, ..Self::empty(text) };
        let source_of = |token: &InlineToken| text.get(token.byte_range()).unwrap_or_default();
        let has_words = |token: &InlineToken| source_of(token).contains(char::is_alphanumeric);
        let partners = find_partners(own);
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
            let number = number.map(|number| tagged.add_source(&number));
            tagged.elements.push(TokenElement { start, end: None, number });
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
            is_untagged: false,
            is_ordered: false,
            has_outer_whitespace: [text.starts_with(char::is_whitespace), text.ends_with(char::is_whitespace)],
        }
    }

    /// Requires placeholders to keep their order, because they have neither names nor numbers. Markup may move.
    #[must_use]
    pub fn ordered(self, is_ordered: bool) -> Self {
        Self { is_ordered, ..self }
    }

    /// Returns the text to send: XML, or plain text.
    pub fn sent(&self) -> &str {
        &self.sent
    }

    /// Returns the protected parts of the text.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        self.elements.iter().flat_map(|element| {
            let (start, end) = self.sources_of(element);
            std::iter::once(start).chain(end)
        })
    }

    /// Returns the number of code points to send, without tags. An escape such as `&amp;` counts as all its characters.
    pub fn chars(&self) -> u64 {
        self.chars
    }

    /// Puts the tokens back into the service's result. Fails if a token is missing, repeated or misplaced. Whitespace
    /// around tags is kept, but removed at the start or end of the result if the text has none there.
    pub fn restore(&self, result: &str) -> Result<String, TokenLoss> {
        if self.is_untagged {
            restore::check_token_counts(self, result)?;
            let numbered = self.elements.iter().filter_map(|element| {
                let number = element.number.as_ref()?;
                Some((self.source(number), self.source(&element.start)))
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

    fn open(&mut self, name: &str, source: &str) {
        let start = self.add_source(source);
        self.elements.push(TokenElement { start, end: None, number: None });
        let id = self.elements.len().to_string();
        self.sent.extend(["<", name, " id=\"", &id, "\">"]);
    }

    fn push_text(&mut self, text: &str) {
        // `escape` writes to `sent` while its callback needs `self`, so `sent` is taken out.
        let mut sent = std::mem::take(&mut self.sent);
        self.chars += escape(text, &mut sent, |refused, sent| {
            std::mem::swap(&mut self.sent, sent);
            self.open(FIXED_ELEMENT, refused);
            push_end(&mut self.sent, FIXED_ELEMENT);
            std::mem::swap(&mut self.sent, sent);
        });
        self.sent = sent;
    }

    fn sent_as(&self, element: &TokenElement) -> &str {
        self.source(element.number.as_ref().unwrap_or(&element.start))
    }

    fn sources_of(&self, element: &TokenElement) -> (&str, Option<&str>) {
        (self.source(&element.start), element.end.as_ref().map(|end| self.source(end)))
    }

    fn source(&self, range: &Range<u32>) -> &str {
        self.sources.get(range.start as usize..range.end as usize).unwrap_or_default()
    }
}

fn push_end(sent: &mut String, name: &str) {
    sent.extend(["</", name, ">"]);
}

/// The index of each token's counterpart; `None` for fixed tokens and for pairs that cross others.
fn find_partners(tokens: &[InlineToken]) -> Vec<Option<usize>> {
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

/// Returns the length in bytes of a text as XML in JSON. With `is_token`, it is a fixed token. `element` is the id of the
/// next element, and is incremented for a token.
pub fn tagged_len(text: &str, is_token: bool, element: &mut usize) -> usize {
    let mut xml = String::new();
    let mut tags = 0;
    let mut count = |element: &mut usize| {
        // In JSON, each quote takes two bytes.
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

/// Returns the number of appended characters. Characters that XML does not allow go to `refused`, which may append a
/// replacement.
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
            // An XML parser would normalise a raw carriage return to a line feed.
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
