//! The entries of a run, from record to result.
//!
//! An entry has a result in the cache or in the state of an unfinished output, equals an earlier entry, or is sent. Results are passed to
//! their rows, and new ones to the cache. Failures are handled by kind.

use std::sync::Arc;

use tulk_base::error::{Failure, Kind};
use tulk_base::numbers::counted;
use tulk_client::http::answer::Answer;
use tulk_client::http::failures;
use tulk_formats::{EntryResult, InputFormat, Record, RejectedResults, ResultRow};
use tulk_store::results::{CachedResult, ResultKey};

use super::output::RunOutput;
use super::requests::Requests;
use crate::batch::{Batch, BatchEntry};
use crate::cache_lookup::CachedEntries;
use crate::context_lines::ContextLines;
use crate::dedup::Duplicate;
use crate::index::{SlotPosition, TargetIndex};
use crate::restore::slot_result;
use crate::target_stream::TargetStream;
use crate::{PipelineReport, RefusedEntry, RunOptions, answer};

pub struct EndedRequest {
    pub target: TargetIndex,
    pub batch: Batch,
    pub outcome: Result<Answer, Failure>,
}

/// A response whose results have not been parsed yet.
pub struct UnparsedResponse {
    target: TargetIndex,
    batch: Batch,
    answer: Answer,
}

pub struct Entries<'a> {
    pub options: &'a RunOptions,
    /// Checks results.
    format: InputFormat,
    /// Context before the current slot.
    context: ContextLines,
    pub requests: Requests<'a>,
    pub output: RunOutput,
    pub report: PipelineReport,
    /// Whether output may be written before any request is sent. A fault found later in the input does not discard this output.
    pub writes_before_requests: bool,
    /// The targets that take the entries of the current record. Reused to save an allocation.
    waiting_targets: Vec<TargetIndex>,
}

impl<'a> Entries<'a> {
    pub fn new(
        options: &'a RunOptions,
        format: InputFormat,
        context: ContextLines,
        requests: Requests<'a>,
        output: RunOutput,
        has_cache: bool,
    ) -> Self {
        Self {
            options,
            format,
            context,
            requests,
            output,
            report: PipelineReport { cached: has_cache.then_some(0), ..PipelineReport::default() },
            writes_before_requests: false,
            waiting_targets: Vec::new(),
        }
    }

    /// Adds the entries of the next record. Fails if the record differs from the one that an earlier run read.
    pub fn add_record(&mut self, record: &Arc<Record>, mut cached: CachedEntries) -> Result<(), Failure> {
        self.report.entries += record.slots.len() as u64;
        let row = self.output.add_record(record, cached.take_keys())?;
        let mut targets = std::mem::take(&mut self.waiting_targets);
        targets.clear();
        for target in (0..self.requests.targets.len()).map(TargetIndex) {
            if self.output.is_checked(target) {
                self.requests.release(target);
            }
            if self.output.is_written(target, row) {
                self.options.progress.add(target, record.slots.len() as u64);
            } else if self.requests.targets[target.0].failure.is_none() && self.output.is_open(target) {
                targets.push(target);
            }
        }
        self.context.begin(record);
        if let Some(fault) = record.fault.as_deref().filter(|_| !targets.is_empty()) {
            self.report.faults.push(with_origin_of(fault.clone(), record));
            self.report.faults.extend_from_slice(record.more_faults());
        }
        self.report.warnings.extend_from_slice(record.warnings());
        for (why, count) in record.skipped() {
            *self.report.skipped.entry(why).or_default() += count;
        }
        let order = record.sending_order();
        for number in 0..record.slots.len() {
            let slot = order.as_ref().and_then(|order| order.get(number)).copied().unwrap_or(number);
            let position = SlotPosition { row, slot };
            match record.slots.get(slot).and_then(|slot| slot.fault.as_deref()) {
                Some(fault) => self.copy_faulty(&targets, position, record, fault),
                None => {
                    for target in &targets {
                        self.add_entry(*target, position, record, cached.take(*target, slot));
                    }
                }
            }
            self.context.add_slot(record, slot);
        }
        self.context.end(record);
        self.waiting_targets = targets;
        Ok(())
    }

