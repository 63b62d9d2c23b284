//! Files of spoken terms: one term a line, checked in one pass, and comparisons of term lists.
//!
//! Input: the bytes of a file, or the entries that the service sent. Output: the terms and every problem with line and
//! column. White space around a term does not count, as in the service.

mod read;
mod rule;

use std::collections::HashSet;

pub use self::read::CheckedTermList;
pub use self::rule::{TermListProblem, TermListRule};

/// The terms of one language, in order, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermList {
    terms: Vec<String>,
}

impl TermList {
    /// Reads the entries that the service sent. Blank lines and repeated terms do not count.
    pub fn from_entries(entries: &str) -> Self {
        let mut seen = HashSet::new();
        let terms = entries.lines().map(str::trim).filter(|term| !term.is_empty() && seen.insert(*term));
        Self { terms: terms.map(str::to_owned).collect() }
    }

    /// Adds a term that is not in the list.
    fn push(&mut self, term: &str) {
        self.terms.push(term.to_owned());
    }

    /// Returns the terms.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(String::as_str)
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the terms as they are sent: separated by line feeds, without one at the end.
    pub fn entries(&self) -> String {
        self.terms.join("\n")
    }

    /// Returns the text of a file: a line feed after each term.
    pub fn to_file_text(&self) -> String {
        // A first term that begins with the character of a byte-order mark would lose it to the reader.
        let is_marked = self.terms.first().is_some_and(|term| term.starts_with('\u{feff}'));
        let mark = is_marked.then_some("\u{feff}");
        mark.into_iter().chain(self.terms.iter().flat_map(|term| [term.as_str(), "\n"])).collect()
    }

    /// Returns the length in characters, as the limit counts it: with the line feeds between the terms.
    pub fn chars(&self) -> usize {
        let line_feeds = self.terms.len().saturating_sub(1);
        self.terms.iter().map(|term| term.chars().count()).sum::<usize>() + line_feeds
    }

    /// Returns the terms of this list that another one lacks, in order.
    #[must_use]
    pub fn missing_in(&self, other: &Self) -> Self {
        let known: HashSet<&str> = other.terms().collect();
        Self { terms: self.terms().filter(|term| !known.contains(term)).map(str::to_owned).collect() }
    }

    /// Returns this list with the new terms of another one at the end, as the service merges them.
    #[must_use]
    pub fn merged_with(&self, other: &Self) -> Self {
        let mut merged = self.clone();
        merged.terms.extend(other.missing_in(self).terms);
        merged
    }
}

#[cfg(test)]
mod tests;
