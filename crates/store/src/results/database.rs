//! The SQLite database of results: its schema, how it is created and opened, and how a broken one is set aside. SQLite does not
//! protect the creation of a database, so a new one is created under a file lock and another name. Only SQLite opens the final
//! path, because closing a file releases all locks that the process holds on it.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tulk_base::error::Failure;
use tulk_base::files::{self, FileIdentity, FileLock, FileMode};

use super::error;
use super::error::CacheError;

const DATABASE: &str = "results.db";
/// The write-ahead log and its index, as SQLite names them.
const SIDE_FILES: [&str; 2] = ["results.db-wal", "results.db-shm"];
const UNFINISHED_DATABASE: &str = "results.new";
const UNFINISHED_FILES: [&str; 3] = [UNFINISHED_DATABASE, "results.new-wal", "results.new-shm"];
/// File that is locked while a database is created or set aside.
const LOCK: &str = "results.lock";
/// The new name of a database that was set aside.
const BROKEN_DATABASE: &str = "results.db.broken";
/// Marks databases of tulk: "tulk" in ASCII.
const APPLICATION_ID: i64 = 0x7475_6c6b;
const SCHEMA_VERSION: i64 = 1;
/// Number of pages in the log above which SQLite moves them to the database. A page has 4 KiB.
const CHECKPOINT_PAGES: i64 = 4000;
/// Size of the log above which an exiting process moves its pages to the database. If no other process has the database open, a process
/// that opens it reads the log first, which takes a millisecond at this size. Moving the pages takes longer, because the disk must sync.
const MAX_EXIT_LOG_BYTES: u64 = 1024 * 1024;

/// Rows are in the order in which they were stored. This keeps pages full and results of one input together, and lets the oldest be
/// removed first. The index contains only the first four bytes of a key, because each byte takes one and a half bytes on disk: keys
/// are digests, so they arrive in random order and leave index pages two thirds full. Few rows have the same four bytes; the other
/// twelve bytes are in the rows and distinguish them.
///
/// `shape` is the ID of a row of `shapes`, or the shape itself. IDs are never reused, even after `clear`, because other processes
/// may have cached them.
const TABLES: &str = "
    CREATE TABLE shapes (id INTEGER PRIMARY KEY AUTOINCREMENT, shape TEXT NOT NULL UNIQUE);
    CREATE TABLE results (
        id INTEGER PRIMARY KEY, head INTEGER NOT NULL, tail BLOB NOT NULL, stored INTEGER NOT NULL,
        digest INTEGER NOT NULL, shape NOT NULL, text TEXT NOT NULL);
    CREATE INDEX heads ON results (head);
";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DatabaseAccess {
    Full,
    /// Does not create files or change results.
    ReadOnly,
}

#[derive(Debug)]
pub(super) struct ResultDatabase {
    pub(super) connection: Connection,
    identity: FileIdentity,
}

impl ResultDatabase {
    /// Returns `None` if there is no database. `timeout` is the maximum wait for other processes.
    pub(super) fn open(dir: &Path, access: DatabaseAccess, timeout: Duration) -> Result<Option<Self>, CacheError> {
        let path = path(dir);
        match path.symlink_metadata() {
            Err(error) if files::is_missing(&error) => return Ok(None),
            Err(error) => return Err(CacheError::Directory(Failure::file("open", &path, &error))),
            Ok(_) => check_files(dir)?,
        }
        error::check_local(dir)?;
        // SQLite refuses links anywhere in the path. Links above the directory are the user's, so resolve them. `check_files` has
        // refused links below.
        let dir = dir.canonicalize().map_err(|error| CacheError::Directory(Failure::file("open", dir, &error)))?;
        let identity = FileIdentity::new(&path);
        let connection = connect(&dir, access)?;
        connection.busy_timeout(timeout)?;
        configure(&connection)?;
        check_schema(&connection)?;
        Ok(Some(Self { connection, identity }))
    }

    /// Returns false if the database was removed or set aside.
    pub(super) fn is_current(&self, dir: &Path) -> bool {
        FileIdentity::new(&path(dir)) == self.identity
    }

    /// Moves the pages of a large log to the database. Does nothing if another process is using the log; a later process will do it.
    pub(super) fn shorten_log(&self, dir: &Path) {
        if log_file(dir).metadata().is_ok_and(|log| log.len() > MAX_EXIT_LOG_BYTES) {
            let _ = self.connection.busy_timeout(Duration::ZERO).and_then(|()| self.checkpoint());
        }
    }

    pub(super) fn checkpoint(&self) -> rusqlite::Result<()> {
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }
}

pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join(DATABASE)
}

fn log_file(dir: &Path) -> PathBuf {
    let [log, _] = SIDE_FILES;
    dir.join(log)
}

/// Includes files that do not exist.
pub(super) fn all_files(dir: &Path) -> [PathBuf; 4] {
    let [log, index] = SIDE_FILES.map(|name| dir.join(name));
    [log, index, dir.join(BROKEN_DATABASE), path(dir)]
}

