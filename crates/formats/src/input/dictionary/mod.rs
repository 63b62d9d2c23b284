//! Dictionary files of glossaries, checked in one pass, and comparisons of dictionaries.
//!
//! Input: the bytes of a TSV or CSV file. Output: its entries and every problem with line and column. Nothing here
//! reads files or knows the service.

mod csv;
mod entries;
mod header;
mod problem;
mod read;

pub use self::entries::{Dictionary, DictionaryDiff, EntryChange, EntryDifference};
pub use self::problem::{DictionaryFormat, DictionaryProblem, DictionaryRule, PhraseSide};
pub use self::read::{CheckedDictionary, DictionaryReadOptions};

#[cfg(test)]
mod tests;
