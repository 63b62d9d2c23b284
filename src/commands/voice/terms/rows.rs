//! Rows of collections and of edits.

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::voice::terms::SpokenTerms;

use crate::context::Context;
use crate::output::{Cell, Column, Row};

impl Row for SpokenTerms {
    const COLUMNS: &'static [Column] = &[
        Column::id("spoken_terms_id").header("ID"),
        Column::name("name"),
        Column::text("term_lists").header("LANGUAGES"),
        Column::count("entry_count").header("TERMS"),
        Column::time("creation_time").header("CREATED"),
    ];

    fn cells(&self) -> Vec<Cell> {
        let count: u64 = self.term_lists.iter().filter_map(|list| list.entry_count).sum();
        vec![
            Cell::from(&self.spoken_terms_id),
            Cell::from(&self.name),
            Cell::list(self.term_lists.iter().map(|list| list.lang.to_ascii_lowercase())),
            Cell::number(count),
            Cell::from(self.creation_time.as_deref()),
        ]
    }
}

/// The result of an edit of a term list.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct TermListEdit {
    spoken_terms_id: String,
    lang: String,
    entry_count: u64,
    added: usize,
    removed: usize,
}

impl TermListEdit {
    /// Creates the result of an edit.
    pub fn new(spoken_terms_id: &str, lang: &LangCode, entry_count: u64, added: usize, removed: usize) -> Self {
        let (spoken_terms_id, lang) = (spoken_terms_id.to_owned(), lang.to_string());
        Self { spoken_terms_id, lang, entry_count, added, removed }
    }

    /// Prints the result on stdout and as a status line.
    pub fn show(self, ctx: &Context) -> Result<(), Failure> {
        let Self { lang, added, removed, entry_count, .. } = &self;
        ctx.out.status(&format!("{lang}: {added} added, {removed} removed, {entry_count} in total"));
        ctx.out.one(&Kept::from_typed(self)?)
    }
}

impl Row for TermListEdit {
    const COLUMNS: &'static [Column] = &[
        Column::id("spoken_terms_id").header("ID"),
        Column::text("lang").header("LANGUAGE"),
        Column::count("entry_count").header("TERMS"),
        Column::count("added"),
        Column::count("removed"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.spoken_terms_id),
            Cell::from(&self.lang),
            Cell::from(self.entry_count),
            Cell::from(self.added),
            Cell::from(self.removed),
        ]
    }
}
