//! Ctrl-C, and two concurrent runs.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use super::{UNITS, own_entries, start, targets, texts_of, write_project};
use crate::common::{Bench, Run, wait_until};

/// Sums of units, characters and requests in the rows.
pub fn totals(run: &Run) -> [usize; 3] {
    let mut totals = [0; 3];
    for line in run.out().lines() {
        for (total, cell) in totals.iter_mut().zip(line.split('\t').skip(3)) {
            *total += cell.parse::<usize>().unwrap();
        }
    }
    totals
}

/// Returns the units, characters and requests that the service answered.
pub fn answered(requests: &[Value]) -> [usize; 3] {
    let answered: Vec<&Value> = requests.iter().filter(|request| request["status"] == 200).collect();
    let texts = || answered.iter().flat_map(|request| request["body"]["text"].as_array().unwrap());
    let characters = texts().map(|text| text.as_str().unwrap().chars().count()).sum();
    [texts().count(), characters, answered.len()]
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn writes_what_is_complete_at_ctrl_c_and_never_sends_it_again() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "800ms"]);
    write_project(&bench, "", "Text");
    let child = start(&bench, &[]);
    wait_until("the requests", || bench.requests().len() >= 3);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let run = Run::unlisted(child.wait_with_output().unwrap());
    assert_eq!(run.code, 130, "{run}");
    let requests = bench.requests();
    let sent: BTreeSet<String> = requests.iter().flat_map(texts_of).collect();
    // Answers in flight are awaited, but no language sends more.
    assert!(requests.len() <= 6, "{} requests", requests.len());
    assert_eq!(targets(&bench).len(), sent.len());
    assert_eq!(own_entries(&bench), sent.len());
    assert_eq!(totals(&run), answered(&requests), "{run}");
    bench.run(["sync"]).code(0);
    let again: BTreeSet<String> = bench.requests()[requests.len()..].iter().flat_map(texts_of).collect();
    assert!(again.is_disjoint(&sent));
    assert_eq!(own_entries(&bench), UNITS);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn refuses_a_second_run_in_the_same_project_only() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "600ms"]);
    write_project(&bench, "", "Text");
    write_project(&bench, "other/", "Other");
    let mut child = start(&bench, &[]);
    wait_until("the first request", || !bench.requests().is_empty());
    let refused = Run::unlisted(bench.command().arg("sync").output().unwrap());
    assert_eq!(refused.code, 2, "{refused}");
    let expected = format!("another tulk sync is running in this project (process {})", child.id());
    assert!(refused.stderr.contains(&expected), "{refused}");
    for args in [vec!["sync", "--check"], vec!["sync", "--dry-run"], vec!["sync", "status"]] {
        let run = Run::unlisted(bench.command().args(&args).output().unwrap());
        assert!(run.code < 2, "{args:?}: {run}");
    }
    assert!(child.try_wait().unwrap().is_none(), "the first run still works");
    bench.run(["sync", "--project", "other/tulk.toml", "--to", "de"]).code(0);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(own_entries(&bench), UNITS);
}
