//! Rows of plans and results: what happens to the units of a file in a language.

use std::collections::BTreeMap;

use crate::state::UnitState;

/// What a row counts: units by the state that they had, or what was done with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowState {
    /// Units that had this state before the run.
    Unit(UnitState),
    /// Units whose keys were renamed.
    Moved,
    /// Units that were removed from targets.
    Pruned,
    /// Units that are not translated.
    Skipped,
}

impl RowState {
    /// Returns its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unit(state) => state.name(),
            Self::Moved => "moved",
            Self::Pruned => "pruned",
            Self::Skipped => "skipped",
        }
    }
}

/// The place of a row: file and language as positions in the project, and the state.
pub type RowPlace = (usize, usize, RowState);

/// The numbers of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SyncRow {
    /// Units.
    pub units: u64,
    /// Code points that are sent. A text that several units need belongs to the first.
    pub characters: u64,
    /// Requests. One with texts of several rows belongs to the first.
    pub requests: u64,
}

/// All rows, in the order of the files, then the languages, then the states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncRows(pub BTreeMap<RowPlace, SyncRow>);

impl SyncRows {
    /// Returns a row, which is created if necessary.
    pub fn row(&mut self, place: RowPlace) -> &mut SyncRow {
        self.0.entry(place).or_default()
    }

    /// Adds the numbers of other rows.
    pub fn add(&mut self, others: &Self) {
        for (place, other) in &others.0 {
            let row = self.row(*place);
            row.units += other.units;
            row.characters += other.characters;
            row.requests += other.requests;
        }
    }

    /// Returns the sum of all rows.
    pub fn total(&self) -> SyncRow {
        self.0.values().fold(SyncRow::default(), |sum, row| SyncRow {
            units: sum.units + row.units,
            characters: sum.characters + row.characters,
            requests: sum.requests + row.requests,
        })
    }
}
