//! Rules for dictionary files: names, messages and hints.

use std::fmt;

use tulk_base::limits;
use tulk_base::numbers::{counted, grouped};

use crate::input::problem::{FileProblem, FileRule};

/// Format of a dictionary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DictionaryFormat {
    /// One tab between source and target, no quotes.
    Tsv,
    /// Commas, semicolons or tabs, and double quotes; 2 fields, or 4 with language codes.
    Csv,
}

/// Which phrase of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhraseSide {
    /// The source phrase.
    Source,
    /// The target phrase.
    Target,
}

impl fmt::Display for PhraseSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Source => "source",
            Self::Target => "target",
        })
    }
}

/// A broken rule, with the values for its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DictionaryRule {
    /// An earlier entry has the same source phrase.
    Duplicate {
        /// Line of the first entry.
        first: u32,
    },
    /// A phrase is empty.
    Empty {
        /// Which phrase.
        side: PhraseSide,
    },
    /// A phrase contains a C0 or C1 control character.
    Control {
        /// Which phrase.
        side: PhraseSide,
        /// The character.
        c: char,
    },
    /// A phrase contains a line break, possibly a Unicode one or one in quotes.
    Newline {
        /// Which phrase.
        side: PhraseSide,
        /// The line break.
        c: char,
    },
    /// A phrase starts or ends with whitespace.
    Whitespace {
        /// Which phrase.
        side: PhraseSide,
        /// Whether the whitespace is at the start, not at the end.
        leading: bool,
    },
    /// A phrase is too long.
    TooLong {
        /// Which phrase.
        side: PhraseSide,
        /// Length in UTF-8 bytes.
        bytes: u32,
    },
    /// A line has the wrong number of fields.
    FieldCount {
        /// Format of the file.
        format: DictionaryFormat,
        /// Number of fields.
        found: u32,
    },
    /// The first line is a header such as `source,target`.
    Header,
    /// The first line names a language for each column.
    LanguageHeader,
    /// In the first line of a table, the source or target language has no column, or has several columns.
    LanguageColumn {
        /// Source or target language.
        side: PhraseSide,
        /// Number of columns for this language.
        found: u32,
    },
    /// A row of a table has more or fewer cells than the first line.
    CellCount {
        /// Number of cells in the row.
        found: u32,
        /// Number of cells in the first line.
        expected: u32,
    },
    /// A quoted field has no closing quote, or there is text after its closing quote.
    Quotes,
    /// A line is not UTF-8.
    Utf8 {
        /// Offset of the first invalid byte in the file.
        offset: u64,
    },
    /// The file has no entries, or none for the language pair.
    NoRow {
        /// Number of rows for other language pairs.
        skipped: u32,
    },
    /// All entries together are too large.
    TooLarge {
        /// Size as TSV.
        bytes: u64,
    },
}

impl FileRule for DictionaryRule {
    fn word(self) -> &'static str {
        match self {
            Self::Duplicate { .. } => "duplicate",
            Self::Empty { .. } => "empty",
            Self::Control { .. } => "control",
            Self::Newline { .. } => "newline",
            Self::Whitespace { .. } => "whitespace",
            Self::TooLong { .. } => "length",
            Self::FieldCount { .. } | Self::CellCount { .. } => "columns",
            Self::Header | Self::LanguageHeader => "header",
            Self::LanguageColumn { .. } => "language",
            Self::Quotes => "quotes",
            Self::Utf8 { .. } => "utf8",
            Self::NoRow { .. } => "no_row",
            Self::TooLarge { .. } => "size",
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Duplicate { .. } => "remove one of the two entries",
            Self::Empty { .. } => "fill in the phrase, or remove the line",
            Self::Control { .. } => "remove the character",
            Self::Newline { .. } => "put each entry on one line; a phrase cannot contain a line break, even in quotes",
            Self::Whitespace { .. } => "remove the whitespace",
            Self::TooLong { .. } => "shorten the phrase",
            Self::FieldCount { format: DictionaryFormat::Tsv, found: 1 } => {
                "choose CSV with --entries-format csv if the file uses commas"
            }
            Self::FieldCount { format: DictionaryFormat::Tsv, .. } => {
                "remove the other tabs; a phrase cannot contain a tab"
            }
            Self::FieldCount { format: DictionaryFormat::Csv, .. } => {
                "write source,target or source,target,source code,target code; put fields with a comma in quotes"
            }
            Self::Header => "add --header-row to skip the line; --no-check sends it as an entry",
            Self::LanguageHeader => {
                "add --columns-are-languages to read a column for each language, or --header-row to skip the line"
            }
            Self::LanguageColumn { found: 0, .. } => {
                "write the language of each column in the first line, such as en,de,fr"
            }
            Self::LanguageColumn { .. } => {
                "name the language with its region, as the column does, or remove the other columns"
            }
            Self::CellCount { .. } => "put a cell that contains the separator in quotes",
            Self::Quotes => "close the field with a quote; write a quote inside a quoted field as \"\"",
            Self::Utf8 { .. } => "save the file as UTF-8",
            Self::NoRow { skipped: 0 } => "add at least one entry",
            Self::NoRow { .. } => "the codes in columns 3 and 4 must match the languages of the dictionary",
            Self::TooLarge { .. } => "split the terms across several glossaries",
        }
    }

    fn first_line(self) -> Option<u32> {
        match self {
            Self::Duplicate { first } => Some(first),
            _ => None,
        }
    }
}

