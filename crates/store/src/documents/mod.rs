//! Records of documents, written before a document is uploaded: one private file each, locked while in use.
//!
//! Input: records of uploads that are about to start. Output: locked records, or the reason why another record has priority. A
//! record is replaced atomically, so a kill at any time leaves the old or the new version. Nothing here sends requests.

mod claim;
mod locked;
pub(crate) mod path_text;
mod record;

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tulk_base::error::{Failure, FileContext as _, Kind};
use tulk_base::files::{self, FileLock, FileMode};
use tulk_base::limits;

pub use self::claim::{DecidedSource, UploadClaim};
pub use self::locked::LockedRecord;
pub use self::record::{ContentMatch, DocumentRecord, DocumentSource, DocumentStage, ResultTarget};

/// How long the records of finished documents are kept for `doc list`.
const KEEP_FINISHED: Duration = Duration::from_secs(30 * 86_400);
/// File that is locked while records are compared and one of them is added.
const STORE_LOCK: &str = "store.lock";

/// The directory of the records.
#[derive(Clone, Debug)]
pub struct DocumentStore {
    dir: PathBuf,
}

/// The content of a store.
#[derive(Default)]
pub struct DocumentListing {
    /// The records, oldest first.
    pub records: Vec<DocumentRecord>,
    /// Paths of unreadable record files.
    pub damaged: Vec<PathBuf>,
}

impl DocumentStore {
    /// Creates a store in a private directory, which is created with the first record.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Returns the path of a spool file of a record. `kind` is its extension: `stdin` for stdin as it is read, `input` for the record's
    /// copy of stdin, `result` for a result that goes to stdout, `lock` for the lock file.
    pub fn spool_path(&self, name: &str, kind: &str) -> PathBuf {
        self.dir.join(format!("{name}.{kind}"))
    }

    /// Creates or truncates a private spool file of a record.
    pub fn create_spool(&self, name: &str, kind: &str) -> Result<File, Failure> {
        self.make_dir()?;
        let path = self.spool_path(name, kind);
        files::check_trusted_file(&path)?;
        files::private(OpenOptions::new().write(true).create(true).truncate(true))
            .open(&path)
            .file_context("create", &path)
    }

    /// Returns an unused local name.
    pub fn new_name() -> String {
        format!("local-{:016x}", fastrand::u64(..))
    }

