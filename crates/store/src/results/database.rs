//! The database of results: its layout, how it is created and opened, and how a broken one is set aside.
//!
//! SQLite does not protect the moment in which a database comes into being, so that is done under a file lock and under
//! another name. Its path is never opened except by SQLite: closing a file releases all locks that a process has on it.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tulk_base::error::Failure;
use tulk_base::files::{self, FileIdentity, FileMode};

use super::trouble;
use super::trouble::CacheTrouble;

/// File name of the database.
const DATABASE: &str = "results.db";
/// Its write-ahead log and the index of the log, as SQLite names them.
const SIDE_FILES: [&str; 2] = ["results.db-wal", "results.db-shm"];
/// The database while it is created.
const NEW: &str = "results.new";
/// All files of a database while it is created.
const NEW_FILES: [&str; 3] = [NEW, "results.new-wal", "results.new-shm"];
/// Locked while the database is created or set aside.
const LOCK: &str = "results.lock";
/// A database that was broken.
const BROKEN: &str = "results.db.broken";
/// Marks our databases: "tulk" in ASCII.
const APPLICATION: i64 = 0x7475_6c6b;
/// Version of the layout.
const LAYOUT: i64 = 1;
/// Longest wait for the file lock.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);
/// Pages of 4 KiB in the write-ahead log after which they are moved to the database.
const CHECKPOINT_PAGES: i64 = 4000;
/// Size of the write-ahead log above which a process that ends moves its pages to the database. Every process that is alone
/// reads the log first, which takes a millisecond at this size. Moving the pages takes longer, since the disk must sync.
const LEFT_LOG_BYTES: u64 = 1024 * 1024;

/// The tables.
///
/// Rows are in the order in which they were stored, so that pages are full, neighbors are found together, and the oldest
/// are removed first. Only the first four bytes of a key are in an index: keys are digests, so the pages of an index are
/// two thirds full, and what is in it costs one and a half times its size. Rows with the same four bytes are rare, and the
/// other twelve tell them apart.
///
/// `shape` is a row of `shapes`, or else the shape itself. IDs of shapes are not used again after `clear`, since other
/// processes may remember them.
const TABLES: &str = "
    CREATE TABLE shapes (id INTEGER PRIMARY KEY AUTOINCREMENT, shape TEXT NOT NULL UNIQUE);
    CREATE TABLE results (
        id INTEGER PRIMARY KEY, head INTEGER NOT NULL, tail BLOB NOT NULL, stored INTEGER NOT NULL,
        digest INTEGER NOT NULL, shape NOT NULL, text TEXT NOT NULL);
    CREATE INDEX heads ON results (head);
";

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DatabaseAccess {
    /// Reading and writing.
    Full,
    /// Reading without leaving a trace.
    ReadOnly,
}

/// An open database.
#[derive(Debug)]
pub(super) struct ResultDatabase {
    pub(super) connection: Connection,
    identity: FileIdentity,
}

impl ResultDatabase {
    /// Opens the database of a directory; `None` if there is none. `patience` is the longest wait for other processes.
    pub(super) fn open(dir: &Path, access: DatabaseAccess, patience: Duration) -> Result<Option<Self>, CacheTrouble> {
        let path = path(dir);
        match path.symlink_metadata() {
            Err(error) if files::is_missing(&error) => return Ok(None),
            Err(error) => return Err(CacheTrouble::Directory(Failure::file("open", &path, &error))),
            Ok(_) => check_files(dir)?,
        }
        trouble::check_local(dir)?;
        // SQLite refuses links anywhere in the path: in our directory they are not ours, above it they are the user's.
        let dir = dir.canonicalize().map_err(|error| CacheTrouble::Directory(Failure::file("open", dir, &error)))?;
        let identity = FileIdentity::new(&path);
        let connection = connect(&dir, access)?;
        connection.busy_timeout(patience)?;
        configure(&connection)?;
        check_layout(&connection)?;
        Ok(Some(Self { connection, identity }))
    }

    /// Returns whether this is still the database of the directory. It may have been removed or set aside.
    pub(super) fn is_current(&self, dir: &Path) -> bool {
        FileIdentity::new(&path(dir)) == self.identity
    }

    /// Moves the pages of a large log to the database. If another process uses the log, a later one does.
    pub(super) fn shorten_log(&self, dir: &Path) {
        if log_file(dir).metadata().is_ok_and(|log| log.len() > LEFT_LOG_BYTES) {
            let _ = self.connection.busy_timeout(Duration::ZERO).and_then(|()| self.checkpoint());
        }
    }

    /// Moves all pages of the log to the database.
    pub(super) fn checkpoint(&self) -> rusqlite::Result<()> {
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }
}

/// Returns the path of the database of a directory.
pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join(DATABASE)
}

fn log_file(dir: &Path) -> PathBuf {
    let [log, _] = SIDE_FILES;
    dir.join(log)
}

/// Returns the paths of all files with results in a directory, whether or not they exist.
pub(super) fn all_files(dir: &Path) -> [PathBuf; 4] {
    let [log, index] = SIDE_FILES.map(|name| dir.join(name));
    [log, index, dir.join(BROKEN), path(dir)]
}

