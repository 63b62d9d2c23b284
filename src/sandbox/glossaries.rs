//! Stored glossaries, indexed for translation.
//!
//! A route creates and lists them; here they are found by ID, checked against the language pair, and cached. A base
//! language covers its variants.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;

use super::clock;
use super::ids;
use super::languages::same_base;
use super::reply::Refusal;
use super::state::{StateStore, kind};
use super::term_index::TermIndex;

/// Maximum number of glossaries in the cache.
const CACHED_MAX: usize = 32;

/// The fields of a stored glossary that translation needs.
#[derive(Deserialize)]
struct GlossaryTerms {
    dictionaries: Vec<DictionaryTerms>,
}

#[derive(Deserialize)]
struct DictionaryTerms {
    source_lang: String,
    target_lang: String,
    entries: Vec<(String, String)>,
}

/// Finds the dictionaries of stored glossaries and keeps the last ones indexed.
pub struct GlossaryCache {
    state: Arc<StateStore>,
    ready_delay_ms: i64,
    cached: Mutex<HashMap<String, Arc<IndexedGlossary>>>,
}

struct IndexedGlossary {
    stamp: i64,
    created: i64,
    dictionaries: Vec<IndexedDictionary>,
}

struct IndexedDictionary {
    source_lang: String,
    target_lang: String,
    terms: Arc<TermIndex>,
}

impl GlossaryCache {
    /// Creates an empty cache; glossaries are ready `ready_delay` after their creation.
    pub fn new(state: Arc<StateStore>, ready_delay: Duration) -> Self {
        let ready_delay_ms = i64::try_from(ready_delay.as_millis()).unwrap_or(i64::MAX);
        Self { state, ready_delay_ms, cached: Mutex::default() }
    }

    /// Returns whether a glossary created at this time (milliseconds since 1970) is ready.
    pub fn is_ready(&self, created: i64) -> bool {
        clock::now_ms() >= created.saturating_add(self.ready_delay_ms)
    }

    /// Returns the terms of a glossary for a language pair.
    ///
    /// Refuses an unknown glossary with 404. Refuses an invalid ID, a glossary that is not ready and one without the
    /// language pair with 400.
    pub fn dictionary(&self, id: &str, source: &str, target: &str) -> Result<Arc<TermIndex>, Refusal> {
        if !ids::is_uuid(id) {
            return Err(Refusal::bad(format!("Value for 'glossary_id' not supported: '{id}' is not a glossary ID.")));
        }
        let glossary = self
            .glossary(&id.to_ascii_lowercase())?
            .ok_or_else(|| Refusal::not_found("Glossary not found.").detail(format!("glossary_id {id}")))?;
        if !self.is_ready(glossary.created) {
            return Err(Refusal::bad("The glossary is not ready yet.").detail(format!("glossary_id {id}")));
        }
        let matches = |dictionary: &&IndexedDictionary| {
            same_base(&dictionary.source_lang, source) && same_base(&dictionary.target_lang, target)
        };
        let found = glossary.dictionaries.iter().find(matches);
        found.map(|dictionary| Arc::clone(&dictionary.terms)).ok_or_else(|| {
            Refusal::bad("No dictionary found for the language pair.")
                .detail(format!("glossary_id {id}, source_lang {source}, target_lang {target}"))
        })
    }

    fn glossary(&self, id: &str) -> Result<Option<Arc<IndexedGlossary>>, Refusal> {
        let Some(stamp) = self.state.with(|tables| tables.stamp(kind::GLOSSARY, id))? else { return Ok(None) };
        if let Some(glossary) = self.cached().get(id).filter(|glossary| glossary.stamp == stamp) {
            return Ok(Some(Arc::clone(glossary)));
        }
        let Some(object) = self.state.with(|tables| tables.get(kind::GLOSSARY, id))? else { return Ok(None) };
        let stored: GlossaryTerms = serde_json::from_value(object.body)
            .map_err(|error| Refusal::internal(format!("invalid stored glossary {id}: {error}")))?;
        let dictionaries = stored.dictionaries.into_iter().map(|dictionary| IndexedDictionary {
            source_lang: dictionary.source_lang,
            target_lang: dictionary.target_lang,
            terms: Arc::new(TermIndex::new(dictionary.entries)),
        });
        let glossary =
            Arc::new(IndexedGlossary { stamp, created: object.created, dictionaries: dictionaries.collect() });
        let mut cached = self.cached();
        if cached.len() >= CACHED_MAX {
            cached.clear();
        }
        cached.insert(id.to_owned(), Arc::clone(&glossary));
        Ok(Some(glossary))
    }

    fn cached(&self) -> MutexGuard<'_, HashMap<String, Arc<IndexedGlossary>>> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
