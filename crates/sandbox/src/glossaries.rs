//! Finds stored glossaries by ID, checks them against the language pair, and caches their terms in an index for the
//! translator.
//!
//! The routes create and list glossaries. A glossary for a base language also covers its variants.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;

use super::languages::have_same_base;
use super::reply::Refusal;
use super::state::{StateStore, kind, pair_name};
use super::{clock, ids};

const CACHED_MAX: usize = 32;

#[derive(Deserialize)]
struct GlossaryPairs {
    dictionaries: Vec<GlossaryPair>,
}

#[derive(Deserialize)]
struct GlossaryPair {
    source_lang: String,
    target_lang: String,
}

pub struct GlossaryIndex {
    state: Arc<StateStore>,
    ready_delay_ms: i64,
    /// Keys: ID of the glossary, name of the language pair.
    cached: Mutex<HashMap<(String, String), IndexedDictionary>>,
}

struct IndexedDictionary {
    /// [`StateTables::stamp`](crate::state::StateTables::stamp) of the glossary when the dictionary was indexed.
    stamp: i64,
    terms: Arc<TermIndex>,
}

impl GlossaryIndex {
    /// Glossaries are ready `ready_delay` after their creation.
    pub fn new(state: Arc<StateStore>, ready_delay: Duration) -> Self {
        let ready_delay_ms = i64::try_from(ready_delay.as_millis()).unwrap_or(i64::MAX);
        Self { state, ready_delay_ms, cached: Mutex::default() }
    }

    /// `created` is in milliseconds since 1970.
    pub fn is_ready(&self, created: i64) -> bool {
        clock::now_ms() >= created.saturating_add(self.ready_delay_ms)
    }

    /// Refuses an unknown glossary with 404. Refuses an invalid ID, a glossary that is not ready or a missing language pair
    /// with 400.
    pub fn dictionary(&self, id: &str, source: &str, target: &str) -> Result<Arc<TermIndex>, Refusal> {
        self.find(id, source, target)?.ok_or_else(|| {
            Refusal::bad_request("No dictionary found for the language pair.")
                .detail(format!("glossary_id {}, source_lang {source}, target_lang {target}", id.to_ascii_lowercase()))
        })
    }

    /// Like [`GlossaryIndex::dictionary`], but returns `None` for a missing language pair.
    pub fn find(&self, id: &str, source: &str, target: &str) -> Result<Option<Arc<TermIndex>>, Refusal> {
        if !ids::is_uuid(id) {
            return Err(Refusal::bad_request(format!(
                "Value for 'glossary_id' not supported: '{id}' is not a glossary ID."
            )));
        }
        let id = id.to_ascii_lowercase();
        let (object, stamp) = self.state.with_tables(|tables| -> rusqlite::Result<_> {
            Ok((tables.get(kind::GLOSSARY, &id)?, tables.stamp(kind::GLOSSARY, &id)?.unwrap_or_default()))
        })?;
        let object =
            object.ok_or_else(|| Refusal::not_found("Glossary not found.").detail(format!("glossary_id {id}")))?;
        if !self.is_ready(object.created) {
            return Err(Refusal::bad_request("The glossary is not ready yet.").detail(format!("glossary_id {id}")));
        }
        let glossary: GlossaryPairs = serde_json::from_value(object.body)
            .map_err(|error| Refusal::internal(format!("invalid stored glossary {id}: {error}")))?;
        let matches = |pair: &&GlossaryPair| {
            have_same_base(&pair.source_lang, source) && have_same_base(&pair.target_lang, target)
        };
        let found = glossary.dictionaries.iter().find(matches);
        Ok(found.map(|pair| self.indexed_terms(&id, pair, stamp)).transpose()?.flatten())
    }

    /// Returns the IDs (in lower case) and the names of stored glossaries.
    pub fn names<'i>(&self, ids: impl Iterator<Item = &'i String>) -> Result<Vec<String>, Refusal> {
        let mut names = Vec::new();
        for id in ids.map(|id| id.to_ascii_lowercase()) {
            let body = self.state.get(kind::GLOSSARY, &id)?.unwrap_or_default();
            names.extend(body.get("name").and_then(serde_json::Value::as_str).map(str::to_owned));
            names.push(id);
        }
        Ok(names)
    }

    /// Returns the terms of a dictionary from the cache. Indexes them first if they are not cached, or if the glossary has changed since
    /// they were indexed.
    fn indexed_terms(&self, id: &str, pair: &GlossaryPair, stamp: i64) -> Result<Option<Arc<TermIndex>>, Refusal> {
        let key = (id.to_owned(), pair_name(&pair.source_lang, &pair.target_lang));
        if let Some(dictionary) = self.lock_cache().get(&key).filter(|dictionary| dictionary.stamp == stamp) {
            return Ok(Some(Arc::clone(&dictionary.terms)));
        }
        let Some(text) = self.state.with_tables(|tables| tables.text(kind::GLOSSARY, id, &key.1))? else {
            return Ok(None);
        };
        let terms = Arc::new(TermIndex::new(text.split('\n').filter_map(|line| line.split_once('\t'))));
        let mut cached = self.lock_cache();
        if cached.len() >= CACHED_MAX {
            cached.clear();
        }
        cached.insert(key, IndexedDictionary { stamp, terms: Arc::clone(&terms) });
        Ok(Some(terms))
    }

    fn lock_cache(&self) -> MutexGuard<'_, HashMap<(String, String), IndexedDictionary>> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The terms of a dictionary by their first word, so that look-ups are as fast in a large dictionary as in a small one.
#[derive(Debug, Default)]
pub struct TermIndex(HashMap<String, Vec<(String, String)>>);

impl TermIndex {
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

    /// Finds the longest term that the text starts with, matching complete words only. Returns its length in bytes and
    /// its target.
    pub fn find(&self, text: &str) -> Option<(usize, &str)> {
        if self.0.is_empty() {
            return None;
        }
        let ends_at_boundary = |source: &str| {
            let after = text.get(source.len()..).and_then(|rest| rest.chars().next());
            let last = source.chars().next_back();
            !(after.is_some_and(|c| c.is_alphanumeric() && is_in_spaced_script(c))
                && last.is_some_and(char::is_alphanumeric))
        };
        let terms = self.0.get(first_word(text))?;
        let (source, target) =
            terms.iter().find(|(source, _)| text.starts_with(source.as_str()) && ends_at_boundary(source))?;
        Some((source.len(), target))
    }
}

/// Returns the letters and digits at the start of a text, or else its first character.
fn first_word(text: &str) -> &str {
    let mut chars = text.char_indices();
    let Some((_, first)) = chars.next() else { return "" };
    let end = if first.is_alphanumeric() && is_in_spaced_script(first) {
        chars.find(|(_, c)| !c.is_alphanumeric() || !is_in_spaced_script(*c)).map_or(text.len(), |(at, _)| at)
    } else {
        first.len_utf8()
    };
    text.get(..end).unwrap_or_default()
}

/// Returns whether a letter belongs to a script that separates words with spaces.
fn is_in_spaced_script(c: char) -> bool {
    c < '\u{2e80}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_longest_term_that_matches_complete_words() {
        let terms = TermIndex::new([("tea", "Tee"), ("tea cup", "Teetasse"), ("C++", "C plus plus")]);
        assert_eq!(terms.find("tea cup!"), Some((7, "Teetasse")));
        assert_eq!(terms.find("tea cups"), Some((3, "Tee")));
        assert_eq!(terms.find("teas"), None);
        assert_eq!(terms.find("C++ x"), Some((3, "C plus plus")));
        assert_eq!(terms.find(""), None);
    }
}
