//! Takes answers as they arrive: into the journal first.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::records::entry_number;
use crate::error::Failure;
use crate::formats::{EntryResult, Record};
use crate::pipeline::{ResultObserver, TargetIndex};
use crate::sync::journal::Journal;

/// The journal, shared by all languages; `None` if nothing is kept.
pub type SharedJournal = Arc<Mutex<Option<Journal>>>;

/// Returns the journal.
pub fn lock_journal(journal: &SharedJournal) -> MutexGuard<'_, Option<Journal>> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The answers of a group.
pub struct AnswerObserver {
    journal: SharedJournal,
    /// What each entry is in the journal.
    keys: Vec<String>,
    results: Mutex<Vec<(usize, Result<String, String>)>>,
    requests: Mutex<Vec<SentEntries>>,
}

/// The entries of a request that was answered, each with the number of code points that were sent.
pub type SentEntries = Vec<(usize, u64)>;

impl AnswerObserver {
    /// An observer of entries with these keys.
    pub fn new(journal: SharedJournal, keys: Vec<String>) -> Self {
        Self { journal, keys, results: Mutex::default(), requests: Mutex::default() }
    }

    /// Takes the results: the number of each entry, and its text or why there is none.
    pub fn take(&self) -> Vec<(usize, Result<String, String>)> {
        std::mem::take(&mut *self.results.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the requests that were answered.
    pub fn take_requests(&self) -> Vec<SentEntries> {
        std::mem::take(&mut *self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns what each entry is in the journal.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    fn push(&self, entry: usize, result: Result<String, String>) {
        if let (Some(journal), Some(key)) = (lock_journal(&self.journal).as_mut(), self.keys.get(entry)) {
            journal.add_answer(key, result.clone());
        }
        self.results.lock().unwrap_or_else(PoisonError::into_inner).push((entry, result));
    }
}

impl ResultObserver for AnswerObserver {
    fn result(&self, _: TargetIndex, record: &Record, _: usize, result: &EntryResult) {
        let Some(text) = &result.text else { return };
        let entry = entry_number(record);
        self.push(entry, Ok(text.clone()));
    }

    fn refused(&self, _: TargetIndex, record: &Record, _: usize, failure: &Failure) {
        // What the service says about a request is no fault of the unit: it is sent again in the next run.
        if failure.service.is_some() {
            return;
        }
        self.push(entry_number(record), Err(failure.cause()));
    }

    fn answered(&self, _: TargetIndex, entries: &[(&Record, u64)]) {
        let entries = entries.iter().map(|(record, chars)| (entry_number(record), *chars)).collect();
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(entries);
    }

    fn answers_are_shown(&self) {
        if let Some(journal) = lock_journal(&self.journal).as_mut() {
            journal.flush();
        }
    }
}
