//! A queue of results, and the thread that stores all queued results in one transaction. A full disk or a locked database blocks other
//! threads only for a limited time: the storing thread gives up, and later results are dropped.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tulk_base::error::Failure;
use tulk_base::files::FileIdentity;
use tulk_base::machine;

use super::database::{self, DatabaseAccess, ResultDatabase};
use super::error::{self, CacheError};
use super::rows::insert;
use super::{CacheLimits, CachedResult, ResultKey};

/// Size of the waiting results above which new results are dropped, because the disk is too slow.
const MAX_WAITING_BYTES: usize = 16 * 1024 * 1024;

/// Shared between the users of a cache and the thread.
pub(super) struct ResultQueue {
    pub(super) dir: PathBuf,
    pub(super) bounds: CacheLimits,
    problem: Mutex<Option<Failure>>,
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    waiting: Vec<(ResultKey, CachedResult)>,
    /// Size of the results that are queued or being stored.
    bytes: usize,
    is_running: bool,
    /// Whether the thread exits when the queue is empty.
    is_ending: bool,
    /// Whether all results are dropped, because they cannot be stored.
    drops_results: bool,
}

impl ResultQueue {
    pub(super) fn new(dir: PathBuf, bounds: CacheLimits) -> Arc<Self> {
        Arc::new(Self { dir, bounds, problem: Mutex::default(), state: Mutex::default(), changed: Condvar::new() })
    }

    /// Only the first failure counts.
    pub(super) fn record_failure(&self, failure: Failure) {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    }

    pub(super) fn problem(&self) -> Option<Failure> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_aside(&self, broken: &FileIdentity) -> Result<(), CacheError> {
        let aside = database::set_aside(&self.dir, broken, self.bounds.store_timeout)?;
        self.record_failure(error::replaced(&database::path(&self.dir), &aside));
        Ok(())
    }

    /// Starts the thread if necessary.
    pub(super) fn add(self: &Arc<Self>, results: Vec<(ResultKey, CachedResult)>) {
        let mut state = self.lock();
        if state.drops_results || results.is_empty() {
            return;
        }
        if state.bytes > MAX_WAITING_BYTES {
            drop(state);
            self.record_failure(error::too_slow(&database::path(&self.dir)));
            return;
        }
        state.bytes += results.iter().map(|(_, result)| size_of_val(result) + result.text.len()).sum::<usize>();
        state.waiting.extend(results);
        if !state.is_running {
            let queue = Arc::clone(self);
            let started = machine::spawn("results", move || queue.run());
            state.is_running = started.is_ok();
            if let Err(failure) = started {
                self.give_up(state, failure);
                return;
            }
        }
        self.changed.notify_all();
    }

    /// Waits while the queue is so long that more results might be dropped.
    pub(super) fn wait_for_room(&self, timeout: Duration) {
        let is_full =
            |state: &mut QueueState| state.bytes > MAX_WAITING_BYTES / 2 && state.is_running && !state.drops_results;
        drop(self.changed.wait_timeout_while(self.lock(), timeout, is_full));
    }

    /// Waits until the thread has stored all results and exited.
    pub(super) fn finish(&self, timeout: Duration) {
        let mut state = self.lock();
        state.is_ending = true;
        self.changed.notify_all();
        let waited = self.changed.wait_timeout_while(state, timeout, |state| state.is_running);
        let (mut state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if !waited.timed_out() {
            state.is_ending = false;
        } else if state.bytes > 0 {
            self.give_up(state, error::too_slow(&database::path(&self.dir)));
        }
    }

    fn run(&self) {
        let mut writer = QueueWriter::default();
        loop {
            let mut state = self.lock();
            while state.waiting.is_empty() && !state.is_ending {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.waiting.is_empty() {
                // Closing may wait for the disk. Results that are queued meanwhile need another round.
                drop(state);
                writer.close(self);
                state = self.lock();
                if state.waiting.is_empty() {
                    state.is_running = false;
                    drop(state);
                    self.changed.notify_all();
                    return;
                }
            }
            let (results, bytes) = (std::mem::take(&mut state.waiting), state.bytes);
            drop(state);
            let stored = writer.store(self, &results);
            let mut state = self.lock();
            state.bytes -= bytes;
            self.changed.notify_all();
            if let Err(error) = stored {
                self.give_up(state, error.failure(&database::path(&self.dir)));
            }
        }
    }

    fn give_up(&self, mut state: MutexGuard<'_, QueueState>, failure: Failure) {
        state.drops_results = true;
        state.waiting = Vec::new();
        drop(state);
        self.record_failure(failure);
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
struct QueueWriter {
    database: Option<ResultDatabase>,
    /// Whether a broken database was set aside. If the next one is broken too, something else is wrong.
    has_set_aside: bool,
}

impl QueueWriter {
    fn store(&mut self, queue: &ResultQueue, results: &[(ResultKey, CachedResult)]) -> Result<(), CacheError> {
        let identity = FileIdentity::new(&database::path(&queue.dir));
        match self.try_store(queue, results) {
            Err(CacheError::Broken) if !std::mem::replace(&mut self.has_set_aside, true) => {
                self.database = None;
                queue.set_aside(&identity)?;
                self.try_store(queue, results)
            }
            stored => stored,
        }
    }

    fn try_store(&mut self, queue: &ResultQueue, results: &[(ResultKey, CachedResult)]) -> Result<(), CacheError> {
        let dir = &queue.dir;
        if self.database.as_ref().is_some_and(|database| !database.is_current(dir)) {
            self.database = None;
        }
        while self.database.is_none() {
            self.database = ResultDatabase::open(dir, DatabaseAccess::Full, queue.bounds.store_timeout)?;
            if self.database.is_none() {
                database::create(dir, queue.bounds.store_timeout)?;
            }
        }
        let Some(ResultDatabase { connection, .. }) = &mut self.database else { return Ok(()) };
        Ok(insert(connection, results, unix_seconds(SystemTime::now()), queue.bounds.bytes)?)
    }

    fn close(&mut self, queue: &ResultQueue) {
        if let Some(database) = self.database.take() {
            database.shorten_log(&queue.dir);
        }
    }
}

pub(super) fn unix_seconds(time: SystemTime) -> i64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs().cast_signed())
}
