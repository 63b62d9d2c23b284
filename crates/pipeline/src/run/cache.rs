//! The cache of results in a run: what is found is used, and what is new is stored.

use std::sync::Arc;

use tulk_formats::{EntryResult, Record};
use tulk_store::results::{CachedResult, ResultKey};

use super::Run;
use super::output::RunOutput;
use crate::cache_lookup::CacheLookup;
use crate::context_lines::ContextLines;
use crate::index::{SlotPosition, TargetIndex};
use crate::restore::slot_result;
use crate::{Call, Job, RunOptions, answer};

/// Returns the lookup of a run; `None` without a cache.
pub fn lookup(
    jobs: &[Job],
    options: &RunOptions,
    output: &RunOutput,
    context: impl FnOnce() -> ContextLines,
) -> Option<CacheLookup> {
    let cache = options.results.clone()?;
    let scopes = jobs.iter().map(|job| job.key_scope.clone()).collect::<Option<Vec<_>>>()?;
    Some(CacheLookup::new(cache, scopes, context(), output.first_row()))
}

/// The results of an answer that are stored.
#[derive(Default)]
pub struct NewResults {
    /// The result of the current entry.
    current: Option<CachedResult>,
    results: Vec<(ResultKey, CachedResult)>,
}

impl NewResults {
    /// Begins an entry with its result, as the service sent it.
    pub fn begin(&mut self, result: &EntryResult) {
        self.current = result.raw.as_deref().and_then(CachedResult::from_object);
    }

    /// Adds the entry under the key of a slot that can use the result.
    pub fn add(&mut self, key: Option<ResultKey>) {
        if let (Some(key), Some(result)) = (key, &self.current)
            && self.results.last().is_none_or(|(last, _)| *last != key)
        {
            self.results.push((key, result.clone()));
        }
    }
}

impl<C: Call> Run<'_, C> {
    /// Uses a result of an earlier run for a slot. Returns false if it does not fit, so that the entry has to be sent.
    pub(super) fn use_cached(
        &mut self,
        target: TargetIndex,
        position: SlotPosition,
        record: &Arc<Record>,
        cached: CachedResult,
    ) -> bool {
        let job = self.requests.targets[target].job;
        let result = Arc::new(answer::from_cache(cached, job.keeps_objects, job.shows_billed));
        let Ok(result) = slot_result(&self.format, record, position.slot, &result) else { return false };
        if let Some(billed) = result.billed {
            *self.report.billed.get_or_insert(0) += billed;
        }
        let cached = self.report.cached.get_or_insert(0);
        *cached += 1;
        // As many as a request takes are a reason to write as well.
        self.writes_before_requests |= *cached >= job.limit.entries as u64;
        self.report.characters_saved += record.sent_chars(position.slot);
        if self.options.context_lines > 0 {
            // The context of a batch belongs to entries that follow each other.
            let hold = !self.output.is_checked(target);
            self.requests.seal(target, hold);
        }
        self.observe(target, position, record, &result);
        self.set_result(target, position, &result);
        true
    }

    /// Returns whether results of earlier runs wait to be written.
    pub(super) fn holds_cached_results(&self) -> bool {
        self.report.cached.is_some_and(|cached| cached > 0) && !self.has_begun()
    }

    /// Returns whether answers are on their way that are stored even if they cannot be written.
    pub(super) fn has_results_to_store(&self) -> bool {
        self.options.results.is_some() && !self.options.dry_run && self.requests.has_in_flight()
    }

    /// Returns whether the service's objects are needed: for output, or for the cache.
    pub(super) fn needs_objects(&self, target: TargetIndex) -> bool {
        let job = self.requests.targets[target].job;
        job.keeps_objects || (self.options.results.is_some() && job.key_scope.is_some())
    }

    /// Removes the service's object from a result if nothing needs it after the result was stored.
    pub(super) fn without_unused_object(&self, target: TargetIndex, result: EntryResult) -> EntryResult {
        // An equal entry with another context has a key of its own.
        let is_used = self.requests.targets[target].job.keeps_objects || self.options.context_lines > 0;
        if is_used { result } else { EntryResult { raw: None, ..result } }
    }

    /// Stores the results of an answer.
    pub(super) fn store(&self, new: NewResults) {
        if let Some(cache) = self.options.results.as_ref().filter(|_| !new.results.is_empty()) {
            cache.store(new.results);
        }
    }

    /// Stores the result of an earlier entry for an equal one, which has another key if it has another context.
    pub(super) fn store_again(&self, target: TargetIndex, position: SlotPosition, answer: &EntryResult) {
        if self.options.context_lines > 0 && self.options.results.is_some() {
            let mut new = NewResults::default();
            new.begin(answer);
            new.add(self.output.key(target, position));
            self.store(new);
        }
    }
}
