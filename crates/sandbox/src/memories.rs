//! Translation memories: those of a file and those of the state, and how their segments match a text.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, FileContext as _, Origin};
use tulk_base::files::read_bounded;

use super::clock;
use super::ids;
use super::languages::same_base;
use super::options::FILE_LIMIT;
use super::reply::Refusal;
use super::state::{StateStore, kind};

/// A translation memory, as in the state and in a file of memories.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SandboxMemory {
    /// ID; derived from the name if a file does not set it.
    #[serde(default)]
    pub translation_memory_id: String,
    /// Name.
    pub name: String,
    /// Base code of the language of all source texts.
    pub source_language: String,
    /// Languages of the target texts.
    pub target_languages: Vec<String>,
    /// Segments.
    #[serde(default)]
    pub segments: Vec<MemorySegment>,
    /// Time of creation; by default, when the file was last changed or the object was stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<MemoryTime>,
    /// Time of the last change, with the same default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_time: Option<MemoryTime>,
}

/// A point in time, written as `2026-03-04T05:06:07.089Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MemoryTime {
    /// Milliseconds since 1970.
    ms: i64,
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

/// A source text and its translation into one language.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemorySegment {
    /// Source text.
    pub source: String,
    /// Language of the translation.
    pub target_lang: String,
    /// Translation.
    pub target: String,
}

/// The translation memories of a sandbox. Cheap to clone.
#[derive(Clone)]
pub struct MemoryStore {
    state: Arc<StateStore>,
    from_file: Arc<[SandboxMemory]>,
}

impl MemoryStore {
    /// Creates a store of the memories of a file and of a state.
    pub fn new(state: Arc<StateStore>, from_file: Arc<[SandboxMemory]>) -> Self {
        Self { state, from_file }
    }

    /// Returns all memories: those of the file, then those of the state.
    pub fn all(&self) -> Result<Vec<SandboxMemory>, Refusal> {
        let mut memories = self.from_file.to_vec();
        for object in self.state.list(kind::MEMORY)? {
            let mut memory: SandboxMemory = serde_json::from_value(object.body)
                .map_err(|error| Refusal::internal(format!("invalid stored memory {}: {error}", object.id)))?;
            memory.translation_memory_id = object.id;
            memory.set_missing_times(object.created);
            memories.push(memory);
        }
        Ok(memories)
    }

    /// Returns a memory for a target language. Refuses an unknown memory with 404, another target language with 400.
    pub fn get(&self, id: &str, target: &str) -> Result<SandboxMemory, Refusal> {
        let found = self.all()?.into_iter().find(|memory| memory.translation_memory_id.eq_ignore_ascii_case(id));
        let memory = found.ok_or_else(|| {
            Refusal::not_found("Translation memory not found.").detail(format!("translation_memory_id {id}"))
        })?;
        if memory.target_languages.iter().any(|language| same_base(language, target)) {
            Ok(memory)
        } else {
            Err(Refusal::bad("The 'translation_memory_id' does not support this target language."))
        }
    }
}

/// Reads a file of memories: a JSON array of [`SandboxMemory`].
pub(super) fn read_file(path: &Path) -> Result<Vec<SandboxMemory>, Failure> {
    let json = read_bounded(path, FILE_LIMIT).file_context("read", path)?;
    let name = path.to_string_lossy();
    let mut memories: Vec<SandboxMemory> =
        serde_json::from_slice(&json).map_err(|error| invalid_json(&name, &error))?;
    let modified = clock::modified_ms(path).unwrap_or_else(clock::now_ms);
    for memory in &mut memories {
        if memory.translation_memory_id.is_empty() {
            memory.translation_memory_id = ids::uuid_from_name(&memory.name);
        }
        memory.set_missing_times(modified);
        if memory.updated_time < memory.creation_time {
            let why = format!("memory `{}`: updated_time is before creation_time", memory.name);
            return Err(Failure::usage(why).at(Origin::whole(&name)));
        }
    }
    Ok(memories)
}

/// Returns the failure of a file, with the place that the parser names.
fn invalid_json(path: &str, error: &serde_json::Error) -> Failure {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let message = message.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&message);
    Failure::usage(message).at(Origin::at(path, line as u64, column as u64))
}

impl SandboxMemory {
    /// Sets the times that are missing to `ms`, in milliseconds since 1970. If the other time is later or earlier than
    /// that, so that their order would be wrong, both are equal.
    fn set_missing_times(&mut self, ms: i64) {
        let time = MemoryTime { ms };
        let created = self.creation_time.unwrap_or_else(|| self.updated_time.map_or(time, |updated| updated.min(time)));
        self.creation_time = Some(created);
        self.updated_time = self.updated_time.or(Some(created.max(time)));
    }

    /// Returns the translation of the segment that matches a text best, at least to `threshold` percent.
    ///
    /// If matches are equal, one in exactly the target language is preferred to one in a variant of it.
    pub fn find(&self, text: &str, target: &str, threshold: u64) -> Option<&str> {
        let rank = |segment: &MemorySegment| {
            let percent = match_percent(&segment.source, text, threshold)?;
            Some((percent, segment.target_lang.eq_ignore_ascii_case(target)))
        };
        let candidates = self.segments.iter().filter(|segment| same_base(&segment.target_lang, target));
        let ranked = candidates.filter_map(|segment| Some((rank(segment)?, segment)));
        ranked.max_by_key(|(rank, _)| *rank).map(|(_, segment)| segment.target.as_str())
    }
}

/// Returns how similar two texts are in percent of the longer one, by edits of characters; `None` below the threshold.
///
/// Only equal texts are 100%.
fn match_percent(one: &str, other: &str, threshold: u64) -> Option<u64> {
    if one == other {
        return Some(100);
    }
    let (one_chars, other_chars) = (one.chars().count(), other.chars().count());
    let longer = one_chars.max(other_chars);
    let percent = |edits: usize| ((longer - edits) * 100 / longer).min(99) as u64;
    // The difference in length is a lower bound of the edits, and much cheaper.
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
        let segment = |target_lang: &str, target: &str| MemorySegment {
            source: "Two cups?".into(),
            target_lang: target_lang.into(),
            target: target.into(),
        };
        let memory = SandboxMemory {
            translation_memory_id: String::new(),
            name: "m".into(),
            source_language: "en".into(),
            target_languages: vec!["de".into(), "pt".into()],
            creation_time: None,
            updated_time: None,
            segments: vec![
                segment("de", "Zwei Tassen?"),
                segment("pt-BR", "Duas xícaras?"),
                segment("pt-PT", "Duas chávenas?"),
            ],
        };
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
            assert_eq!(memory.find(text, target, threshold), found, "{text} {target} {threshold}");
        }
    }
}
