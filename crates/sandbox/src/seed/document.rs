//! Parses a seed file into tables, and locates each object in the file. Refuses unknown fields; `objects` checks the values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use tulk_base::error::{Failure, Origin};
use tulk_base::positions::TextPositions;
use tulk_base::toml_file;

use super::usage::SeedUsageTable;
use crate::memories::{MemoryPair, MemoryTime};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeedTables {
    #[serde(default)]
    pub(super) glossaries: Vec<Spanned<GlossaryTable>>,
    #[serde(default)]
    pub(super) style_rules: Vec<Spanned<StyleTable>>,
    #[serde(default)]
    pub(super) translation_memories: Vec<Spanned<MemoryTable>>,
    #[serde(default)]
    pub(super) style_profiles: Vec<Spanned<StyleProfileTable>>,
    #[serde(default)]
    pub(super) developer_keys: Vec<Spanned<DeveloperKeyTable>>,
    #[serde(default)]
    pub(super) usage: Vec<Spanned<SeedUsageTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GlossaryTable {
    pub(super) id: Option<String>,
    pub(super) name: String,
    #[serde(default)]
    pub(super) dictionaries: Vec<Spanned<DictionaryTable>>,
}

/// A dictionary of a glossary. Its entries are in this table or in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DictionaryTable {
    pub(super) source_lang: String,
    pub(super) target_lang: String,
    /// A table of source and target phrases, or TSV text.
    pub(super) entries: Option<toml::Value>,
    /// TSV or CSV, by file extension.
    pub(super) entries_file: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StyleTable {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) language: String,
    #[serde(default)]
    pub(super) configured_rules: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    pub(super) custom_instructions: Vec<Spanned<InstructionTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InstructionTable {
    pub(super) id: Option<String>,
    pub(super) label: String,
    pub(super) prompt: String,
    pub(super) source_language: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryTable {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) source_language: String,
    pub(super) target_languages: Vec<String>,
    #[serde(default)]
    pub(super) segments: Vec<MemoryPair>,
    pub(super) creation_time: Option<MemoryTime>,
    pub(super) updated_time: Option<MemoryTime>,
}

/// Parts are names or IDs of objects in the same file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StyleProfileTable {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) industry: Option<String>,
    #[serde(default)]
    pub(super) glossaries: Vec<String>,
    #[serde(default)]
    pub(super) style_rules: Vec<String>,
    #[serde(default)]
    pub(super) translation_memories: Vec<String>,
    #[serde(default)]
    pub(super) glossary_priority_order_enabled: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DeveloperKeyTable {
    pub(super) key: Option<String>,
    pub(super) label: String,
    pub(super) character_limit: Option<u64>,
    pub(super) document_limit: Option<u64>,
    pub(super) speech_to_text_minutes_limit: Option<u64>,
    #[serde(default)]
    pub(super) deactivated: bool,
}

pub(super) struct SeedDocument<'a> {
    path: &'a Path,
    positions: TextPositions<'a>,
    pub(super) tables: SeedTables,
}

impl<'a> SeedDocument<'a> {
    pub(super) fn parse(path: &'a Path, text: &'a str) -> Result<Self, Failure> {
        let name = path.to_string_lossy();
        let tables = toml_file::read(&name, text, "field")?;
        Ok(Self { path, positions: TextPositions::new(&name, text), tables })
    }

    pub(super) fn origin<T>(&self, value: &Spanned<T>) -> Origin {
        self.positions.origin(value.span().start)
    }

    /// Resolves a path relative to the seed file.
    pub(super) fn resolve(&self, file: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(file)
    }
}
