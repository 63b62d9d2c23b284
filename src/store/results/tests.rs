//! Tests of the cache as a whole: what is stored is found, by any process, whatever happens to the files.

use std::path::PathBuf;

use serde_json::json;
use serde_json::value::RawValue;

use super::*;

const PATIENCE: Duration = Duration::from_secs(60);

fn dir() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
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

/// Stores results and waits until they are stored.
fn store(dir: &Path, numbers: std::ops::Range<usize>) {
    let cache = ResultCache::at(dir, true);
    cache.store(results(numbers));
    cache.finish(PATIENCE);
    assert!(cache.problem().is_none(), "{:?}", cache.problem());
}

/// Returns how many of these results are found, all of them right.
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
fn what_one_process_stores_another_one_finds() {
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
fn a_dry_run_changes_nothing() {
    let (_dir, dir) = dir();
    let dry = ResultCache::at(&dir, false);
    dry.store(results(0..10));
    dry.finish(PATIENCE);
    assert!(!dir.exists());
    store(&dir, 0..10);
    // With a log and without one.
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
        dry.finish(PATIENCE);
        assert_eq!(found(&dry, 5..15), 5);
        assert_eq!(dry.size(None).unwrap().entries, 10);
        drop(dry);
        assert!(before == files());
    }
}

#[test]
fn the_oldest_results_make_room() {
    let (_dir, dir) = dir();
    let cache = ResultCache::bounded(&dir, true, 400_000);
    for start in (0..20_000).step_by(100) {
        cache.store(results(start..start + 100));
        cache.finish(PATIENCE);
    }
    let size = std::fs::metadata(dir.join("results.db")).unwrap().len();
    assert!(size < 500_000, "{size}");
    assert_eq!(found(&cache, 0..100), 0);
    assert_eq!(found(&cache, 19_900..20_000), 100);
    let left = found(&cache, 0..20_000);
    assert!((2_000..10_000).contains(&left), "{left}");
    assert_eq!(found(&cache, 20_000 - left..20_000), left, "those that are left are the last ones");
}
