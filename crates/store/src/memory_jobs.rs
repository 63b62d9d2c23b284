//! Records of imports and exports of translation memories: one private file each, kept from the start of the job to its end.
//! A record is locked while a process works on the job. Its file name depends on what is imported or exported, so that the same
//! command finds it again.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{self, FileLock, FileMode, sha256_hex, write_atomic};
use tulk_base::limits;
use tulk_base::secrets;

use super::documents::path_text;

/// Progress of an upload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UploadStage {
    /// The file was not sent completely.
    #[default]
    Uploading,
    /// The complete file was sent, but no response arrived.
    Sent,
    /// The service has the file.
    Uploaded,
}

/// The kind of a job, and its details.
#[derive(Clone, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum MemoryJobWork {
    /// Creates a memory from a file.
    Import {
        /// Name of the memory.
        display_name: String,
        /// Path of the file.
        #[serde(with = "path_text")]
        path: PathBuf,
        /// Size of the file in bytes.
        bytes: u64,
        /// SHA-256 of the file in hexadecimal digits.
        sha256: String,
        /// Signed address for the upload.
        #[serde(deserialize_with = "secrets::address")]
        upload_url: String,
        /// Time when the address expires, as the service sent it.
        expires_at: String,
        /// Progress of the upload.
        stage: UploadStage,
    },
    /// Writes a memory to a file.
    Export {
        /// ID of the memory.
        translation_memory_id: String,
        /// Path of the file; `None` for stdout.
        #[serde(with = "path_text::optional", default)]
        output: Option<PathBuf>,
        /// Whether the export may replace an existing file.
        force: bool,
    },
}

/// The record of one job.
#[derive(Clone, Serialize, Deserialize)]
pub struct MemoryJobRecord {
    /// ID of the job.
    pub job_id: String,
    /// Address of the server, or `sandbox`.
    pub server: String,
    /// The kind of the job, and its details.
    #[serde(flatten)]
    pub work: MemoryJobWork,
}

/// The directory of the records.
#[derive(Clone, Debug)]
pub struct MemoryJobStore {
    dir: PathBuf,
}

/// The lock of an import or export, with the record of its job if there is one.
pub struct LockedMemoryJob {
    /// The record. Call [`LockedMemoryJob::save`] after a change.
    pub record: Option<MemoryJobRecord>,
    path: PathBuf,
    _lock: FileLock,
}

impl MemoryJobStore {
    /// Opens the user's records.
    pub fn open() -> Result<Self, Failure> {
        Ok(Self { dir: files::state_dir()?.join("memory-jobs") })
    }

    /// Locks the import of a file's content as a memory with this name.
    pub fn lock_import(&self, server: &str, display_name: &str, sha256: &str) -> Result<LockedMemoryJob, Failure> {
        self.lock(&["import", server, display_name, sha256])
    }

    /// Locks the export of a memory.
    pub fn lock_export(&self, server: &str, translation_memory_id: &str) -> Result<LockedMemoryJob, Failure> {
        self.lock(&["export", server, &translation_memory_id.to_ascii_lowercase()])
    }

    /// Locks the job of an existing record.
    pub fn lock_record(&self, record: &MemoryJobRecord) -> Result<LockedMemoryJob, Failure> {
        match &record.work {
            MemoryJobWork::Import { display_name, sha256, .. } => {
                self.lock_import(&record.server, display_name, sha256)
            }
            MemoryJobWork::Export { translation_memory_id, .. } => {
                self.lock_export(&record.server, translation_memory_id)
            }
        }
    }

    fn lock(&self, identity: &[&str]) -> Result<LockedMemoryJob, Failure> {
        let name = sha256_hex(serde_json::to_string(identity)?.as_bytes());
        let path = self.dir.join(format!("{name}.json"));
        let Some(lock) = files::try_lock(&path.with_extension("lock"))? else {
            return Err(Failure::usage("another tulk process is working on the same import or export")
                .hint("wait for it to finish, or stop it"));
        };
        Ok(LockedMemoryJob { record: read(&path)?, path, _lock: lock })
    }

    /// Reads all records, sorted by job ID.
    pub fn list(&self) -> Result<Vec<MemoryJobRecord>, Failure> {
        files::check_trusted_dir(&self.dir)?;
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(e) if files::is_missing(&e) => return Ok(Vec::new()),
            Err(e) => return Err(Failure::file("read", &self.dir, &e)),
        };
        let mut records = Vec::new();
        for entry in entries {
            let path = entry.file_context("read", &self.dir)?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                records.extend(read(&path)?);
            }
        }
        records.sort_by(|a, b| a.job_id.cmp(&b.job_id));
        Ok(records)
    }
}

