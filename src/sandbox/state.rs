//! What the sandbox stores: objects and counts in SQLite, and files beside the database.
//!
//! It is independent of resources: a route stores its JSON under a kind and an ID and enforces its own rules. Several
//! processes can use one directory: the database is opened under a file lock, and every change that depends on stored
//! data goes through [`StateStore::change`]. All functions are synchronous and short, and no handler awaits inside them.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde_json::Value;
use tempfile::TempDir;

use super::clock;
use super::reply::Refusal;
use super::{state_dir, texts};
use crate::error::Failure;
use crate::files::{self, FileMode};

/// The kinds of objects.
pub mod kind {
    /// Glossaries, v3 and v2. Their entries are texts; `glossaries.rs` reads `dictionaries`.
    pub const GLOSSARY: &str = "glossary";
    /// Style rule lists. Translation reads `language`.
    pub const STYLE: &str = "style";
    /// Documents. Their content is in [`StateStore::file`](super::StateStore::file).
    pub const DOCUMENT: &str = "document";
    /// Translation memories; see [`SandboxMemory`](crate::sandbox::memories::SandboxMemory).
    pub const MEMORY: &str = "memory";
    /// Developer keys; the ID is the key itself. `auth.rs` reads `is_deactivated`, `quota.rs` reads `usage_limits`.
    pub const DEVELOPER_KEY: &str = "developer_key";
    /// Voice sessions.
    pub const VOICE_SESSION: &str = "voice_session";
    /// Collections of spoken terms. Voice sessions check that they exist.
    pub const SPOKEN_TERMS: &str = "spoken_terms";
    /// One-time voice tokens; they can only be taken.
    pub const VOICE_TOKEN: &str = "voice_token";
}

pub(super) const DATABASE: &str = "sandbox.db";
const LOCK: &str = "sandbox.lock";
pub(super) const FILES: &str = "files";
/// Longest wait for another process's transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS objects (
        kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, body TEXT NOT NULL,
        created INTEGER NOT NULL, stamp INTEGER NOT NULL,
        PRIMARY KEY (kind, id));
    CREATE TABLE IF NOT EXISTS counts (
        key TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (key, name)) WITHOUT ROWID;
";

/// One stored object.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredObject {
    /// ID, unique within its kind.
    pub id: String,
    /// Key that created it.
    pub owner: String,
    /// Body, as its route wrote it.
    pub body: Value,
    /// Time of creation, in milliseconds since 1970.
    pub created: i64,
}

/// The stored state of one sandbox.
pub struct StateStore {
    connection: Mutex<Connection>,
    dir: PathBuf,
    /// Directory for the files of a state in memory; removed on drop.
    _temporary: Option<TempDir>,
}

impl StateStore {
    /// Opens the state in a directory, which is created with mode 0700 if necessary. Without one, opens it in memory.
    pub fn open(dir: Option<&Path>) -> Result<Self, Failure> {
        let (connection, dir, temporary) = if let Some(dir) = dir {
            (open_database(dir)?, dir.to_owned(), None)
        } else {
            let temporary = TempDir::with_prefix("tulk-sandbox-")
                .map_err(|error| Failure::file("create directory", &std::env::temp_dir(), &error))?;
            let connection = open_in_memory().map_err(|error| database_failure(&error))?;
            (connection, temporary.path().to_owned(), Some(temporary))
        };
        files::make_dirs(&dir.join(FILES), FileMode::Private)?;
        Ok(Self { connection: Mutex::new(connection), dir, _temporary: temporary })
    }

    /// Runs reads or single writes. Calling the state inside `work` deadlocks.
    pub fn with<T>(&self, work: impl FnOnce(&StateTables) -> T) -> T {
        work(&StateTables(&self.connection()))
    }

    /// Runs reads and writes in one transaction.
    ///
    /// If `work` fails, nothing is changed. Calling the state inside `work` deadlocks.
    pub fn change<T, E: From<rusqlite::Error>>(&self, work: impl FnOnce(&StateTables) -> Result<T, E>) -> Result<T, E> {
        let mut connection = self.connection();
        let transaction = Transaction::new(&mut connection, TransactionBehavior::Immediate)?;
        let result = work(&StateTables(&transaction))?;
        transaction.commit()?;
        Ok(result)
    }

    /// Returns the body of an object.
    pub fn get(&self, kind: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        self.with(|tables| Ok(tables.get(kind, id)?.map(|object| object.body)))
    }

    /// Creates an object or replaces its body; an existing object keeps its owner and time of creation.
    pub fn put(&self, kind: &str, id: &str, owner: &str, body: &Value) -> rusqlite::Result<()> {
        self.with(|tables| tables.put(kind, id, owner, body))
    }

