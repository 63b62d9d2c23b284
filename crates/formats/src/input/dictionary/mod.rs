//! Dictionary files of glossaries: validation in one pass, and comparison.
//!
//! Input: the bytes of a TSV or CSV file. Output: its entries, and all problems with line and column. Does not access
//! files or the service.

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
