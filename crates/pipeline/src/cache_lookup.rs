//! Looks up cached results for the records of a chunk, on the reader thread. Runs without `--cache` have no lookup.

use std::sync::Arc;

use tulk_formats::Record;
use tulk_store::results::{CachedResult, KeyScope, ResultCache, ResultKey};

use super::context_lines::ContextLines;
use super::index::{RowNumber, TargetIndex};
use super::target_stream::joined;
use super::{Job, RunOptions};

pub struct ReadRecord {
    pub record: Arc<Record>,
    /// Keys and cached results of the entries; `None` if nothing was looked up.
    pub cached: Option<Box<CachedEntries>>,
}

/// The keys of a record's entries and the results found, by target, then by slot.
#[derive(Default)]
pub struct CachedEntries {
    keys: Vec<ResultKey>,
    found: Vec<Option<CachedResult>>,
    slots: usize,
}

impl CachedEntries {
    pub fn take(&mut self, target: TargetIndex, slot: usize) -> Option<CachedResult> {
        self.found.get_mut(target.0 * self.slots + slot)?.take()
    }

    pub fn take_keys(&mut self) -> Vec<ResultKey> {
        std::mem::take(&mut self.keys)
    }
}

pub struct CacheLookup {
    cache: Arc<ResultCache>,
    /// By target.
    scopes: Vec<KeyScope>,
    /// Context before the current slot. It is part of the entry's key, even if the batch is sent with another context.
    context: ContextLines,
    row: RowNumber,
    /// Earlier rows are already written for all targets, so they are not looked up.
    first_row: RowNumber,
}

impl CacheLookup {
    pub fn new(cache: Arc<ResultCache>, scopes: Vec<KeyScope>, context: ContextLines, first_row: RowNumber) -> Self {
        Self { cache, scopes, context, row: RowNumber(0), first_row }
    }

    /// Returns `None` without a cache.
    pub fn of_run(
        jobs: &[Job],
        options: &RunOptions,
        first_row: RowNumber,
        context: impl FnOnce() -> ContextLines,
    ) -> Option<Self> {
        let cache = options.results.clone()?;
        let scopes = jobs.iter().map(|job| job.key_scope.clone()).collect::<Option<Vec<_>>>()?;
        Some(Self::new(cache, scopes, context(), first_row))
    }

    /// Adds keys and results to the next records of the input, with a single database lookup for all of them.
    pub fn fill(&mut self, records: &mut [ReadRecord]) {
        let mut keys = Vec::new();
        for read in records.iter_mut() {
            let start = keys.len();
            self.add_keys(&read.record, &mut keys);
            let own = keys.get(start..).unwrap_or_default().to_vec();
            let slots = read.record.slots.len();
            read.cached =
                (!own.is_empty()).then(|| Box::new(CachedEntries { keys: own, slots, ..CachedEntries::default() }));
        }
        if keys.is_empty() {
            return;
        }
        let mut found = self.cache.find(&keys).into_iter();
        for cached in records.iter_mut().filter_map(|read| read.cached.as_deref_mut()) {
            cached.found = found.by_ref().take(cached.keys.len()).collect();
        }
    }

    fn add_keys(&mut self, record: &Record, keys: &mut Vec<ResultKey>) {
        let is_written = self.row < self.first_row;
        self.row = self.row.next();
        self.context.begin(record);
        let mut contexts = vec![String::new(); record.slots.len()];
        let order = record.sending_order();
        for number in 0..record.slots.len() {
            let slot = order.as_ref().and_then(|order| order.get(number)).copied().unwrap_or(number);
            if let Some(context) = contexts.get_mut(slot) {
                *context = joined(record.record_context(slot), &self.context.text());
            }
            self.context.add_slot(record, slot);
        }
        self.context.end(record);
        for scope in self.scopes.iter().filter(|_| !is_written) {
            let entries = contexts.iter().enumerate();
            keys.extend(entries.map(|(slot, context)| scope.key(context, record.sent_text(slot).unwrap_or_default())));
        }
    }
}
