//! Rows that several `tulk sync` commands print.

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_sync::project::{Project, ProjectFile};
use tulk_sync::run::SyncRows;

use crate::output::{Column, Row};

/// State of the texts that a run does not translate.
pub const SKIPPED: &str = "skipped";

/// Units of one file and language that are in the same state, before or after a run.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct PlanRow {
    /// The source file; if there is none, the pattern of the target files.
    pub file: String,
    pub target_lang: String,
    /// State of the units, or what was done with them.
    pub state: String,
    pub units: u64,
    /// Number of characters that were sent; in a plan, that would be sent.
    pub characters: u64,
    pub requests: u64,
}

impl PlanRow {
    pub fn all(project: &Project, files: &[ProjectFile], rows: &SyncRows) -> Vec<Self> {
        let rows = rows.0.iter().map(|((file, lang, state), row)| Self {
            file: files.get(*file).map(|file| file.lock_name.clone()).unwrap_or_default(),
            target_lang: project.settings.langs.get(*lang).map(|lang| lang.tag.clone()).unwrap_or_default(),
            state: state.name().to_owned(),
            units: row.units,
            characters: row.characters,
            requests: row.requests,
        });
        rows.collect()
    }
}

impl Row for PlanRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("file").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::text("state").rank(0),
        Column::count("units").header("TEXTS"),
        Column::count("characters"),
        Column::count("requests"),
    ];
}

pub fn rows_with_raw<T: Serialize + serde::de::DeserializeOwned>(rows: Vec<T>) -> Result<Vec<WithRaw<T>>, Failure> {
    rows.into_iter().map(WithRaw::from_typed).collect()
}
