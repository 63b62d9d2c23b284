//! Glossaries and translation memories as translations use them: found by id, checked against the pair, indexed.
//!
//! How they are made and listed is their routes' business; what is read of their stored bodies stands here.
//! Spec: "Glossaries" (base codes cover variants), "Translation memories" (applying), C1.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::App;
use super::clock;
use super::ids;
use super::languages::same_base;
use super::reply::Refusal;
use super::state::kind;

/// How many glossaries are kept ready for use.
const CACHED: usize = 32;

/// What is read of a stored glossary.
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

/// A translation memory; a file of `--memories` is a JSON array of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SandboxMemory {
    /// The id; made from the name when a file leaves it out.
    #[serde(default)]
    pub translation_memory_id: String,
    /// The name.
    pub name: String,
    /// The language of the segments' sources, a base code.
    pub source_language: String,
    /// The languages of the segments' targets.
    pub target_languages: Vec<String>,
    /// The segments.
    #[serde(default)]
    pub segments: Vec<MemorySegment>,
}

/// One source text with its translation into one language.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemorySegment {
    /// The source text.
    pub source: String,
    /// The language of the translation.
    pub target_lang: String,
    /// The translation.
    pub target: String,
}

/// What translations need of glossaries and memories.
pub struct Terms {
    from_file: Vec<SandboxMemory>,
    glossaries: Mutex<HashMap<String, Arc<IndexedGlossary>>>,
}

/// A glossary, indexed.
struct IndexedGlossary {
    stamp: i64,
    created: i64,
    dictionaries: Vec<(String, String, Arc<TermIndex>)>,
}

impl Terms {
    /// Reads the memories of a file.
    pub fn open(memories: Option<&Path>) -> io::Result<Self> {
        let from_file = match memories {
            None => Vec::new(),
            Some(path) => {
                let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
                let text = std::fs::read(path).map_err(|error| io::Error::new(error.kind(), at(&error)))?;
                let mut memories: Vec<SandboxMemory> = serde_json::from_slice(&text)
                    .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, at(&error)))?;
                for memory in memories.iter_mut().filter(|memory| memory.translation_memory_id.is_empty()) {
                    memory.translation_memory_id = ids::uuid_of(&memory.name);
                }
                memories
            }
        };
        Ok(Self { from_file, glossaries: Mutex::new(HashMap::new()) })
    }
}

/// The dictionary of a glossary for a language pair. 400 for an id of another form, a glossary that is not ready or one
/// without the pair; 404 for an unknown one.
pub fn dictionary(app: &App, id: &str, source: &str, target: &str) -> Result<Arc<TermIndex>, Refusal> {
    if !ids::is_uuid(id) {
        return Err(Refusal::bad(format!("Value for 'glossary_id' not supported: '{id}' is no glossary id.")));
    }
    let glossary = glossary(app, &id.to_ascii_lowercase())?
        .ok_or_else(|| Refusal::not_found("Glossary not found.").detail(format!("glossary_id {id}")))?;
    let delay = i64::try_from(app.options.glossary_ready_delay.as_millis()).unwrap_or(i64::MAX);
    if clock::now_ms() < glossary.created.saturating_add(delay) {
        return Err(Refusal::bad("The glossary is not ready yet.").detail(format!("glossary_id {id}")));
    }
    let fits = |(from, to, _): &&(String, String, _)| same_base(from, source) && same_base(to, target);
    glossary.dictionaries.iter().find(fits).map(|(_, _, terms)| Arc::clone(terms)).ok_or_else(|| {
        Refusal::bad("No dictionary found for the language pair.")
            .detail(format!("glossary_id {id}, source_lang {source}, target_lang {target}"))
    })
}

fn glossary(app: &App, id: &str) -> Result<Option<Arc<IndexedGlossary>>, Refusal> {
    let Some(stamp) = app.state.with(|store| store.stamp(kind::GLOSSARY, id))? else { return Ok(None) };
    let known = || app.terms.glossaries.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(glossary) = known().get(id).filter(|glossary| glossary.stamp == stamp) {
        return Ok(Some(Arc::clone(glossary)));
    }
    let Some(object) = app.state.with(|store| store.get(kind::GLOSSARY, id))? else { return Ok(None) };
    let stored: GlossaryTerms = serde_json::from_value(object.body)
        .map_err(|error| Refusal::internal(format!("stored glossary {id}: {error}")))?;
    let dictionaries = stored.dictionaries.into_iter().map(|dictionary| {
        (dictionary.source_lang, dictionary.target_lang, Arc::new(TermIndex::new(dictionary.entries)))
    });
    let glossary = Arc::new(IndexedGlossary { stamp, created: object.created, dictionaries: dictionaries.collect() });
    let mut known = known();
    if known.len() >= CACHED {
        known.clear();
    }
    known.insert(id.to_owned(), Arc::clone(&glossary));
    Ok(Some(glossary))
}

