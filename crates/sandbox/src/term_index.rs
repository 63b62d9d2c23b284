//! Dictionary terms, indexed so that the translator can find them in a text.

use std::collections::HashMap;

/// The terms of a dictionary by their first word, so that a look-up in a large dictionary is as fast as in a small one.
#[derive(Debug, Default)]
pub struct TermIndex(HashMap<String, Vec<(String, String)>>);

impl TermIndex {
    /// Indexes pairs of source and target.
    pub fn new(entries: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
        let mut index: HashMap<String, Vec<(String, String)>> = HashMap::new();
        for (source, target) in entries {
            let (source, target) = (source.into(), target.into());
            index.entry(first_word(&source).to_owned()).or_default().push((source, target));
        }
        for terms in index.values_mut() {
            terms.sort_by_key(|(source, _)| std::cmp::Reverse(source.len()));
        }
        Self(index)
    }

    /// Finds the longest term that the text starts with, as whole words. Returns its length in bytes and its target.
    pub fn find(&self, text: &str) -> Option<(usize, &str)> {
        if self.0.is_empty() {
            return None;
        }
        let ends_at_boundary = |source: &str| {
            let after = text.get(source.len()..).and_then(|rest| rest.chars().next());
            let last = source.chars().next_back();
            !(after.is_some_and(|c| c.is_alphanumeric() && is_spaced(c)) && last.is_some_and(char::is_alphanumeric))
        };
        let terms = self.0.get(first_word(text))?;
        let (source, target) =
            terms.iter().find(|(source, _)| text.starts_with(source.as_str()) && ends_at_boundary(source))?;
        Some((source.len(), target))
    }
}

/// Returns the letters and digits at the start, or one character.
fn first_word(text: &str) -> &str {
    let mut chars = text.char_indices();
    let Some((_, first)) = chars.next() else { return "" };
    let end = if first.is_alphanumeric() && is_spaced(first) {
        chars.find(|(_, c)| !c.is_alphanumeric() || !is_spaced(*c)).map_or(text.len(), |(at, _)| at)
    } else {
        first.len_utf8()
    };
    text.get(..end).unwrap_or_default()
}

/// Returns whether a letter belongs to a script that puts spaces between words.
fn is_spaced(c: char) -> bool {
    c < '\u{2e80}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_longest_term_of_whole_words() {
        let terms = TermIndex::new([("tea", "Tee"), ("tea cup", "Teetasse"), ("C++", "C plus plus")]);
        assert_eq!(terms.find("tea cup!"), Some((7, "Teetasse")));
        assert_eq!(terms.find("tea cups"), Some((3, "Tee")));
        assert_eq!(terms.find("teas"), None);
        assert_eq!(terms.find("C++ x"), Some((3, "C plus plus")));
        assert_eq!(terms.find(""), None);
    }
}
