//! Opens the database of a state, on disk or in memory: creates its tables and migrates older layouts.
//!
//! Several processes may open the same database, so its tables are created under a lock of the directory. Layout 0
//! stores the entries of glossaries in their objects, layout 1 stores them as texts, and layout 2 adds sessions. A
//! damaged database is renamed, so nothing in it is deleted.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Error, ErrorCode, Transaction, TransactionBehavior, ffi};
use serde::Deserialize;
use serde_json::{Value, json};
use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{self, FileMode};

use super::kind;
use super::tables::{StateTables, pair_name};

pub(crate) const DATABASE_FILE: &str = "sandbox.db";
const LOCK_FILE: &str = "sandbox.lock";
/// Longest wait for a transaction of another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// File name of a damaged database that was set aside. Further ones get a number.
const DAMAGED_FILE: &str = "sandbox.db.damaged";
/// Suffixes of the database and its side files.
const FILE_SUFFIXES: [&str; 3] = ["-wal", "-shm", ""];
/// Maximum size in bytes of a database whose pages are all checked at each start, which takes about 1 ms per MiB.
const FULL_CHECK_BYTES_MAX: i64 = 4 << 20;

/// Opens the database of a state directory and creates what is missing. Sets a damaged database aside and returns its
/// new path.
pub(crate) fn open_database(dir: &Path) -> Result<(Connection, Option<PathBuf>), Failure> {
    files::make_dirs(dir, FileMode::Private)?;
    // Processes that switch a new database to WAL at the same time fail with "database is locked" despite the timeout.
    let _lock = files::lock(&dir.join(LOCK_FILE))?;
    match connect(dir)? {
        Ok(connection) => Ok((connection, None)),
        Err(error) if is_damage(&error) => {
            let aside = set_database_aside(dir)?;
            let connection = connect(dir)?.map_err(|error| database_failure(&error))?;
            Ok((connection, Some(aside)))
        }
        Err(error) => Err(database_failure(&error)),
    }
}

fn connect(dir: &Path) -> Result<rusqlite::Result<Connection>, Failure> {
    let path = dir.join(DATABASE_FILE);
    for end in FILE_SUFFIXES {
        files::check_trusted_file(&dir.join(format!("{DATABASE_FILE}{end}")))?;
    }
    // SQLite gives its side files the same mode, so all of them are private.
    files::private(OpenOptions::new().write(true).create(true).truncate(false))
        .open(&path)
        .map_err(|error| Failure::file("open", &path, &error))?;
    Ok(configure(&path))
}

/// Renames a database and its side files, which the new database would otherwise use. Returns the new path.
fn set_database_aside(dir: &Path) -> Result<PathBuf, Failure> {
    let names = std::iter::once(DAMAGED_FILE.to_owned()).chain((2..).map(|n| format!("{DAMAGED_FILE}.{n}")));
    let mut free = names.filter(|name| FILE_SUFFIXES.iter().all(|end| !dir.join(format!("{name}{end}")).exists()));
    let name = free.next().unwrap_or_default();
    for end in FILE_SUFFIXES {
        let path = dir.join(format!("{DATABASE_FILE}{end}"));
        match std::fs::rename(&path, dir.join(format!("{name}{end}"))) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(Failure::file("rename", &path, &error)),
            _ => {}
        }
    }
    Ok(dir.join(name))
}

pub(crate) fn remove_damaged_databases(dir: &Path) -> Result<(), Failure> {
    for entry in std::fs::read_dir(dir).file_context("read", dir)? {
        let entry = entry.file_context("read", dir)?;
        if entry.file_name().to_string_lossy().starts_with(DAMAGED_FILE) {
            std::fs::remove_file(entry.path()).file_context("remove", entry.path())?;
        }
    }
    Ok(())
}

fn configure(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(files::long_path(path))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    prepare(&mut connection)?;
    check(&connection, path)?;
    Ok(connection)
}

/// Fails if pages, tables or object bodies cannot be read. A small database is read completely, and so is one whose file
/// lacks pages. Of other databases, only the first rows are read, because every command with `--sandbox` opens the
/// database and must be fast.
fn check(connection: &Connection, path: &Path) -> rusqlite::Result<()> {
    let damage = |found| Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), found);
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let expected = number("page_count")?.saturating_mul(number("page_size")?);
    let is_short = path.metadata().is_ok_and(|file| i128::from(file.len()) < i128::from(expected));
    let is_whole = is_short || expected <= FULL_CHECK_BYTES_MAX;
    if is_whole {
        let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if found != "ok" {
            return Err(damage(Some(found)));
        }
    }
    let is_later = number("user_version")? > LAYOUT_VERSION;
    for first in FIRST_ROW_QUERIES {
        connection.prepare(first).and_then(|mut query| query.exists([])).map_err(|error| {
            let why = "it was written by a later version of tulk".to_owned();
            if is_later { Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CANTOPEN), Some(why)) } else { error }
        })?;
    }
    let is_broken = "SELECT 1 FROM (SELECT body FROM objects LIMIT ?1) WHERE NOT json_valid(body) LIMIT 1";
    if !is_later && connection.prepare(is_broken)?.exists([if is_whole { -1 } else { 100 }])? {
        return Err(damage(None));
    }
    Ok(())
}

