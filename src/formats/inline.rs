//! Texts with parts that are not translated: placeholders, markup, code.
//!
//! Such a text is sent as XML, escaped once, with its tokens as tags that are ignored or paired. The result is unescaped
//! once, and each token must be in it exactly once.

use std::ops::Range;

/// A part of a text that is not translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineToken {
    /// Its bytes in the text.
    pub range: Range<u32>,
    /// What it is.
    pub kind: TokenKind,
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

/// A text with its tokens as tags.
#[derive(Clone, Debug)]
pub struct TaggedText {
    sent: String,
}

impl TaggedText {
    /// Returns what is sent.
    pub fn sent(&self) -> &str {
        &self.sent
    }
}
