//! Opening the database of a state, on disk or in memory.
//!
//! Several processes open one database: its tables are created under a file lock.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::layout;
use crate::error::Failure;
use crate::files::{self, FileMode};

/// File name of the database.
pub(in crate::sandbox) const DATABASE: &str = "sandbox.db";
const LOCK: &str = "sandbox.lock";
/// Longest wait for another process's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens the database of a state directory and creates what is missing.
pub(in crate::sandbox) fn open_database(dir: &Path) -> Result<Connection, Failure> {
    files::make_dirs(dir, FileMode::Private)?;
    // Processes that switch a new database to WAL at the same time fail with "database is locked" despite the timeout.
    let _lock = files::lock(&dir.join(LOCK))?;
    let path = dir.join(DATABASE);
    // SQLite gives its other files the mode of the database, so they are all private.
    files::private(OpenOptions::new().write(true).create(true).truncate(false))
        .open(&path)
        .map_err(|error| Failure::file("open", &path, &error))?;
    configure(&path).map_err(|error| database_failure(&error))
}

fn configure(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    layout::prepare(&mut connection)?;
    Ok(connection)
}

pub(super) fn open_in_memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    layout::prepare(&mut connection)?;
    Ok(connection)
}

/// The failure of a database operation outside a request.
pub(in crate::sandbox) fn database_failure(error: &rusqlite::Error) -> Failure {
    Failure::internal(format!("cannot use the state of the sandbox: {error}"))
}