/// Does nothing if the database exists. `timeout` is the maximum wait for other processes.
pub(super) fn create(dir: &Path, timeout: Duration) -> Result<(), CacheError> {
    files::make_dirs(dir, FileMode::Private)
        .and_then(|()| files::check_trusted_file(&dir.join(LOCK)))
        .map_err(CacheError::Directory)?;
    error::check_local(dir)?;
    let _lock = lock(dir, timeout)?;
    let (path, new) = (path(dir), dir.join(UNFINISHED_DATABASE));
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    // Otherwise, SQLite would apply the log of a removed database to the new one.
    for left in UNFINISHED_FILES.into_iter().chain(SIDE_FILES) {
        remove(&dir.join(left))?;
    }
    // SQLite gives its other files the mode of the database, so all of them are private.
    let private = files::private(OpenOptions::new().write(true).create_new(true)).open(&new);
    private.map_err(|error| CacheError::Directory(Failure::file("create", &new, &error)))?;
    let created = create_tables(&new);
    let renamed = created.and_then(|()| {
        std::fs::rename(&new, &path).map_err(|error| CacheError::Directory(Failure::file("create", &path, &error)))
    });
    if renamed.is_err() {
        // If the disk is full, this frees space.
        for name in UNFINISHED_FILES {
            let _ = std::fs::remove_file(dir.join(name));
        }
    }
    renamed
}

fn create_tables(new: &Path) -> Result<(), CacheError> {
    let connection = Connection::open(files::long_path(new))?;
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        let failure =
            Failure::internal(format!("the file system does not support a shared database: {}", new.display()));
        return Err(CacheError::Directory(failure.hint("set TULK_CACHE_DIR to a directory on a local disk")));
    }
    connection.execute_batch(TABLES)?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    // Closing the connection would ignore a full disk and leave a part of the database in the log.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    connection.close().map_err(|(_, error)| error.into())
}

/// Returns the new path of the broken database. Another process may have set it aside already.
pub(super) fn set_aside(dir: &Path, broken: &FileIdentity, timeout: Duration) -> Result<PathBuf, CacheError> {
    let _lock = lock(dir, timeout)?;
    let (path, aside) = (path(dir), dir.join(BROKEN_DATABASE));
    if FileIdentity::new(&path) == *broken {
        std::fs::rename(&path, &aside)
            .map_err(|error| CacheError::Directory(Failure::file("rename", &path, &error)))?;
        for left in SIDE_FILES {
            remove(&dir.join(left))?;
        }
    }
    Ok(aside)
}

pub(super) fn remove_all(dir: &Path, timeout: Duration) -> Result<(), CacheError> {
    let _lock = lock(dir, timeout)?;
    all_files(dir).iter().try_for_each(|file| remove(file))
}

pub(super) fn remove_broken(dir: &Path) -> Result<(), CacheError> {
    remove(&dir.join(BROKEN_DATABASE))
}

fn remove(path: &Path) -> Result<(), CacheError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(CacheError::Directory(Failure::file("remove", path, &error)))
        }
        _ => Ok(()),
    }
}

/// Waits only for `timeout`, because the process that holds the lock may hang.
fn lock(dir: &Path, timeout: Duration) -> Result<FileLock, CacheError> {
    let deadline = Instant::now() + timeout;
    loop {
        match files::open_locked(&dir.join(LOCK)) {
            Ok(Some(lock)) => return Ok(lock),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) => return Err(CacheError::Busy),
            Err(failure) => return Err(CacheError::Directory(Failure { hint: None, ..failure })),
        }
    }
}

/// Refuses links, devices, directories, and files that other users may have written.
fn check_files(dir: &Path) -> Result<(), CacheError> {
    for path in all_files(dir) {
        files::check_trusted_file(&path).map_err(CacheError::Directory)?;
        if path.symlink_metadata().is_ok_and(|metadata| !files::is_regular_with_one_name(&metadata)) {
            return Err(CacheError::Directory(files::in_the_way_failure(&path).hint("remove or rename it")));
        }
    }
    Ok(())
}

fn connect(dir: &Path, access: DatabaseAccess) -> rusqlite::Result<Connection> {
    let path = path(dir);
    // Only one thread at a time uses a connection.
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    if access == DatabaseAccess::Full {
        return Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_READ_WRITE);
    }
    let flags = flags | OpenFlags::SQLITE_OPEN_READ_ONLY;
    if log_file(dir).exists() {
        return Connection::open_with_flags(path, flags);
    }
    // Without a log, no other process is writing. Open the file as immutable, so that SQLite does not create an empty log.
    let escaped =
        percent_encoding::percent_encode(path.as_os_str().as_encoded_bytes(), percent_encoding::NON_ALPHANUMERIC);
    Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags | OpenFlags::SQLITE_OPEN_URI)
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    // By default, SQLite plans a query again for each value that is bound to it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // No sync per transaction: a killed process loses nothing, but a power failure may lose the latest results.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "journal_size_limit", i64::try_from(MAX_EXIT_LOG_BYTES).unwrap_or(0))?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)
}

fn check_schema(connection: &Connection) -> Result<(), CacheError> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if number("application_id")? != APPLICATION_ID {
        return Err(CacheError::Broken);
    }
    match number("user_version")? {
        SCHEMA_VERSION => Ok(()),
        version if version > SCHEMA_VERSION => Err(CacheError::Newer),
        _ => Err(CacheError::Broken),
    }
}