    /// Copies the source of an entry that cannot be sent, for all targets.
    fn copy_faulty(&mut self, targets: &[TargetIndex], position: SlotPosition, record: &Record, fault: &Failure) {
        if !targets.is_empty() {
            self.report.faults.push(fault.clone());
        }
        for target in targets {
            self.observe_refusal(*target, position, record, fault);
            self.set_result(*target, position, &Arc::new(EntryResult::default()));
        }
    }

    fn add_entry(
        &mut self,
        target: TargetIndex,
        position: SlotPosition,
        record: &Arc<Record>,
        cached: Option<CachedResult>,
    ) {
        if !self.requests.can_send(target) {
            return;
        }
        if !record.is_needed_by(position.slot, &self.requests.targets[target.0].job.target) {
            return self.set_result(target, position, &Arc::new(EntryResult::default()));
        }
        if let Some(result) = self.output.stored_result(target, position, record) {
            self.observe(target, position, record, &result);
            return self.set_result(target, position, &Arc::new(result));
        }
        if cached.is_some_and(|cached| self.use_cached(target, position, record, cached)) {
            return;
        }
        let hold = !self.output.is_checked(target);
        let Some(duplicate) = self.requests.add(target, position, record, &self.context, hold) else { return };
        self.report.duplicates += 1;
        self.report.characters_saved += record.sent_chars(position.slot);
        match duplicate {
            Duplicate::Waiting => {}
            Duplicate::Answered(answer, is_repeated) => {
                self.use_earlier_answer(target, position, record, &answer, is_repeated);
            }
            Duplicate::Refused(failure) => self.copy_refused(target, position, record, &failure),
        }
    }

    /// Uses a cached result for a slot. Returns false if the result does not fit, so the entry must be sent.
    fn use_cached(
        &mut self,
        target: TargetIndex,
        position: SlotPosition,
        record: &Arc<Record>,
        cached: CachedResult,
    ) -> bool {
        let job = self.requests.targets[target.0].job;
        let result = Arc::new(answer::from_cache(cached, job.keeps_objects, job.shows_billed));
        let Ok(result) = slot_result(&self.format, record, position.slot, &result) else { return false };
        if let Some(billed) = result.billed {
            *self.report.billed.get_or_insert(0) += billed;
        }
        let cached = self.report.cached.get_or_insert(0);
        *cached += 1;
        // Write cached results before the first request if there are as many as a full request has entries.
        self.writes_before_requests |= *cached >= job.limit.entries as u64;
        self.report.characters_saved += record.sent_chars(position.slot);
        if self.options.context_lines > 0 {
            // This entry is not sent, so the batch ends before it: the context lines of a batch require consecutive entries.
            let hold = !self.output.is_checked(target);
            self.requests.queue_current_batch(target, hold);
        }
        self.observe(target, position, record, &result);
        self.set_result(target, position, &result);
        true
    }

    /// Ends a request. Handles a failure immediately; returns a response to be parsed later.
    pub fn on_request_end(&mut self, answered: EndedRequest) -> Option<UnparsedResponse> {
        let EndedRequest { target, batch, outcome } = answered;
        self.requests.answered(target, &batch);
        match outcome {
            Ok(answer) => Some(UnparsedResponse { target, batch, answer }),
            Err(failure) => {
                self.on_failure(target, batch, failure);
                None
            }
        }
    }

    pub fn on_answer(&mut self, arrived: UnparsedResponse) {
        let UnparsedResponse { target, batch, answer } = arrived;
        self.report.retries += u64::from(answer.retries);
        if answer.maybe_repeated {
            self.report.maybe_billed_twice += batch.chars;
        }
        match self.parse(target, &batch, &answer) {
            Ok(results) => {
                self.observe_answer(target, &batch);
                self.set_results(target, &batch, results);
            }
            Err(failure) => self.requests.fail(target, self.with_origin(&batch, failure)),
        }
    }

    /// Parses the results in a response, one for each entry. With `--dry-run`, all results are empty.
    fn parse(&self, target: TargetIndex, batch: &Batch, answer: &Answer) -> Result<Vec<EntryResult>, Failure> {
        let expected = batch.entries.len();
        if self.options.dry_run {
            return Ok(vec![EntryResult::default(); expected]);
        }
        let parse = if self.needs_objects(target) { answer::parse_with_objects } else { answer::parse };
        let results = parse(&answer.body).map_err(|why| failures::unusable(answer, why))?;
        if results.len() != expected {
            let why = format!("{} for {}", counted(results.len(), "result"), counted(expected, "text"));
            return Err(failures::unusable(answer, &why));
        }
        Ok(results)
    }

