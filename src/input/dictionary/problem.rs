//! One broken rule of a dictionary file, and how it reads.
//!
//! Small and without text of its own: a file may break a rule on every line.

use std::fmt;

use super::Form;
use crate::error::{Failure, Origin};
use crate::limits;

/// Which phrase of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The source phrase.
    Source,
    /// The target phrase.
    Target,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Source => "source",
            Self::Target => "target",
        })
    }
}

/// A rule that is broken, with what its message needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The source phrase stands in an earlier line too.
    Duplicate {
        /// The line of the first entry.
        first: u32,
    },
    /// A phrase is empty.
    Empty {
        /// Which one.
        side: Side,
    },
    /// A C0 or C1 control character.
    Control {
        /// In which phrase.
        side: Side,
        /// The character.
        c: char,
    },
    /// A line break, also a Unicode one or one within quotes.
    Newline {
        /// In which phrase.
        side: Side,
        /// The character.
        c: char,
    },
    /// White space at the edge of a phrase.
    Whitespace {
        /// Of which phrase.
        side: Side,
        /// At its start.
        leading: bool,
    },
    /// A phrase is too long.
    TooLong {
        /// Which one.
        side: Side,
        /// Its length.
        bytes: u32,
    },
    /// A line has too few or too many columns.
    Columns {
        /// What the file is.
        form: Form,
        /// How many there are.
        found: u32,
    },
    /// A quoted field does not end, or goes on after its quote.
    Quotes,
    /// Bytes that are no UTF-8.
    Utf8 {
        /// Where in the file, from 0.
        offset: u64,
    },
    /// No entry at all, or none of the wanted pair.
    NoRow {
        /// Rows of other pairs.
        skipped: u32,
    },
    /// All entries together are too large.
    TooLarge {
        /// Their size as TSV.
        bytes: u64,
    },
}

impl Rule {
    /// The rule's name, for programs.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Duplicate { .. } => "duplicate",
            Self::Empty { .. } => "empty",
            Self::Control { .. } => "control",
            Self::Newline { .. } => "newline",
            Self::Whitespace { .. } => "whitespace",
            Self::TooLong { .. } => "length",
            Self::Columns { .. } => "columns",
            Self::Quotes => "quotes",
            Self::Utf8 { .. } => "utf8",
            Self::NoRow { .. } => "no_row",
            Self::TooLarge { .. } => "size",
        }
    }

    /// What to do about it, where the message does not say.
    pub fn hint(self) -> Option<&'static str> {
        match self {
            Self::Columns { form: Form::Tsv, .. } => {
                Some("write one \"source<TAB>target\" pair per line, or choose CSV with --entries-format csv")
            }
            Self::Columns { form: Form::Csv, .. } => {
                Some("write source,target or source,target,source code,target code; put fields with a comma in quotes")
            }
            Self::Newline { .. } => Some("an entry is one line: a phrase cannot hold a line break, quoted or not"),
            Self::NoRow { skipped: 1.. } => Some("the codes in columns 3 and 4 must be those of the dictionary"),
            Self::TooLarge { .. } => Some("split the terms over several glossaries"),
            _ => None,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Duplicate { first } => write!(f, "source phrase repeats line {first}"),
            Self::Empty { side } => write!(f, "{side} phrase is empty"),
            Self::Control { side, c } => write!(f, "{side} phrase holds the control character U+{:04X}", u32::from(c)),
            Self::Newline { side, c } => write!(f, "{side} phrase holds the line break U+{:04X}", u32::from(c)),
            Self::Whitespace { side, leading: true } => write!(f, "{side} phrase starts with white space"),
            Self::Whitespace { side, leading: false } => write!(f, "{side} phrase ends with white space"),
            Self::TooLong { side, bytes } => {
                write!(f, "{side} phrase has {bytes} bytes, the limit is {}", limits::GLOSSARY_PHRASE_BYTES)
            }
            Self::Columns { form: Form::Tsv, found: 1 } => f.write_str("entry has no tab"),
            Self::Columns { form: Form::Tsv, found } => write!(f, "entry has {} tabs instead of 1", found - 1),
            Self::Columns { form: Form::Csv, found: 1 } => f.write_str("entry has 1 field instead of 2 or 4"),
            Self::Columns { form: Form::Csv, found } => write!(f, "entry has {found} fields instead of 2 or 4"),
            Self::Quotes => f.write_str("quoted field does not end with a quote before the comma or line end"),
            Self::Utf8 { offset } => write!(f, "invalid UTF-8 at byte {offset} (from 0)"),
            Self::NoRow { skipped: 0 } => f.write_str("there is no entry"),
            Self::NoRow { skipped } => write!(f, "no row is of the wanted pair ({skipped} of other pairs)"),
            Self::TooLarge { bytes } => {
                write!(f, "the entries have {bytes} bytes, the limit is {}", limits::DICTIONARY_BYTES)
            }
        }
    }
}

/// A broken rule and its place; line 0 is the whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The rule.
    pub rule: Rule,
}

impl Problem {
    /// Its place in a file.
    pub fn origin(&self, file: &str) -> Origin {
        Origin::at(file, self.line.into(), self.column.into())
    }

    /// The problem as a failure that names the file.
    pub fn failure(&self, file: &str) -> Failure {
        let mut failure = Failure::usage(self.rule.to_string()).at(self.origin(file));
        failure.hint = self.rule.hint().map(str::to_owned);
        failure
    }
}
