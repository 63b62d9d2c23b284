//! Stored dictionaries: the entries of one language pair.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::sandbox::reply::Refusal;

/// Maximum size of a dictionary as TSV, in bytes.
const DICTIONARY_BYTES_MAX: usize = 10 * 1024 * 1024;

/// A dictionary of a stored glossary.
#[derive(Serialize, Deserialize)]
pub(in crate::sandbox::routes) struct StoredDictionary {
    pub source_lang: String,
    pub target_lang: String,
    /// Source and target phrases, in the order of the answer.
    pub entries: Vec<(String, String)>,
}

impl StoredDictionary {
    /// Returns whether the dictionary is for a language pair.
    pub fn has_pair(&self, source: &str, target: &str) -> bool {
        self.source_lang.eq_ignore_ascii_case(source) && self.target_lang.eq_ignore_ascii_case(target)
    }

    /// Returns the dictionary without its entries, as answers contain it.
    pub fn summary(&self) -> Value {
        json!({
            "source_lang": self.source_lang,
            "target_lang": self.target_lang,
            "entry_count": self.entries.len(),
        })
    }

    /// Returns the entries as TSV, without a line feed at the end.
    pub fn tsv(&self) -> String {
        let lines: Vec<String> = self.entries.iter().map(|(source, target)| format!("{source}\t{target}")).collect();
        lines.join("\n")
    }

    /// Replaces the targets of known source phrases and appends the other entries.
    ///
    /// 413 if the dictionary becomes too large.
    pub fn merge(&mut self, new: Vec<(String, String)>) -> Result<(), Refusal> {
        let known: HashMap<String, usize> =
            self.entries.iter().enumerate().map(|(at, (source, _))| (source.clone(), at)).collect();
        for (source, target) in new {
            match known.get(&source).and_then(|&at| self.entries.get_mut(at)) {
                Some(entry) => entry.1 = target,
                None => self.entries.push((source, target)),
            }
        }
        self.check_size()
    }

    /// Refuses a dictionary that is too large with 413.
    pub fn check_size(&self) -> Result<(), Refusal> {
        let bytes: usize = self.entries.iter().map(|(source, target)| source.len() + target.len() + 2).sum();
        // The last entry has no line feed.
        if bytes.saturating_sub(1) > DICTIONARY_BYTES_MAX {
            return Err(Refusal::too_large(DICTIONARY_BYTES_MAX));
        }
        Ok(())
    }
}
