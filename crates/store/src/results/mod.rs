//! Results of translations and improvements that are kept between runs, so that no text is paid for twice.
//!
//! Input: the keys of entries, and the service's results. Output: results of earlier runs. Any number of processes share one
//! database. Whatever is wrong with it, no run fails: the results are then unknown, and [`ResultCache::problem`] says why.

mod database;
mod insert;
mod key;
mod lookup;
mod network;
mod object;
mod queue;
mod trouble;
mod upkeep;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tulk_base::error::Failure;
use tulk_base::files::{FileIdentity, cache_dir};
use tulk_base::limits;

pub use self::key::{KeyScope, ResultKey};
pub use self::object::CachedResult;

use self::database::DatabaseAccess;
use self::lookup::ResultLookup;
use self::queue::ResultQueue;
use self::trouble::CacheTrouble;

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
}

#[cfg(test)]
mod tests;
