//! Looks up results.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, OptionalExtension as _, Row};
use tulk_base::limits;

use super::database::{DatabaseAccess, ResultDatabase};
use super::queue::seconds;
use super::trouble::CacheTrouble;
use super::{CachedResult, ResultKey};

const FIND: &str = "SELECT stored, digest, shape, text FROM results WHERE head = ?1 AND tail = ?2";

/// Looks up results with a connection of its own.
#[derive(Default)]
pub(super) struct ResultLookup {
    database: Option<ResultDatabase>,
    /// Shapes by ID.
    shapes: HashMap<i64, Arc<str>>,
}

impl ResultLookup {
    /// Returns the results for keys, in their order, that were stored less than a year ago.
    pub(super) fn find(
        &mut self,
        dir: &Path,
        access: DatabaseAccess,
        patience: Duration,
        keys: &[ResultKey],
    ) -> Result<Vec<Option<CachedResult>>, CacheTrouble> {
        let mut found = vec![None; keys.len()];
        if self.database.as_ref().is_some_and(|database| !database.is_current(dir)) {
            self.close();
        }
        if self.database.is_none() {
            self.database = ResultDatabase::open(dir, access, patience)?;
        }
        let Some(ResultDatabase { connection, .. }) = &self.database else { return Ok(found) };
        let now = seconds(SystemTime::now());
        // One state of the database for all keys, and one lock.
        let transaction = connection.unchecked_transaction()?;
        let mut find = connection.prepare_cached(FIND)?;
        let mut find_shape = connection.prepare_cached("SELECT shape FROM shapes WHERE id = ?1")?;
        for (key, found) in keys.iter().zip(&mut found) {
            let mut rows = find.query((key.head(), key.tail()))?;
            if let Some(row) = rows.next()?
                && !is_expired(row.get(0)?, now)
                && let Some(shape) = shape(row, &mut self.shapes, &mut find_shape)?
            {
                let result = CachedResult::from_parts(row.get(3)?, shape);
                if result.digest(*key) != row.get::<_, i64>(1)? {
                    return Err(CacheTrouble::Broken);
                }
                *found = Some(result);
            }
        }
        drop((find, find_shape));
        transaction.commit()?;
        Ok(found)
    }

    /// Closes the database.
    pub(super) fn close(&mut self) {
        *self = Self::default();
    }
}

/// Returns whether a result is too old. One that was stored in the future is not: the clock was set back.
pub(super) fn is_expired(stored: i64, now: i64) -> bool {
    now.saturating_sub(stored) >= limits::RESULT_CACHE_AGE.as_secs().cast_signed()
}

/// Returns the shape of a row; `None` if it was removed in the meantime.
fn shape(
    row: &Row<'_>,
    known: &mut HashMap<i64, Arc<str>>,
    find: &mut CachedStatement<'_>,
) -> rusqlite::Result<Option<Arc<str>>> {
    let id = match row.get_ref(2)? {
        ValueRef::Integer(id) => id,
        other => return Ok(Some(other.as_str()?.into())),
    };
    if let Some(shape) = known.get(&id) {
        return Ok(Some(Arc::clone(shape)));
    }
    let shape: Option<Arc<str>> = find.query_row([id], |row| Ok(row.get_ref(0)?.as_str()?.into())).optional()?;
    if let Some(shape) = &shape {
        known.insert(id, Arc::clone(shape));
    }
    Ok(shape)
}
