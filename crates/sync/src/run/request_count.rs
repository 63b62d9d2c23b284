//! The characters and requests of the rows: what a group needs, without sending anything, and what was sent.

use tulk_base::error::Failure;
use tulk_pipeline::planned_requests;
use tulk_store::results::ResultCache;

use super::records::{entry_number, record};
use super::rows::{RowState, SyncRows};
use super::{GroupJob, SyncGroup};
use crate::plan::SyncPlan;

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
        record(number, group.work.sentence(number)?, entry.context.as_ref(), origin)
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