    /// Returns all objects of a kind, oldest first.
    pub fn list(&self, kind: &str) -> rusqlite::Result<Vec<StoredObject>> {
        self.with(|tables| tables.list(kind))
    }

    /// Removes an object and returns its body. If several callers ask at the same time, only one gets it.
    pub fn take(&self, kind: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        self.with(|tables| tables.take(kind, id))
    }

    /// Removes an object. Returns whether it existed.
    pub fn delete(&self, kind: &str, id: &str) -> rusqlite::Result<bool> {
        self.with(|tables| tables.delete(kind, id))
    }

    /// Returns the path of the file called `name`.
    ///
    /// Characters other than ASCII letters, digits, `-` and `_` are replaced.
    pub fn file(&self, name: &str) -> PathBuf {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        self.dir.join(FILES).join(name.chars().map(safe).collect::<String>())
    }

    /// Creates or empties the file called `name`, which only the owner can read, and opens it for writing.
    pub fn create_file(&self, name: &str) -> io::Result<File> {
        files::private(OpenOptions::new().write(true).create(true).truncate(true)).open(self.file(name))
    }

    /// Removes the file called `name`, if it exists.
    pub fn remove_file(&self, name: &str) {
        // No answer depends on it, and `reset` removes what is left.
        let _ = std::fs::remove_file(self.file(name));
    }

    /// Removes all objects, counts and files.
    pub fn clear(&self) -> Result<(), Refusal> {
        state_dir::remove_rows(&self.connection())?;
        Ok(state_dir::remove_files(&self.dir)?)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tables of an open state, inside or outside a transaction.
pub struct StateTables<'a>(pub(super) &'a Connection);

impl StateTables<'_> {
    /// Returns an object.
    pub fn get(&self, kind: &str, id: &str) -> rusqlite::Result<Option<StoredObject>> {
        self.0
            .prepare("SELECT id, owner, body, created FROM objects WHERE kind = ?1 AND id = ?2")?
            .query_row(params![kind, id], read_object)
            .optional()
    }

    /// Returns a random number that changes with every write of the object, so that caches know when they are stale.
    pub fn stamp(&self, kind: &str, id: &str) -> rusqlite::Result<Option<i64>> {
        self.0
            .prepare("SELECT stamp FROM objects WHERE kind = ?1 AND id = ?2")?
            .query_row(params![kind, id], |row| row.get(0))
            .optional()
    }

    /// Creates an object or replaces its body; an existing object keeps its owner and time of creation.
    pub fn put(&self, kind: &str, id: &str, owner: &str, body: &Value) -> rusqlite::Result<()> {
        self.0
            .prepare(
                "INSERT INTO objects (kind, id, owner, body, created, stamp) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body, stamp = excluded.stamp",
            )?
            .execute(params![kind, id, owner, body.to_string(), clock::now_ms(), fastrand::i64(..)])?;
        Ok(())
    }

    /// Returns all objects of a kind, oldest first.
    pub fn list(&self, kind: &str) -> rusqlite::Result<Vec<StoredObject>> {
        self.0
            .prepare("SELECT id, owner, body, created FROM objects WHERE kind = ?1 ORDER BY created, rowid")?
            .query_map([kind], read_object)?
            .collect()
    }

    /// Removes an object and returns its body.
    pub fn take(&self, kind: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        self.0
            .prepare("DELETE FROM objects WHERE kind = ?1 AND id = ?2 RETURNING id, owner, body, created")?
            .query_row(params![kind, id], read_object)
            .optional()
            .map(|object| object.map(|object| object.body))
    }

    /// Removes an object. Returns whether it existed.
    pub fn delete(&self, kind: &str, id: &str) -> rusqlite::Result<bool> {
        let removed = self.0.prepare("DELETE FROM objects WHERE kind = ?1 AND id = ?2")?.execute(params![kind, id])?;
        Ok(removed > 0)
    }

    /// Returns the number of objects of a kind.
    pub fn count(&self, kind: &str) -> rusqlite::Result<i64> {
        self.0.prepare("SELECT COUNT(*) FROM objects WHERE kind = ?1")?.query_row([kind], |row| row.get(0))
    }

