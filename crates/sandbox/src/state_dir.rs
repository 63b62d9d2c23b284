//! Describes and resets a state directory, for `tulk sandbox status` and `tulk sandbox reset`. Handlers use `state`
//! instead.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tulk_base::error::Failure;
use tulk_base::files;

use super::quota;
use super::state::{
    self, DATABASE_FILE, FILES_DIR, StateTables, database_failure, open_database, remove_damaged_databases,
};

/// Contents of a state directory: the output of `tulk sandbox status`.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SandboxStatus {
    #[serde(serialize_with = "path_text")]
    pub state_dir: PathBuf,
    /// Path of the database; `None` if nothing is stored yet.
    #[serde(serialize_with = "optional_path_text")]
    pub database: Option<PathBuf>,
    /// New path of a damaged database, if this call set one aside.
    #[serde(skip)]
    pub damaged: Option<PathBuf>,
    /// Total size of the database and of the files beside it.
    pub size_bytes: u64,
    pub sessions: usize,
    pub objects: BTreeMap<String, u64>,
    /// Usage of the current month by product: characters, milliseconds of speech, or documents.
    pub usage: BTreeMap<String, u64>,
}

/// Serializes a path, even if it is not UTF-8.
fn path_text<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

#[allow(clippy::ref_option)] // signature required by serde
fn optional_path_text<S: serde::Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    match path {
        Some(path) => path_text(path, serializer),
        None => serializer.serialize_none(),
    }
}

/// Describes a state directory. Creates nothing, except an empty database in place of a damaged one.
pub fn status(dir: &Path) -> Result<SandboxStatus, Failure> {
    let path = dir.join(DATABASE_FILE);
    let mut status = SandboxStatus { state_dir: dir.to_owned(), ..SandboxStatus::default() };
    if !exists(&path)? {
        return Ok(status);
    }
    status.size_bytes = directory_bytes(dir).map_err(|error| Failure::file("read", dir, &error))?;
    let (connection, damaged) = open_database(dir)?;
    status.damaged = damaged;
    status.database = Some(path);
    add_counts(&mut status, &connection).map_err(|error| database_failure(&error))?;
    Ok(status)
}

fn add_counts(status: &mut SandboxStatus, connection: &Connection) -> rusqlite::Result<()> {
    let named = state::session_names(connection)?;
    status.sessions = named.len();
    for session in named.iter().map(String::as_str).chain([""]) {
        let tables = StateTables { connection, session };
        for (kind, n) in tables.count_objects()? {
            *status.objects.entry(kind).or_default() += u64::try_from(n).unwrap_or(0);
        }
        for (product, n) in quota::month_totals(&tables)? {
            *status.usage.entry(product).or_default() += n;
        }
    }
    Ok(())
}

/// Removes all objects, counts and files from a state directory, and the damaged databases that were set aside. A
/// sandbox that is running on the directory continues with an empty state.
pub fn reset(dir: &Path) -> Result<(), Failure> {
    if !exists(&dir.join(DATABASE_FILE))? {
        return Ok(());
    }
    let (connection, _) = open_database(dir)?;
    remove_rows(&connection).map_err(|error| database_failure(&error))?;
    remove_damaged_databases(dir)?;
    let files = dir.join(FILES_DIR);
    if exists(&files)? {
        remove_files(dir, |_| true).map_err(|error| Failure::file("remove", &files, &error))?;
    }
    Ok(())
}

/// Keeps the database file, because another process may have it open.
fn remove_rows(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "BEGIN IMMEDIATE; DELETE FROM objects; DELETE FROM counts; DELETE FROM sessions; COMMIT; VACUUM;",
    )
}

/// Removes the files beside the database whose names match.
pub(super) fn remove_files(dir: &Path, matches: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(dir.join(FILES_DIR))? {
        let entry = entry?;
        if matches(&entry.file_name().to_string_lossy()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn exists(path: &Path) -> Result<bool, Failure> {
    match path.try_exists() {
        Err(error) if files::is_missing(&error) => Ok(false),
        exists => exists.map_err(|error| Failure::file("read", path, &error)),
    }
}

fn directory_bytes(dir: &Path) -> io::Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        total += if metadata.is_dir() { directory_bytes(&entry.path())? } else { metadata.len() };
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{StateStore, kind};
    use serde_json::json;

    #[test]
    fn status_of_a_new_directory_creates_nothing() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let path = dir.path().join("state");
        assert_eq!(status(&path).unwrap(), SandboxStatus { state_dir: path.clone(), ..SandboxStatus::default() });
        assert!(!path.exists());
        reset(&path).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn reset_removes_objects_counts_and_files() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let state = StateStore::open(Some(dir.path())).unwrap();
        state.put(kind::STYLE, "a", "k", &json!({})).unwrap();
        let month = format!("month {}", crate::clock::month(crate::clock::now_ms()));
        state.with_tables(|tables| tables.add_count(&month, "text k", 7)).unwrap();
        std::fs::write(state.file_path("doc"), [0; 100]).unwrap();

        let before = status(dir.path()).unwrap();
        assert_eq!(before.objects, [("style".to_owned(), 1)].into());
        assert_eq!(before.usage, [("text".to_owned(), 7)].into());
        assert!(before.size_bytes > 100);

        reset(dir.path()).unwrap();
        let after = status(dir.path()).unwrap();
        assert_eq!((after.objects, after.usage), (BTreeMap::new(), BTreeMap::new()));
        assert_eq!(state.list(kind::STYLE).unwrap(), []);
        assert!(!state.file_path("doc").exists());
    }
}
