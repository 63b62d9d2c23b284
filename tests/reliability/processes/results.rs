//! 32 processes share one cache: results are right, there are no warnings, and stored results are not billed again.

use std::collections::BTreeSet;

use serde_json::Value;

use super::run_concurrently;
use crate::common::Bench;

/// Returns every text sent, including repetitions.
fn sent(bench: &Bench) -> Vec<String> {
    let texts = |body: &Value| body["text"].as_array().cloned().unwrap_or_default();
    let sent = bench.sent().into_iter().flat_map(|(_, body)| texts(&body));
    sent.map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Process `n` gets the lines `5n` to `5n + 60`, so neighbors share most of them.
fn input(n: usize) -> String {
    (n * 5..n * 5 + 60).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn overlapping_texts_of_32_processes_are_correct_and_cached() {
    let bench = Bench::with(&["--engine", "upper"]);
    let args = |n: usize| {
        let name = format!("f{n}.txt");
        bench.write(&name, input(n));
        format!("translate --from en --to de --lines --cache -i {name} --concurrency 2 --progress none")
    };
    for (n, run) in run_concurrently(&bench, args).into_iter().enumerate() {
        run.code(0).prints(input(n).to_uppercase()).says_nothing();
    }
    // Two processes that need a text at the same moment are both billed; no process is billed twice.
    let paid = sent(&bench);
    let texts: BTreeSet<&String> = paid.iter().collect();
    assert_eq!(texts.len(), 31 * 5 + 60, "each text was sent");
    assert!(texts.iter().all(|text| paid.iter().filter(|one| one == text).count() <= 12), "{paid:?}");
    // Everything is stored by now, so none of the 32 processes sends anything.
    for (n, run) in run_concurrently(&bench, args).into_iter().enumerate() {
        run.code(0).prints(input(n).to_uppercase()).says_nothing();
    }
    assert_eq!(sent(&bench).len(), paid.len(), "nothing is paid again");
    let database = rusqlite::Connection::open(bench.path(".cache/tulk/results/results.db")).unwrap();
    let check: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

#[test]
fn clearing_the_cache_changes_no_result() {
    let bench = Bench::with(&["--engine", "upper"]);
    let runs = run_concurrently(&bench, |n| {
        if n % 4 == 0 {
            return "cache clear --quiet".to_owned();
        }
        let name = format!("f{n}.txt");
        bench.write(&name, input(n));
        format!("translate --from en --to de --lines --cache -i {name} --concurrency 2 --progress none")
    });
    for (n, run) in runs.into_iter().enumerate() {
        run.code(0).prints(if n % 4 == 0 { String::new() } else { input(n).to_uppercase() }).says_nothing();
    }
    bench.run(["cache", "stats"]).code(0).says_nothing();
}
