//! Dictionaries: the entries of one language pair, and what a stored glossary says about them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::reply::Refusal;

/// Maximum size of a dictionary as TSV, in bytes.
const DICTIONARY_BYTES_MAX: usize = 10 * 1024 * 1024;

/// A dictionary of a stored glossary, as answers contain it. Its entries are stored apart, as TSV.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::routes) struct StoredDictionary {
    pub source_lang: String,
    pub target_lang: String,
    pub entry_count: usize,
}

impl StoredDictionary {
    /// Returns whether the dictionary is for a language pair.
    pub fn has_pair(&self, source: &str, target: &str) -> bool {
        self.source_lang.eq_ignore_ascii_case(source) && self.target_lang.eq_ignore_ascii_case(target)
    }
}

/// A dictionary with its entries, parsed and checked.
pub(in crate::routes) struct ParsedDictionary {
    pub source_lang: String,
    pub target_lang: String,
    /// Source and target phrases, in the order of the answer.
    pub entries: Vec<(String, String)>,
}

impl ParsedDictionary {
    /// Returns the dictionary without its entries.
    pub fn summary(&self) -> StoredDictionary {
        StoredDictionary {
            source_lang: self.source_lang.clone(),
            target_lang: self.target_lang.clone(),
            entry_count: self.entries.len(),
        }
    }

    /// Returns the entries as TSV, without a line feed at the end.
    ///
    /// 413 if the text is too large.
    pub fn tsv(&self) -> Result<String, Refusal> {
        let bytes: usize = self.entries.iter().map(|(source, target)| source.len() + target.len() + 2).sum();
        // The last entry has no line feed.
        if bytes.saturating_sub(1) > DICTIONARY_BYTES_MAX {
            return Err(Refusal::too_large(DICTIONARY_BYTES_MAX));
        }
        let mut text = String::with_capacity(bytes);
        for (source, target) in &self.entries {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(source);
            text.push('\t');
            text.push_str(target);
        }
        Ok(text)
    }

    /// Adds these entries to stored ones: known source phrases get the new targets, the others are appended.
    pub fn merge_into(&mut self, stored: &str) {
        let mut all: Vec<(String, String)> = split_tsv(stored).map(|(s, t)| (s.to_owned(), t.to_owned())).collect();
        let known: HashMap<String, usize> =
            all.iter().enumerate().map(|(at, (source, _))| (source.clone(), at)).collect();
        for (source, target) in self.entries.drain(..) {
            match known.get(&source).and_then(|&at| all.get_mut(at)) {
                Some(entry) => entry.1 = target,
                None => all.push((source, target)),
            }
        }
        self.entries = all;
    }
}

/// Returns the entries of a stored text.
fn split_tsv(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split('\n').filter_map(|line| line.split_once('\t'))
}