/// Creates the database of a directory, unless there is one.
pub(super) fn create(dir: &Path) -> Result<(), CacheTrouble> {
    files::make_dirs(dir, FileMode::Private)
        .and_then(|()| files::check_kept(&dir.join(LOCK)))
        .map_err(CacheTrouble::Directory)?;
    trouble::check_local(dir)?;
    let _lock = lock(dir)?;
    let (path, new) = (path(dir), dir.join(NEW));
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    // A log that stayed behind, because its database was removed, would be taken for that of the new one.
    for left in NEW_FILES.into_iter().chain(SIDE_FILES) {
        remove(&dir.join(left))?;
    }
    // SQLite gives its other files the mode of the database, so they are all private.
    let private = files::private(OpenOptions::new().write(true).create_new(true)).open(&new);
    private.map_err(|error| CacheTrouble::Directory(Failure::file("create", &new, &error)))?;
    let created = fill(&new);
    let renamed = created.and_then(|()| {
        std::fs::rename(&new, &path).map_err(|error| CacheTrouble::Directory(Failure::file("create", &path, &error)))
    });
    if renamed.is_err() {
        // A full disk needs the room.
        for name in NEW_FILES {
            let _ = std::fs::remove_file(dir.join(name));
        }
    }
    renamed
}

fn fill(new: &Path) -> Result<(), CacheTrouble> {
    let connection = Connection::open(new)?;
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        let failure = Failure::internal(format!("the file system cannot share a database: {}", new.display()));
        return Err(CacheTrouble::Directory(failure.hint("set TULK_CACHE_DIR to a directory on a local disk")));
    }
    connection.execute_batch(TABLES)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", LAYOUT)?;
    // Closing would ignore a full disk, and leave a part of the database in the log.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error.into())
}

/// Sets a broken database aside, unless another process has done it. Returns its new path.
pub(super) fn set_aside(dir: &Path, broken: &FileIdentity) -> Result<PathBuf, CacheTrouble> {
    let _lock = lock(dir)?;
    let (path, aside) = (path(dir), dir.join(BROKEN));
    if FileIdentity::new(&path) == *broken {
        std::fs::rename(&path, &aside)
            .map_err(|error| CacheTrouble::Directory(Failure::file("rename", &path, &error)))?;
        for left in SIDE_FILES {
            remove(&dir.join(left))?;
        }
    }
    Ok(aside)
}

/// Removes all files with results.
pub(super) fn remove_all(dir: &Path) -> Result<(), CacheTrouble> {
    let _lock = lock(dir)?;
    all_files(dir).iter().try_for_each(|file| remove(file))
}

/// Removes a database that was set aside.
pub(super) fn remove_broken(dir: &Path) -> Result<(), CacheTrouble> {
    remove(&dir.join(BROKEN))
}

/// Removes a file, if there is one.
fn remove(path: &Path) -> Result<(), CacheTrouble> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(CacheTrouble::Directory(Failure::file("remove", path, &error)))
        }
        _ => Ok(()),
    }
}

/// Waits for the lock of a directory, though not for a process that does not continue.
fn lock(dir: &Path) -> Result<std::fs::File, CacheTrouble> {
    let deadline = Instant::now() + LOCK_PATIENCE;
    loop {
        match files::open_locked(&dir.join(LOCK)) {
            Ok(Some(lock)) => return Ok(lock),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) => return Err(CacheTrouble::Busy),
            Err(failure) => return Err(CacheTrouble::Directory(Failure { hint: None, ..failure })),
        }
    }
}

/// Refuses files that are not ours: links, devices, directories, what other users may have written.
fn check_files(dir: &Path) -> Result<(), CacheTrouble> {
    for path in all_files(dir) {
        files::check_kept(&path).map_err(CacheTrouble::Directory)?;
        if path.symlink_metadata().is_ok_and(|metadata| !files::is_own(&metadata)) {
            return Err(CacheTrouble::Directory(files::in_the_way(&path).hint("remove or rename it")));
        }
    }
    Ok(())
}

fn connect(dir: &Path, access: DatabaseAccess) -> rusqlite::Result<Connection> {
    let path = path(dir);
    // One thread at a time uses a connection.
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    if access == DatabaseAccess::Full {
        return Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_READ_WRITE);
    }
    let flags = flags | OpenFlags::SQLITE_OPEN_READ_ONLY;
    if log_file(dir).exists() {
        return Connection::open_with_flags(path, flags);
    }
    // Without a log, no other process is writing. Otherwise, SQLite would create an empty one.
    let escaped =
        percent_encoding::percent_encode(path.as_os_str().as_encoded_bytes(), percent_encoding::NON_ALPHANUMERIC);
    Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags | OpenFlags::SQLITE_OPEN_URI)
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    // By default, SQLite plans a query again for each value that it is given.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Without a sync per transaction. A process that is killed loses nothing; after a power failure the last results are gone.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "journal_size_limit", i64::try_from(LEFT_LOG_BYTES).unwrap_or(0))?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)
}

fn check_layout(connection: &Connection) -> Result<(), CacheTrouble> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if number("application_id")? != APPLICATION {
        return Err(CacheTrouble::Broken);
    }
    match number("user_version")? {
        LAYOUT => Ok(()),
        version if version > LAYOUT => Err(CacheTrouble::Newer),
        _ => Err(CacheTrouble::Broken),
    }
}
