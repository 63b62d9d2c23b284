//! Ctrl-C, and two runs at once.

use std::collections::BTreeSet;
use std::process::Command;

use super::{UNITS, own_entries, start, targets, texts_of, write_project};
use crate::common::{Bench, Run, wait_until};

#[test]
fn what_is_complete_at_ctrl_c_is_written_and_not_sent_again() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "1500ms"]);
    write_project(&bench, "", "Text");
    let child = start(&bench, &["--to", "de"]);
    wait_until("the requests", || bench.requests().len() >= 3);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let run = Run::unlisted(child.wait_with_output().unwrap());
    assert_eq!(run.code, 130, "{run}");
    // The rows count what was sent.
    let rows: Vec<u64> = run.out().lines().map(|line| line.rsplit('\t').next().unwrap().parse().unwrap()).collect();
    assert_eq!(rows.iter().sum::<u64>(), bench.requests().len() as u64, "{run}");
    let sent: BTreeSet<String> = bench.requests().iter().flat_map(texts_of).collect();
    // Answers in flight are awaited.
    assert_eq!(targets(&bench).len(), sent.len());
    assert_eq!(own_entries(&bench), sent.len());
    let first = bench.requests().len();
    bench.run(["sync", "--to", "de"]).code(0);
    let again: BTreeSet<String> = bench.requests()[first..].iter().flat_map(texts_of).collect();
    assert!(again.is_disjoint(&sent));
    assert_eq!(own_entries(&bench), UNITS / 2);
}

#[test]
fn a_second_run_in_a_project_is_refused_and_one_in_another_is_not() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "600ms"]);
    write_project(&bench, "", "Text");
    write_project(&bench, "other/", "Other");
    let mut child = start(&bench, &[]);
    wait_until("the first request", || !bench.requests().is_empty());
    let refused = Run::unlisted(bench.command().arg("sync").output().unwrap());
    assert_eq!(refused.code, 2, "{refused}");
    let expected = format!("another tulk sync is at work in this project (process {})", child.id());
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