    fn on_failure(&mut self, target: TargetIndex, batch: Batch, failure: Failure) {
        if matches!(failure.kind, Kind::Key | Kind::Quota) {
            return self.requests.fail_all(&failure);
        }
        let status = failure.service.as_ref().and_then(|service| service.status);
        if !matches!(status, Some(400 | 413)) {
            // If the service answered, the failure shows the position of the batch in the input, even if the input is not the cause.
            let failure = if status.is_some() { self.with_origin(&batch, failure) } else { failure };
            return self.requests.fail(target, failure);
        }
        if !self.options.keep_going || !self.requests.can_send(target) {
            return self.requests.fail(target, self.with_origin(&batch, failure));
        }
        if failure.service.as_ref().is_some_and(|service| service.is_about_language()) {
            // Both halves would be refused too.
            return self.requests.fail(target, failure);
        }
        match batch.halve() {
            Ok((first, second)) => self.requests.retry_halves(target, first, second),
            Err(batch) => self.on_refused_entry(target, &batch, &failure),
        }
    }

    /// Copies the source of an entry that was refused in a separate request, and of all equal entries.
    fn on_refused_entry(&mut self, target: TargetIndex, batch: &Batch, failure: &Failure) {
        let Some(entry) = batch.entries.first() else { return };
        for position in entry.sent.refuse(failure) {
            let Some(record) = self.output.record(position.row).cloned() else { continue };
            self.copy_refused(target, position, &record, failure);
        }
    }

    /// Copies the source of an entry as its result, and reports the entry as refused.
    fn copy_refused(&mut self, target: TargetIndex, position: SlotPosition, record: &Record, failure: &Failure) {
        let name = self.requests.targets[target.0].job.target.clone();
        let refused =
            RefusedEntry { origin: record.slot_origin(position.slot), target: name, failure: failure.clone() };
        self.report.refused.push(refused);
        self.observe_refusal(target, position, record, failure);
        self.set_result(target, position, &Arc::new(EntryResult::default()));
    }

    fn set_results(&mut self, target: TargetIndex, batch: &Batch, results: Vec<EntryResult>) {
        let mut new_results = NewResults::default();
        for (number, (entry, result)) in batch.entries.iter().zip(results).enumerate() {
            if let Some(billed) = result.billed {
                *self.report.billed.get_or_insert(0) += billed;
            }
            if self.options.results.is_some() {
                new_results.begin(&result);
            }
            let answer = Arc::new(self.without_unused_object(target, result));
            let mut bad = Vec::new();
            for position in entry.sent.answer(&answer) {
                // The row has been dropped if its output failed.
                let Some(record) = self.output.record(position.row) else { continue };
                match slot_result(&self.format, record, position.slot, &answer) {
                    Ok(result) => {
                        new_results.add(self.output.key(target, position));
                        self.observe(target, position, record, &result);
                        self.set_result(target, position, &result);
                    }
                    Err(what) => bad.push((position, what)),
                }
            }
            if !bad.is_empty() {
                self.on_bad_results(target, batch, number, bad);
            }
        }
        self.store(new_results);
    }

    /// Sends an entry once more, in its own request, because its result cannot be used for the slots in `bad`. Each slot comes with the
    /// reason.
    fn on_bad_results(&mut self, target: TargetIndex, batch: &Batch, number: usize, bad: Vec<(SlotPosition, String)>) {
        let Some(BatchEntry { sent, .. }) = batch.entries.get(number) else { return };
        if !self.requests.can_send(target) {
            return;
        }
        let (with_fallback, bad): (Vec<_>, Vec<_>) = bad.into_iter().partition(|(position, _)| {
            let record = self.output.record(position.row);
            let fallback = record.and_then(|record| record.fallback(position.slot));
            fallback.is_some_and(|fallback| fallback.sent() != sent.text())
        });
        for (position, _) in with_fallback {
            if let Some(record) = self.output.record(position.row).cloned() {
                self.send_fallback(target, position, &record);
            }
        }
        if bad.is_empty() {
            return;
        }
        if let Some(alone) = batch.separate_batch(number).filter(|_| !sent.is_repeated()) {
            sent.wait_again(bad.into_iter().map(|(position, _)| position).collect());
            return self.requests.repeat(target, alone);
        }
        for (position, what) in bad {
            let Some(record) = self.output.record(position.row).cloned() else { continue };
            self.stop_or_copy(target, position, &record, what);
        }
    }

