//! The size of the cached results, and their removal by the user.

use std::time::SystemTime;

use rusqlite::Connection;
use tulk_base::error::Failure;

use super::ResultCache;
use super::database::{self, DatabaseAccess, ResultDatabase};
use super::queue::seconds;
use super::trouble::CacheTrouble;
use crate::cache_dir::CacheSize;

/// Size of SQLite's own cache while results are removed: in kibibytes, which it expects below zero.
const CACHE_KIB: i64 = -65_536;
/// Number of rows that are removed in one transaction, so that other processes can store results in between.
const REMOVED_ROWS: i64 = 10_000;

impl ResultCache {
    /// Returns the number of results, of those stored at `before` or earlier if it is set, and the size of all their files.
    ///
    /// Nothing is changed. If the results cannot be counted, the failure says why.
    pub fn size(&self, before: Option<SystemTime>) -> (CacheSize, Option<Failure>) {
        let bytes = self.bytes();
        let entries = match ResultDatabase::open(self.dir(), DatabaseAccess::ReadOnly, self.queue.bounds.store) {
            Ok(Some(database)) => count(&database.connection, before).map_err(CacheTrouble::from),
            Ok(None) => Ok(0),
            Err(trouble) => Err(trouble),
        };
        match entries {
            Ok(entries) => (CacheSize { entries, bytes }, None),
            Err(trouble) => (CacheSize { entries: 0, bytes }, Some(self.failure(trouble))),
        }
    }

    /// Removes all results, or those stored at `before` or earlier, and returns their number and the size by which the files shrank.
    ///
    /// Other processes can go on using the database.
    pub fn clear(&self, before: Option<SystemTime>) -> Result<CacheSize, Failure> {
        let bytes = self.bytes();
        let removed = match (self.remove(before), before) {
            (Err(CacheTrouble::Busy), _) => {
                let busy = self.failure(CacheTrouble::Busy);
                return Err(busy.hint("run the command again when that process has ended"));
            }
            // A database that is damaged, of a later version, or on a full disk. So are files that were set aside.
            (Err(_), None) => database::remove_all(self.dir()).map(|()| 0),
            (Ok(removed), None) => database::remove_broken(self.dir()).map(|()| removed),
            (removed, Some(_)) => removed,
        };
        let entries = removed.map_err(|trouble| self.failure(trouble))?;
        Ok(CacheSize { entries, bytes: bytes.saturating_sub(self.bytes()) })
    }

    fn remove(&self, before: Option<SystemTime>) -> Result<u64, CacheTrouble> {
        let Some(database) = ResultDatabase::open(self.dir(), DatabaseAccess::Full, self.queue.bounds.store)? else {
            return Ok(0);
        };
        let connection = &database.connection;
        // Rows that are next to each other are anywhere in the index, which fits.
        connection.pragma_update(None, "cache_size", CACHE_KIB)?;
        let removed = if let Some(before) = before {
            remove_older(connection, seconds(before))?
        } else {
            connection.execute("DELETE FROM shapes", [])?;
            connection.execute("DELETE FROM results", [])? as u64
        };
        if removed > 0 {
            // Gives space back to the file system. If another process is busy, the space is used for new results instead.
            let _ = connection.execute_batch("VACUUM");
            let _ = database.checkpoint();
        }
        Ok(removed)
    }

    /// The size of all files.
    fn bytes(&self) -> u64 {
        let files = database::all_files(self.dir());
        files.iter().filter_map(|file| file.symlink_metadata().ok()).map(|metadata| metadata.len()).sum()
    }

    fn failure(&self, trouble: CacheTrouble) -> Failure {
        trouble.failure(&database::path(self.dir()))
    }
}

fn count(connection: &Connection, before: Option<SystemTime>) -> rusqlite::Result<u64> {
    let count: i64 = match before {
        Some(before) => {
            let sql = "SELECT count(*) FROM results WHERE stored <= ?1";
            connection.query_row(sql, [seconds(before)], |row| row.get(0))?
        }
        None => connection.query_row("SELECT count(*) FROM results", [], |row| row.get(0))?,
    };
    Ok(count.unsigned_abs())
}

/// Removes the results stored at a time, in seconds since 1970, or before.
fn remove_older(connection: &Connection, before: i64) -> rusqlite::Result<u64> {
    let bounds = "SELECT ifnull(min(id), 0), ifnull(max(id), -1) FROM results";
    let (first, last): (i64, i64) = connection.query_row(bounds, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut remove = connection.prepare("DELETE FROM results WHERE id BETWEEN ?1 AND ?2 AND stored <= ?3")?;
    let (mut start, mut removed) = (first, 0);
    while start <= last {
        let end = start.saturating_add(REMOVED_ROWS);
        removed += remove.execute([start, end, before])? as u64;
        start = end + 1;
    }
    Ok(removed)
}