impl fmt::Display for DictionaryRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Duplicate { first } => write!(f, "the source phrase is already on line {first}"),
            Self::Empty { side } => write!(f, "the {side} phrase is empty"),
            Self::Control { side, c } => {
                write!(f, "the {side} phrase contains the control character U+{:04X}", u32::from(c))
            }
            Self::Newline { side, c } => {
                write!(f, "the {side} phrase contains the line break U+{:04X}", u32::from(c))
            }
            Self::Whitespace { side, leading: true } => write!(f, "the {side} phrase starts with whitespace"),
            Self::Whitespace { side, leading: false } => write!(f, "the {side} phrase ends with whitespace"),
            Self::TooLong { side, bytes } => {
                let (bytes, limit) = (counted(bytes, "byte"), grouped(limits::GLOSSARY_PHRASE_BYTES));
                write!(f, "the {side} phrase has {bytes}; the limit is {limit}")
            }
            Self::FieldCount { format: DictionaryFormat::Tsv, found: 1 } => {
                f.write_str("an entry needs a tab between source and target")
            }
            Self::FieldCount { format: DictionaryFormat::Tsv, found } => {
                write!(f, "an entry needs exactly 1 tab; this one has {}", found - 1)
            }
            Self::FieldCount { format: DictionaryFormat::Csv, found } => {
                write!(f, "an entry needs 2 or 4 fields; this one has {found}")
            }
            Self::Header => f.write_str("this looks like a header, not an entry; --header-row skips it"),
            Self::LanguageHeader => {
                f.write_str("this looks like a header with languages; --columns-are-languages reads a column for each")
            }
            Self::LanguageColumn { side, found: 0 } => write!(f, "the table has no column for the {side} language"),
            Self::LanguageColumn { side, found } => {
                write!(f, "the table has {found} columns for the {side} language")
            }
            Self::CellCount { found, expected } => {
                let cells = if found == 1 { "cell" } else { "cells" };
                write!(f, "this row has {found} {cells}; the first line has {expected}")
            }
            Self::Quotes => {
                f.write_str("a quoted field needs a closing quote before the separator or the end of the line")
            }
            Self::Utf8 { offset } => write!(f, "invalid UTF-8 at byte offset {offset}"),
            Self::NoRow { skipped: 0 } => f.write_str("the file has no entries"),
            Self::NoRow { skipped: 1 } => f.write_str("the file has no row for this language pair (1 row for others)"),
            Self::NoRow { skipped } => {
                write!(f, "the file has no row for this language pair ({} for others)", counted(skipped, "row"))
            }
            Self::TooLarge { bytes } => {
                write!(
                    f,
                    "the entries have {}; the limit is {}",
                    counted(bytes, "byte"),
                    grouped(limits::DICTIONARY_BYTES)
                )
            }
        }
    }
}

/// A problem in a dictionary file.
pub type DictionaryProblem = FileProblem<DictionaryRule>;
