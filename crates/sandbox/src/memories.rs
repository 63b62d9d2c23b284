//! Translation memories of a file and of the state, and the search for segments that match a text.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use tulk_base::error::{Failure, FileContext as _, Origin};
use tulk_base::files::read_bounded;

use super::clock;
use super::ids;
use super::languages::have_same_base;
use super::options::FILE_LIMIT;
use super::reply::Refusal;
use super::state::{StateStore, StateTables, StoredObject, kind};

pub const MEMORIES_MAX: usize = 100;
const CACHED_MAX: usize = 8;
/// Name of the stored text that contains the segments of a memory.
const SEGMENTS_TEXT: &str = "segments";
/// Key of the counts that mark memories of the file as deleted. The name of each count is the ID of a memory.
const DELETED_KEY: &str = "memories deleted";

/// A translation memory, in the format of the state and of a file of memories.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredMemory {
    /// ID; derived from the name if a file does not set it.
    #[serde(default)]
    pub translation_memory_id: String,
    pub name: String,
    /// Base code of the language of all source texts.
    pub source_language: String,
    pub target_languages: Vec<String>,
    /// Segments. A stored memory keeps them in a separate text; lists of memories omit them.
    #[serde(default, deserialize_with = "deserialize_segments", skip_serializing)]
    pub segments: Vec<MemorySegment>,
    #[serde(default)]
    pub segment_count: usize,
    /// Time of creation. The default is when the file was last modified or the object was stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<MemoryTime>,
    /// Time of the last change, with the same default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_time: Option<MemoryTime>,
}

/// A point in time, formatted as `2026-03-04T05:06:07.089Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemoryTime {
    pub ms: i64,
}

impl TryFrom<String> for MemoryTime {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let invalid = || format!("invalid time `{text}`; write it as 2026-03-04T05:06:07.089Z");
        Ok(Self { ms: clock::parse_time(&text).ok_or_else(invalid)? })
    }
}

impl From<MemoryTime> for String {
    fn from(time: MemoryTime) -> Self {
        clock::iso(time.ms)
    }
}

/// A source text and its translation into one language, in the format of a file and of the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryPair {
    pub source: String,
    pub target_lang: String,
    pub target: String,
}

/// A source text and its translations, at most one per language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemorySegment {
    pub source: String,
    pub targets: Vec<MemoryTarget>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryTarget {
    pub lang: String,
    pub text: String,
}

#[derive(Debug, PartialEq, Eq)]
pub struct MemoryMatch<'a> {
    pub target_id: String,
    pub text: &'a str,
}

/// Returns the ID of a segment. It depends only on the index, because the segments of a memory cannot be edited.
pub fn segment_id(at: usize) -> String {
    format!("s-{}", at + 1)
}

pub fn target_id(at: usize, lang: &str) -> String {
    format!("t-{}-{}", at + 1, lang.to_ascii_lowercase())
}

/// Translations of the same text into several languages become one segment.
pub fn group_by_source(pairs: impl IntoIterator<Item = MemoryPair>) -> Vec<MemorySegment> {
    let mut segments: Vec<MemorySegment> = Vec::new();
    let mut by_source: HashMap<String, usize> = HashMap::new();
    for MemoryPair { source, target_lang: lang, target: text } in pairs {
        let last = by_source.get(&source).and_then(|at| segments.get_mut(*at));
        let target = MemoryTarget { lang, text };
        let is_new =
            |last: &&mut MemorySegment| last.targets.iter().all(|known| !known.lang.eq_ignore_ascii_case(&target.lang));
        if let Some(last) = last.filter(is_new) {
            last.targets.push(target);
        } else {
            by_source.insert(source.clone(), segments.len());
            segments.push(MemorySegment { source, targets: vec![target] });
        }
    }
    segments
}

fn deserialize_segments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<MemorySegment>, D::Error> {
    Ok(group_by_source(Vec::<MemoryPair>::deserialize(deserializer)?))
}

/// Memories by ID, each with the [`StateTables::stamp`] of its object.
type MemoryCache = HashMap<String, (i64, Arc<StoredMemory>)>;

#[derive(Clone)]
pub struct MemoryStore {
    state: Arc<StateStore>,
    from_file: Arc<[Arc<StoredMemory>]>,
    cached: Arc<Mutex<MemoryCache>>,
}

