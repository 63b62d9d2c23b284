//! Reacts to answers: results go to their rows, failures are handled by their kind.

use std::sync::Arc;

use tulk_base::error::{Failure, Kind};
use tulk_client::http::answer::Answer;
use tulk_client::http::failures;
use tulk_formats::{EntryResult, Record, RejectedResults, ResultRow};

use super::cache::NewResults;
use super::{Answered, Arrived, Run};
use crate::batch::{Batch, BatchEntry};
use crate::dedup::Duplicate;
use crate::index::{SlotPosition, TargetIndex};
use crate::restore::slot_result;
use crate::{Call, RefusedEntry, answer};

impl<C: Call> Run<'_, C> {
    /// Ends a request. A failure is handled at once; an answer is returned to be read.
    pub(super) fn on_arrival(&mut self, answered: Answered) -> Option<Arrived> {
        let Answered { target, batch, outcome } = answered;
        self.requests.answered(target, &batch);
        match outcome {
            Ok(answer) => Some(Arrived { target, batch, answer }),
            Err(failure) => {
                self.on_failure(target, batch, failure);
                None
            }
        }
    }

    pub(super) fn on_answer(&mut self, arrived: Arrived) {
        let Arrived { target, batch, answer } = arrived;
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

    /// Parses the results of an answer, one for each entry. With `--dry-run` they are empty.
    fn parse(&self, target: TargetIndex, batch: &Batch, answer: &Answer) -> Result<Vec<EntryResult>, Failure> {
        let expected = batch.entries.len();
        if self.options.dry_run {
            return Ok(vec![EntryResult::default(); expected]);
        }
        let parse = if self.needs_objects(target) { answer::parse_with_objects } else { answer::parse };
        let results = parse(&answer.body).map_err(|why| failures::unusable(answer, why))?;
        if results.len() != expected {
            let why = format!("{} results for {expected} entries", results.len());
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
            // A refusal names the input even if it is about the address or the service.
            let failure = if status.is_some() { self.with_origin(&batch, failure) } else { failure };
            return self.requests.fail(target, failure);
        }
        if !self.options.keep_going || !self.requests.can_send(target) {
            return self.requests.fail(target, self.with_origin(&batch, failure));
        }
        match batch.halve() {
            Ok((first, second)) => self.requests.retry_halves(target, first, second),
            Err(batch) => self.on_refused_entry(target, &batch, &failure),
        }
    }

    /// Copies the source of an entry that was refused alone, and that of all equal entries.
    fn on_refused_entry(&mut self, target: TargetIndex, batch: &Batch, failure: &Failure) {
        let Some(entry) = batch.entries.first() else { return };
        for position in entry.sent.refuse(failure) {
            let Some(record) = self.output.record(position.row).cloned() else { continue };
            self.pass_through(target, position, &record, failure);
        }
    }

    /// Uses the source text as the result of an entry, and lists the entry as refused.
    pub(super) fn pass_through(
        &mut self,
        target: TargetIndex,
        position: SlotPosition,
        record: &Record,
        failure: &Failure,
    ) {
        let name = self.requests.targets[target].job.target.clone();
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
                // A row whose output failed is gone.
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

    /// Sends an entry once more, alone, if its result cannot be used for these slots; each has a reason.
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
        if let Some(alone) = batch.alone(number).filter(|_| !sent.is_repeated()) {
            sent.wait_again(bad.into_iter().map(|(position, _)| position).collect());
            return self.requests.repeat(target, alone);
        }
        for (position, what) in bad {
            let Some(record) = self.output.record(position.row).cloned() else { continue };
            self.on_lost_entry(target, position, &record, what);
        }
    }

    /// Uses the result of an equal entry that was answered before. If it does not fit, the entry is sent alone.
    pub(super) fn use_earlier_answer(
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
            Err(what) if is_repeated => self.on_lost_entry(target, position, record, what),
            Err(_) => {
                let alone = self.requests.targets[target].alone(position, record);
                self.requests.repeat(target, alone);
            }
        }
    }

    /// Sends an entry in its other form: the number in it did not come back. An equal one that was sent is its last try.
    fn send_fallback(&mut self, target: TargetIndex, position: SlotPosition, record: &Arc<Record>) {
        match self.requests.add_fallback(target, position, record) {
            None | Some(Duplicate::Waiting) => {}
            Some(Duplicate::Refused(failure)) => self.pass_through(target, position, record, &failure),
            Some(Duplicate::Answered(answer, _)) => match slot_result(&self.format, record, position.slot, &answer) {
                Ok(result) => {
                    self.observe(target, position, record, &result);
                    self.set_result(target, position, &result);
                }
                Err(what) => self.on_lost_entry(target, position, record, what),
            },
        }
    }

    /// Ends a target at an entry without a result that can be used, or copies the source of the entry.
    fn on_lost_entry(&mut self, target: TargetIndex, position: SlotPosition, record: &Arc<Record>, what: String) {
        if self.options.keep_going {
            let failure = Failure::new(Kind::Refused, what);
            return self.pass_through(target, position, record, &failure);
        }
        let failure = Failure::new(Kind::Refused, what).at(record.slot_origin(position.slot));
        self.requests.fail(target, failure.hint("--keep-going copies such entries unchanged and continues"));
    }

    /// Hands complete rows to the writer. With `--keep-going`, results that cannot be used together are left out.
    pub(super) fn advance(&mut self) {
        let Self { output, requests, report, format, options, .. } = self;
        let reject = |target: TargetIndex, position: usize, row: &mut ResultRow| {
            if !options.keep_going || options.dry_run {
                return;
            }
            let name = &requests.targets[target].job.target;
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
        output.advance(|target| requests.is_gone(target), reject);
    }

    /// Shows a result to the observer of the run.
    pub(super) fn observe(&self, target: TargetIndex, position: SlotPosition, record: &Record, result: &EntryResult) {
        if let Some(observer) = &self.options.observer {
            observer.result(target, record, position.slot, result);
        }
    }

    /// Tells the observer of the run what was sent in a request that is answered.
    fn observe_answer(&self, target: TargetIndex, batch: &Batch) {
        let Some(observer) = &self.options.observer else { return };
        let record = |entry: &BatchEntry| self.output.record(entry.sent.position.row).map(Arc::as_ref);
        let entries = batch.entries.iter().filter_map(|entry| Some((record(entry)?, entry.sent.chars)));
        observer.answered(target, &entries.collect::<Vec<_>>());
    }

    /// Tells the observer of the run that a slot has no result.
    pub(super) fn observe_refusal(
        &self,
        target: TargetIndex,
        position: SlotPosition,
        record: &Record,
        failure: &Failure,
    ) {
        if let Some(observer) = &self.options.observer {
            observer.refused(target, record, position.slot, failure);
        }
    }

    pub(super) fn set_result(&mut self, target: TargetIndex, position: SlotPosition, result: &Arc<EntryResult>) {
        self.options.progress.add(target, 1);
        self.output.set_result(target, position, result);
    }

    /// Adds the places of a batch to its failure.
    fn with_origin(&self, batch: &Batch, mut failure: Failure) -> Failure {
        let origin = |entry: &BatchEntry| self.output.slot_origin(entry.sent.position);
        let first = batch.entries.first().and_then(origin);
        let (Some(first), Some(last)) = (first, batch.entries.last().and_then(origin)) else {
            return failure;
        };
        if batch.entries.len() > 1 {
            failure.what = format!("{}, in a request with the entries from {first} to {last}", failure.what);
        }
        failure.at(first)
    }
}
