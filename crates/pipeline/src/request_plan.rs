//! Plans the requests of a run without sending them: which entries are sent together.

use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_formats::{InputFormat, Record};
use tulk_store::results::{ResultCache, ResultKey};

use super::batch::Batch;
use super::context_lines::ContextLines;
use super::index::{RowNumber, SlotPosition};
use super::reader::too_large;
use super::target_stream::TargetStream;
use super::{Job, Protector};

#[derive(Debug, Default)]
pub struct RequestPlan {
    pub requests: Vec<PlannedRequest>,
    /// Failures of entries that do not fit into a request.
    pub too_large: Vec<Failure>,
}

/// The records of a request, each with the number of code points sent for it.
pub type PlannedRequest = Vec<(Arc<Record>, u64)>;

/// Returns the requests that a job needs for records of one entry each. Leaves out entries that equal an earlier one, and entries whose
/// results are cached.
///
/// With `is_checked`, entries that do not fit into a request are not sent. Fails if the options of the job leave no room for text.
pub fn planned_requests(
    job: &Job,
    protector: &Protector,
    records: impl IntoIterator<Item = Record>,
    cache: Option<&ResultCache>,
    is_checked: bool,
) -> Result<RequestPlan, Failure> {
    let mut stream = TargetStream::new(job)?;
    let no_lines = ContextLines::new(&InputFormat::lines(), 0, 0);
    let protected = |mut record: Record| {
        protector.protect(&mut record);
        Arc::new(record)
    };
    let rows: Vec<Arc<Record>> = records.into_iter().map(protected).collect();
    let is_cached = cached(job, &rows, cache);
    let mut batches: Vec<Batch> = Vec::new();
    let mut faults = Vec::new();
    for (number, record) in rows.iter().enumerate() {
        let fault = is_checked.then(|| too_large(record, 0, stream.entry_limit())).flatten();
        if is_cached.get(number) != Some(&true) && fault.is_none() {
            let position = SlotPosition { row: RowNumber(number as u64), slot: 0 };
            batches.extend(stream.add(position, record, &no_lines).full);
        }
        faults.extend(fault);
    }
    batches.extend(stream.take_batch());
    let entries = |batch: &Batch| {
        let entries = batch.entries.iter().filter_map(|entry| {
            let row = usize::try_from(entry.sent.position.row.0).ok()?;
            Some((rows.get(row)?.clone(), entry.sent.chars))
        });
        entries.collect()
    };
    Ok(RequestPlan { requests: batches.iter().map(entries).collect(), too_large: faults })
}

/// Returns for each record whether its result is cached. The list is empty without a cache.
fn cached(job: &Job, records: &[Arc<Record>], cache: Option<&ResultCache>) -> Vec<bool> {
    let Some((cache, scope)) = cache.zip(job.key_scope.as_ref()) else { return Vec::new() };
    let key = |record: &Arc<Record>| scope.key(record.record_context(0), record.sent_text(0).unwrap_or_default());
    let keys: Vec<ResultKey> = records.iter().map(key).collect();
    cache.find(&keys).iter().map(Option::is_some).collect()
}
