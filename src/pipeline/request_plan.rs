//! The requests of a run without sending them: which entries go together.

use std::sync::Arc;

use super::batch::Batch;
use super::context_lines::ContextLines;
use super::index::{RowNumber, SlotPosition};
use super::target_stream::TargetStream;
use super::{Job, Protector};
use crate::error::Failure;
use crate::formats::{InputFormat, Record};

/// The records of a request, each with the code points that are sent for it.
pub type PlannedRequest = Vec<(Arc<Record>, u64)>;

/// Returns the requests that a job needs for records of one entry each: for each request its records, with the code points that are
/// sent for them. Entries that equal another one are left out.
///
/// Fails if the options of the job leave no room for text.
pub fn planned_requests(
    job: &Job,
    protector: &Protector,
    records: impl IntoIterator<Item = Record>,
) -> Result<Vec<PlannedRequest>, Failure> {
    let mut stream = TargetStream::new(job)?;
    let no_lines = ContextLines::new(&InputFormat::lines(), 0, 0);
    let mut rows: Vec<Arc<Record>> = Vec::new();
    let mut batches: Vec<Batch> = Vec::new();
    for mut record in records {
        protector.protect(&mut record);
        let record = Arc::new(record);
        let position = SlotPosition { row: RowNumber(rows.len() as u64), slot: 0 };
        rows.push(record.clone());
        batches.extend(stream.add(position, &record, &no_lines).full);
    }
    batches.extend(stream.seal());
    let entries = |batch: &Batch| {
        let entries = batch.entries.iter().filter_map(|entry| {
            let row = usize::try_from(entry.sent.position.row.0).ok()?;
            Some((rows.get(row)?.clone(), entry.sent.chars))
        });
        entries.collect()
    };
    Ok(batches.iter().map(entries).collect())
}