impl MemoryStore {
    pub fn new(state: Arc<StateStore>, from_file: Arc<[Arc<StoredMemory>]>) -> Self {
        Self { state, from_file, cached: Arc::default() }
    }

    /// Returns all memories: those of the file first, then those of the state (without segments).
    pub fn all(&self) -> Result<Vec<Arc<StoredMemory>>, Refusal> {
        let mut memories = self.file_memories()?;
        for object in self.state.list(kind::MEMORY)? {
            memories.push(Arc::new(StoredMemory::of_object(object)?));
        }
        Ok(memories)
    }

    /// Returns the memories of the file, except deleted ones.
    fn file_memories(&self) -> Result<Vec<Arc<StoredMemory>>, Refusal> {
        if self.from_file.is_empty() {
            return Ok(Vec::new());
        }
        let deleted = self.state.with_tables(|tables| tables.counts(DELETED_KEY))?;
        let deleted: HashSet<String> = deleted.into_iter().map(|(id, _)| id).collect();
        Ok(self.from_file.iter().filter(|memory| !deleted.contains(&memory.translation_memory_id)).cloned().collect())
    }

    /// Refuses an unknown memory with 404.
    pub fn find(&self, id: &str) -> Result<Arc<StoredMemory>, Refusal> {
        let has_id = |memory: &Arc<StoredMemory>| memory.translation_memory_id.eq_ignore_ascii_case(id);
        if let Some(memory) = self.file_memories()?.into_iter().find(has_id) {
            return Ok(memory);
        }
        self.find_stored(&id.to_ascii_lowercase())?.ok_or_else(|| unknown_memory(id))
    }

    fn find_stored(&self, id: &str) -> Result<Option<Arc<StoredMemory>>, Refusal> {
        let Some(stamp) = self.state.with_tables(|tables| tables.stamp(kind::MEMORY, id))? else { return Ok(None) };
        if let Some((_, memory)) = self.lock_cache().get(id).filter(|(read, _)| *read == stamp) {
            return Ok(Some(Arc::clone(memory)));
        }
        let (object, text) = self.state.with_tables(|tables| -> rusqlite::Result<_> {
            Ok((tables.get(kind::MEMORY, id)?, tables.text(kind::MEMORY, id, SEGMENTS_TEXT)?))
        })?;
        let Some(object) = object else { return Ok(None) };
        let mut memory = StoredMemory::of_object(object)?;
        if let Some(text) = text {
            let pairs: Vec<MemoryPair> = serde_json::from_str(&text).map_err(|error| invalid_object(id, &error))?;
            memory.segments = group_by_source(pairs);
        }
        let memory = Arc::new(memory);
        let mut cached = self.lock_cache();
        if cached.len() >= CACHED_MAX {
            cached.clear();
        }
        cached.insert(id.to_owned(), (stamp, Arc::clone(&memory)));
        Ok(Some(memory))
    }

    /// Refuses an unknown memory with 404, and a memory without the target language with 400.
    pub fn find_for_target(&self, id: &str, target: &str) -> Result<Arc<StoredMemory>, Refusal> {
        let memory = self.find(id)?;
        if memory.target_languages.iter().any(|language| have_same_base(language, target)) {
            Ok(memory)
        } else {
            Err(Refusal::bad_request("The 'translation_memory_id' does not support this target language."))
        }
    }

    /// Refuses a new memory with 456 if there are already [`MEMORIES_MAX`].
    pub fn check_memory_limit(&self) -> Result<(), Refusal> {
        let stored = self.state.with_tables(|tables| tables.count(kind::MEMORY))?;
        let stored = usize::try_from(stored).unwrap_or(usize::MAX);
        if self.file_memories()?.len().saturating_add(stored) < MEMORIES_MAX {
            return Ok(());
        }
        Err(Refusal::quota_exceeded("Too many translation memories.")
            .detail(format!("an account has at most {MEMORIES_MAX}")))
    }

    /// Refuses an unknown memory with 404.
    pub fn delete(&self, id: &str) -> Result<(), Refusal> {
        let memory = self.find(id)?;
        let id = memory.translation_memory_id.as_str();
        self.state.in_transaction(|tables| {
            tables.clear_counts(&use_times_key(id))?;
            if !tables.delete(kind::MEMORY, id)? {
                tables.set_count(DELETED_KEY, id, 1)?;
            }
            Ok(())
        })
    }

