//! Tests of a cache whose files are damaged, locked, planted, or unwritable.

use super::*;

/// Message and hint.
fn problem(cache: &ResultCache) -> (String, String) {
    let problem = cache.problem().expect("a problem");
    (problem.what, problem.hint.expect("a hint"))
}

/// Stores results, moves them from the log to the database file, and returns its path.
fn stored(dir: &Path) -> PathBuf {
    store(dir, 0..5000);
    change(dir, "PRAGMA wal_checkpoint(TRUNCATE)");
    dir.join("results.db")
}

fn damage(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

fn change_a_letter(bytes: &mut [u8]) {
    let at = bytes.windows(11).position(|text| text == b"result 4321").unwrap();
    bytes[at] = b'R';
}

fn change_all_pages(bytes: &mut [u8]) {
    bytes.iter_mut().skip(4096).step_by(97).for_each(|byte| *byte ^= 0x55);
}

type Damage = fn(&Path);

const DAMAGE: [(&str, Damage); 11] = [
    ("text", |path| std::fs::write(path, "not a database, but longer than the header ".repeat(9)).unwrap()),
    ("empty", |path| damage(path, Vec::clear)),
    ("short", |path| damage(path, |bytes| bytes.truncate(50))),
    ("cut", |path| damage(path, |bytes| bytes.truncate(bytes.len() / 2))),
    ("header", |path| damage(path, |bytes| bytes[..100].fill(0xff))),
    ("schema", |path| damage(path, |bytes| bytes[100..4096].fill(0))),
    ("pages", |path| damage(path, |bytes| bytes[4096..].fill(0))),
    ("noise", |path| damage(path, |bytes| change_all_pages(bytes))),
    ("a letter", |path| damage(path, |bytes| change_a_letter(bytes))),
    ("no tables", |path| Connection::open(path).unwrap().execute_batch("DROP TABLE results").unwrap()),
    ("another database", |path| Connection::open(path).unwrap().pragma_update(None, "application_id", 1).unwrap()),
];

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_damaged_database_is_set_aside_and_a_new_one_started() {
    for (kind, damage) in DAMAGE {
        for finds_first in [true, false] {
            let (_dir, dir) = dir();
            let path = stored(&dir);
            for side in ["results.db-wal", "results.db-shm"] {
                let _ = std::fs::remove_file(dir.join(side));
            }
            damage(&path);
            let cache = ResultCache::at(&dir, true);
            if finds_first {
                assert_eq!(found(&cache, 0..5000), 0, "{kind}");
            }
            cache.store(results(5000..5100));
            cache.finish(TIMEOUT);
            if !finds_first && !dir.join("results.db.broken").exists() {
                // Storing touched no damaged page, so only a lookup finds the damage.
                found(&cache, 0..5000);
                cache.store(results(5000..5100));
                cache.finish(TIMEOUT);
            }
            let (what, hint) = problem(&cache);
            assert_eq!(
                what,
                format!("the cached results were damaged, so the cache starts empty: {}", path.display()),
                "{kind}"
            );
            assert!(hint.contains("results.db.broken"), "{kind}: {hint}");
            assert!(dir.join("results.db.broken").exists(), "{kind}");
            let next = ResultCache::at(&dir, true);
            assert_eq!(found(&next, 0..5100), 100, "{kind}");
            assert!(next.problem().is_none(), "{kind}");
        }
    }
}

#[test]
fn a_dry_run_leaves_a_damaged_database_alone() {
    let (_dir, dir) = dir();
    let path = stored(&dir);
    damage(&path, |bytes| bytes[..100].fill(0xff));
    let before = std::fs::read(&path).unwrap();
    let cache = ResultCache::at(&dir, false);
    assert_eq!(found(&cache, 0..10), 0);
    let expected = format!("the cached results are damaged: {}", path.display());
    assert_eq!(problem(&cache), (expected, "`tulk cache clear` removes them".to_owned()));
    assert_eq!(cache.size(None).0.entries, 0);
    assert!(before == std::fs::read(&path).unwrap());
    assert!(ResultCache::at(&dir, true).clear(None).unwrap().bytes > 0);
    assert!(!path.exists());
}

#[test]
fn a_database_of_a_newer_version_is_not_changed() {
    let (_dir, dir) = dir();
    let path = stored(&dir);
    change(&dir, "PRAGMA user_version = 2; PRAGMA wal_checkpoint(TRUNCATE)");
    let before = std::fs::read(&path).unwrap();
    let cache = ResultCache::at(&dir, true);
    assert_eq!(found(&cache, 0..10), 0);
    cache.store(results(0..10));
    cache.finish(TIMEOUT);
    let (what, hint) = problem(&cache);
    assert_eq!(what, format!("a newer version of tulk wrote the cached results: {}", path.display()));
    assert_eq!(hint, "update tulk, or set TULK_CACHE_DIR to another directory");
    assert!(before == std::fs::read(&path).unwrap() && !dir.join("results.db.broken").exists());
}

#[test]
fn gives_up_waiting_for_a_locked_database() {
    let (_dir, dir) = dir();
    let path = stored(&dir);
    let holder = Connection::open(&path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let cache = with_short_timeouts(&dir);
    assert_eq!(found(&cache, 0..10), 10, "a writer does not keep others from reading");
    cache.store(results(5000..5010));
    cache.finish(TIMEOUT);
    let (what, _) = problem(&cache);
    assert_eq!(what, format!("another process has locked the cached results: {}", path.display()));
    assert!(with_short_timeouts(&dir).clear(None).is_err());
    drop(cache);
    holder.execute_batch("ROLLBACK; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE").unwrap();
    let cache = with_short_timeouts(&dir);
    assert_eq!(found(&cache, 0..10), 0);
    assert!(problem(&cache).0.starts_with("another process has locked the cached results: "));
    holder.execute_batch("ROLLBACK; PRAGMA locking_mode = NORMAL").unwrap();
    drop(holder);
    assert_eq!(found(&with_short_timeouts(&dir), 0..10), 10);
}

#[test]
fn gives_up_waiting_for_a_process_that_hangs_while_creating_the_database() {
    let (_dir, dir) = dir();
    std::fs::create_dir_all(&dir).unwrap();
    let held = tulk_base::files::open_locked(&dir.join("results.lock")).unwrap().unwrap();
    let cache = with_short_timeouts(&dir);
    cache.store(results(0..10));
    assert_eq!(found(&cache, 0..10), 0);
    cache.finish(TIMEOUT);
    assert!(problem(&cache).0.starts_with("another process has locked the cached results: "));
    drop(held);
    store(&dir, 0..10);
    assert_eq!(found(&cache, 0..10), 10);
}

#[test]
fn reports_a_directory_that_cannot_be_created() {
    let (_dir, dir) = dir();
    std::fs::create_dir_all(dir.parent().unwrap()).unwrap();
    std::fs::write(&dir, "a file").unwrap();
    let special = if cfg!(unix) { &["/dev/null/cache", "/proc/cache"][..] } else { &[] };
    for place in [dir.clone(), dir.join("below")].into_iter().chain(special.iter().map(PathBuf::from)) {
        let cache = ResultCache::at(&place, true);
        for _ in 0..3 {
            assert_eq!(found(&cache, 0..10), 0);
            cache.store(results(0..10));
            cache.finish(TIMEOUT);
        }
        let (what, hint) = problem(&cache);
        assert!(what.starts_with("cannot create directory "), "{what}");
        assert_eq!(hint, "set TULK_CACHE_DIR to a directory that you can write to");
        assert_eq!(cache.size(None).0, CacheSize::default());
    }
    assert_eq!(std::fs::read(&dir).unwrap(), b"a file");
}

#[cfg(unix)]
#[test]
fn refuses_planted_links_and_pipes() {
    for name in ["results.db", "results.db-wal", "results.db-shm", "results.db.broken", "results.lock", "results.new"] {
        for kind in ["link", "pipe"] {
            let (_dir, dir) = dir();
            std::fs::create_dir_all(&dir).unwrap();
            let victim = dir.with_file_name("victim");
            std::fs::write(&victim, "victim").unwrap();
            if matches!(name, "results.db-wal" | "results.db-shm" | "results.db.broken") {
                store(&dir, 0..10);
                let _ = std::fs::remove_file(dir.join(name));
            }
            match kind {
                "link" => std::os::unix::fs::symlink(&victim, dir.join(name)).unwrap(),
                _ => {
                    assert!(std::process::Command::new("mkfifo").arg(dir.join(name)).status().unwrap().success());
                }
            }
            let cache = ResultCache::at(&dir, true);
            found(&cache, 0..10);
            cache.store(results(0..10));
            cache.finish(TIMEOUT);
            if name == "results.new" {
                assert!(cache.problem().is_none(), "{:?}", cache.problem());
                assert_eq!(found(&cache, 0..10), 10);
            } else {
                let expected = format!("{} is in the way: tulk did not write it", dir.join(name).display());
                assert_eq!(problem(&cache).0, expected);
            }
            assert_eq!(std::fs::read(&victim).unwrap(), b"victim", "{name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_dir, dir) = dir();
    store(&dir, 0..10);
    let open = ResultCache::at(&dir, true);
    assert_eq!(found(&open, 0..10), 10);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&dir), 0o700);
    let mut names: Vec<String> = Vec::new();
    for file in std::fs::read_dir(&dir).unwrap() {
        let file = file.unwrap();
        assert_eq!(mode(&file.path()), 0o600, "{file:?}");
        names.push(file.file_name().into_string().unwrap());
    }
    names.sort();
    assert_eq!(names, ["results.db", "results.db-shm", "results.db-wal", "results.lock"]);
}
