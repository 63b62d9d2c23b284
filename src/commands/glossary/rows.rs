//! Rows of glossaries and of edits.

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_client::api::glossary::v2::{GlossaryV2, SupportedPair};
use tulk_client::api::glossary::{Glossary, LanguagePair};
use tulk_formats::input::dictionary::DictionaryDiff;

use crate::context::Context;
use crate::output::{Cell, Column, Row};

impl Row for Glossary {
    const COLUMNS: &'static [Column] = &[
        Column::id("glossary_id").header("ID"),
        Column::name("name"),
        Column::text("dictionaries").header("LANGUAGES"),
        Column::count("entry_count").header("ENTRIES"),
        Column::time("creation_time").header("CREATED"),
        Column::flag("ready").usual("true"),
    ];

    fn cells(&self) -> Vec<Cell> {
        let pairs =
            self.dictionaries.iter().map(|d| format!("{}:{}", d.source_lang, d.target_lang).to_ascii_lowercase());
        let count: u64 = self.dictionaries.iter().filter_map(|d| d.entry_count).sum();
        vec![
            Cell::from(&self.glossary_id),
            Cell::from(&self.name),
            Cell::list(pairs),
            Cell::number(count),
            Cell::from(self.creation_time.as_deref()),
            Cell::from(self.is_ready()),
        ]
    }
}

impl Row for GlossaryV2 {
    const COLUMNS: &'static [Column] = &[
        Column::id("glossary_id").header("ID"),
        Column::name("name"),
        Column::text("source_lang").header("FROM"),
        Column::text("target_lang").header("TO"),
        Column::count("entry_count").header("ENTRIES"),
        Column::time("creation_time").header("CREATED"),
        Column::flag("ready").usual("true"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.glossary_id),
            Cell::from(&self.name),
            Cell::from(self.source_lang.as_deref()),
            Cell::from(self.target_lang.as_deref()),
            Cell::from(self.entry_count),
            Cell::from(self.creation_time.as_deref()),
            Cell::from(self.ready != Some(false)),
        ]
    }
}

impl Row for SupportedPair {
    const COLUMNS: &'static [Column] =
        &[Column::text("source_lang").header("FROM"), Column::text("target_lang").header("TO")];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.source_lang), Cell::from(&self.target_lang)]
    }
}

/// The result of an edit of a dictionary.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DictionaryEdit {
    glossary_id: String,
    source_lang: String,
    target_lang: String,
    entry_count: u64,
    added: usize,
    changed: usize,
    removed: usize,
}

impl DictionaryEdit {
    /// Creates the result of applying a diff.
    pub fn new(glossary_id: &str, pair: &LanguagePair, entry_count: u64, diff: &DictionaryDiff<'_>) -> Self {
        Self {
            glossary_id: glossary_id.to_owned(),
            source_lang: pair.source.to_string(),
            target_lang: pair.target.to_string(),
            entry_count,
            added: diff.added,
            changed: diff.changed,
            removed: diff.removed,
        }
    }

    /// Prints the result on stdout and as a status line.
    pub fn show(self, ctx: &Context) -> Result<(), Failure> {
        ctx.out.status(&format!(
            "{}:{}: {} added, {} changed, {} removed, {} in total",
            self.source_lang, self.target_lang, self.added, self.changed, self.removed, self.entry_count
        ));
        ctx.out.one(&Kept::from_typed(self)?)
    }
}

impl Row for DictionaryEdit {
    const COLUMNS: &'static [Column] = &[
        Column::id("glossary_id").header("ID"),
        Column::text("source_lang").header("FROM"),
        Column::text("target_lang").header("TO"),
        Column::count("entry_count").header("ENTRIES"),
        Column::count("added"),
        Column::count("changed"),
        Column::count("removed"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.glossary_id),
            Cell::from(&self.source_lang),
            Cell::from(&self.target_lang),
            Cell::from(self.entry_count),
            Cell::from(self.added),
            Cell::from(self.changed),
            Cell::from(self.removed),
        ]
    }
}