    pub fn record_use(&self, memory: &StoredMemory, target_id: &str) -> rusqlite::Result<()> {
        let key = use_times_key(&memory.translation_memory_id);
        self.state.with_tables(|tables| tables.set_count(&key, target_id, clock::now_ms()))
    }

    /// Returns when the target segments of a memory were last used, by ID, in milliseconds since 1970.
    pub fn last_uses(&self, memory: &StoredMemory) -> rusqlite::Result<HashMap<String, i64>> {
        let uses = self.state.with_tables(|tables| tables.counts(&use_times_key(&memory.translation_memory_id)))?;
        Ok(uses.into_iter().collect())
    }

    fn lock_cache(&self) -> MutexGuard<'_, MemoryCache> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the key under which the last use of each segment of a memory is stored.
fn use_times_key(id: &str) -> String {
    format!("memory {id}")
}

fn unknown_memory(id: &str) -> Refusal {
    Refusal::not_found("Translation memory not found.").detail(format!("translation_memory_id {id}"))
}

fn invalid_object(id: &str, error: &serde_json::Error) -> Refusal {
    Refusal::internal(format!("invalid stored memory {id}: {error}"))
}

/// Reads a JSON array of [`StoredMemory`].
pub(super) fn read_file(path: &Path) -> Result<Vec<Arc<StoredMemory>>, Failure> {
    let json = read_bounded(path, FILE_LIMIT).file_context("read", path)?;
    let name = path.to_string_lossy();
    let mut memories: Vec<StoredMemory> = serde_json::from_slice(&json).map_err(|error| invalid_json(&name, &error))?;
    let modified = clock::modified_ms(path).unwrap_or_else(clock::now_ms);
    for memory in &mut memories {
        if memory.translation_memory_id.is_empty() {
            memory.translation_memory_id = ids::uuid_from_name(&memory.name);
        }
        memory.segment_count = memory.segments.len();
        memory.set_missing_times(modified);
        if memory.updated_time < memory.creation_time {
            let why = format!("memory `{}`: updated_time is before creation_time", memory.name);
            return Err(Failure::usage(why).at(Origin::whole(&name)));
        }
    }
    Ok(memories.into_iter().map(Arc::new).collect())
}

fn invalid_json(path: &str, error: &serde_json::Error) -> Failure {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let message = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
    Failure::usage(message).at(Origin::at(path, line as u64, column as u64))
}

impl StoredMemory {
    /// Sets missing times to `ms`, in milliseconds since 1970. If only one time is missing, it is adjusted so that the creation is
    /// not after the last change.
    fn set_missing_times(&mut self, ms: i64) {
        let time = MemoryTime { ms };
        let created = self.creation_time.unwrap_or_else(|| self.updated_time.map_or(time, |updated| updated.min(time)));
        self.creation_time = Some(created);
        self.updated_time = self.updated_time.or(Some(created.max(time)));
    }

    /// Leaves the segments empty if they are in a separate text.
    fn of_object(object: StoredObject) -> Result<Self, Refusal> {
        let mut memory: Self =
            serde_json::from_value(object.body).map_err(|error| invalid_object(&object.id, &error))?;
        memory.translation_memory_id = object.id;
        memory.segment_count = memory.segment_count.max(memory.segments.len());
        memory.set_missing_times(object.created);
        Ok(memory)
    }

    /// Returns the stored form of this memory: the body of the object, and the name and content of the text with the segments.
    pub fn stored_parts(&self) -> (Value, (String, String)) {
        let pairs = self.segments.iter().flat_map(|segment| {
            segment
                .targets
                .iter()
                .map(|target| json!({ "source": segment.source, "target_lang": target.lang, "target": target.text }))
        });
        let mut body = json!(self);
        body["segment_count"] = self.segments.len().into();
        (body, (SEGMENTS_TEXT.to_owned(), Value::Array(pairs.collect()).to_string()))
    }

