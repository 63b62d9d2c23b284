//! What the sandbox remembers: objects and counts in SQLite, bytes in files beside it.
//!
//! Generic on purpose: a resource keeps its JSON under a kind and an id, and its rules in its own route. Safe with many
//! processes on one directory: the database is opened under a file lock, and every change that depends on what is
//! stored goes through [`StateStore::change`]. All functions are synchronous and short: a handler calls them without an
//! `.await` in between.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde_json::Value;
use tempfile::TempDir;

use super::clock;

mod disk;

pub use disk::{SandboxStatus, reset, status};

/// The names objects are kept under, so that two routes mean the same thing.
pub mod kind {
    /// Glossaries, v3 and v2; `terms.rs` says what it reads of the body.
    pub const GLOSSARY: &str = "glossary";
    /// Style rule lists; translate reads `language`.
    pub const STYLE: &str = "style";
    /// Documents; their bytes lie in [`StateStore::file`](super::StateStore::file).
    pub const DOCUMENT: &str = "document";
    /// Translation memories; see `terms::Memory`.
    pub const MEMORY: &str = "memory";
    /// Developer keys: the id is the key itself; `auth.rs` reads `is_deactivated` and `usage_limits`.
    pub const DEVELOPER_KEY: &str = "developer_key";
    /// Voice sessions.
    pub const VOICE_SESSION: &str = "voice_session";
    /// One-time voice tokens: taken, never read.
    pub const VOICE_TOKEN: &str = "voice_token";
}

const DATABASE: &str = "sandbox.db";
const LOCK: &str = "sandbox.lock";
const FILES: &str = "files";
const BUSY: Duration = Duration::from_secs(10);

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS objects (
        kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, body TEXT NOT NULL,
        created INTEGER NOT NULL, stamp INTEGER NOT NULL,
        PRIMARY KEY (kind, id));
    CREATE TABLE IF NOT EXISTS counts (
        key TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (key, name)) WITHOUT ROWID;
";

/// One object as it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredObject {
    /// Its id, unique within its kind.
    pub id: String,
    /// The key that made it.
    pub owner: String,
    /// The body, as its route wrote it.
    pub body: Value,
    /// When it was first put, in milliseconds since 1970.
    pub created: i64,
}

/// The store of one sandbox.
pub struct StateStore {
    connection: Mutex<Connection>,
    dir: PathBuf,
    /// Where an ephemeral state keeps its files; removed with it.
    _temporary: Option<TempDir>,
}

impl StateStore {
    /// Opens the state in a directory, which is made private if it is new; in memory without one.
    pub fn open(dir: Option<&Path>) -> io::Result<Self> {
        let (connection, dir, temporary) = if let Some(dir) = dir {
            (open_in(dir)?, dir.to_owned(), None)
        } else {
            let temporary = TempDir::with_prefix("tulk-sandbox-")?;
            let connection = Connection::open_in_memory().map_err(io::Error::other)?;
            connection.execute_batch(TABLES).map_err(io::Error::other)?;
            (connection, temporary.path().to_owned(), Some(temporary))
        };
        make_private_dir(&dir.join(FILES))?;
        Ok(Self { connection: Mutex::new(connection), dir, _temporary: temporary })
    }

    /// Runs reads or single writes; do not call the state again inside.
    pub fn with<T>(&self, work: impl FnOnce(&StateTables) -> T) -> T {
        work(&StateTables(&self.connection()))
    }

    /// Runs reads and writes as one change: no other process sees or does anything in between.
    ///
    /// Nothing is kept when `work` fails. Do not call the state again inside.
    pub fn change<T, E: From<rusqlite::Error>>(&self, work: impl FnOnce(&StateTables) -> Result<T, E>) -> Result<T, E> {
        let mut connection = self.connection();
        let transaction = Transaction::new(&mut connection, TransactionBehavior::Immediate)?;
        let result = work(&StateTables(&transaction))?;
        transaction.commit()?;
        Ok(result)
    }

    /// The body of an object.
    pub fn get(&self, kind: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        self.with(|store| Ok(store.get(kind, id)?.map(|object| object.body)))
    }

    /// Writes an object, new or not; its first moment and owner stay.
    pub fn put(&self, kind: &str, id: &str, owner: &str, body: &Value) -> rusqlite::Result<()> {
        self.with(|store| store.put(kind, id, owner, body))
    }

    /// All objects of a kind, oldest first.
    pub fn list(&self, kind: &str) -> rusqlite::Result<Vec<StoredObject>> {
        self.with(|store| store.list(kind))
    }

    /// Removes an object and returns its body: of many callers at once, one gets it.
    pub fn take(&self, kind: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        self.with(|store| store.take(kind, id))
    }

    /// Removes an object; false when there was none.
    pub fn delete(&self, kind: &str, id: &str) -> rusqlite::Result<bool> {
        self.with(|store| store.delete(kind, id))
    }

    /// The path of the file that holds the bytes called `name`.
    ///
    /// `name` is an id the sandbox made; other characters than letters, digits, `-` and `_` are replaced.
    pub fn file(&self, name: &str) -> PathBuf {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        self.dir.join(FILES).join(name.chars().map(safe).collect::<String>())
    }

    /// Makes the file of `name`, empty and private, for writing.
    pub fn create_file(&self, name: &str) -> io::Result<File> {
        private(OpenOptions::new().write(true).create(true).truncate(true)).open(self.file(name))
    }