    /// Reads all records. A damaged one is not an error: the listing has its path.
    pub fn list(&self) -> Result<DocumentListing, Failure> {
        let mut listing = DocumentListing::default();
        files::check_trusted_dir(&self.dir)?;
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(e) if files::is_missing(&e) => return Ok(listing),
            Err(e) => return Err(Failure::file("read", &self.dir, &e)),
        };
        for entry in entries {
            let path = entry.file_context("read", &self.dir)?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            files::check_trusted_file(&path)?;
            match read_record(&path) {
                Ok(Some(record)) => listing.records.push(record),
                // Another process removed the record after the directory was read.
                Ok(None) => {}
                Err(_) => listing.damaged.push(path),
            }
        }
        let order = |record: &DocumentRecord| (record.created, record.created_nanos);
        listing.records.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.name.cmp(&b.name)));
        Ok(listing)
    }

    /// Finds a record by ID or local name: the newest record of `server`, or else the newest of any server.
    pub fn find(&self, id: &str, server: &str) -> Result<Option<DocumentRecord>, Failure> {
        let mut matching = self.list()?.records;
        matching.retain(|record| record.has_id(id));
        let at = matching.iter().rposition(|record| record.server == server);
        Ok(match at {
            Some(at) => Some(matching.swap_remove(at)),
            None => matching.pop(),
        })
    }

    /// Locks and reads a record. Fails if another process holds its lock, or if it no longer exists.
    pub fn open(&self, name: &str) -> Result<LockedRecord, Failure> {
        let Some(lock) = self.try_lock(name)? else {
            return Err(Failure::usage(format!("document {name} is in use by another tulk process"))
                .hint("wait for that process to finish, or stop it"));
        };
        let path = self.record_path(name);
        files::check_trusted_file(&path)?;
        match read_record(&path)? {
            Some(record) => Ok(LockedRecord::new(record, self.clone(), lock)),
            None => Err(Failure::new(Kind::NotFound, format!("document {name} was removed by another process"))),
        }
    }

    /// Returns whether another process holds the lock of a record.
    pub fn is_locked(&self, name: &str) -> bool {
        matches!(self.try_lock(name), Ok(None))
    }

    /// Saves and locks a new record without comparing it with others.
    pub fn add(&self, record: DocumentRecord) -> Result<LockedRecord, Failure> {
        let Some(lock) = self.try_lock(&record.name)? else {
            return Err(Failure::internal(format!("the document name {} is already in use", record.name)));
        };
        let mut locked = LockedRecord::new(record, self.clone(), lock);
        locked.save()?;
        Ok(locked)
    }

    fn remove_if_expired(&self, finished: &DocumentRecord) -> Result<(), Failure> {
        if unix_time().as_secs().saturating_sub(finished.updated) > KEEP_FINISHED.as_secs() {
            self.open(&finished.name)?.remove()?;
        }
        Ok(())
    }

    /// Removes old files without a record. A kill between two steps leaves them.
    fn remove_orphans(&self) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|at| at.elapsed().ok());
            let is_old = age.is_some_and(|age| age > KEEP_FINISHED);
            let is_spool = path.extension().is_some_and(|extension| extension != "json") && !path.ends_with(STORE_LOCK);
            if is_old && is_spool && !path.with_extension("json").exists() {
                // If this fails, the next run tries again.
                let _ = fs::remove_file(&path);
            }
        }
    }

    fn open_if_unlocked(&self, name: &str) -> Result<Option<LockedRecord>, Failure> {
        let Some(lock) = self.try_lock(name)? else { return Ok(None) };
        let path = self.record_path(name);
        files::check_trusted_file(&path)?;
        let record = read_record(&path)?;
        Ok(record.map(|record| LockedRecord::new(record, self.clone(), lock)))
    }

    fn record_path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.json"))
    }

    /// Returns `None` if another process holds the lock.
    fn try_lock(&self, name: &str) -> Result<Option<FileLock>, Failure> {
        // The name may be user input, which must not lead out of this directory.
        if name.contains(['/', '\\']) {
            return Err(Failure::new(Kind::NotFound, format!("`{name}` is not a document ID")));
        }
        files::try_lock(&self.spool_path(name, "lock"))
    }

    fn make_dir(&self) -> Result<(), Failure> {
        files::make_dirs(&self.dir, FileMode::Private).map_err(|failure| {
            failure.hint("tulk keeps the key of each document there: make it writable, or set XDG_STATE_HOME")
        })
    }
}

/// Time since 1970. Never the same twice in a process, so that records can be sorted by it.
fn unix_time() -> Duration {
    static LAST_NANOS: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Duration::from_nanos(next_time(u64::try_from(now.as_nanos()).unwrap_or(u64::MAX), &LAST_NANOS))
}

/// Returns `now`, or a nanosecond after `last` if that is later.
fn next_time(now: u64, last: &AtomicU64) -> u64 {
    let next = |last: u64| now.max(last.saturating_add(1));
    let (Ok(last) | Err(last)) = last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(next(last)));
    next(last)
}

fn read_record(path: &Path) -> Result<Option<DocumentRecord>, Failure> {
    let bytes = match files::read_bounded(path, limits::DOCUMENT_RECORD) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read.file_context("read", path)?,
    };
    let invalid = |why: &str| Failure::internal(format!("{} is not a valid document record: {why}", path.display()));
    let record: DocumentRecord = serde_json::from_slice(&bytes).map_err(|e| invalid(&e.to_string()))?;
    // A copy of a record file still contains the name of the original, so saving it would overwrite the original.
    if path.file_stem().is_none_or(|stem| stem != record.name.as_str()) {
        return Err(invalid("it has the name of another one"));
    }
    Ok(Some(record))
}

#[cfg(test)]
mod tests;
