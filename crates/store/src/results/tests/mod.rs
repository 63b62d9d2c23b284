//! Tests of the complete cache: every process finds the results of the others, whatever happens to the files.

mod damage;
mod processes;

use std::path::PathBuf;
use std::time::SystemTime;

use proptest::prelude::*;
use rusqlite::Connection;

use serde_json::json;
use serde_json::value::RawValue;

use super::*;
use crate::cache_dir::CacheSize;

const TIMEOUT: Duration = Duration::from_secs(60);

fn dir() -> (tempfile::TempDir, PathBuf) {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let path = dir.path().join("new/results");
    (dir, path)
}

fn key(n: usize) -> ResultKey {
    KeyScope::new(["tests"]).key("", &n.to_string())
}

fn result(text: &str) -> CachedResult {
    let object = json!({"detected_source_language": "EN", "text": text}).to_string();
    CachedResult::from_object(&RawValue::from_string(object).unwrap()).unwrap()
}

fn results(numbers: std::ops::Range<usize>) -> Vec<(ResultKey, CachedResult)> {
    numbers.map(|n| (key(n), result(&format!("result {n}")))).collect()
}

fn store(dir: &Path, numbers: std::ops::Range<usize>) {
    let cache = ResultCache::at(dir, true);
    cache.store(results(numbers));
    cache.finish(TIMEOUT);
    assert!(cache.problem().is_none(), "{:?}", cache.problem());
}

fn with_short_timeouts(dir: &Path) -> ResultCache {
    let moment = Duration::from_millis(20);
    ResultCache::bounded(
        dir,
        true,
        &CacheLimits { find_timeout: moment, store_timeout: moment, ..CacheLimits::default() },
    )
}

fn number(dir: &Path, query: &str) -> i64 {
    Connection::open(dir.join("results.db")).unwrap().query_row(query, [], |row| row.get(0)).unwrap()
}

/// Runs SQL without the cache.
fn change(dir: &Path, sql: &str) {
    Connection::open(dir.join("results.db")).unwrap().execute_batch(sql).unwrap();
}

/// Counts the results that are found. Checks that they are correct.
fn found(cache: &ResultCache, numbers: std::ops::Range<usize>) -> usize {
    let keys: Vec<ResultKey> = numbers.clone().map(key).collect();
    let found = cache.find(&keys);
    assert_eq!(found.len(), keys.len());
    for (n, found) in numbers.zip(&found) {
        assert!(found.as_ref().is_none_or(|found| *found == result(&format!("result {n}"))), "{n}: {found:?}");
    }
    found.iter().flatten().count()
}

#[test]
fn one_cache_finds_the_results_stored_by_another() {
    let (_dir, dir) = dir();
    let early = ResultCache::at(&dir, true);
    assert_eq!(found(&early, 0..10), 0);
    assert!(!dir.exists(), "a look-up creates nothing");
    store(&dir, 0..1000);
    assert_eq!(found(&early, 0..2000), 1000);
    assert_eq!(found(&ResultCache::at(&dir, true), 500..1500), 500);
    assert!(early.problem().is_none(), "{:?}", early.problem());
}

#[test]
fn the_path_of_a_cache_may_be_long() {
    let (_guard, dir) = dir();
    let dir = dir.join("a".repeat(150)).join("b".repeat(150));
    store(&dir, 0..10);
    assert_eq!(found(&ResultCache::at(&dir, true), 0..10), 10);
    assert_eq!(found(&ResultCache::at(&dir, false), 0..10), 10);
}

#[test]
fn lookups_wait_for_the_disk_so_no_result_is_dropped() {
    let (_guard, dir) = dir();
    let cache = ResultCache::at(&dir, true);
    let long = result(&"x".repeat(32 * 1024));
    for batch in 0..30 {
        let keys: Vec<ResultKey> = (batch * 50..(batch + 1) * 50).map(key).collect();
        assert_eq!(cache.find(&keys).iter().flatten().count(), 0);
        cache.store(keys.into_iter().map(|key| (key, long.clone())).collect());
    }
    cache.finish(TIMEOUT);
    assert!(cache.problem().is_none(), "{:?}", cache.problem());
    assert_eq!(number(&dir, "SELECT count(*) FROM results"), 1500);
}