    /// Removes the file of `name`; no matter if there is none.
    pub fn remove_file(&self, name: &str) {
        // What is left over is removed by `reset`; the answer does not depend on it.
        let _ = fs::remove_file(self.file(name));
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The operations on an open state, inside or outside a transaction.
pub struct StateTables<'a>(&'a Connection);

impl StateTables<'_> {
    /// An object.
    pub fn get(&self, kind: &str, id: &str) -> rusqlite::Result<Option<StoredObject>> {
        self.0
            .prepare("SELECT id, owner, body, created FROM objects WHERE kind = ?1 AND id = ?2")?
            .query_row(params![kind, id], read)
            .optional()
    }

    /// A number that changes whenever the object does: tells whether something derived from it is still true.
    pub fn stamp(&self, kind: &str, id: &str) -> rusqlite::Result<Option<i64>> {
        self.0
            .prepare("SELECT stamp FROM objects WHERE kind = ?1 AND id = ?2")?
            .query_row(params![kind, id], |row| row.get(0))
            .optional()
    }

    /// Writes an object, new or not; its first moment and owner stay.
    pub fn put(&self, kind: &str, id: &str, owner: &str, body: &Value) -> rusqlite::Result<()> {
        self.0
            .prepare(
                "INSERT INTO objects (kind, id, owner, body, created, stamp) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body, stamp = excluded.stamp",
            )?
            .execute(params![kind, id, owner, body.to_string(), clock::now_ms(), fastrand::i64(..)])?;
        Ok(())
    }

    /// All objects of a kind, oldest first.
    pub fn list(&self, kind: &str) -> rusqlite::Result<Vec<StoredObject>> {
        self.0
            .prepare("SELECT id, owner, body, created FROM objects WHERE kind = ?1 ORDER BY created, rowid")?
            .query_map([kind], read)?
            .collect()
    }

    /// Removes an object and returns its body.
    pub fn take(&self, kind: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        self.0
            .prepare("DELETE FROM objects WHERE kind = ?1 AND id = ?2 RETURNING id, owner, body, created")?
            .query_row(params![kind, id], read)
            .optional()
            .map(|object| object.map(|object| object.body))
    }

    /// Removes an object; false when there was none.
    pub fn delete(&self, kind: &str, id: &str) -> rusqlite::Result<bool> {
        let gone = self.0.prepare("DELETE FROM objects WHERE kind = ?1 AND id = ?2")?.execute(params![kind, id])?;
        Ok(gone > 0)
    }

    /// Adds to a count, which starts at 0.
    pub fn add_count(&self, key: &str, name: &str, n: i64) -> rusqlite::Result<()> {
        self.0
            .prepare(
                "INSERT INTO counts (key, name, n) VALUES (?1, ?2, ?3)
                 ON CONFLICT (key, name) DO UPDATE SET n = n + excluded.n",
            )?
            .execute(params![key, name, n])?;
        Ok(())
    }

    /// The counts of a key, by name.
    pub fn counts(&self, key: &str) -> rusqlite::Result<Vec<(String, i64)>> {
        self.0
            .prepare("SELECT name, n FROM counts WHERE key = ?1 ORDER BY name")?
            .query_map([key], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }
}

fn read(row: &rusqlite::Row) -> rusqlite::Result<StoredObject> {
    let body: String = row.get(2)?;
    let body = serde_json::from_str(&body)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(2, rusqlite::types::Type::Text, error.into()))?;
    Ok(StoredObject { id: row.get(0)?, owner: row.get(1)?, body, created: row.get(3)? })
}

fn open_in(dir: &Path) -> io::Result<Connection> {
    make_private_dir(dir)?;
    let lock = private(OpenOptions::new().write(true).create(true).truncate(false)).open(dir.join(LOCK))?;
    // Several processes that switch a new database to WAL at once get "database is locked" whatever the time-out.
    lock.lock()?;
    let path = dir.join(DATABASE);
    // SQLite gives its side files the mode of the database, so this one call makes all of them private.
    private(OpenOptions::new().write(true).create(true).truncate(false)).open(&path)?;
    let connection = open_database(&path).map_err(io::Error::other)?;
    lock.unlock()?;
    Ok(connection)
}

fn open_database(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.execute_batch(TABLES)?;
    Ok(connection)
}

fn make_private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Asks for a file only its owner can read.
pub(super) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keeps_gets_lists_and_takes() {
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
    fn a_failed_change_leaves_nothing() {
        let state = StateStore::open(None).unwrap();
        let failed: Result<(), rusqlite::Error> = state.change(|store| {
            store.add_count("k", "n", 5)?;
            Err(rusqlite::Error::QueryReturnedNoRows)
        });
        assert!(failed.is_err());
        assert_eq!(state.with(|s| s.counts("k")).unwrap(), []);
    }

    #[test]
    fn opens_a_new_directory_from_many_threads_at_once() {
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
    fn a_one_time_thing_is_taken_once() {
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
    fn files_are_private() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let state = StateStore::open(Some(&path)).unwrap();
        state.put("style", "a", "k", &json!({})).unwrap();
        drop(state.create_file("doc").unwrap());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o700);
        for name in ["sandbox.db", "sandbox.db-wal", "sandbox.lock", "files/doc"] {
            assert_eq!(mode(&path.join(name)), 0o600, "{name}");
        }
    }

    #[test]
    fn status_makes_nothing_and_reset_empties() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        assert_eq!(status(&path).unwrap().database, None);
        assert!(!path.exists());
        reset(&path).unwrap();
        let state = StateStore::open(Some(&path)).unwrap();
        state.put("style", "a", "k", &json!({})).unwrap();
        drop(state.create_file("doc").unwrap());
        let seen = status(&path).unwrap();
        assert_eq!(seen.objects, [("style".to_owned(), 1)].into());
        assert!(seen.size_bytes > 0);
        reset(&path).unwrap();
        assert_eq!(state.list("style").unwrap(), []);
        assert!(!state.file("doc").exists());
    }
}
