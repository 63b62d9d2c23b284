//! Results of translations and improvements that are kept between runs, so that no text is paid for twice.
//!
//! Input: the keys of entries, and the service's results. Output: results of earlier runs. Any number of processes share one
//! database. Whatever is wrong with it, no run fails: the results are then unknown, and [`ResultCache::problem`] says why.

mod database;
mod queue;
mod result;
mod rows;
mod trouble;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rusqlite::Connection;
use tulk_base::error::Failure;
use tulk_base::files::{FileIdentity, cache_dir};
use tulk_base::limits;

use self::database::{DatabaseAccess, ResultDatabase};
use self::queue::{ResultQueue, seconds};
use self::rows::ResultLookup;
use self::trouble::CacheTrouble;
use crate::cache_dir::CacheSize;

pub use self::result::{CachedResult, KeyScope, ResultKey};

/// How large a cache becomes, and how long it waits.
#[derive(Clone, Debug)]
struct CacheBounds {
    /// Maximum size of the database.
    bytes: u64,
    /// Longest wait for other processes before a look-up.
    find: Duration,
    /// Longest wait for the transactions of other processes, of which many may be storing results. Less than
    /// [`limits::CACHE_PATIENCE`], so that a command that ends can say why its results are not stored.
    store: Duration,
}

impl Default for CacheBounds {
    fn default() -> Self {
        let (find, store) = (Duration::from_secs(2), Duration::from_secs(8));
        Self { bytes: limits::RESULT_CACHE_BYTES, find, store }
    }
}

/// The results of earlier runs, opened at first use.
pub struct ResultCache {
    queue: Arc<ResultQueue>,
    /// Whether new results are stored.
    stores: bool,
    /// Looks up results, unless that has failed.
    lookup: Mutex<Option<ResultLookup>>,
}

impl ResultCache {
    /// The user's cache. With `stores` false, as in a dry run, it is read and not changed.
    pub fn of_user(stores: bool) -> Result<Self, Failure> {
        Ok(Self::at(&cache_dir()?.join("results"), stores))
    }

    /// A cache in a directory, which is created when the first result is stored.
    pub fn at(dir: &Path, stores: bool) -> Self {
        Self::bounded(dir, stores, &CacheBounds::default())
    }

    fn bounded(dir: &Path, stores: bool, bounds: &CacheBounds) -> Self {
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

    /// Returns the results for keys, in their order. Blocks for as long as the look-up takes, and while many results are to be
    /// stored: nothing that was paid for should be dropped because the input is read faster.
    pub fn find(&self, keys: &[ResultKey]) -> Vec<Option<CachedResult>> {
        self.queue.wait_for_room(self.queue.bounds.store);
        let mut lookup = self.lookup.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = lookup.as_mut() else { return vec![None; keys.len()] };
        let access = if self.stores { DatabaseAccess::Full } else { DatabaseAccess::ReadOnly };
        let path = database::path(self.dir());
        let identity = FileIdentity::new(&path);
        let patience = self.queue.bounds.find;
        let trouble = match open.find(self.dir(), access, patience, keys) {
            Ok(found) => return found,
            Err(trouble) => trouble,
        };
        // Not before the database is closed: the replacement must be the only one that is open.
        *lookup = None;
        let set_aside = match trouble {
            CacheTrouble::Broken if self.stores => self.queue.set_aside(&identity),
            other => Err(other),
        };
        if let Err(trouble) = set_aside {
            self.queue.note(trouble.failure(&path));
        }
        vec![None; keys.len()]
    }

    /// Stores results. Returns at once: a thread stores them, those that come together in one transaction.
    pub fn store(&self, results: Vec<(ResultKey, CachedResult)>) {
        if self.stores {
            self.queue.add(results);
        }
    }

    /// Waits until everything is stored, or until `patience` has passed.
    pub fn finish(&self, patience: Duration) {
        self.queue.finish(patience);
    }

    /// Returns why the cache is not used, or not any more, if anything is wrong with it.
    pub fn problem(&self) -> Option<Failure> {
        self.queue.problem()
    }

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

/// Size of SQLite's own cache while results are removed: in kibibytes, which it expects below zero.
const CACHE_KIB: i64 = -65_536;
/// Number of rows that are removed in one transaction, so that other processes can store results in between.
const REMOVED_ROWS: i64 = 10_000;

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

#[cfg(test)]
mod tests;
