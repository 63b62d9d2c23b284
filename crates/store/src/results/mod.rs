//! Caches results of translations and improvements between runs, so that no text is paid for twice.
//!
//! Input: keys of entries, and the service's results. Output: results of earlier runs. Any number of processes share one
//! database. A problem with the database never fails a run; [`ResultCache::problem`] returns it.

mod database;
mod error;
mod queue;
mod result;
mod rows;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rusqlite::Connection;
use tulk_base::error::Failure;
use tulk_base::files::{FileIdentity, cache_dir};
use tulk_base::limits;

use self::database::{DatabaseAccess, ResultDatabase};
use self::error::CacheError;
use self::queue::{ResultQueue, unix_seconds};
use self::rows::ResultLookup;
use crate::cache_dir::CacheSize;

pub use self::result::{CachedResult, KeyScope, ResultKey};

#[derive(Clone, Debug)]
struct CacheLimits {
    /// Maximum size of the database.
    bytes: u64,
    /// Maximum wait for other processes during a lookup.
    find_timeout: Duration,
    /// Maximum wait for other processes that store results, and for those that create, replace or remove the database. Shorter than
    /// [`limits::CACHE_FLUSH_TIMEOUT`], so that an exiting command can say why its results were not stored.
    store_timeout: Duration,
}

impl Default for CacheLimits {
    fn default() -> Self {
        let (find_timeout, store_timeout) = (Duration::from_secs(2), Duration::from_secs(8));
        Self { bytes: limits::RESULT_CACHE_BYTES, find_timeout, store_timeout }
    }
}

/// The cached results. The database is opened on first use.
pub struct ResultCache {
    queue: Arc<ResultQueue>,
    stores: bool,
    /// `None` after a lookup has failed.
    lookup: Mutex<Option<ResultLookup>>,
}

impl ResultCache {
    /// Opens the user's cache. Without `stores`, as in a dry run, it is not changed.
    pub fn of_user(stores: bool) -> Result<Self, Failure> {
        Ok(Self::at(&cache_dir()?.join("results"), stores))
    }

    /// Opens the cache in a directory, which is created when the first result is stored.
    pub fn at(dir: &Path, stores: bool) -> Self {
        Self::bounded(dir, stores, &CacheLimits::default())
    }

    fn bounded(dir: &Path, stores: bool, bounds: &CacheLimits) -> Self {
        Self {
            queue: ResultQueue::new(dir.to_owned(), bounds.clone()),
            stores,
            lookup: Mutex::new(Some(ResultLookup::default())),
        }
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.queue.dir
    }

    /// Returns the results for `keys`, in their order. Blocks during the lookup, and while many results wait to be stored: if input were
    /// read faster than results are stored, the queue would drop results that were paid for.
    pub fn find(&self, keys: &[ResultKey]) -> Vec<Option<CachedResult>> {
        self.queue.wait_for_room(self.queue.bounds.store_timeout);
        let mut lookup = self.lookup.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = lookup.as_mut() else { return vec![None; keys.len()] };
        let access = if self.stores { DatabaseAccess::Full } else { DatabaseAccess::ReadOnly };
        let path = database::path(self.dir());
        let identity = FileIdentity::new(&path);
        let timeout = self.queue.bounds.find_timeout;
        let error = match open.find(self.dir(), access, timeout, keys) {
            Ok(found) => return found,
            Err(error) => error,
        };
        // Close the database first: its replacement must be the only open database.
        *lookup = None;
        let set_aside = match error {
            CacheError::Broken if self.stores => self.queue.set_aside(&identity),
            other => Err(other),
        };
        if let Err(error) = set_aside {
            self.queue.record_failure(error.failure(&path));
        }
        vec![None; keys.len()]
    }

    /// Queues results to be stored, and returns immediately. A thread stores queued results together in one transaction.
    pub fn store(&self, results: Vec<(ResultKey, CachedResult)>) {
        if self.stores {
            self.queue.add(results);
        }
    }

    /// Waits until all results are stored, at most for `timeout`.
    pub fn finish(&self, timeout: Duration) {
        self.queue.finish(timeout);
    }

    /// Returns why the cache is not used, or no longer used.
    pub fn problem(&self) -> Option<Failure> {
        self.queue.problem()
    }

