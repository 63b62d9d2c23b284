//! Stores the data of each session: objects and counts in SQLite, and files beside the database.
//!
//! Input: each route stores JSON under a kind and an ID, and enforces its own rules. Output: that JSON, in order of
//! creation. Several processes can use the same directory: the database is opened under a file lock, and every change
//! that depends on stored data goes through [`StateStore::in_transaction`]. All functions are synchronous and short, and no
//! handler awaits inside them.

mod database;
mod tables;

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use serde_json::Value;
use tempfile::TempDir;
use tulk_base::error::Failure;
use tulk_base::files::{self, FileMode};

use super::reply::Refusal;
use super::{clock, ids, state_dir};

pub(super) use self::database::{DATABASE_FILE, database_failure, open_database, remove_damaged_databases};
pub use self::tables::{StateTables, pair_name};

pub mod kind {
    /// Glossaries, v3 and v2. Their entries are texts; `glossaries.rs` reads the field `dictionaries`.
    pub const GLOSSARY: &str = "glossary";
    /// Style rule lists. Translation reads the field `language`.
    pub const STYLE: &str = "style";
    /// Style profiles. Translation reads the IDs of their parts.
    pub const STYLE_PROFILE: &str = "style_profile";
    /// Documents. Their contents are files: see [`StateStore::file_path`](super::StateStore::file_path).
    pub const DOCUMENT: &str = "document";
    /// Translation memories: see [`StoredMemory`](crate::memories::StoredMemory). Their segments are texts.
    pub const MEMORY: &str = "memory";
    /// Imports and exports of translation memories. Exports are files: see
    /// [`StateStore::file_path`](super::StateStore::file_path).
    pub const MEMORY_JOB: &str = "memory_job";
    /// Developer keys. The ID is the key itself. `auth.rs` reads `is_deactivated`, `quota.rs` reads `usage_limits`.
    pub const DEVELOPER_KEY: &str = "developer_key";
    pub const VOICE_SESSION: &str = "voice_session";
    /// Collections of spoken terms. Voice sessions check that they exist.
    pub const SPOKEN_TERMS: &str = "spoken_terms";
    /// Quality evaluations. The body is the answer to a poll.
    pub const QUALITY_JOB: &str = "quality_job";
    /// Evaluations of documents. The body is the answer to a poll.
    pub const DOCUMENT_EVALUATION: &str = "document_evaluation";
    /// Voice jobs. Their results are files: see [`StateStore::file_path`](super::StateStore::file_path).
    pub const VOICE_JOB: &str = "voice_job";
    /// Voice tokens. Connecting removes the token with `take`, so each opens only one connection.
    pub const VOICE_TOKEN: &str = "voice_token";
}

#[derive(Clone, Debug, PartialEq)]
pub struct StoredObject {
    /// Unique within its kind.
    pub id: String,
    /// Key that created the object.
    pub owner: String,
    pub body: Value,
    /// Time of creation, in milliseconds since 1970.
    pub created: i64,
}

/// Directory of the files beside the database.
pub(super) const FILES_DIR: &str = "files";

pub struct StateStore {
    database: Arc<Database>,
    /// Empty without a session name.
    session: String,
    /// Prefix of the session's file names; empty without a session name.
    file_prefix: String,
}

/// The database and the directory of files that all sessions share.
struct Database {
    connection: Mutex<Connection>,
    dir: PathBuf,
    damaged: Option<PathBuf>,
    /// Directory of the files if the state is in memory; removed on drop.
    _temporary: Option<TempDir>,
}

impl StateStore {
    /// Opens the state of requests without a session name: in a directory, which is created with mode 0700 if necessary, or in
    /// memory if `dir` is `None`.
    pub fn open(dir: Option<&Path>) -> Result<Self, Failure> {
        let ((connection, damaged), dir, temporary) = if let Some(dir) = dir {
            (open_database(dir)?, dir.to_owned(), None)
        } else {
            let temporary = files::temporary_dir("tulk-sandbox-").map_err(|e| files::temporary_failure(&e))?;
            let connection = database::open_in_memory().map_err(|error| database_failure(&error))?;
            ((connection, None), temporary.path().to_owned(), Some(temporary))
        };
        let files = dir.join(FILES_DIR);
        files::make_dirs(&files, FileMode::Private)?;
        files::check_trusted_dir(&files)?;
        let database = Database { connection: Mutex::new(connection), dir, damaged, _temporary: temporary };
        Ok(Self { database: Arc::new(database), session: String::new(), file_prefix: String::new() })
    }

    pub fn damaged_database_path(&self) -> Option<&Path> {
        self.database.damaged.as_deref()
    }

    /// Returns the state of another session in the same database.
    pub fn of_session(&self, name: &str) -> Self {
        let file_prefix = if name.is_empty() { String::new() } else { format!("s-{}-", ids::uuid_from_name(name)) };
        Self { database: Arc::clone(&self.database), session: name.to_owned(), file_prefix }
    }

    /// Returns the names of all stored sessions in the order in which they were started.
    pub fn sessions(&self) -> rusqlite::Result<Vec<String>> {
        session_names(&self.connection())
    }

    pub fn has_session(&self, name: &str) -> rusqlite::Result<bool> {
        self.connection().prepare_cached("SELECT 1 FROM sessions WHERE name = ?1")?.exists([name])
    }

    pub fn record_use(&self) -> rusqlite::Result<()> {
        self.connection()
            .prepare_cached(
                "INSERT INTO sessions (name, used, seed) VALUES (?1, ?2, '') ON CONFLICT (name) DO UPDATE SET used = excluded.used",
            )?
            .execute((&self.session, clock::now_ms()))?;
        Ok(())
    }

