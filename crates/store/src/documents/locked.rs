//! A document record that this process works on.

use std::fs;

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{FileLock, FileMode, write_atomic};

use super::{DocumentRecord, DocumentStage, DocumentStore, unix_time};

/// A record with its lock. Other processes cannot change it until this is dropped.
pub struct LockedRecord {
    /// The record. Call [`LockedRecord::save`] after a change.
    pub record: DocumentRecord,
    store: DocumentStore,
    is_removed: bool,
    _lock: FileLock,
}

impl LockedRecord {
    pub(super) fn new(record: DocumentRecord, store: DocumentStore, lock: FileLock) -> Self {
        Self { record, store, is_removed: false, _lock: lock }
    }

    /// Writes the record to disk atomically and syncs it.
    pub fn save(&mut self) -> Result<(), Failure> {
        self.record.updated = unix_time().as_secs();
        let path = self.store.record_path(&self.record.name);
        let json = serde_json::to_vec_pretty(&self.record)?;
        write_atomic(&path, &json, FileMode::Private).map_err(|failure| {
            let hint = "without this file the document cannot be resumed; free some space or fix the permissions";
            Failure::internal(failure.what).hint(failure.hint.unwrap_or_else(|| hint.to_owned()))
        })
    }

    /// Sets the stage and saves the record. If that fails, the stage does not change.
    ///
    /// A finished record keeps no document key. Its lock file is removed unless an evaluation is pending. Its copy of stdin is removed,
    /// too. After a lost result, the copy stays, so that it can be uploaded again.
    pub fn set_stage(&mut self, stage: DocumentStage) -> Result<(), Failure> {
        let stage_on_disk = std::mem::replace(&mut self.record.stage, stage);
        self.record.is_unreported = matches!(stage, DocumentStage::Failed | DocumentStage::Gone);
        if stage != DocumentStage::Downloading {
            self.record.download = None;
        }
        if !stage.is_unfinished() {
            self.record.document_key = None;
        }
        if let Err(failure) = self.save() {
            self.record.stage = stage_on_disk;
            return Err(failure);
        }
        if !stage.is_unfinished() {
            if stage != DocumentStage::Gone {
                self.remove_spool("input");
            }
            if !self.record.awaits_evaluation() {
                // From now on, another process may create and lock a new lock file, but it then reads a finished record.
                self.remove_spool("lock");
            }
        }
        Ok(())
    }

    /// Records the end of the evaluation of a translation. `score` is `None` if the evaluation failed.
    pub fn set_evaluated(&mut self, score: Option<f64>) -> Result<(), Failure> {
        self.record.is_evaluated = true;
        self.record.quality_score = score;
        self.save()?;
        self.remove_spool("lock");
        Ok(())
    }

    /// Records that the failure of a document was printed. Until then, every run that finds the record reports it.
    pub fn set_reported(&mut self) -> Result<(), Failure> {
        self.record.is_unreported = false;
        self.save()?;
        self.remove_spool("lock");
        Ok(())
    }

    /// Returns whether another run can finish the document without asking the user.
    pub fn is_resumable(&self) -> bool {
        let is_unfinished = self.record.stage.is_unfinished() && self.record.stage != DocumentStage::Sent;
        !self.is_removed && (is_unfinished || self.record.awaits_evaluation())
    }

    /// Returns whether the upload may have reached the service, but no response arrived.
    pub fn is_in_doubt(&self) -> bool {
        !self.is_removed && self.record.stage == DocumentStage::Sent
    }

    /// Removes a spool file of this record if it exists.
    pub fn remove_spool(&self, kind: &str) {
        let _ = fs::remove_file(self.store.spool_path(&self.record.name, kind));
    }

    /// Removes the record and its spool files. The lock is released when `self` is dropped.
    pub fn remove(&mut self) -> Result<(), Failure> {
        let path = self.store.record_path(&self.record.name);
        fs::remove_file(&path).file_context("remove", &path)?;
        self.is_removed = true;
        self.remove_spool("input");
        self.remove_spool("result");
        // A process that waits for the lock then reads the record, and finds that it is gone.
        self.remove_spool("lock");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{store, wanted};
    use super::super::{DocumentStage, ResultTarget};

    #[test]
    fn each_stage_keeps_the_fields_and_files_that_the_next_run_needs() {
        use DocumentStage::{Done, Downloading, Failed, Gone, Sent, Uploaded, Uploading};
        // Columns: stage, resumable, in doubt, key, download, copy of stdin, lock.
        let table = [
            (Uploading, true, false, true, false, true, true),
            (Sent, false, true, true, false, true, true),
            (Uploaded, true, false, true, false, true, true),
            (Downloading, true, false, true, true, true, true),
            (Done, false, false, false, false, false, false),
            (Failed, false, false, false, false, false, false),
            (Gone, false, false, false, false, true, false),
        ];
        for (stage, is_resumable, is_in_doubt, has_key, has_download, has_input, has_lock) in table {
            let (_dir, store) = store();
            let mut locked = store.add(wanted("/a", "1")).unwrap();
            locked.record.document_key = Some("K1".to_owned());
            locked.record.download = Some(ResultTarget::default());
            store.create_spool(&locked.record.name, "input").unwrap();
            locked.set_stage(stage).unwrap();
            assert_eq!((locked.is_resumable(), locked.is_in_doubt()), (is_resumable, is_in_doubt), "{stage:?}");
            assert_eq!(locked.record.document_key.is_some(), has_key, "{stage:?}");
            assert_eq!(locked.record.download.is_some(), has_download, "{stage:?}");
            let exists = |kind: &str| store.spool_path(&locked.record.name, kind).exists();
            assert_eq!((exists("input"), exists("lock")), (has_input, has_lock), "{stage:?}");
            locked.remove().unwrap();
            assert_eq!((locked.is_resumable(), locked.is_in_doubt()), (false, false), "{stage:?}");
        }
    }
}
