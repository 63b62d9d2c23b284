//! Tests with many processes that use one cache at the same time and may be killed. Each process is this test program.

#![cfg(unix)]
#![allow(clippy::print_stdout)] // other processes read it

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use super::*;

/// Variable with the task of a process: number of the first result, number of results, directory.
const TASK: &str = "RESULTS_OF_TEST";

/// Stores results in batches of 50. Prints a line for each stored batch, then the cache's problem.
#[test]
#[ignore = "run by the other tests"]
fn stores_in_a_child_process() {
    let Ok(task) = std::env::var(TASK) else { return };
    let (start, rest) = task.split_once(' ').unwrap();
    let (count, dir) = rest.split_once(' ').unwrap();
    let (start, count): (usize, usize) = (start.parse().unwrap(), count.parse().unwrap());
    // The disk may be slow while many processes write.
    let minute = Duration::from_secs(60);
    let limits = CacheLimits { find_timeout: minute, store_timeout: minute, ..CacheLimits::default() };
    let cache = ResultCache::bounded(Path::new(dir), true, &limits);
    for first in (start..start + count).step_by(50) {
        cache.store(results(first..first + 50));
        while cache.problem().is_none() && found(&cache, first..first + 50) < 50 {
            std::thread::sleep(Duration::from_millis(1));
        }
        if cache.problem().is_some() {
            break;
        }
        // Start with a line feed, because the test harness does not end its line.
        println!("\nstored {first}");
    }
    cache.finish(TIMEOUT);
    println!("\nproblem: {}", cache.problem().map_or_else(|| "none".to_owned(), |problem| problem.what));
}

fn start(shell: &str, dir: &Path, start: usize, count: usize) -> Child {
    let program = std::env::current_exe().unwrap();
    let arguments = ["--exact", "results::tests::processes::stores_in_a_child_process", "--ignored", "--nocapture"];
    Command::new("sh")
        .args(["-c", &format!("{shell} exec \"$0\" \"$@\"")])
        .arg(program)
        .args(arguments)
        .env(TASK, format!("{start} {count} {}", dir.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns the first result of each batch that was reported as stored, and the reported problem.
fn output(child: Child) -> (Vec<usize>, Option<String>) {
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let stored = text.lines().filter_map(|line| line.strip_prefix("stored ")?.parse().ok());
    let problem = text.lines().find_map(|line| line.strip_prefix("problem: "));
    (stored.collect(), problem.map(str::to_owned))
}

fn check(dir: &Path) {
    let text: String = Connection::open(dir.join("results.db"))
        .unwrap()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(text, "ok");
}

#[test]
fn thirty_two_processes_share_a_new_cache() {
    let (_dir, dir) = dir();
    // Two processes store each result.
    let children: Vec<Child> = (0..32).map(|n| start("", &dir, n / 2 * 200, 200)).collect();
    for child in children {
        assert_eq!(output(child).1.as_deref(), Some("none"));
    }
    check(&dir);
    assert_eq!(found(&ResultCache::at(&dir, true), 0..3200), 3200);
    assert_eq!(number(&dir, "SELECT count(*) FROM results"), 3200);
    assert!(!dir.join("results.db.broken").exists());
}

#[test]
fn finds_the_results_stored_by_killed_processes() {
    let (_dir, dir) = dir();
    for round in 0..3 {
        let mut children: Vec<Child> = (0..8).map(|n| start("", &dir, (round * 8 + n) * 100_000, 100_000)).collect();
        let mut stored = Vec::new();
        for (n, child) in children.iter_mut().enumerate() {
            let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
            // Kill each process after a different number of batches.
            let printed =
                lines.by_ref().filter_map(|line| line.unwrap().strip_prefix("stored ")?.parse::<usize>().ok());
            stored.extend(printed.take(n + 1));
            child.kill().unwrap();
        }
        for mut child in children {
            child.wait().unwrap();
        }
        assert_eq!(stored.len(), 36);
        let cache = ResultCache::at(&dir, true);
        for first in stored {
            assert_eq!(found(&cache, first..first + 50), 50, "{first}");
        }
        check(&dir);
        assert!(cache.problem().is_none());
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_full_disk_damages_no_results() {
    let (_dir, dir) = dir();
    store(&dir, 0..1000);
    // Simulate a full disk by a limit on the file size, in units of 512 bytes.
    let child = start("trap '' XFSZ; ulimit -f 1000;", &dir, 10_000, 100_000);
    let (stored, problem) = output(child);
    let problem = problem.unwrap();
    assert!(problem.starts_with("cannot use the cached results in "), "{problem}");
    check(&dir);
    let cache = ResultCache::at(&dir, true);
    assert_eq!(found(&cache, 0..1000), 1000);
    assert!(!stored.is_empty() && stored.iter().all(|&first| first >= 10_000));
    assert_eq!(found(&cache, 10_000..10_050), 50);
    assert!(!dir.join("results.db.broken").exists());
}
