//! Documents under way, on disk before the service is asked about them: one private file each, locked while in work.
//!
//! A record is written whole, synced and renamed, so a kill at any moment leaves the old one or the new one. Nothing
//! here talks to the service. Spec: "Documents"; command line, "doc".

mod record;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub use record::{Record, Source, Stage};

use crate::error::{Failure, Kind, io_message};

/// How long records of finished documents are kept, for `doc list`.
const KEEP_FINISHED: Duration = Duration::from_secs(30 * 86_400);
/// Held while records are compared and one is added.
const STORE_LOCK: &str = "store.lock";

/// The directory of all records.
#[derive(Clone, Debug)]
pub struct Documents {
    dir: PathBuf,
}

/// What became of the wish to upload something.
pub enum Claim {
    /// Nobody has begun with it: a new record, on disk and locked.
    New(Handle),
    /// It was begun and not finished: its record, locked, with the new wish's target.
    Found(Handle),
    /// Another process is at it.
    Busy(Record),
    /// Its upload may have arrived.
    InDoubt(Record),
    /// Another unfinished document has the same target.
    TargetTaken(Record),
}

/// All records, and files among them that cannot be read.
#[derive(Default)]
pub struct Listing {
    /// The records, oldest first.
    pub records: Vec<Record>,
    /// Unreadable files.
    pub damaged: Vec<PathBuf>,
}

impl Documents {
    /// The records in a directory, which is made, private, when the first one is written.
    pub fn at(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Where the bytes of a record are put aside: `input` of stdin, `result` for stdout.
    pub fn spool(&self, name: &str, what: &str) -> PathBuf {
        self.dir.join(format!("{name}.{what}"))
    }

    /// Makes a private file for bytes of a record.
    pub fn create_spool(&self, name: &str, what: &str) -> Result<File, Failure> {
        self.make_dir()?;
        let path = self.spool(name, what);
        private().write(true).create(true).truncate(true).open(&path).map_err(|e| Failure::file("create", &path, &e))
    }

    /// A name that no record has.
    pub fn new_name() -> String {
        format!("local-{:016x}", fastrand::u64(..))
    }

    /// All records.
    pub fn list(&self) -> Result<Listing, Failure> {
        let mut listing = Listing::default();
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(listing),
            Err(e) => return Err(Failure::file("read", &self.dir, &e)),
        };
        for entry in entries {
            let path = entry.map_err(|e| Failure::file("read", &self.dir, &e))?.path();
            if path.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            match read(&path) {
                Ok(Some(record)) => listing.records.push(record),
                // Forgotten by another process since the directory was read.
                Ok(None) => {}
                Err(_) => listing.damaged.push(path),
            }
        }
        listing.records.sort_by(|a, b| (a.created, &a.name).cmp(&(b.created, &b.name)));
        Ok(listing)
    }

    /// The record with an id or local name on a server; the youngest when there are several.
    pub fn find(&self, id: &str, server: &str) -> Result<Option<Record>, Failure> {
        let records = self.list()?.records;
        let called = |record: &&Record| record.is_called(id);
        Ok(records
            .iter()
            .rev()
            .filter(called)
            .find(|r| r.server == server)
            .or(records.iter().rev().find(called))
            .cloned())
    }

    /// Opens a record for work; fails while another process has it, and when it is gone.
    pub fn open(&self, name: &str) -> Result<Handle, Failure> {
        let Some(lock) = self.try_lock(name)? else {
            return Err(Failure::usage(format!("document {name} is in work in another tulk process"))
                .hint("wait for that one to end, or end it"));
        };
        match read(&self.record_path(name))? {
            Some(record) => Ok(Handle { record, store: self.clone(), _lock: lock }),
            None => Err(Failure::new(Kind::NotFound, format!("document {name} was forgotten meanwhile"))),
        }
    }

    /// Whether a process is at work on a record.
    pub fn is_in_work(&self, name: &str) -> bool {
        matches!(self.try_lock(name), Ok(None))
    }

    /// Adds a record and locks it, without looking for others like it.
    pub fn add(&self, record: Record) -> Result<Handle, Failure> {
        self.make_dir()?;
        let Some(lock) = self.try_lock(&record.name)? else {
            return Err(Failure::internal(format!("the name {} is taken", record.name)));
        };
        let mut handle = Handle { record, store: self.clone(), _lock: lock };
        handle.save()?;
        Ok(handle)
    }