    /// Uses the result of an equal entry that was answered before. If it does not fit, sends the entry in its own request.
    fn use_earlier_answer(
        &mut self,
        target: TargetIndex,
        position: SlotPosition,
        record: &Arc<Record>,
        answer: &Arc<EntryResult>,
        is_repeated: bool,
    ) {
        match slot_result(&self.format, record, position.slot, answer) {
            Ok(result) => {
                self.store_again(target, position, answer);
                self.observe(target, position, record, &result);
                self.set_result(target, position, &result);
            }
            Err(_) if record.fallback(position.slot).is_some() => self.send_fallback(target, position, record),
            Err(what) if is_repeated => self.stop_or_copy(target, position, record, what),
            Err(_) => {
                let alone = self.requests.targets[target.0].separate_batch(position, record);
                self.requests.repeat(target, alone);
            }
        }
    }

    /// Sends the fallback form of an entry, because the result with the sample number cannot be used. There is no further try.
    fn send_fallback(&mut self, target: TargetIndex, position: SlotPosition, record: &Arc<Record>) {
        match self.requests.add_fallback(target, position, record) {
            None | Some(Duplicate::Waiting) => {}
            Some(Duplicate::Refused(failure)) => self.copy_refused(target, position, record, &failure),
            Some(Duplicate::Answered(answer, _)) => match slot_result(&self.format, record, position.slot, &answer) {
                Ok(result) => {
                    self.observe(target, position, record, &result);
                    self.set_result(target, position, &result);
                }
                Err(what) => self.stop_or_copy(target, position, record, what),
            },
        }
    }

    /// Stops a target at an entry without a usable result, or copies the entry's source.
    fn stop_or_copy(&mut self, target: TargetIndex, position: SlotPosition, record: &Arc<Record>, what: String) {
        if self.options.keep_going || self.options.copies_lost {
            let failure = Failure::new(Kind::Refused, what);
            return self.copy_refused(target, position, record, &failure);
        }
        let failure = Failure::new(Kind::Refused, what).at(record.slot_origin(position.slot));
        self.requests.fail(target, failure.hint("--keep-going copies such texts unchanged and continues"));
    }

    fn needs_objects(&self, target: TargetIndex) -> bool {
        let job = self.requests.targets[target.0].job;
        job.keeps_objects || (self.options.results.is_some() && job.key_scope.is_some())
    }

    /// Removes the service's object from a result unless it is still needed after the result was stored.
    fn without_unused_object(&self, target: TargetIndex, result: EntryResult) -> EntryResult {
        // With context lines, an equal entry may have another key, under which the result is stored again later.
        let is_used = self.requests.targets[target.0].job.keeps_objects || self.options.context_lines > 0;
        if is_used { result } else { EntryResult { raw: None, ..result } }
    }

    fn store(&self, new: NewResults) {
        if let Some(cache) = self.options.results.as_ref().filter(|_| !new.results.is_empty()) {
            cache.store(new.results);
        }
    }

    /// Stores an earlier entry's result for an equal entry, whose key differs if its context does.
    fn store_again(&self, target: TargetIndex, position: SlotPosition, answer: &EntryResult) {
        if self.options.context_lines > 0 && self.options.results.is_some() {
            let mut new = NewResults::default();
            new.begin(answer);
            new.add(self.output.key(target, position));
            self.store(new);
        }
    }

    fn set_result(&mut self, target: TargetIndex, position: SlotPosition, result: &Arc<EntryResult>) {
        self.options.progress.add(target, 1);
        self.output.set_result(target, position, result);
    }