    /// Returns the number of objects of each kind.
    pub fn count_objects(&self) -> rusqlite::Result<Vec<(String, i64)>> {
        self.0
            .prepare("SELECT kind, COUNT(*) FROM objects GROUP BY kind")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    /// Adds to a count. A new count starts at 0.
    pub fn add_count(&self, key: &str, name: &str, n: i64) -> rusqlite::Result<()> {
        self.0
            .prepare(
                "INSERT INTO counts (key, name, n) VALUES (?1, ?2, ?3)
                 ON CONFLICT (key, name) DO UPDATE SET n = n + excluded.n",
            )?
            .execute(params![key, name, n])?;
        Ok(())
    }

    /// Returns the counts of a key, ordered by name.
    pub fn counts(&self, key: &str) -> rusqlite::Result<Vec<(String, i64)>> {
        self.0
            .prepare("SELECT name, n FROM counts WHERE key = ?1 ORDER BY name")?
            .query_map([key], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }
}

fn read_object(row: &rusqlite::Row) -> rusqlite::Result<StoredObject> {
    let body: String = row.get(2)?;
    let body = serde_json::from_str(&body)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(2, rusqlite::types::Type::Text, error.into()))?;
    Ok(StoredObject { id: row.get(0)?, owner: row.get(1)?, body, created: row.get(3)? })
}

/// Opens the database of a state directory and creates what is missing.
pub(super) fn open_database(dir: &Path) -> Result<Connection, Failure> {
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
    connection.execute_batch(TABLES)?;
    connection.execute_batch(texts::TABLE)?;
    texts::migrate(&mut connection)?;
    Ok(connection)
}

fn open_in_memory() -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(TABLES)?;
    connection.execute_batch(texts::TABLE)?;
    Ok(connection)
}

/// The failure of a database operation outside a request.
pub(super) fn database_failure(error: &rusqlite::Error) -> Failure {
    Failure::internal(format!("cannot use the state of the sandbox: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn stores_lists_takes_and_deletes_objects() {
        let state = StateStore::open(None).unwrap();
        state.put("glossary", "b", "k", &json!({"n": 1})).unwrap();
        state.put("glossary", "a", "k", &json!({"n": 2})).unwrap();
        let before = state.with(|s| s.stamp("glossary", "b")).unwrap();
        state.put("glossary", "b", "other", &json!({"n": 3})).unwrap();
        assert_ne!(state.with(|s| s.stamp("glossary", "b")).unwrap(), before);
        let all = state.list("glossary").unwrap();
        assert_eq!(all.iter().map(|o| (o.id.as_str(), o.owner.as_str())).collect::<Vec<_>>(), [("b", "k"), ("a", "k")]);
        assert_eq!(state.get("glossary", "b").unwrap(), Some(json!({"n": 3})));
        assert_eq!(state.take("glossary", "b").unwrap(), Some(json!({"n": 3})));
        assert_eq!(state.take("glossary", "b").unwrap(), None);
        assert!(state.delete("glossary", "a").unwrap());
        assert!(!state.delete("glossary", "a").unwrap());
    }

    #[test]
    fn a_failed_change_is_rolled_back() {
        let state = StateStore::open(None).unwrap();
        let failed: Result<(), rusqlite::Error> = state.change(|tables| {
            tables.add_count("k", "n", 5)?;
            Err(rusqlite::Error::QueryReturnedNoRows)
        });
        assert!(failed.is_err());
        assert_eq!(state.with(|s| s.counts("k")).unwrap(), []);
    }

    #[test]
    fn many_threads_open_a_new_directory_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/state");
        std::thread::scope(|scope| {
            for n in 0..16 {
                let path = &path;
                scope.spawn(move || {
                    let state = StateStore::open(Some(path)).unwrap();
                    for _ in 0..20 {
                        let added: Result<(), rusqlite::Error> = state.change(|s| s.add_count("k", "n", 1));
                        added.unwrap();
                    }
                    state.put("style", &n.to_string(), "k", &json!({})).unwrap();
                });
            }
        });
        let state = StateStore::open(Some(&path)).unwrap();
        assert_eq!(state.with(|s| s.counts("k")).unwrap(), [("n".to_owned(), 320)]);
        assert_eq!(state.list("style").unwrap().len(), 16);
    }

    #[test]
    fn concurrent_callers_take_an_object_once() {
        let dir = tempfile::tempdir().unwrap();
        StateStore::open(Some(dir.path())).unwrap().put("voice_token", "t", "k", &json!({})).unwrap();
        let taken = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let state = StateStore::open(Some(dir.path())).unwrap();
                    if state.take("voice_token", "t").unwrap().is_some() {
                        taken.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(taken.into_inner(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_files() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let state = StateStore::open(Some(&path)).unwrap();
        state.put("style", "a", "k", &json!({})).unwrap();
        drop(state.create_file("doc").unwrap());
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o700);
        for name in ["sandbox.db", "sandbox.db-wal", "sandbox.lock", "files/doc"] {
            assert_eq!(mode(&path.join(name)), 0o600, "{name}");
        }
    }
}