    pub fn store(&self, tables: &StateTables, owner: &str) -> Result<(), Refusal> {
        let id = &self.translation_memory_id;
        let (body, (name, text)) = self.stored_parts();
        tables.put(kind::MEMORY, id, owner, &body)?;
        Ok(tables.put_text(kind::MEMORY, id, &name, &text)?)
    }

    /// Finds the segment that matches a text best, with at least `threshold` percent. Among equal matches, a translation into
    /// exactly the target language wins over one into a variant.
    pub fn best_match(&self, text: &str, target: &str, threshold: u64) -> Option<MemoryMatch<'_>> {
        let mut best: Option<((u64, bool), usize, &MemoryTarget)> = None;
        for (at, segment) in self.segments.iter().enumerate() {
            let mut percent = None;
            for candidate in segment.targets.iter().filter(|candidate| have_same_base(&candidate.lang, target)) {
                let percent = *percent.get_or_insert_with(|| match_percent(&segment.source, text, threshold));
                let Some(percent) = percent else { break };
                let rank = (percent, candidate.lang.eq_ignore_ascii_case(target));
                if best.is_none_or(|(known, ..)| rank >= known) {
                    best = Some((rank, at, candidate));
                }
            }
        }
        best.map(|(_, at, found)| MemoryMatch { target_id: target_id(at, &found.lang), text: &found.text })
    }
}

/// Returns the similarity of two texts, or `None` below the threshold: 100 minus the edit distance in characters as a
/// percentage of the longer text. Only equal texts are 100%.
fn match_percent(one: &str, other: &str, threshold: u64) -> Option<u64> {
    if one == other {
        return Some(100);
    }
    let (one_chars, other_chars) = (one.chars().count(), other.chars().count());
    let longer = one_chars.max(other_chars);
    let percent = |edits: usize| ((longer - edits) * 100 / longer).min(99) as u64;
    // The difference in length is a lower bound of the edit distance, and much cheaper.
    if percent(one_chars.abs_diff(other_chars)) < threshold {
        return None;
    }
    Some(percent(strsim::levenshtein(one, other))).filter(|percent| *percent >= threshold)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_segments_by_percent_and_language() {
        let pair = |(target_lang, target): (&str, &str)| MemoryPair {
            source: "Two cups?".into(),
            target_lang: target_lang.into(),
            target: target.into(),
        };
        let targets = [("de", "Zwei Tassen?"), ("pt-BR", "Duas xícaras?"), ("pt-PT", "Duas chávenas?")];
        let memory = StoredMemory {
            translation_memory_id: String::new(),
            name: "m".into(),
            source_language: "en".into(),
            target_languages: vec!["de".into(), "pt".into()],
            segment_count: 1,
            creation_time: None,
            updated_time: None,
            segments: group_by_source(targets.map(pair)),
        };
        assert_eq!(memory.segments.len(), 1);
        for (text, target, threshold, found) in [
            ("Two cups?", "DE", 100, Some("Zwei Tassen?")),
            ("Two cups!", "DE", 88, Some("Zwei Tassen?")),
            ("Two cups!", "DE", 89, None),
            ("Two cups!", "DE", 100, None),
            ("Two cups?", "FR", 0, None),
            ("Quite another thing", "DE", 75, None),
            ("Two cups?", "pt-BR", 100, Some("Duas xícaras?")),
            ("Two cups?", "PT-pt", 100, Some("Duas chávenas?")),
        ] {
            assert_eq!(
                memory.best_match(text, target, threshold).map(|m| m.text),
                found,
                "{text} {target} {threshold}"
            );
        }
    }

    #[test]
    fn a_second_translation_into_a_language_starts_a_new_segment() {
        let pairs = [("a", "de", "1"), ("b", "de", "2"), ("a", "fr", "3"), ("a", "DE", "4"), ("a", "es", "5")];
        let pairs = pairs.map(|(source, target_lang, target)| MemoryPair {
            source: source.into(),
            target_lang: target_lang.into(),
            target: target.into(),
        });
        let shown = group_by_source(pairs).into_iter().map(|segment| {
            let targets: Vec<String> = segment.targets.iter().map(|t| format!("{}={}", t.lang, t.text)).collect();
            format!("{} {}", segment.source, targets.join(" "))
        });
        assert_eq!(shown.collect::<Vec<_>>(), ["a de=1 fr=3", "b de=2", "a DE=4 es=5"]);
    }
}
