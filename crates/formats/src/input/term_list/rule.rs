//! The rules of term lists: names, messages and hints.

use std::fmt;

use tulk_base::limits;

use crate::input::problem::{FileProblem, FileRule};

/// A broken rule, with the values of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermListRule {
    /// A line has no term.
    Blank,
    /// An earlier line has the same term.
    Duplicate {
        /// The line of the first one.
        first: u32,
    },
    /// A term contains a tab.
    Tab,
    /// A term contains another control character: C0, DEL or C1.
    Control {
        /// The character.
        c: char,
    },
    /// A term contains a line break of Unicode, or a carriage return.
    Newline {
        /// The character.
        c: char,
    },
    /// A line is not UTF-8.
    Utf8 {
        /// Offset of the first invalid byte in the file.
        offset: u64,
    },
    /// All terms together are too long. The place is that of the first character too many.
    TooLong {
        /// Their length, with the line feeds between them.
        chars: u32,
    },
    /// The file has no term.
    NoTerm,
}

impl FileRule for TermListRule {
    fn word(self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::Duplicate { .. } => "duplicate",
            Self::Tab => "tab",
            Self::Control { .. } => "control",
            Self::Newline { .. } => "newline",
            Self::Utf8 { .. } => "utf8",
            Self::TooLong { .. } => "length",
            Self::NoTerm => "no_term",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Blank => "remove the line",
            Self::Duplicate { .. } => "remove one of the two lines",
            Self::Tab => "write each term on a line of its own, and spaces within a term",
            Self::Control { .. } => "remove the character",
            Self::Newline { .. } => "write each term on a line of its own that ends with LF or CRLF",
            Self::Utf8 { .. } => "save the file as UTF-8",
            Self::TooLong { .. } => {
                "keep the terms that are most often misheard; the line break after a term counts too"
            }
            Self::NoTerm => "add at least one term",
        }
    }

    fn first_line(self) -> Option<u32> {
        match self {
            Self::Duplicate { first } => Some(first),
            _ => None,
        }
    }
}

impl fmt::Display for TermListRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Blank => f.write_str("the line is blank"),
            Self::Duplicate { first } => write!(f, "the term is already on line {first}"),
            Self::Tab => f.write_str("the term contains a tab"),
            Self::Control { c } => write!(f, "the term contains the control character U+{:04X}", u32::from(c)),
            Self::Newline { c } => write!(f, "the term contains the line break U+{:04X}", u32::from(c)),
            Self::Utf8 { offset } => write!(f, "invalid UTF-8 at byte offset {offset}"),
            Self::TooLong { chars } => {
                let limit = limits::TERM_LIST_CHARS;
                write!(f, "the list has {chars} characters; the limit of {limit} is exceeded here")
            }
            Self::NoTerm => f.write_str("the file has no terms"),
        }
    }
}

/// A problem of a file of terms.
pub type TermListProblem = FileProblem<TermListRule>;
