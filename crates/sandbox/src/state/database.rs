//! Opening the database of a state, on disk or in memory.
//!
//! Several processes open one database: its tables are created under a file lock.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tulk_base::error::Failure;
use tulk_base::files::{self, FileMode};

use super::layout;

/// File name of the database.
pub(crate) const DATABASE: &str = "sandbox.db";
const LOCK: &str = "sandbox.lock";
/// Longest wait for another process's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens the database of a state directory and creates what is missing.
pub(crate) fn open_database(dir: &Path) -> Result<Connection, Failure> {
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
    prepare(&mut connection)?;
    Ok(connection)
}

pub(super) fn open_in_memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    prepare(&mut connection)?;
    Ok(connection)
}

/// Creates the tables, and keeps statements prepared: by default, SQLite plans a query again for each value that it is given.
fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    layout::prepare(connection)
}

/// The failure of a database operation outside a request.
pub(crate) fn database_failure(error: &rusqlite::Error) -> Failure {
    Failure::internal(format!("cannot use the state of the sandbox: {error}"))
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    #[test]
    fn a_statement_is_planned_once() {
        let connection = open_in_memory().unwrap();
        let query = "SELECT name, n FROM counts WHERE session = ?1 AND key = ?2 ORDER BY name";
        for key in ["month 2026-03", "day", "tag"] {
            let mut statement = connection.prepare_cached(query).unwrap();
            assert!(statement.query(["", key]).unwrap().next().unwrap().is_none());
        }
        let statement = connection.prepare_cached(query).unwrap();
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}
