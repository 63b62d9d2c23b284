//! Reacts to answers: results go to their rows, failures are handled by their kind.

use std::sync::Arc;

use super::{Answered, Run};
use crate::error::{Failure, Kind};
use crate::formats::{EntryResult, Record};
use crate::http::answer::Answer;
use crate::http::failures;
use crate::pipeline::batch::{Batch, BatchEntry};
use crate::pipeline::index::{SlotPosition, TargetIndex};
use crate::pipeline::{Call, RefusedEntry};

impl<C: Call> Run<'_, C> {
    pub(super) fn on_answer(&mut self, answered: Answered) {
        let Answered { target, batch, outcome } = answered;
        self.requests.answered(target, &batch);
        let answer = match outcome {
            Ok(answer) => answer,
            Err(failure) => return self.on_failure(target, batch, failure),
        };
        self.report.retries += u64::from(answer.retries);
        if answer.maybe_repeated {
            self.report.maybe_billed_twice += batch.chars;
        }
        match self.parse(target, &batch, &answer) {
            Ok(results) => self.set_results(target, &batch, results),
            Err(failure) => self.requests.fail(target, with_origin(&batch, failure)),
        }
    }

    /// Parses the results of an answer, one for each entry. With `--dry-run` they are empty.
    fn parse(&self, target: TargetIndex, batch: &Batch, answer: &Answer) -> Result<Vec<EntryResult>, Failure> {
        let expected = batch.entries.len();
        if self.options.dry_run {
            return Ok(vec![EntryResult::default(); expected]);
        }
        let parse = self.requests.targets[target].job.parse_results;
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
            let failure = if status.is_some() { with_origin(&batch, failure) } else { failure };
            return self.requests.fail(target, failure);
        }
        let has_failed = self.requests.targets[target].failure.is_some();
        if !self.options.keep_going || self.requests.is_closed() || has_failed {
            return self.requests.fail(target, with_origin(&batch, failure));
        }
        match batch.halve() {
            Ok((first, second)) => self.requests.retry_halves(target, first, second),
            Err(batch) => self.on_refused_entry(target, &batch, &failure),
        }
    }

    /// Copies the source of an entry that was refused alone, and that of all equal entries.
    fn on_refused_entry(&mut self, target: TargetIndex, batch: &Batch, failure: &Failure) {
        let Some(entry) = batch.entries.first() else { return };
        self.pass_through(target, entry.sent.position, entry.sent.record(), failure);
        for position in entry.sent.refuse(failure) {
            let record = self.output.record(position.row).unwrap_or(entry.sent.record()).clone();
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
        self.set_result(target, position, &Arc::new(EntryResult::default()));
    }

    fn set_results(&mut self, target: TargetIndex, batch: &Batch, results: Vec<EntryResult>) {
        for (entry, result) in batch.entries.iter().zip(results) {
            if let Some(billed) = result.billed {
                *self.report.billed.get_or_insert(0) += billed;
            }
            let result = Arc::new(result);
            let waiting = entry.sent.answer(&result);
            self.set_result(target, entry.sent.position, &result);
            for position in waiting {
                self.set_result(target, position, &result);
            }
        }
    }

    pub(super) fn set_result(&mut self, target: TargetIndex, position: SlotPosition, result: &Arc<EntryResult>) {
        self.options.progress.add(target, 1);
        self.output.set_result(target, position, result);
    }
}

/// Adds the places of a batch to its failure.
fn with_origin(batch: &Batch, mut failure: Failure) -> Failure {
    let origin = |entry: &BatchEntry| entry.sent.origin();
    let (Some(first), Some(last)) = (batch.entries.first().map(origin), batch.entries.last().map(origin)) else {
        return failure;
    };
    if batch.entries.len() > 1 {
        failure.what = format!("{}, in a request with the entries from {first} to {last}", failure.what);
    }
    failure.at(first)
}