fn read(path: &Path) -> Result<Option<MemoryJobRecord>, Failure> {
    files::check_trusted_file(path)?;
    let bytes = match files::read_bounded(path, limits::MEMORY_JOB_RECORD) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.file_context("read", path)?,
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|e| {
        Failure::internal(format!("{} is not a valid record of a memory job: {e}", path.display()))
            .hint("remove the file, and start the job again")
    })
}

impl LockedMemoryJob {
    /// Writes the record to disk atomically and syncs it.
    pub fn save(&mut self, record: MemoryJobRecord) -> Result<(), Failure> {
        let json = serde_json::to_vec_pretty(&record)?;
        write_atomic(&self.path, &json, FileMode::Private).map_err(|failure| {
            let hint = "tulk keeps the upload address of the job there; free some space or fix the permissions";
            Failure::internal(failure.what).hint(failure.hint.unwrap_or_else(|| hint.to_owned()))
        })?;
        self.record = Some(record);
        Ok(())
    }

    /// Sets the progress of the upload and saves the record.
    pub fn set_stage(&mut self, new: UploadStage) -> Result<(), Failure> {
        let Some(mut record) = self.record.clone() else { return Ok(()) };
        if let MemoryJobWork::Import { stage, .. } = &mut record.work {
            *stage = new;
        }
        self.save(record)
    }

    /// Returns the path of the spool file for a download to stdout.
    pub fn spool_path(&self) -> PathBuf {
        self.path.with_extension("result")
    }

    /// Removes the record. The lock file and the spool file are removed on drop.
    pub fn remove(&mut self) -> Result<(), Failure> {
        self.record = None;
        match fs::remove_file(&self.path) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(Failure::file("remove", &self.path, &e)),
            _ => Ok(()),
        }
    }
}

impl Drop for LockedMemoryJob {
    /// Removes the lock file if there is no record. A process that has opened the lock file in the meantime finds no record either.
    fn drop(&mut self) {
        if self.record.is_none() {
            let _ = fs::remove_file(self.spool_path());
            let _ = fs::remove_file(self.path.with_extension("lock"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn import(stage: UploadStage) -> MemoryJobRecord {
        MemoryJobRecord {
            job_id: "J1".to_owned(),
            server: "sandbox".to_owned(),
            work: MemoryJobWork::Import {
                display_name: "Pumps".to_owned(),
                path: "/pumps.tmx".into(),
                bytes: 3,
                sha256: "ab".to_owned(),
                upload_url: "https://store.example/u?sig=memory-job-secret".to_owned(),
                expires_at: "2026-11-03T08:30:00Z".to_owned(),
                stage,
            },
        }
    }

    #[test]
    fn the_same_import_finds_its_record_until_it_is_removed() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let store = MemoryJobStore { dir: dir.path().join("memory-jobs") };
        assert!(store.list().unwrap().is_empty());
        let mut locked = store.lock_import("sandbox", "Pumps", "ab").unwrap();
        assert!(locked.record.is_none());
        locked.save(import(UploadStage::Uploading)).unwrap();
        assert!(store.lock_import("sandbox", "Pumps", "ab").is_err(), "it is in use");
        locked.set_stage(UploadStage::Sent).unwrap();
        drop(locked);
        #[cfg(unix)]
        for entry in fs::read_dir(&store.dir).unwrap() {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(entry.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        for other in [["sandbox", "Valves", "ab"], ["sandbox", "Pumps", "cd"], ["https://x", "Pumps", "ab"]] {
            assert!(store.lock_import(other[0], other[1], other[2]).unwrap().record.is_none());
        }
        let [record] = <[_; 1]>::try_from(store.list().unwrap()).ok().unwrap();
        let mut locked = store.lock_record(&record).unwrap();
        let stage = match &locked.record.as_ref().unwrap().work {
            MemoryJobWork::Import { stage, .. } => *stage,
            MemoryJobWork::Export { .. } => panic!("an export"),
        };
        assert_eq!(stage, UploadStage::Sent);
        locked.remove().unwrap();
        drop(locked);
        assert_eq!(fs::read_dir(&store.dir).unwrap().count(), 0);
    }

    #[test]
    fn reports_the_path_of_a_damaged_record() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let store = MemoryJobStore { dir: dir.path().to_owned() };
        let mut locked = store.lock_export("sandbox", "M1").unwrap();
        let work = MemoryJobWork::Export { translation_memory_id: "M1".to_owned(), output: None, force: false };
        locked.save(MemoryJobRecord { job_id: "J1".to_owned(), server: "sandbox".to_owned(), work }).unwrap();
        let path = locked.path.clone();
        drop(locked);
        assert!(store.lock_export("sandbox", "m1").unwrap().record.is_some());
        fs::write(&path, "{").unwrap();
        let failure = store.lock_export("sandbox", "M1").err().unwrap();
        assert!(failure.what.starts_with(&path.display().to_string()), "{}", failure.what);
    }
}