/// Returns whether an error means that the database is unreadable, as opposed to a full disk, for example.
fn is_damage(error: &Error) -> bool {
    match error {
        // `Unknown` means that a table or a column is missing.
        Error::SqliteFailure(cause, _) => {
            matches!(cause.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown)
        }
        Error::SqlInputError { .. }
        | Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::InvalidColumnType(..)
        | Error::Utf8Error(..) => true,
        _ => false,
    }
}

pub(super) fn open_in_memory() -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    prepare(&mut connection)?;
    Ok(connection)
}

/// Creates the tables. Also makes SQLite plan a prepared query only once: by default, it plans again when bound values change.
fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    create_tables(connection)
}

/// Converts an error of a database operation outside a request.
pub(crate) fn database_failure(error: &rusqlite::Error) -> Failure {
    Failure::internal(format!("cannot use the state of the sandbox: {error}"))
}

const LAYOUT_VERSION: i64 = 2;

/// `session` is empty for requests without a session name.
const CREATE_TABLES: &str = "
    CREATE TABLE objects (
        session TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, body TEXT NOT NULL,
        created INTEGER NOT NULL, stamp INTEGER NOT NULL,
        PRIMARY KEY (session, kind, id));
    CREATE TABLE texts (
        session TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (session, kind, id, name));
    CREATE TABLE counts (
        session TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (session, key, name)) WITHOUT ROWID;
    CREATE TABLE sessions (name TEXT PRIMARY KEY, used INTEGER NOT NULL, seed TEXT NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER texts_of_removed_objects AFTER DELETE ON objects BEGIN
        DELETE FROM texts WHERE session = old.session AND kind = old.kind AND id = old.id;
    END;
";

/// Queries of the first rows, which fail if a column is missing.
const FIRST_ROW_QUERIES: [&str; 4] = [
    "SELECT session, kind, id, owner, body, created, stamp FROM objects LIMIT 1",
    "SELECT session, kind, id, name, text FROM texts LIMIT 1",
    "SELECT session, key, name, n FROM counts LIMIT 1",
    "SELECT name, used, seed FROM sessions LIMIT 1",
];

/// Renames the tables of layouts 0 and 1, some of which may not exist.
const RENAME_OLD_TABLES: &str = "
    CREATE TABLE IF NOT EXISTS texts (kind TEXT, id TEXT, name TEXT, text TEXT);
    CREATE TABLE IF NOT EXISTS counts (key TEXT, name TEXT, n INTEGER);
    DROP TRIGGER IF EXISTS texts_of_removed_objects;
    ALTER TABLE objects RENAME TO old_objects;
    ALTER TABLE texts RENAME TO old_texts;
    ALTER TABLE counts RENAME TO old_counts;
";

/// Copies the rows of the renamed tables.
const COPY_OLD_ROWS: &str = "
    INSERT INTO objects SELECT '', kind, id, owner, body, created, stamp FROM old_objects ORDER BY rowid;
    INSERT INTO texts SELECT '', kind, id, name, text FROM old_texts;
    INSERT INTO counts SELECT '', key, name, n FROM old_counts;
    DROP TABLE old_objects;
    DROP TABLE old_texts;
    DROP TABLE old_counts;
";

/// Creates the tables of a new database, or migrates an older one.
fn create_tables(connection: &mut Connection) -> rusqlite::Result<()> {
    let version = |connection: &Connection| connection.pragma_query_value(None, "user_version", |row| row.get(0));
    let found: i64 = version(connection)?;
    if found >= LAYOUT_VERSION {
        return Ok(());
    }
    let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
    if transaction.table_exists(None, "objects")? {
        transaction.execute_batch(RENAME_OLD_TABLES)?;
        transaction.execute_batch(CREATE_TABLES)?;
        transaction.execute_batch(COPY_OLD_ROWS)?;
        if found < 1 {
            move_entries_of_glossaries(&transaction)?;
        }
    } else {
        transaction.execute_batch(CREATE_TABLES)?;
    }
    transaction.pragma_update(None, "user_version", LAYOUT_VERSION)?;
    transaction.commit()
}

fn move_entries_of_glossaries(connection: &Connection) -> rusqlite::Result<()> {
    let tables = StateTables { connection, session: "" };
    tables.list(kind::GLOSSARY)?.iter().try_for_each(|glossary| move_entries(&tables, &glossary.id))
}

/// Moves the entries of one glossary to texts, and puts their number into the object.
fn move_entries(tables: &StateTables, id: &str) -> rusqlite::Result<()> {
    /// A dictionary with its entries, as version 0.1.0 stored it.
    #[derive(Deserialize)]
    struct DictionaryWithEntries {
        source_lang: String,
        target_lang: String,
        entries: Vec<(String, String)>,
    }
    let Some(mut object) = tables.get(kind::GLOSSARY, id)? else { return Ok(()) };
    for dictionary in object.body["dictionaries"].as_array_mut().into_iter().flatten() {
        // Invalid dictionaries stay: the routes report them.
        let Ok(old) = DictionaryWithEntries::deserialize(&*dictionary) else { continue };
        let lines: Vec<String> = old.entries.iter().map(|(source, target)| format!("{source}\t{target}")).collect();
        tables.put_text(kind::GLOSSARY, id, &pair_name(&old.source_lang, &old.target_lang), &lines.join("\n"))?;
        *dictionary = json!({
            "source_lang": old.source_lang, "target_lang": old.target_lang, "entry_count": old.entries.len(),
        });
    }
    tables.put(kind::GLOSSARY, id, &object.owner, &Value::take(&mut object.body))
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;
    use crate::state::StateStore;

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

    #[test]
    fn a_directory_of_version_0_1_0_keeps_its_glossaries() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let old = Connection::open(dir.path().join(DATABASE_FILE)).unwrap();
        old.execute_batch(
            r#"CREATE TABLE objects (
                kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, body TEXT NOT NULL,
                created INTEGER NOT NULL, stamp INTEGER NOT NULL, PRIMARY KEY (kind, id));
            INSERT INTO objects VALUES ('glossary', 'g', 'k', '{"name":"Tea","origin":"v3","edited":false,"dictionaries":[
                {"source_lang":"en","target_lang":"de","entries":[["kettle","Kessel"],["tea","Tee"]]},
                {"source_lang":"en","target_lang":"fr","entries":[["tea","thé"]]}]}', 7, 8);
            INSERT INTO objects VALUES ('style', 's', 'k', '{"name":"x"}', 9, 10);"#,
        )
        .unwrap();
        for _ in 0..2 {
            let state = StateStore::open(Some(dir.path())).unwrap();
            assert_eq!(state.damaged_database_path(), None);
            let glossary = state.with_tables(|tables| tables.get(kind::GLOSSARY, "g")).unwrap().unwrap();
            assert_eq!((glossary.created, glossary.owner.as_str()), (7, "k"));
            assert_eq!(
                glossary.body,
                json!({"name": "Tea", "origin": "v3", "edited": false, "dictionaries": [
                    {"source_lang": "en", "target_lang": "de", "entry_count": 2},
                    {"source_lang": "en", "target_lang": "fr", "entry_count": 1}]})
            );
            let text = |pair: &str| state.with_tables(|tables| tables.text(kind::GLOSSARY, "g", pair)).unwrap();
            assert_eq!(text("en-de").as_deref(), Some("kettle\tKessel\ntea\tTee"));
            assert_eq!(text("en-fr").as_deref(), Some("tea\tthé"));
            assert_eq!(state.get(kind::STYLE, "s").unwrap(), Some(json!({"name": "x"})));
        }
    }

    #[test]
    fn a_damaged_database_is_set_aside() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let at = |name: &str| dir.path().join(name);
        let state = StateStore::open(Some(dir.path())).unwrap();
        for n in 0..60 {
            state.put(kind::STYLE, &n.to_string(), "k", &json!({"name": "x".repeat(900)})).unwrap();
        }
        drop(state);
        let whole = std::fs::read(at(DATABASE_FILE)).unwrap();
        assert!(whole.len() > 60_000);
        let with = |at: usize, byte: u8| {
            let mut damaged = whole.clone();
            damaged[at] = byte;
            damaged
        };
        let mut cases: Vec<Vec<u8>> = (1..60).map(|n| whole[..n * whole.len() / 60].to_vec()).collect();
        cases.extend([with(0, b'x'), with(100, 0), with(whole.len() / 2 / 4096 * 4096, 0)]);
        // Object bodies that are not JSON.
        cases.push(whole.iter().map(|byte| if *byte == b'{' { b'x' } else { *byte }).collect());
        cases.push(b"a text".to_vec());
        for (n, damaged) in cases.into_iter().enumerate() {
            std::fs::write(at(DATABASE_FILE), &damaged).unwrap();
            let state = StateStore::open(Some(dir.path())).unwrap();
            assert_eq!(state.damaged_database_path(), Some(&*at(DAMAGED_FILE)), "case {n}: {} bytes", damaged.len());
            assert_eq!(state.list(kind::STYLE).unwrap(), []);
            assert_eq!(std::fs::read(at(DAMAGED_FILE)).unwrap(), damaged);
            drop(state);
            assert_eq!(StateStore::open(Some(dir.path())).unwrap().damaged_database_path(), None);
            remove_damaged_databases(dir.path()).unwrap();
        }
        std::fs::write(at(DATABASE_FILE), whole).unwrap();
        let state = StateStore::open(Some(dir.path())).unwrap();
        assert_eq!((state.damaged_database_path(), state.list(kind::STYLE).unwrap().len()), (None, 60));
    }

    #[test]
    fn a_database_without_a_table_is_set_aside() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let database = dir.path().join(DATABASE_FILE);
        for change in ["DROP TABLE counts", "ALTER TABLE sessions DROP COLUMN seed"] {
            drop(StateStore::open(Some(dir.path())).unwrap());
            Connection::open(&database).unwrap().execute_batch(change).unwrap();
            assert!(StateStore::open(Some(dir.path())).unwrap().damaged_database_path().is_some(), "{change}");
        }
    }

    #[test]
    fn a_second_damaged_database_does_not_replace_the_first() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (content, name) in
            [("one", DAMAGED_FILE), ("two", "sandbox.db.damaged.2"), ("three", "sandbox.db.damaged.3")]
        {
            std::fs::write(at(DATABASE_FILE), content).unwrap();
            let state = StateStore::open(Some(dir.path())).unwrap();
            assert_eq!(state.damaged_database_path(), Some(&*at(name)));
            assert_eq!(std::fs::read_to_string(at(name)).unwrap(), content);
        }
        assert_eq!(std::fs::read_to_string(at(DAMAGED_FILE)).unwrap(), "one");
        remove_damaged_databases(dir.path()).unwrap();
        assert!(at(DATABASE_FILE).exists() && !at(DAMAGED_FILE).exists() && !at("sandbox.db.damaged.3").exists());
    }

    #[test]
    fn a_large_database_that_is_truncated_is_set_aside() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join(DATABASE_FILE);
        let state = StateStore::open(Some(dir.path())).unwrap();
        for n in 0..60 {
            state.put(kind::STYLE, &n.to_string(), "k", &json!({"name": "x".repeat(100_000)})).unwrap();
        }
        drop(state);
        let size = database.metadata().unwrap().len();
        assert!(size > FULL_CHECK_BYTES_MAX.unsigned_abs());
        let state = StateStore::open(Some(dir.path())).unwrap();
        assert_eq!((state.damaged_database_path(), state.list(kind::STYLE).unwrap().len()), (None, 60));
        drop(state);
        let whole = std::fs::read(&database).unwrap();
        for length in [size - 4096, size - 4097, size / 2, size / 2 + 1, 5000, 4096, 100] {
            std::fs::write(&database, &whole[..usize::try_from(length).unwrap()]).unwrap();
            let state = StateStore::open(Some(dir.path())).unwrap();
            assert!(state.damaged_database_path().is_some(), "{length}");
            assert_eq!(state.list(kind::STYLE).unwrap(), []);
        }
        // The last byte of the last page may be unused, so a file without it is not necessarily damaged.
        std::fs::write(&database, &whole[..whole.len() - 1]).unwrap();
        StateStore::open(Some(dir.path())).unwrap().list(kind::STYLE).unwrap();
    }

    #[test]
    fn a_database_of_a_later_version_is_refused_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let database = dir.path().join(DATABASE_FILE);
        drop(StateStore::open(Some(dir.path())).unwrap());
        let later = Connection::open(&database).unwrap();
        later.execute_batch("PRAGMA user_version = 3; ALTER TABLE counts ADD COLUMN more TEXT").unwrap();
        assert_eq!(StateStore::open(Some(dir.path())).unwrap().damaged_database_path(), None);
        later.execute_batch("ALTER TABLE counts RENAME TO numbers").unwrap();
        let failure = StateStore::open(Some(dir.path())).err().unwrap();
        assert_eq!(failure.what, "cannot use the state of the sandbox: it was written by a later version of tulk");
        assert!(database.exists() && !dir.path().join(DAMAGED_FILE).exists());
    }
}
