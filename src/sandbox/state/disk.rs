//! A state directory from outside: what it holds, and emptying it. For the commands, not for handlers.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{DATABASE, FILES, StateTables, open_in};

/// What a state directory holds: the answer of `tulk sandbox status`.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SandboxStatus {
    /// The state directory.
    pub state_dir: PathBuf,
    /// The database in it; `None` when nothing was kept yet.
    pub database: Option<PathBuf>,
    /// Bytes of the database and of the files beside it.
    pub size_bytes: u64,
    /// Objects by kind.
    pub objects: BTreeMap<String, u64>,
    /// Usage of the current month by product: characters, for `speech` milliseconds.
    pub usage: BTreeMap<String, u64>,
}

/// Looks into a state directory without making anything.
pub fn status(dir: &Path) -> io::Result<SandboxStatus> {
    let path = dir.join(DATABASE);
    let mut status = SandboxStatus { state_dir: dir.to_owned(), ..SandboxStatus::default() };
    if !path.try_exists()? {
        return Ok(status);
    }
    status.size_bytes = size(dir)?;
    let connection = open_in(dir)?;
    status.database = Some(path);
    let read = || -> rusqlite::Result<_> {
        let mut objects = connection.prepare("SELECT kind, COUNT(*) FROM objects GROUP BY kind")?;
        let objects: Vec<(String, i64)> =
            objects.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        Ok((objects, crate::sandbox::quota::period_totals(&StateTables(&connection))?))
    };
    let (objects, usage) = read().map_err(io::Error::other)?;
    status.objects = objects.into_iter().map(|(kind, n)| (kind, u64::try_from(n).unwrap_or(0))).collect();
    status.usage = usage;
    Ok(status)
}

/// Empties a state directory. A sandbox that runs on it goes on with nothing.
pub fn reset(dir: &Path) -> io::Result<()> {
    if !dir.join(DATABASE).try_exists()? {
        return Ok(());
    }
    let connection = open_in(dir)?;
    // Rows go, not the files: another process may have them open.
    connection
        .execute_batch("BEGIN IMMEDIATE; DELETE FROM objects; DELETE FROM counts; COMMIT; VACUUM;")
        .map_err(io::Error::other)?;
    let files = dir.join(FILES);
    if files.try_exists()? {
        for entry in fs::read_dir(files)? {
            fs::remove_file(entry?.path())?;
        }
    }
    Ok(())
}

fn size(dir: &Path) -> io::Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let data = entry.metadata()?;
        total += if data.is_dir() { size(&entry.path())? } else { data.len() };
    }
    Ok(total)
}
