//! 32 processes share one store of documents: each document is uploaded once, downloaded once and not forgotten.

use serde_json::Value;

use super::{PROCESSES, run_concurrently};
use crate::common::Bench;

fn bench() -> Bench {
    Bench::with(&["--engine", "echo", "--document-queue", "0", "--document-translate", "0"])
}

fn transfers(bench: &Bench) -> (usize, usize) {
    let requests: Vec<Value> = bench.requests().into_iter().filter(|request| request["status"] == 200).collect();
    let path = |request: &Value| request["path"].as_str().unwrap_or_default().to_owned();
    let uploads = requests.iter().filter(|request| path(request) == "/v2/document").count();
    (uploads, requests.iter().filter(|request| path(request).ends_with("/result")).count())
}

/// The oldest document comes first.
fn list(bench: &Bench) -> Vec<Value> {
    bench.run(["doc", "list", "--json"]).code(0).json().as_array().unwrap().iter().rev().cloned().collect()
}

/// The documents stay on the service.
fn upload(bench: &Bench, count: usize) -> Vec<String> {
    (0..count)
        .map(|n| {
            let name = format!("u{n}.txt");
            bench.write(&name, &name);
            let run = bench.run(["doc", "upload", &name, "--to", "de", "--columns", "document_id"]).code(0);
            run.out().trim().to_owned()
        })
        .collect()
}

#[test]
fn a_document_shared_by_32_processes_is_uploaded_and_billed_once() {
    let bench = bench();
    bench.write("same.txt", "same");
    let runs = run_concurrently(&bench, |_| "doc translate same.txt --to de".to_owned());
    let (done, refused): (Vec<_>, Vec<_>) = runs.into_iter().partition(|run| run.code == 0);
    assert_eq!(done.len(), 1);
    for run in refused {
        let run = run.code(2).prints("");
        let is_known =
            ["is in use by another tulk process", "already exists"].iter().any(|why| run.stderr.contains(why));
        assert!(is_known, "{run}");
    }
    assert_eq!((transfers(&bench), bench.read("same.de.txt")), ((1, 1), "same".to_owned()));
    assert_eq!(list(&bench).len(), 1);
}

#[test]
fn commands_of_all_kinds_share_the_store() {
    let bench = bench();
    let uploaded = upload(&bench, 8);
    // Eight processes translate, eight upload, eight resume what they find, eight list.
    let runs = run_concurrently(&bench, |n| {
        let name = format!("n{n}.txt");
        bench.write(&name, &name);
        match n % 4 {
            0 => format!("doc translate {name} --to de"),
            1 => format!("doc upload {name} --to de"),
            2 => "doc resume".to_owned(),
            _ => "doc list --json".to_owned(),
        }
    });
    for (n, run) in runs.into_iter().enumerate() {
        let run = run.code(0);
        if n % 4 == 3 {
            assert!(run.json().as_array().is_some_and(|rows| rows.len() >= 8), "{run}");
        }
    }
    bench.run(["doc", "resume"]).code(0);
    assert_eq!((transfers(&bench), list(&bench).len()), ((24, 24), 24));
    for n in (0..PROCESSES).filter(|n| n % 4 < 2) {
        assert_eq!(bench.read(&format!("n{n}.de.txt")), format!("n{n}.txt"));
    }
    for (n, id) in uploaded.iter().enumerate() {
        assert_eq!(bench.read(&format!("u{n}.de.txt")), format!("u{n}.txt"));
        bench.run(["doc", "wait", id]).code(0).says_nothing();
    }
    assert!(list(&bench).iter().all(|row| row["status"] == "done"));
}

#[test]
fn waiting_does_not_disturb_the_process_that_downloads() {
    let bench = bench();
    let ids = upload(&bench, 8);
    let runs = run_concurrently(&bench, |n| match n % 4 {
        0 => format!("doc resume {}", ids[n / 4]),
        1 => format!("doc status {}", ids[n / 4]),
        _ => format!("doc wait {}", ids[n / 4]),
    });
    for run in runs {
        run.code(0);
    }
    assert_eq!(transfers(&bench), (8, 8));
    (0..8).for_each(|n| assert_eq!(bench.read(&format!("u{n}.de.txt")), format!("u{n}.txt")));
}

#[test]
fn each_record_is_forgotten_exactly_once() {
    let bench = bench();
    let ids = upload(&bench, 12);
    let runs = run_concurrently(&bench, |n| format!("doc forget {} --yes", ids[n / 4]));
    for of_one in runs.chunks(4) {
        let codes: Vec<i32> = of_one.iter().map(|run| run.code).collect();
        assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?} {}", of_one[0]);
        assert!(codes.iter().all(|code| [0, 2, 4].contains(code)), "{codes:?}");
    }
    let left: Vec<String> = list(&bench).iter().map(|row| row["document_id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(left, ids[8..]);
    bench.run(["doc", "resume"]).code(0);
    assert_eq!(transfers(&bench), (12, 4));
}
