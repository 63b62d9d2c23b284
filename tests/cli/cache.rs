//! `tulk cache` and `TULK_CACHE_DIR`: shows and removes what is cached, whatever the state of its files.

use std::path::Path;
use std::time::{Duration, SystemTime};

#[path = "../../benches/parts/number_cache.rs"]
mod number_cache;

use self::number_cache::NumberCache;

use crate::common::Bench;

/// Stores results as a run with `--cache` does.
fn store(dir: &Path, numbers: std::ops::Range<u64>) {
    NumberCache::at(dir).store(numbers);
}

/// Makes results an hour older.
fn age(dir: &Path, sql: &str) {
    let database = rusqlite::Connection::open(dir.join("results.db")).unwrap();
    database.execute_batch(&format!("UPDATE results SET stored = stored - 3600 {sql}")).unwrap();
}

#[test]
fn shows_and_removes_results() {
    let bench = Bench::bare();
    let dir = bench.path(".cache/tulk/results");
    let run = bench.run(["cache", "stats", "--header"]).code(0).says_nothing();
    assert_eq!(run.out().lines().next(), Some("cache\tentries\tbytes\tpath"));
    assert_eq!(run.out().lines().last().unwrap(), format!("results\t0\t0\t{}", dir.display()));
    bench.run(["cache", "clear"]).code(0).prints("");
    assert!(!bench.path(".cache").exists(), "nothing is created");
    store(&dir, 0..3000);
    let stats = bench.run(["cache", "stats", "--json"]).code(0).json();
    assert_eq!((&stats[2]["cache"], &stats[2]["entries"]), (&"results".into(), &3000.into()));
    let files = ["results.db", "results.db-wal", "results.db-shm"].map(|name| dir.join(name));
    let bytes: u64 = files.iter().map(|file| file.metadata().map_or(0, |file| file.len())).sum();
    assert_eq!(stats[2]["bytes"], bytes);
    let run = bench.run(["cache", "clear", "--dry-run"]).code(0);
    run.says("would remove 0 cached files and 3,000 results from ").says(&format!(" and {}\n", dir.display()));
    assert_eq!(NumberCache::at(&dir).find(0..3000), 3000);
    bench.run(["cache", "clear"]).code(0).prints("").says("removed 0 cached files and 3,000 results, ");
    assert_eq!(NumberCache::at(&dir).find(0..3000), 0);
    let stats = bench.run(["cache", "stats", "--json"]).code(0).json();
    assert!(stats[2]["entries"] == 0 && stats[2]["bytes"].as_u64().unwrap() < 100_000, "{stats}");
}

#[test]
fn removes_only_older_results() {
    let bench = Bench::new();
    let dir = bench.path(".cache/tulk/results");
    bench.run(["langs", "list"]).code(0);
    bench.run(["langs", "resources"]).code(0);
    let languages = bench.path(".cache/tulk/languages");
    let file = std::fs::read_dir(&languages).unwrap().next().unwrap().unwrap().path();
    let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    std::fs::File::options().write(true).open(file).unwrap().set_modified(an_hour_ago).unwrap();
    store(&dir, 0..100);
    age(&dir, "WHERE id <= 40");
    bench.run(["cache", "clear", "--older-than", "2h"]).code(0).says("removed 0 cached files and 0 results, 0 bytes\n");
    let run = bench.run(["cache", "clear", "--older-than", "30m", "-n"]).code(0);
    run.says("would remove 1 cached file and 40 results from ");
    bench.run(["cache", "clear", "--older-than", "30m"]).code(0).says("removed 1 cached file and 40 results, ");
    assert_eq!(NumberCache::at(&dir).find(0..100), 60);
    bench.run(["cache", "clear", "--older-than", "1d"]).code(0).says("removed 0 cached files and 0 results, 0 bytes\n");
    bench.run(["cache", "clear", "--older-than", "0"]).code(0).says("removed 1 cached file and 60 results, ");
    bench.run(["cache", "clear", "--older-than", "100000d"]).code(0).says("removed 0 cached files and 0 results");
    for wrong in ["", "soon", "-1"] {
        let run = bench.run(["cache", "clear", &format!("--older-than={wrong}")]).code(2);
        run.says("write 12h, 30d or plain seconds");
    }
}

#[test]
fn reports_and_removes_damaged_results() {
    let bench = Bench::bare();
    let dir = bench.path(".cache/tulk/results");
    store(&dir, 0..100);
    for name in ["results.db-wal", "results.db-shm"] {
        let _ = std::fs::remove_file(dir.join(name));
    }
    bench.write(".cache/tulk/results/results.db", "not a database");
    bench.write(".cache/tulk/results/results.db.broken", "another one");
    let run = bench.run(["cache", "stats", "--columns", "entries,bytes"]).code(0);
    assert_eq!(run.out().lines().last(), Some("0\t25"));
    run.says(&format!("warning: the cached results are damaged: {}\n", dir.join("results.db").display()))
        .says("hint: `tulk cache clear` removes them\n");
    bench.run(["cache", "clear"]).code(0).says("removed 0 cached files and 0 results, 25 bytes\n");
    assert!(!dir.join("results.db").exists() && !dir.join("results.db.broken").exists());
    bench.run(["cache", "stats"]).code(0).says_nothing();
}

#[test]
fn a_variable_sets_the_directory_of_all_caches() {
    let bench = Bench::new();
    let paths = |bench: &Bench| {
        let run = bench.run(["cache", "stats", "--columns", "path"]).code(0);
        run.out().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = |dir: &Path| ["languages", "names", "results"].map(|name| dir.join(name).display().to_string());
    let bench = bench.env("TULK_CACHE_DIR", "");
    assert_eq!(paths(&bench), expected(&bench.path(".cache/tulk")));
    // As with CARGO_HOME, a relative path is below the current directory.
    let bench = bench.env("TULK_CACHE_DIR", "ci/cache");
    assert_eq!(paths(&bench), expected(&std::path::absolute(bench.path("ci/cache")).unwrap()));
    bench.run(["langs", "resources"]).code(0);
    assert_eq!(std::fs::read_dir(bench.path("ci/cache/languages")).unwrap().count(), 1);
    assert!(!bench.path(".cache").exists());
    let output =
        bench.command().args(["cache", "clear"]).env_remove("HOME").env_remove("XDG_CACHE_HOME").output().unwrap();
    assert!(output.status.success());
    assert_eq!(std::fs::read_dir(bench.path("ci/cache/languages")).unwrap().count(), 0);
}
