//! The rows of the database: finds results, stores new ones, and removes the oldest.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{CachedStatement, Connection, OptionalExtension as _, Row, Transaction, TransactionBehavior};
use tulk_base::limits;

use super::database::{DatabaseAccess, ResultDatabase};
use super::error::CacheError;
use super::queue::unix_seconds;
use super::{CachedResult, ResultKey};

const FIND_RESULT: &str = "SELECT stored, digest, shape, text FROM results WHERE head = ?1 AND tail = ?2";

/// Looks up results over a separate connection.
#[derive(Default)]
pub(super) struct ResultLookup {
    database: Option<ResultDatabase>,
    shapes: HashMap<i64, Arc<str>>,
}

impl ResultLookup {
    /// Returns the results for `keys`, in their order, that were stored less than a year ago.
    pub(super) fn find(
        &mut self,
        dir: &Path,
        access: DatabaseAccess,
        timeout: Duration,
        keys: &[ResultKey],
    ) -> Result<Vec<Option<CachedResult>>, CacheError> {
        let mut found = vec![None; keys.len()];
        if self.database.as_ref().is_some_and(|database| !database.is_current(dir)) {
            self.close();
        }
        if self.database.is_none() {
            self.database = ResultDatabase::open(dir, access, timeout)?;
        }
        let Some(ResultDatabase { connection, .. }) = &self.database else { return Ok(found) };
        let now = unix_seconds(SystemTime::now());
        // In one transaction, all keys see the same state of the database, and it is locked only once.
        let transaction = connection.unchecked_transaction()?;
        let mut find = connection.prepare_cached(FIND_RESULT)?;
        let mut find_shape = connection.prepare_cached("SELECT shape FROM shapes WHERE id = ?1")?;
        for (key, found) in keys.iter().zip(&mut found) {
            let mut rows = find.query((key.head(), key.tail()))?;
            if let Some(row) = rows.next()?
                && !is_expired(row.get(0)?, now)
                && let Some(shape) = shape(row, &mut self.shapes, &mut find_shape)?
            {
                let result = CachedResult::from_parts(row.get(3)?, shape);
                if result.digest(*key) != row.get::<_, i64>(1)? {
                    return Err(CacheError::Broken);
                }
                *found = Some(result);
            }
        }
        drop((find, find_shape));
        transaction.commit()?;
        Ok(found)
    }

    pub(super) fn close(&mut self) {
        *self = Self::default();
    }
}

/// A time in the future does not count as expired, because the clock may have been set back.
pub(super) fn is_expired(stored: i64, now: i64) -> bool {
    now.saturating_sub(stored) >= limits::RESULT_CACHE_AGE.as_secs().cast_signed()
}

/// Returns `None` if the shape has been removed.
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

/// Maximum number of shapes with an ID. Other shapes, and shapes that occur only once, are stored in the rows themselves.
const MAX_SHAPES: i64 = 1000;
/// Number of rows removed at a time.
const REMOVED_ROWS: i64 = 1000;

const FIND_ROW: &str = "SELECT id, stored FROM results WHERE head = ?1 AND tail = ?2";
const INSERT: &str = "INSERT INTO results (head, tail, stored, digest, shape, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
const REMOVE_OLDEST: &str = "DELETE FROM results WHERE id < (SELECT min(id) FROM results) + ?1";

/// Stores results, and removes the oldest until the database uses at most `max_bytes`, not counting its free pages, in one transaction.
/// Keeps a result that is already stored, unless it has expired. `now` is in seconds since 1970.
pub(super) fn insert(
    connection: &mut Connection,
    results: &[(ResultKey, CachedResult)],
    now: i64,
    max_bytes: u64,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let shapes = shape_ids(&transaction, results)?;
        let mut find = transaction.prepare_cached(FIND_ROW)?;
        let mut remove = transaction.prepare_cached("DELETE FROM results WHERE id = ?1")?;
        let mut insert = transaction.prepare_cached(INSERT)?;
        for (key, result) in results {
            let old = find.query_row((key.head(), key.tail()), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            match old {
                Some((id, stored)) if is_expired(stored, now) => {
                    let id: i64 = id;
                    remove.execute([id])?;
                }
                Some(_) => continue,
                None => {}
            }
            let shape = match shapes.get(&**result.shape()) {
                Some(&id) => ToSqlOutput::Owned(Value::Integer(id)),
                None => ToSqlOutput::Borrowed(ValueRef::Text(result.shape().as_bytes())),
            };
            insert.execute((key.head(), key.tail(), now, result.digest(*key), shape, &result.text))?;
        }
    }
    remove_expired(&transaction, now)?;
    while used_bytes(&transaction)? > max_bytes && transaction.execute(REMOVE_OLDEST, [REMOVED_ROWS])? > 0 {}
    transaction.commit()
}

/// Returns the IDs of known shapes. A new shape that occurs more than once gets an ID.
fn shape_ids<'a>(
    transaction: &Transaction<'_>,
    results: &'a [(ResultKey, CachedResult)],
) -> rusqlite::Result<HashMap<&'a str, i64>> {
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for (_, result) in results {
        *counts.entry(result.shape()).or_default() += 1;
    }
    let mut find = transaction.prepare_cached("SELECT id FROM shapes WHERE shape = ?1")?;
    let mut add = transaction
        .prepare_cached("INSERT INTO shapes (shape) SELECT ?1 WHERE (SELECT count(*) FROM shapes) < ?2 RETURNING id")?;
    let mut ids = HashMap::new();
    for (shape, count) in counts {
        let mut id = find.query_row([shape], |row| row.get(0)).optional()?;
        if id.is_none() && count > 1 {
            id = add.query_row((shape, MAX_SHAPES), |row| row.get(0)).optional()?;
        }
        ids.extend(id.map(|id| (shape, id)));
    }
    Ok(ids)
}

/// Does nothing while the oldest result has not expired. Removes only some of the expired results; later transactions remove more.
fn remove_expired(transaction: &Transaction<'_>, now: i64) -> rusqlite::Result<()> {
    let oldest = transaction
        .prepare_cached("SELECT stored FROM results ORDER BY id LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    if oldest.is_some_and(|stored| is_expired(stored, now)) {
        let last = now - tulk_base::limits::RESULT_CACHE_AGE.as_secs().cast_signed();
        let rows = [REMOVED_ROWS, last];
        let remove = "DELETE FROM results WHERE id < (SELECT min(id) FROM results) + ?1 AND stored <= ?2";
        transaction.prepare_cached(remove)?.execute(rows)?;
    }
    Ok(())
}

fn used_bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let pages = number("page_count")? - number("freelist_count")?;
    Ok((pages * number("page_size")?).unsigned_abs())
}