#[test]
fn a_dry_run_changes_nothing() {
    let (_dir, dir) = dir();
    let dry = ResultCache::at(&dir, false);
    dry.store(results(0..10));
    dry.finish(TIMEOUT);
    assert!(!dir.exists());
    store(&dir, 0..10);
    for log in [true, false] {
        let database = dir.join("results.db");
        if !log {
            rusqlite::Connection::open(&database).unwrap().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
        }
        assert_eq!(dir.join("results.db-wal").exists(), log);
        let files = || -> Vec<_> {
            let mut files: Vec<_> = std::fs::read_dir(&dir).unwrap().map(|file| file.unwrap().path()).collect();
            files.sort();
            files
                .into_iter()
                .filter(|file| !file.ends_with("results.db-shm"))
                .map(|f| (std::fs::read(&f).unwrap(), f))
                .collect()
        };
        let before = files();
        let dry = ResultCache::at(&dir, false);
        assert_eq!(found(&dry, 5..15), 5);
        dry.store(results(10..20));
        dry.finish(TIMEOUT);
        assert_eq!(found(&dry, 5..15), 5);
        assert_eq!(dry.size(None).0.entries, 10);
        drop(dry);
        assert!(before == files());
    }
}

#[test]
fn removes_the_oldest_results_from_a_full_cache() {
    let (_dir, dir) = dir();
    let cache = ResultCache::bounded(&dir, true, &CacheLimits { bytes: 400_000, ..CacheLimits::default() });
    for start in (0..20_000).step_by(100) {
        cache.store(results(start..start + 100));
        cache.finish(TIMEOUT);
    }
    let size = std::fs::metadata(dir.join("results.db")).unwrap().len();
    assert!(size < 500_000, "{size}");
    assert_eq!(found(&cache, 0..100), 0);
    assert_eq!(found(&cache, 19_900..20_000), 100);
    let left = found(&cache, 0..20_000);
    assert!((2_000..10_000).contains(&left), "{left}");
    assert_eq!(found(&cache, 20_000 - left..20_000), left, "those that are left are the last ones");
}

#[test]
fn a_result_is_stored_once_and_the_first_one_stays() {
    let (_dir, dir) = dir();
    let cache = ResultCache::at(&dir, true);
    cache.store(vec![(key(1), result("result 1")), (key(1), result("twice at once"))]);
    cache.finish(TIMEOUT);
    cache.store(vec![(key(1), result("from another process"))]);
    cache.finish(TIMEOUT);
    assert_eq!(found(&cache, 1..2), 1);
    assert_eq!(number(&dir, "SELECT count(*) FROM results"), 1);
}

#[test]
fn an_exiting_command_waits_longer_than_the_storing_thread() {
    // Otherwise, the command would report a slow disk when the database is locked.
    assert!(CacheLimits::default().store_timeout < limits::CACHE_FLUSH_TIMEOUT);
}

#[test]
fn a_result_is_used_for_a_year_and_after_the_clock_was_set_back() {
    let (_dir, dir) = dir();
    store(&dir, 0..3000);
    let cache = ResultCache::at(&dir, true);
    change(&dir, "UPDATE results SET stored = stored - 365 * 86400 + 60");
    assert_eq!(found(&cache, 0..3000), 3000);
    change(&dir, "UPDATE results SET stored = stored - 60");
    assert_eq!(found(&cache, 0..3000), 0);
    cache.store(results(2900..2950));
    cache.finish(TIMEOUT);
    assert_eq!(found(&cache, 2900..3000), 50, "those that were sent again");
    assert!(number(&dir, "SELECT count(*) FROM results") <= 2000, "old ones are removed in time");
    change(&dir, "UPDATE results SET stored = stored + 1000 * 365 * 86400");
    assert_eq!(found(&cache, 2900..3000), 100, "the clock was set back");
}

