//! Receives answers as they arrive, and writes them to the journal first.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};

use tulk_base::error::Failure;
use tulk_formats::{EntryResult, Record};
use tulk_pipeline::{ResultObserver, TargetIndex};

use super::records::entry_number;
use super::write::GroupEvent;
use crate::digest::SentDigest;
use crate::journal::{Journal, JournalAnswer, JournalLines};

/// The journal, shared by all groups; `None` for runs without one.
#[derive(Clone)]
pub struct SharedJournal(Arc<Mutex<Option<Journal>>>);

impl SharedJournal {
    pub fn new(journal: Option<Journal>) -> Self {
        Self(Arc::new(Mutex::new(journal)))
    }

    /// Never wait for the disk while holding the guard, because answers wait for it.
    pub fn lock(&self) -> MutexGuard<'_, Option<Journal>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn failure(&self) -> Option<Failure> {
        self.lock().as_ref().and_then(Journal::failure).cloned()
    }

    /// Writes records of targets, and waits until they are on disk. Only then may the targets be written. Fails after any
    /// write error.
    pub fn write_targets(&self, lines: JournalLines) -> Result<(), Failure> {
        let Some(data) = self.lock().as_mut().map(|journal| {
            journal.add_targets(lines);
            journal.file_to_sync()
        }) else {
            return Ok(());
        };
        if self.failure().is_none()
            && let Err(error) = data.sync_data()
            && let Some(journal) = self.lock().as_mut()
        {
            journal.record_failure(&error);
        }
        self.failure().map_or(Ok(()), Err)
    }
}

/// Journal keys of the entries of a group, computed after the group is queued for sending.
#[derive(Clone, Default)]
pub struct AnswerKeys(Arc<OnceLock<Vec<SentDigest>>>);

impl AnswerKeys {
    /// Only the first call has an effect.
    pub fn set(&self, keys: Vec<SentDigest>) {
        let _ = self.0.set(keys);
    }

    /// Blocks until the keys are set.
    pub fn get(&self) -> &[SentDigest] {
        self.0.wait()
    }

    /// Returns the keys of all entries except these.
    pub fn without(&self, entries: &HashSet<usize>) -> impl Iterator<Item = SentDigest> {
        let keys = self.get().iter().enumerate();
        keys.filter(|(entry, _)| !entries.contains(entry)).map(|(_, key)| *key)
    }
}

/// Passes the answers of a group first to the journal, then to the writer.
pub struct AnswerObserver {
    journal: SharedJournal,
    keys: AnswerKeys,
    number: usize,
    writer: mpsc::Sender<GroupEvent>,
    results: Mutex<Vec<(usize, JournalAnswer)>>,
    requests: Mutex<Vec<SentEntries>>,
}

/// The entries of an answered request, and the code points sent for each.
pub type SentEntries = Vec<(usize, u64)>;

impl AnswerObserver {
    pub fn new(journal: SharedJournal, keys: AnswerKeys, number: usize, writer: mpsc::Sender<GroupEvent>) -> Self {
        Self { journal, keys, number, writer, results: Mutex::default(), requests: Mutex::default() }
    }

    /// Passes on the remaining answers. Returns the answered requests.
    pub fn end(&self) -> Vec<SentEntries> {
        self.answers_are_shown();
        std::mem::take(&mut *self.requests.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, entry: usize, result: JournalAnswer) {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).push((entry, result));
    }
}

impl ResultObserver for AnswerObserver {
    fn result(&self, _: TargetIndex, record: &Record, _: usize, result: &EntryResult) {
        let Some(text) = &result.text else { return };
        self.push(entry_number(record), Ok(text.clone()));
    }

    fn refused(&self, _: TargetIndex, record: &Record, _: usize, failure: &Failure) {
        // The service refused the request. The fault need not be in the unit, so the next run sends it again.
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
        let results = std::mem::take(&mut *self.results.lock().unwrap_or_else(PoisonError::into_inner));
        if results.is_empty() {
            return;
        }
        if let Some(journal) = self.journal.lock().as_mut() {
            let keys = self.keys.get();
            for (entry, result) in &results {
                if let Some(key) = keys.get(*entry) {
                    journal.add_answer(*key, result);
                }
            }
            journal.flush();
        }
        let _ = self.writer.send(GroupEvent::Answered(self.number, results));
    }
}
