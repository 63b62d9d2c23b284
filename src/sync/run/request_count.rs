//! How many requests a group needs, without sending any.

use super::records::{entry_number, record};
use super::rows::{RowState, SyncRows};
use super::{GroupJob, SyncGroup};
use crate::error::Failure;
use crate::pipeline::planned_requests;
use crate::sync::plan::SyncPlan;

/// Returns the characters and requests of a group by the rows of a plan. `is_known` tells which entries need no request.
pub fn count_requests(
    plan: &SyncPlan,
    group: &SyncGroup,
    job: &GroupJob,
    is_known: impl Fn(usize) -> bool,
) -> Result<SyncRows, Failure> {
    let entries = group.work.entries.iter().enumerate().filter(|(number, _)| !is_known(*number));
    let records = entries.filter_map(|(number, entry)| {
        let origin = group.work.users(number).next().and_then(|task| group.origins.get(task))?;
        record(number, group.work.sentence(number)?, entry.context.as_ref(), origin)
    });
    let mut rows = SyncRows::default();
    for request in planned_requests(&job.job, &job.protector, records)? {
        for (at, (record, characters)) in request.iter().enumerate() {
            let Some(place) = row_of(plan, group, entry_number(record)) else { continue };
            let row = rows.row(place);
            row.characters += characters;
            row.requests += u64::from(at == 0);
        }
    }
    Ok(rows)
}

/// Returns the row of the first unit that needs an entry.
pub fn row_of(plan: &SyncPlan, group: &SyncGroup, entry: usize) -> Option<(usize, usize, RowState)> {
    let task = group.work.tasks.get(group.work.users(entry).next()?)?;
    let target = plan.targets.get(task.target)?;
    Some((target.file, target.lang, RowState::Unit(target.units.get(task.unit)?.state)))
}