#[test]
fn keeps_objects_with_different_shapes() {
    let (_dir, dir) = dir();
    let one = |n: usize| {
        let object = json!({"id": n / 2, "text": format!("result {n}")}).to_string();
        CachedResult::from_object(&RawValue::from_string(object).unwrap()).unwrap()
    };
    let cache = ResultCache::at(&dir, true);
    for start in (0..5000).step_by(500) {
        cache.store((start..start + 500).map(|n| (key(n), one(n))).collect());
    }
    cache.finish(TIMEOUT);
    let keys: Vec<ResultKey> = (0..5000).map(key).collect();
    assert_eq!(cache.find(&keys), (0..5000).map(|n| Some(one(n))).collect::<Vec<_>>());
    assert_eq!(number(&dir, "SELECT count(*) FROM shapes"), 1000);
    assert_eq!(number(&dir, "SELECT count(*) FROM results WHERE typeof(shape) = 'integer'"), 2000);
}

#[test]
fn clearing_removes_results_while_others_use_them() {
    let (_dir, dir) = dir();
    let (open, clearing) = (ResultCache::at(&dir, true), ResultCache::at(&dir, true));
    assert_eq!(clearing.clear(None).unwrap(), CacheSize::default());
    assert!(!dir.exists());
    store(&dir, 0..5000);
    assert_eq!(found(&open, 0..5000), 5000);
    std::fs::write(dir.join("results.db.broken"), "an old one").unwrap();
    let cleared = clearing.clear(None).unwrap();
    assert_eq!(cleared.entries, 5000);
    assert!(cleared.bytes > 300_000, "{cleared:?}");
    let (size, problem) = clearing.size(None);
    assert!(size.entries == 0 && size.bytes < 100_000 && problem.is_none(), "{size:?} {problem:?}");
    assert!(!dir.join("results.db.broken").exists());
    assert_eq!(found(&open, 0..10), 0);
    open.store(results(0..10));
    open.finish(TIMEOUT);
    assert_eq!(found(&open, 0..20), 10);
    assert!(open.problem().is_none());
}

#[test]
fn clearing_by_age_keeps_the_rest() {
    let (_dir, dir) = dir();
    store(&dir, 0..25_000);
    change(&dir, "UPDATE results SET stored = stored - 3600 WHERE id % 3 <> 0 OR id < 20000");
    let cache = ResultCache::at(&dir, true);
    let before = Some(SystemTime::now() - Duration::from_secs(1800));
    let old = number(&dir, "SELECT count(*) FROM results WHERE stored < (SELECT max(stored) - 1800 FROM results)");
    assert_eq!(cache.size(before).0.entries, old.unsigned_abs());
    assert_eq!(cache.clear(before).unwrap().entries, old.unsigned_abs());
    assert_eq!(found(&cache, 0..25_000), 25_000 - usize::try_from(old).unwrap());
    assert_eq!(cache.clear(before).unwrap().entries, 0);
}

#[cfg(unix)] // on Windows, a database that is open cannot be removed
#[test]
fn a_cache_that_is_removed_during_use_starts_again() {
    let (_dir, dir) = dir();
    let cache = ResultCache::at(&dir, true);
    for _ in 0..3 {
        cache.store(results(0..100));
        while found(&cache, 0..100) < 100 {}
        std::fs::remove_dir_all(&dir).unwrap();
        assert_eq!(found(&cache, 0..100), 0);
    }
    cache.finish(TIMEOUT);
    assert!(cache.problem().is_none(), "{:?}", cache.problem());
}

proptest! {
    #[test]
    fn keys_are_equal_only_if_scope_context_and_text_are_equal(
        one in (prop::collection::vec("[ab]{0,2}", 0..4), "[ab]{0,2}", "[ab]{0,2}"),
        other in (prop::collection::vec("[ab]{0,2}", 0..4), "[ab]{0,2}", "[ab]{0,2}"),
    ) {
        let key = |(parts, context, text): &(Vec<String>, String, String)| {
            KeyScope::new(parts.iter().map(String::as_str)).key(context, text)
        };
        // The strings are short, so that often only the boundaries between scope, context and text differ.
        prop_assert_eq!(key(&one) == key(&other), one == other);
    }
}