    /// Finds the unfinished record of the same work, or adds `wish`. Of many processes at once one adds it.
    ///
    /// `again` adds it in any case and forgets an unfinished record of the same work that nobody is at.
    pub fn claim(&self, wish: Record, again: bool) -> Result<Claim, Failure> {
        self.make_dir()?;
        let _whole = self.lock_store()?;
        let now = now();
        let mut found: Option<Handle> = None;
        for other in self.list()?.records {
            if !other.stage.is_unfinished() {
                if now.saturating_sub(other.updated) > KEEP_FINISHED.as_secs() {
                    self.open(&other.name)?.forget()?;
                }
                continue;
            }
            let same_work = other.is_same_work(&wish);
            let same_target = other.target.is_some() && other.target == wish.target;
            if !same_work && !same_target {
                continue;
            }
            let Some(handle) = self.open_if_idle(&other.name)? else {
                if same_target || other.is_same_source(&wish) {
                    return Ok(Claim::Busy(other));
                }
                continue;
            };
            if !handle.record.stage.is_unfinished() {
                continue;
            }
            match (same_work, again) {
                (false, _) => return Ok(Claim::TargetTaken(other)),
                (true, true) => handle.forget()?,
                (true, false) if handle.record.stage == Stage::Sent => return Ok(Claim::InDoubt(other)),
                (true, false) if found.is_none() || other.is_same_source(&wish) => found = Some(handle),
                (true, false) => {}
            }
        }
        self.remove_orphans();
        let Some(mut handle) = found else { return self.add(wish).map(Claim::New) };
        handle.record.target = wish.target;
        handle.record.force = wish.force;
        // A copy of stdin is kept under the record's own name; the new one is the caller's to remove.
        if let (Some(kept), Some(wished)) = (&mut handle.record.source, wish.source.filter(|s| s.shown != "-")) {
            kept.path = wished.path;
            kept.shown = wished.shown;
        }
        handle.save()?;
        Ok(Claim::Found(handle))
    }

    /// Removes old files that no record goes with, which a kill between two steps leaves.
    fn remove_orphans(&self) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|at| at.elapsed().ok());
            let is_old = age.is_some_and(|age| age > KEEP_FINISHED);
            let is_part = path.extension().is_some_and(|ending| ending != "json") && !path.ends_with(STORE_LOCK);
            if is_old && is_part && !path.with_extension("json").exists() {
                // The next run tries again.
                let _ = fs::remove_file(&path);
            }
        }
    }

    fn open_if_idle(&self, name: &str) -> Result<Option<Handle>, Failure> {
        let Some(lock) = self.try_lock(name)? else { return Ok(None) };
        let record = read(&self.record_path(name))?;
        Ok(record.map(|record| Handle { record, store: self.clone(), _lock: lock }))
    }

    fn record_path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.json"))
    }

    fn lock_path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.lock"))
    }

    /// The lock of a record; `None` while another process has it.
    fn try_lock(&self, name: &str) -> Result<Option<File>, Failure> {
        // The name may come from outside; it names a file in this directory and nothing else.
        if name.contains(['/', '\\']) {
            return Err(Failure::new(Kind::NotFound, format!("`{name}` is no document")));
        }
        let path = self.lock_path(name);
        let file = private().write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(|e| Failure::file("open", &path, &e))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(Failure::file("lock", &path, &e)),
        }
    }

    fn lock_store(&self) -> Result<File, Failure> {
        let path = self.dir.join(STORE_LOCK);
        let file = private().write(true).create(true).truncate(false).open(&path);
        let locked = file.and_then(|file| file.lock().map(|()| file));
        locked.map_err(|e| Failure::file("lock", &path, &e))
    }

    fn make_dir(&self) -> Result<(), Failure> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.dir).map_err(|e| Failure::file("create", &self.dir, &e))
    }
}

/// A record in work: this process has its lock until the handle is dropped.
pub struct Handle {
    /// The record; call [`Handle::save`] after a change.
    pub record: Record,
    store: Documents,
    _lock: File,
}

impl Handle {
    /// Writes the record: synced, and under its name as a whole.
    pub fn save(&mut self) -> Result<(), Failure> {
        self.record.updated = now();
        let path = self.store.record_path(&self.record.name);
        let text = serde_json::to_vec_pretty(&self.record).map_err(|e| Failure::internal(e.to_string()))?;
        write(&path, &text).map_err(|e| {
            Failure::internal(format!("cannot write {}: {}", path.display(), io_message(&e)))
                .hint("nothing that the service does is safe without this file")
        })
    }

    /// Notes a new stage.
    pub fn advance(&mut self, stage: Stage) -> Result<(), Failure> {
        self.record.stage = stage;
        if !stage.is_unfinished() {
            // Of no use any more, and a secret.
            self.record.document_key = None;
        }
        self.save()?;
        if !stage.is_unfinished() {
            self.remove_spool("input");
            // Whoever takes a new lock from here on reads a finished record under it.
            self.remove_spool("lock");
        }
        Ok(())
    }

    /// Removes bytes that were put aside; no matter if there are none.
    pub fn remove_spool(&self, what: &str) {
        let _ = fs::remove_file(self.store.spool(&self.record.name, what));
    }

    /// Removes the record and what was put aside for it. The lock ends with the handle.
    pub fn forget(&self) -> Result<(), Failure> {
        let path = self.store.record_path(&self.record.name);
        fs::remove_file(&path).map_err(|e| Failure::file("remove", &path, &e))?;
        self.remove_spool("input");
        self.remove_spool("result");
        // Whoever waits for the lock looks for the record next, and finds none.
        self.remove_spool("lock");
        Ok(())
    }
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn read(path: &Path) -> Result<Option<Record>, Failure> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|e| Failure::internal(format!("{} is damaged: {e}", path.display()))),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Failure::file("read", path, &e)),
    }
}

fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension("new");
    let mut file = private().write(true).create(true).truncate(true).open(&temporary)?;
    file.write_all(text)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    #[cfg(unix)]
    if let Some(dir) = path.parent() {
        File::open(dir)?.sync_all()?;
    }
    Ok(())
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests;