/// All translation memories: those of the file, then those of the state.
pub fn memories(app: &App) -> Result<Vec<SandboxMemory>, Refusal> {
    let mut memories = app.terms.from_file.clone();
    for object in app.state.list(kind::MEMORY)? {
        let mut memory: SandboxMemory = serde_json::from_value(object.body)
            .map_err(|error| Refusal::internal(format!("stored memory {}: {error}", object.id)))?;
        memory.translation_memory_id = object.id;
        memories.push(memory);
    }
    Ok(memories)
}

/// A memory that can be applied to a target: 404 for an unknown one, 400 for another target.
pub fn memory(app: &App, id: &str, target: &str) -> Result<SandboxMemory, Refusal> {
    let memory =
        memories(app)?.into_iter().find(|memory| memory.translation_memory_id.eq_ignore_ascii_case(id)).ok_or_else(
            || Refusal::not_found("Translation memory not found.").detail(format!("translation_memory_id {id}")),
        )?;
    if memory.target_languages.iter().any(|language| same_base(language, target)) {
        Ok(memory)
    } else {
        Err(Refusal::bad("The translation memory does not support this 'target_lang'."))
    }
}

impl SandboxMemory {
    /// The best match of a text for a target, if it is at least `threshold` percent alike.
    ///
    /// An exact language goes before a variant.
    pub fn find(&self, text: &str, target: &str, threshold: u64) -> Option<&str> {
        let alike = |segment: &&MemorySegment| same_base(&segment.target_lang, target);
        let rank = |segment: &MemorySegment| {
            let match_percent = similarity(&segment.source, text, threshold)?;
            Some((match_percent, segment.target_lang.eq_ignore_ascii_case(target)))
        };
        let best = self.segments.iter().filter(alike).filter_map(|segment| Some((rank(segment)?, segment)));
        best.max_by_key(|(rank, _)| *rank).map(|(_, segment)| segment.target.as_str())
    }
}

/// How much two texts are alike in percent of the longer, by edits of characters; `None` below the threshold.
fn similarity(one: &str, other: &str, threshold: u64) -> Option<u64> {
    if one == other {
        return Some(100);
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let longer = one.len().max(other.len()) as u64;
    let allowed = longer * (100 - threshold.min(100)) / 100;
    if one.len().abs_diff(other.len()) as u64 > allowed {
        return None;
    }
    let mut row: Vec<u64> = (0..=other.len() as u64).collect();
    for (at, left) in one.iter().enumerate() {
        let mut diagonal = at as u64;
        let mut previous = diagonal + 1;
        for (cell, right) in row.iter_mut().skip(1).zip(&other) {
            let best = (diagonal + u64::from(left != right)).min(previous + 1).min(*cell + 1);
            (diagonal, previous, *cell) = (*cell, best, best);
        }
        if let Some(first) = row.first_mut() {
            *first = at as u64 + 1;
        }
    }
    let edits = row.last().copied().unwrap_or(longer);
    // Anything but the same text is below 100.
    (edits <= allowed).then(|| ((longer - edits) * 100 / longer).min(99)).filter(|percent| *percent >= threshold)
}

/// Terms by their first word, so that a large dictionary costs no more than a small one.
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

    /// The longest term a text begins with, as whole words: its length and its target.
    pub fn find(&self, text: &str) -> Option<(usize, &str)> {
        if self.0.is_empty() {
            return None;
        }
        let ends = |source: &str| {
            let after = text.get(source.len()..).and_then(|rest| rest.chars().next());
            let last = source.chars().next_back();
            !(after.is_some_and(|c| c.is_alphanumeric() && is_spaced(c)) && last.is_some_and(char::is_alphanumeric))
        };
        let terms = self.0.get(first_word(text))?;
        let (source, target) = terms.iter().find(|(source, _)| text.starts_with(source.as_str()) && ends(source))?;
        Some((source.len(), target))
    }
}

/// Letters and digits at the start, or one character.
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

/// Whether a letter belongs to a script with spaces between words.
fn is_spaced(c: char) -> bool {
    c < '\u{2e80}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_whole_term_wins() {
        let terms = TermIndex::new([("tea", "Tee"), ("tea cup", "Teetasse"), ("C++", "C plus plus")]);
        assert_eq!(terms.find("tea cup!"), Some((7, "Teetasse")));
        assert_eq!(terms.find("tea cups"), Some((3, "Tee")));
        assert_eq!(terms.find("teas"), None);
        assert_eq!(terms.find("C++ x"), Some((3, "C plus plus")));
        assert_eq!(terms.find(""), None);
    }

    #[test]
    fn memories_match_by_percent() {
        let memory = SandboxMemory {
            translation_memory_id: String::new(),
            name: "m".into(),
            source_language: "en".into(),
            target_languages: vec!["de".into()],
            segments: vec![MemorySegment {
                source: "Two cups?".into(),
                target_lang: "de".into(),
                target: "Zwei Tassen?".into(),
            }],
        };
        assert_eq!(memory.find("Two cups?", "DE", 100), Some("Zwei Tassen?"));
        assert_eq!(memory.find("Two cups!", "DE", 75), Some("Zwei Tassen?"));
        assert_eq!(memory.find("Two cups!", "DE", 100), None);
        assert_eq!(memory.find("Two cups?", "FR", 0), None);
        assert_eq!(memory.find("Quite another thing", "DE", 75), None);
    }
}
