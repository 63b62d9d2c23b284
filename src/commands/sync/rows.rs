//! The rows of these commands.

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_sync::plan::{Finding, PlannedTarget};
use tulk_sync::project::{Project, ProjectFile};
use tulk_sync::run::SyncRows;
use tulk_sync::state::UnitState;

use crate::output::{Cell, Column, Gauge, Row, grouped};

/// What happens, or has happened, to units of a file in a language.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct PlanRow {
    /// The source file, or the pattern of the targets if there is none.
    pub file: String,
    /// The language.
    pub target_lang: String,
    /// The state of the units before, or what was done with them.
    pub state: String,
    /// The number of units.
    pub units: u64,
    /// The number of characters that are sent.
    pub characters: u64,
    /// The number of requests.
    pub requests: u64,
}

impl PlanRow {
    /// Returns all rows.
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
        Column::count("units"),
        Column::count("characters"),
        Column::count("requests"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.file),
            Cell::from(&self.target_lang),
            Cell::from(&self.state),
            Cell::from(self.units),
            Cell::from(self.characters),
            Cell::from(self.requests),
        ]
    }
}

/// A unit that has to be looked at.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct FindingRow {
    path: String,
    line: u64,
    key: String,
    target_lang: String,
    state: String,
    message: String,
}

impl FindingRow {
    /// Returns the row of a finding.
    pub fn new(finding: &Finding, lang: &str) -> Self {
        Self {
            path: finding.at.source.to_string(),
            line: finding.at.line,
            key: finding.key.to_string(),
            target_lang: lang.to_owned(),
            state: finding.state.name().to_owned(),
            message: finding.message.clone(),
        }
    }
}

impl Row for FindingRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("path").rank(0),
        Column::number("line").rank(0),
        Column::text("key").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::text("state").rank(0),
        Column::text("message").minimum(30),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.path),
            Cell::from(self.line),
            Cell::from(&self.key),
            Cell::from(&self.target_lang),
            Cell::from(&self.state),
            Cell::from(&self.message),
        ]
    }
}

/// How complete a file is in a language.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct StatusRow {
    file: String,
    target_lang: String,
    units: u64,
    /// Up to date, by tulk or by a person, or equal to the source.
    current: u64,
    missing: u64,
    stale: u64,
    review: u64,
    failed: u64,
    invalid: u64,
    extra: u64,
    skipped: u64,
}

impl StatusRow {
    /// Returns the row of a target.
    pub fn new(project: &Project, files: &[ProjectFile], target: &PlannedTarget) -> Self {
        let of = |state| target.counts.of(state);
        Self {
            file: files.get(target.file).map(|file| file.lock_name.clone()).unwrap_or_default(),
            target_lang: project.settings.langs.get(target.lang).map(|lang| lang.tag.clone()).unwrap_or_default(),
            units: target.counts.units(),
            current: of(UnitState::Current) + of(UnitState::Edited) + of(UnitState::Same),
            missing: of(UnitState::Missing),
            stale: of(UnitState::Stale),
            review: of(UnitState::Review),
            failed: of(UnitState::Failed),
            invalid: of(UnitState::Invalid),
            extra: of(UnitState::Extra),
            skipped: target.counts.skipped,
        }
    }

    /// Returns how much is up to date as a gauge, and what is not.
    pub fn gauge(&self) -> Gauge {
        let others = [
            (self.missing, "missing"),
            (self.stale, "stale"),
            (self.review, "review"),
            (self.failed, "failed"),
            (self.invalid, "invalid"),
            (self.extra, "extra"),
        ];
        let others: Vec<String> = others
            .into_iter()
            .filter(|(units, _)| *units > 0)
            .map(|(units, state)| format!("{} {state}", grouped(units)))
            .collect();
        Gauge {
            label: format!("{} {}", self.file, self.target_lang),
            count: self.current,
            limit: Some(self.units),
            unit: if self.units == 1 { "unit" } else { "units" }.to_owned(),
            note: (!others.is_empty()).then(|| others.join(", ")),
        }
    }
}

impl Row for StatusRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("file").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::count("units").rank(0),
        Column::count("current").rank(0),
        Column::count("missing"),
        Column::count("stale"),
        Column::count("review"),
        Column::count("failed"),
        Column::count("invalid"),
        Column::count("extra"),
        Column::count("skipped"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.file),
            Cell::from(&self.target_lang),
            Cell::from(self.units),
            Cell::from(self.current),
            Cell::from(self.missing),
            Cell::from(self.stale),
            Cell::from(self.review),
            Cell::from(self.failed),
            Cell::from(self.invalid),
            Cell::from(self.extra),
            Cell::from(self.skipped),
        ]
    }
}

/// Returns rows as they are listed.
pub fn listed<T: Serialize + serde::de::DeserializeOwned>(rows: Vec<T>) -> Result<Vec<Kept<T>>, Failure> {
    rows.into_iter().map(Kept::from_typed).collect()
}
