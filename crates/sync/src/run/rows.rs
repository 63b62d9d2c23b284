//! Rows of plans and results: what happens to the units of a file in a language, with its characters and requests, which are counted
//! without sending anything.

use std::collections::BTreeMap;

use tulk_base::error::Failure;
use tulk_pipeline::planned_requests;
use tulk_store::results::ResultCache;

use super::records::{entry_number, record};
use super::{GroupJob, SyncGroup};
use crate::plan::SyncPlan;
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

/// Returns the characters and requests of a group by the rows of a plan. `is_known` tells which entries need no request; those in the
/// cache need none either. Also returns why entries are not sent: they do not fit into a request, which `is_checked` refuses.
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

/// Adds a request to rows, given by its entries and their characters. It counts in the row of its first entry.
pub fn add_request(
    plan: &SyncPlan,
    group: &SyncGroup,
    rows: &mut SyncRows,
    entries: impl IntoIterator<Item = (usize, u64)>,
) {
    for (at, (entry, characters)) in entries.into_iter().enumerate() {
        let Some(place) = row_of(plan, group, entry) else { continue };
        let row = rows.row(place);
        row.characters += characters;
        row.requests += u64::from(at == 0);
    }
}

/// Returns the row of the first unit that needs an entry.
fn row_of(plan: &SyncPlan, group: &SyncGroup, entry: usize) -> Option<(usize, usize, RowState)> {
    let task = group.work.tasks.get(group.work.users(entry).next()?)?;
    let target = plan.targets.get(task.target)?;
    Some((target.file, target.lang, RowState::Unit(target.units.get(task.unit)?.state)))
}