    /// Returns the size of the result files and the number of results. With `before`, counts only results stored at or before that time.
    /// Changes nothing. The failure, if any, says why the results could not be counted.
    pub fn size(&self, before: Option<SystemTime>) -> (CacheSize, Option<Failure>) {
        let bytes = self.bytes();
        let entries = match ResultDatabase::open(self.dir(), DatabaseAccess::ReadOnly, self.queue.bounds.store_timeout)
        {
            Ok(Some(database)) => count(&database.connection, before).map_err(CacheError::from),
            Ok(None) => Ok(0),
            Err(error) => Err(error),
        };
        match entries {
            Ok(entries) => (CacheSize { entries, bytes }, None),
            Err(error) => (CacheSize { entries: 0, bytes }, Some(self.failure(error))),
        }
    }

    /// Removes all results, or those stored at or before `before`. Returns their number and the size by which the files shrank. Other
    /// processes can continue to use the database.
    pub fn clear(&self, before: Option<SystemTime>) -> Result<CacheSize, Failure> {
        let bytes = self.bytes();
        let removed = match (self.remove(before), before) {
            (Err(CacheError::Busy), _) => {
                let busy = self.failure(CacheError::Busy);
                return Err(busy.hint("run the command again when that process has ended"));
            }
            // The database is damaged, from a newer version, or on a full disk. Remove its files, including files set aside.
            (Err(_), None) => database::remove_all(self.dir(), self.queue.bounds.store_timeout).map(|()| 0),
            (Ok(removed), None) => database::remove_broken(self.dir()).map(|()| removed),
            (removed, Some(_)) => removed,
        };
        let entries = removed.map_err(|error| self.failure(error))?;
        Ok(CacheSize { entries, bytes: bytes.saturating_sub(self.bytes()) })
    }

    fn remove(&self, before: Option<SystemTime>) -> Result<u64, CacheError> {
        let Some(database) = ResultDatabase::open(self.dir(), DatabaseAccess::Full, self.queue.bounds.store_timeout)?
        else {
            return Ok(0);
        };
        let connection = &database.connection;
        // Adjacent rows are scattered over the index, so removal is fast only if the index fits into memory.
        connection.pragma_update(None, "cache_size", PAGE_CACHE_KIB)?;
        let removed = if let Some(before) = before {
            remove_older(connection, unix_seconds(before))?
        } else {
            connection.execute("DELETE FROM shapes", [])?;
            connection.execute("DELETE FROM results", [])? as u64
        };
        if removed > 0 {
            // Returns space to the file system. If another process is busy, new results reuse the space instead.
            let _ = connection.execute_batch("VACUUM");
            let _ = database.checkpoint();
        }
        Ok(removed)
    }

    fn bytes(&self) -> u64 {
        let files = database::all_files(self.dir());
        files.iter().filter_map(|file| file.symlink_metadata().ok()).map(|metadata| metadata.len()).sum()
    }

    fn failure(&self, error: CacheError) -> Failure {
        error.failure(&database::path(self.dir()))
    }
}

/// Size of SQLite's page cache while results are removed. The negative number is in KiB.
const PAGE_CACHE_KIB: i64 = -65_536;
/// Rows removed in one transaction. Other processes can store results between two transactions.
const ROWS_PER_TRANSACTION: i64 = 10_000;

fn count(connection: &Connection, before: Option<SystemTime>) -> rusqlite::Result<u64> {
    let count: i64 = match before {
        Some(before) => {
            let sql = "SELECT count(*) FROM results WHERE stored <= ?1";
            connection.query_row(sql, [unix_seconds(before)], |row| row.get(0))?
        }
        None => connection.query_row("SELECT count(*) FROM results", [], |row| row.get(0))?,
    };
    Ok(count.unsigned_abs())
}

/// `before` is in seconds since 1970.
fn remove_older(connection: &Connection, before: i64) -> rusqlite::Result<u64> {
    let bounds = "SELECT ifnull(min(id), 0), ifnull(max(id), -1) FROM results";
    let (first, last): (i64, i64) = connection.query_row(bounds, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut remove = connection.prepare("DELETE FROM results WHERE id BETWEEN ?1 AND ?2 AND stored <= ?3")?;
    let (mut start, mut removed) = (first, 0);
    while start <= last {
        let end = start.saturating_add(ROWS_PER_TRANSACTION);
        removed += remove.execute([start, end, before])? as u64;
        start = end + 1;
    }
    Ok(removed)
}

#[cfg(test)]
mod tests;
