//! Rows of plans and results: units, characters and requests per file, language and state. Planned characters and requests
//! are counted without sending anything.

use std::collections::BTreeMap;

use tulk_base::error::Failure;
use tulk_pipeline::planned_requests;
use tulk_store::results::ResultCache;

use super::records::{entry_number, record};
use super::{GroupJob, SyncGroup};
use crate::plan::SyncPlan;
use crate::state::UnitState;

/// The units of a row: by their state before the run, or by the work done on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowState {
    /// Units with this state before the run. In results, `Failed` also counts units that failed in the run.
    Unit(UnitState),
    /// Units whose key was renamed.
    Moved,
    /// Units removed from targets.
    Pruned,
    /// Units that are not translated.
    Skipped,
}

impl RowState {
    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unit(state) => state.name(),
            Self::Moved => "moved",
            Self::Pruned => "pruned",
            Self::Skipped => "skipped",
        }
    }
}

/// Position of file and language in the project, and state.
pub type RowKey = (usize, usize, RowState);

/// The numbers of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SyncRow {
    /// Number of units.
    pub units: u64,
    /// Code points sent. A text needed by several units counts in the row of the first.
    pub characters: u64,
    /// Requests. A request with texts of several rows counts in the first.
    pub requests: u64,
}

/// All rows, ordered by file, language and state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncRows(pub BTreeMap<RowKey, SyncRow>);

impl SyncRows {
    /// Returns a row, or creates it.
    pub fn row(&mut self, key: RowKey) -> &mut SyncRow {
        self.0.entry(key).or_default()
    }

    /// Adds the numbers of all rows of `others`.
    pub fn add(&mut self, others: &Self) {
        for (key, other) in &others.0 {
            let row = self.row(*key);
            row.units += other.units;
            row.characters += other.characters;
            row.requests += other.requests;
        }
    }

    /// Sums up all rows.
    pub fn total(&self) -> SyncRow {
        self.0.values().fold(SyncRow::default(), |sum, row| SyncRow {
            units: sum.units + row.units,
            characters: sum.characters + row.characters,
            requests: sum.requests + row.requests,
        })
    }
}

/// Counts the characters and requests of a group in the rows of a plan. Skips entries that are known or in the cache.
/// With `is_checked`, entries that are too large for a request are returned as errors instead of counted.
pub fn count_requests(
    plan: &SyncPlan,
    group: &SyncGroup,
    job: &GroupJob,
    (cache, is_checked): (Option<&ResultCache>, bool),
    is_known: impl Fn(usize) -> bool,
) -> Result<(SyncRows, Vec<Failure>), Failure> {
    let entries = group.work.entries.iter().enumerate().filter(|(number, _)| !is_known(*number));
    let records = entries.filter_map(|(number, entry)| {
        let origin = group.work.users(number).next().and_then(|task| group.origins.get(task))?;
        record(number, group.work.sentence(number)?, (entry.context.as_ref(), group.has_notes), origin)
    });
    let mut rows = SyncRows::default();
    let planned = planned_requests(&job.job, &job.protector, records, cache, is_checked)?;
    for request in planned.requests {
        let entries = request.iter().map(|(record, characters)| (entry_number(record), *characters));
        add_request(plan, group, &mut rows, entries);
    }
    Ok((rows, planned.too_large))
}

/// Adds a request, given as entries and their characters.
pub fn add_request(
    plan: &SyncPlan,
    group: &SyncGroup,
    rows: &mut SyncRows,
    entries: impl IntoIterator<Item = (usize, u64)>,
) {
    for (at, (entry, characters)) in entries.into_iter().enumerate() {
        let Some(key) = row_of(plan, group, entry) else { continue };
        let row = rows.row(key);
        row.characters += characters;
        row.requests += u64::from(at == 0);
    }
}

fn row_of(plan: &SyncPlan, group: &SyncGroup, entry: usize) -> Option<(usize, usize, RowState)> {
    let task = group.work.tasks.get(group.work.users(entry).next()?)?;
    let target = plan.targets.get(task.target)?;
    Some((target.file, target.lang, RowState::Unit(target.units.get(task.unit)?.state)))
}
