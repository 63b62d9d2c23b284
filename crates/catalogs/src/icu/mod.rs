//! ICU MessageFormat: messages with arguments, plurals and selects, and the patterns of Java, which quote in another way.
//!
//! Input: the text of a message. Output: its parts, in a tree that other syntaxes share.
//! A literal text is written back with the quoting that it needs, in the style of its source.

mod parser;
mod quote;
#[cfg(test)]
mod tests;

pub(crate) use self::parser::IcuMessage;
pub(crate) use self::quote::QuoteWriter;

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