    /// Passes complete rows to the writer. With `keep_going` or `copies_lost`, drops the results that the format's
    /// `check_row` refuses.
    pub fn advance(&mut self) {
        let Self { output, requests, report, format, options, .. } = self;
        let reject = |target: TargetIndex, position: usize, row: &mut ResultRow| {
            if !(options.keep_going || options.copies_lost) || options.dry_run {
                return;
            }
            let name = &requests.targets[target.0].job.target;
            for RejectedResults { slots, why } in format.check_row(row, position, name) {
                let results = row.results.get_mut(position).and_then(Option::as_mut);
                for result in results.into_iter().flat_map(|results| results.iter_mut().enumerate()) {
                    if slots.contains(&result.0) {
                        *result.1 = Arc::default();
                    }
                }
                let origin = row.record.slot_origin(slots.first().copied().unwrap_or_default());
                let failure = Failure::new(Kind::Refused, why);
                report.refused.push(RefusedEntry { origin, target: name.clone(), failure });
            }
        };
        output.advance(|target| requests.has_failed_and_drained(target), reject);
    }

    fn observe(&self, target: TargetIndex, position: SlotPosition, record: &Record, result: &EntryResult) {
        if let Some(observer) = &self.options.observer {
            observer.result(target, record, position.slot, result);
        }
    }

    fn observe_answer(&self, target: TargetIndex, batch: &Batch) {
        let Some(observer) = &self.options.observer else { return };
        let record = |entry: &BatchEntry| self.output.record(entry.sent.position.row).map(Arc::as_ref);
        let entries = batch.entries.iter().filter_map(|entry| Some((record(entry)?, entry.sent.chars)));
        observer.answered(target, &entries.collect::<Vec<_>>());
    }

    fn observe_refusal(&self, target: TargetIndex, position: SlotPosition, record: &Record, failure: &Failure) {
        if let Some(observer) = &self.options.observer {
            observer.refused(target, record, position.slot, failure);
        }
    }

    fn with_origin(&self, batch: &Batch, mut failure: Failure) -> Failure {
        let origin = |entry: &BatchEntry| self.output.slot_origin(entry.sent.position);
        // The service may name the text that it refused.
        let named = failure.service.as_deref().and_then(|service| batch.entries.get(service.named_item("text")?));
        if let Some(named) = named.and_then(origin) {
            return failure.at(named);
        }
        let first = batch.entries.first().and_then(origin);
        let (Some(first), Some(last)) = (first, batch.entries.last().and_then(origin)) else {
            return failure;
        };
        if batch.entries.len() > 1 {
            failure.what = format!("{}, in a request with the texts from {first} to {last}", failure.what);
        }
        failure.at(first)
    }

    /// Returns whether a request was sent or output may be written. From then on, a fault in the input no longer discards the output.
    pub fn has_begun(&self) -> bool {
        self.requests.started > 0 || self.writes_before_requests
    }

    /// Returns whether cached results wait to be written.
    pub fn has_cached_results(&self) -> bool {
        self.report.cached.is_some_and(|cached| cached > 0) && !self.has_begun()
    }

    /// Returns whether requests are in flight whose results will be stored, even if they cannot be written.
    pub fn has_results_to_store(&self) -> bool {
        self.options.results.is_some() && !self.options.dry_run && self.requests.has_in_flight()
    }

    pub fn has_open_batch(&self) -> bool {
        self.requests.targets.iter().any(TargetStream::has_open_batch)
    }

    pub fn is_output_over(&self) -> bool {
        self.is_pipe_closed() || !self.output.has_open_sink()
    }

    pub fn is_pipe_closed(&self) -> bool {
        self.report.ended_by.as_ref().is_some_and(|failure| failure.kind == Kind::PipeClosed)
    }

    pub fn queue_all_batches(&mut self) -> bool {
        self.requests.queue_all_batches(|target| !self.output.is_checked(target))
    }
}

/// The results of a response that will be stored.
#[derive(Default)]
struct NewResults {
    current: Option<CachedResult>,
    results: Vec<(ResultKey, CachedResult)>,
}

impl NewResults {
    /// Starts an entry. `result` is its result as the service sent it.
    fn begin(&mut self, result: &EntryResult) {
        self.current = result.raw.as_deref().and_then(CachedResult::from_object);
    }

    /// Adds the current result under the key of a slot that can use it.
    fn add(&mut self, key: Option<ResultKey>) {
        if let (Some(key), Some(result)) = (key, &self.current)
            && self.results.last().is_none_or(|(last, _)| *last != key)
        {
            self.results.push((key, result.clone()));
        }
    }
}

/// Adds the position of a record to its fault, unless the fault has one.
fn with_origin_of(fault: Failure, record: &Record) -> Failure {
    if fault.at.is_some() { fault } else { fault.at(record.origin.clone()) }
}
