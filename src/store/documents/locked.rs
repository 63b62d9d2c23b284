//! A record that this process works on, locked until it is dropped.

use std::fs;

use super::{DocumentRecord, DocumentStage, DocumentStore, unix_seconds};
use crate::error::Failure;
use crate::files::{FileLock, FileMode, write_atomic};

/// A record and its lock. No other process can change the record while this value exists.
pub struct LockedRecord {
    /// The record. Call [`LockedRecord::save`] after a change.
    pub record: DocumentRecord,
    store: DocumentStore,
    _lock: FileLock,
}

impl LockedRecord {
    pub(super) fn new(record: DocumentRecord, store: DocumentStore, lock: FileLock) -> Self {
        Self { record, store, _lock: lock }
    }

    /// Writes the record to disk, synced and as a whole.
    pub fn save(&mut self) -> Result<(), Failure> {
        self.record.updated = unix_seconds();
        let path = self.store.record_path(&self.record.name);
        let json = serde_json::to_vec_pretty(&self.record).map_err(|e| Failure::internal(e.to_string()))?;
        write_atomic(&path, &json, FileMode::Private).map_err(|failure| {
            Failure::internal(failure.what)
                .hint("without this file the document cannot be resumed; free some space or fix the permissions")
        })
    }

    /// Sets the stage and saves. A finished record loses its document key, its copy of stdin and its lock file.
    pub fn set_stage(&mut self, stage: DocumentStage) -> Result<(), Failure> {
        self.record.stage = stage;
        if !stage.is_unfinished() {
            self.record.document_key = None;
        }
        self.save()?;
        if !stage.is_unfinished() {
            self.remove_spool("input");
            // A process that locks a new file from here on finds a finished record.
            self.remove_spool("lock");
        }
        Ok(())
    }

    /// Removes a spool file of this record, if it exists.
    pub fn remove_spool(&self, kind: &str) {
        let _ = fs::remove_file(self.store.spool_path(&self.record.name, kind));
    }

    /// Removes the record and its spool files. The lock is released when `self` is dropped.
    pub fn remove(&self) -> Result<(), Failure> {
        let path = self.store.record_path(&self.record.name);
        fs::remove_file(&path).map_err(|e| Failure::file("remove", &path, &e))?;
        self.remove_spool("input");
        self.remove_spool("result");
        // A process that waits for the lock reads the record next, and finds none.
        self.remove_spool("lock");
        Ok(())
    }
}