    /// Runs reads or single writes. Calling the state inside `work` deadlocks.
    pub fn with_tables<T>(&self, work: impl FnOnce(&StateTables) -> T) -> T {
        work(&StateTables { connection: &self.connection(), session: &self.session })
    }

    /// Runs reads and writes in one transaction. If `work` fails, nothing is changed. Calling the state inside `work` deadlocks.
    pub fn in_transaction<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&StateTables) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut connection = self.connection();
        let transaction = Transaction::new(&mut connection, TransactionBehavior::Immediate)?;
        let result = work(&StateTables { connection: &transaction, session: &self.session })?;
        transaction.commit()?;
        Ok(result)
    }

    pub fn get(&self, kind: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        self.with_tables(|tables| Ok(tables.get(kind, id)?.map(|object| object.body)))
    }

    pub fn put(&self, kind: &str, id: &str, owner: &str, body: &Value) -> rusqlite::Result<()> {
        self.with_tables(|tables| tables.put(kind, id, owner, body))
    }

    pub fn list(&self, kind: &str) -> rusqlite::Result<Vec<StoredObject>> {
        self.with_tables(|tables| tables.list(kind))
    }

    pub fn ids_of_all_sessions(&self, kind: &str) -> rusqlite::Result<Vec<String>> {
        let connection = self.connection();
        let mut ids = connection.prepare_cached("SELECT DISTINCT id FROM objects WHERE kind = ?1")?;
        ids.query_map([kind], |row| row.get(0))?.collect()
    }

    /// Removes an object and returns its body. Of several concurrent callers, only one gets it.
    pub fn take(&self, kind: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        self.with_tables(|tables| tables.take(kind, id))
    }

    pub fn delete(&self, kind: &str, id: &str) -> rusqlite::Result<bool> {
        self.with_tables(|tables| tables.delete(kind, id))
    }

    /// Returns the path of a file. Characters of `name` other than ASCII letters, digits, `-` and `_` are replaced.
    pub fn file_path(&self, name: &str) -> PathBuf {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        let name: String = name.chars().map(safe).collect();
        self.database.dir.join(FILES_DIR).join(format!("{}{name}", self.file_prefix))
    }

    /// Creates or truncates the file called `name`, readable only by the owner, and opens it for writing.
    pub fn create_file(&self, name: &str) -> io::Result<File> {
        files::private(OpenOptions::new().write(true).create(true).truncate(true)).open(self.file_path(name))
    }

    pub fn remove_file(&self, name: &str) {
        // A failure is ignored: no answer depends on the removal, and `reset` removes leftover files.
        let _ = std::fs::remove_file(self.file_path(name));
    }

    pub fn clear(&self) -> Result<(), Refusal> {
        {
            let mut connection = self.connection();
            let transaction = Transaction::new(&mut connection, TransactionBehavior::Immediate)?;
            for table in ["objects", "texts", "counts"] {
                transaction.execute(&format!("DELETE FROM {table} WHERE session = ?1"), [&self.session])?;
            }
            transaction.execute("DELETE FROM sessions WHERE name = ?1", [&self.session])?;
            transaction.commit()?;
        }
        Ok(state_dir::remove_files(&self.database.dir, |name| self.owns_file(name))?)
    }

    fn owns_file(&self, name: &str) -> bool {
        if self.session.is_empty() { !name.starts_with("s-") } else { name.starts_with(&self.file_prefix) }
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.database.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn session_names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut names = connection.prepare_cached("SELECT name FROM sessions WHERE name <> '' ORDER BY used, name")?;
    names.query_map([], |row| row.get(0))?.collect()
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
        let before = state.with_tables(|s| s.stamp("glossary", "b")).unwrap();
        state.put("glossary", "b", "other", &json!({"n": 3})).unwrap();
        assert_ne!(state.with_tables(|s| s.stamp("glossary", "b")).unwrap(), before);
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
        let failed: Result<(), rusqlite::Error> = state.in_transaction(|tables| {
            tables.add_count("k", "n", 5)?;
            Err(rusqlite::Error::QueryReturnedNoRows)
        });
        assert!(failed.is_err());
        assert_eq!(state.with_tables(|s| s.counts("k")).unwrap(), []);
    }

    #[test]
    fn many_threads_can_open_a_new_directory() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let path = dir.path().join("new/state");
        std::thread::scope(|scope| {
            for n in 0..16 {
                let path = &path;
                scope.spawn(move || {
                    let state = StateStore::open(Some(path)).unwrap();
                    for _ in 0..20 {
                        let added: Result<(), rusqlite::Error> = state.in_transaction(|s| s.add_count("k", "n", 1));
                        added.unwrap();
                    }
                    state.put("style", &n.to_string(), "k", &json!({})).unwrap();
                });
            }
        });
        let state = StateStore::open(Some(&path)).unwrap();
        assert_eq!(state.with_tables(|s| s.counts("k")).unwrap(), [("n".to_owned(), 320)]);
        assert_eq!(state.list("style").unwrap().len(), 16);
    }

    #[test]
    fn the_path_of_a_directory_may_be_long() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let path = dir.path().join("a".repeat(150)).join("b".repeat(150));
        StateStore::open(Some(&path)).unwrap().put("style", "n", "k", &json!({})).unwrap();
        assert_eq!(StateStore::open(Some(&path)).unwrap().list("style").unwrap().len(), 1);
    }

    #[test]
    fn concurrent_callers_take_an_object_once() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
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
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
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
