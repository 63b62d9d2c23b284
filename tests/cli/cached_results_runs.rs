//! `--cache`: killed, stopped and resumed runs, concurrent processes, and an unusable store.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::cached_results::{sent_by, texts};
use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run, wait_until};

const NOTHING: [Vec<String>; 0] = [];

fn numbered(lines: usize) -> String {
    (0..lines).map(|n| format!("line {n}\n")).collect()
}

fn start(bench: &Bench, args: &[&str]) -> Child {
    let mut command = bench.command();
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

const LINES: [&str; 10] =
    ["translate", "--from", "en", "--to", "de", "--lines", "--cache", "-i", "in.txt", "--concurrency=2"];

fn count_repeated_texts(bench: &Bench) -> usize {
    let mut counts = HashMap::new();
    for text in texts(bench).concat() {
        *counts.entry(text).or_insert(0) += 1;
    }
    counts.values().filter(|count| **count > 1).count()
}

/// A service that answers four requests and holds the others back until `is_released` is set.
#[derive(Default)]
struct Service {
    is_released: AtomicBool,
    /// The texts of each request in order of arrival. The first four requests are answered.
    sent: Mutex<Vec<Vec<String>>>,
}

impl Service {
    fn answer(&self, request: &str) -> Vec<u8> {
        let body: Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
        let texts: Vec<String> = serde_json::from_value(body["text"].clone()).unwrap();
        let translations: Vec<_> = texts.iter().map(|text| json!({"text": text.to_uppercase()})).collect();
        let requests = {
            let mut sent = self.sent.lock().unwrap();
            sent.push(texts);
            sent.len()
        };
        if requests > 4 {
            wait_until("the next run", || self.is_released.load(Ordering::Relaxed));
        }
        answer(200, &[], json!({"translations": translations}).to_string())
    }

    fn sent(&self) -> Vec<Vec<String>> {
        self.sent.lock().unwrap().clone()
    }
}

#[test]
fn resends_only_requests_in_flight_after_a_kill() {
    let service = Arc::new(Service::default());
    let server = ScriptedServer::start({
        let service = Arc::clone(&service);
        move |request| service.answer(request)
    });
    let bench = Bench::bare().env("TULK_API_KEY", "k-12345678").env("TULK_SERVER", &server.url);
    let input = numbered(1000);
    bench.write("in.txt", &input);
    let mut child = start(&bench, &LINES);
    wait_until("two requests in flight", || service.sent().len() == 6);
    let (stored, in_flight) = (service.sent()[..4].concat().len(), service.sent()[4..].concat().len());
    wait_until("four answers in the cache", || {
        bench.run(["cache", "stats", "--json"]).code(0).json()[2]["entries"] == stored
    });
    child.kill().unwrap();
    child.wait().unwrap();
    service.is_released.store(true, Ordering::Relaxed);
    bench.run(LINES).code(0).prints(input.to_uppercase());
    assert_eq!(service.sent().concat().len(), 1000 + in_flight);
    let requests = service.sent().len();
    bench.run(LINES).code(0).prints(input.to_uppercase());
    assert_eq!(service.sent().len(), requests);
}

#[test]
fn stores_answers_awaited_after_a_signal() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "150ms"]);
    let input = numbered(2000);
    bench.write("in.txt", &input);
    let child = start(&bench, &LINES);
    wait_until("some requests", || bench.requests().len() >= 6);
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let run = Run::unlisted(child.wait_with_output().unwrap()).code(130);
    assert!(run.out().lines().count() < 1900, "{run}");
    bench.run(LINES).code(0).prints(input.to_uppercase());
    assert_eq!(count_repeated_texts(&bench), 0);
    assert_eq!(texts(&bench).concat().len(), 2000);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn stores_answers_awaited_after_the_output_failed() {
    let run = format!("tulk {}", LINES.join(" "));
    for (script, code) in [(format!("{run} | head -n 1"), 0), (format!("{run} > /dev/full"), 70)] {
        let bench = Bench::with(&["--engine", "upper", "--latency", "150ms"]);
        let input = numbered(1000);
        bench.write("in.txt", &input);
        let first = bench.bash(&format!("set -o pipefail; {script}")).code(code);
        assert!(texts(&bench).concat().len() < 1000, "{first}");
        bench.run(LINES).code(0).prints(input.to_uppercase());
        assert_eq!(count_repeated_texts(&bench), 0, "{script}");
        assert_eq!(texts(&bench).concat().len(), 1000, "{script}");
    }
}

#[test]
fn a_resumed_run_takes_the_rest_from_the_cache() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input = numbered(400);
    bench.write("in.txt", &input);
    bench.run(LINES.iter().chain(&["-o", "first.txt"])).code(0);
    let before = texts(&bench).len();
    bench.write("in.txt", input.replace("line 399", "another line"));
    let to_file = [&LINES[..], &["-o", "out.txt"]].concat();
    bench.run(to_file.iter().chain(&["--max-characters", "5"])).code(6).says("--resume");
    bench.run(to_file.iter().chain(&["--resume"])).code(0);
    assert_eq!(bench.read("out.txt"), input.replace("line 399", "another line").to_uppercase());
    assert_eq!(texts(&bench).split_off(before), [["another line"]]);
    // A run without `--cache` can be resumed with it: the results that it has written are not sent again.
    let no_cache = [&LINES[..6], &LINES[7..], &["-o", "again.txt"]].concat();
    bench.run(no_cache.iter().chain(&["--max-characters", "1500"])).code(6);
    let rest = [&LINES[..], &["-o", "again.txt", "--resume"]].concat();
    assert_eq!(sent_by(&bench, || drop(bench.run(rest).code(0))), NOTHING);
    assert_eq!(bench.read("again.txt"), bench.read("out.txt"));
}

#[test]
fn many_processes_share_the_cache() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input = numbered(500);
    bench.write("in.txt", &input);
    let args = [&LINES[..], &["--progress", "none"]].concat();
    let children: Vec<Child> = (0..12).map(|_| start(&bench, &args)).collect();
    for child in children {
        Run::from(child.wait_with_output().unwrap()).code(0).prints(input.to_uppercase()).says_nothing();
    }
    assert_eq!(sent_by(&bench, || drop(bench.run(LINES).code(0).prints(input.to_uppercase()))), NOTHING);
}

/// A problem with the store: its name, a function that causes it, and the text of the warning.
type StoreProblem = (&'static str, fn(&Path), &'static str);

const STORE_PROBLEMS: &[StoreProblem] = &[
    ("a file in place of the directory", |dir| std::fs::write(dir, "").unwrap(), "warning: "),
    (
        "a directory in place of the database",
        |dir| std::fs::create_dir_all(dir.join("results.db")).unwrap(),
        "warning: ",
    ),
    (
        "another file in place of the database",
        |dir| {
            std::fs::create_dir_all(dir).unwrap();
            std::fs::write(dir.join("results.db"), "no database".repeat(1000)).unwrap();
        },
        "warning: ",
    ),
    (
        "a database of something else",
        |dir| {
            std::fs::create_dir_all(dir).unwrap();
            let other = rusqlite::Connection::open(dir.join("results.db")).unwrap();
            other.execute_batch("CREATE TABLE other (n INTEGER); INSERT INTO other VALUES (1);").unwrap();
        },
        "warning: ",
    ),
];

#[test]
fn an_unusable_store_changes_no_result() {
    for (what, make, warning) in STORE_PROBLEMS {
        let bench = Bench::with(&["--engine", "upper"]);
        bench.write("in.txt", "one\ntwo\n");
        std::fs::create_dir_all(bench.path(".cache/tulk")).unwrap();
        make(&bench.path(".cache/tulk/results"));
        for args in [&LINES[..], &["write", "correct", "--cache", "--lines", "-i", "in.txt"]] {
            let run = bench.run(args).code(0);
            assert_eq!(run.out().to_lowercase(), "one\ntwo\n", "{what}: {run}");
            assert!(run.stderr.matches("warning: ").count() <= 1, "{what}: {run}");
            if args == LINES {
                run.says(warning);
            }
        }
        let json = bench.run(LINES.iter().chain(&["--json"])).code(0);
        assert!(json.stderr.lines().all(|line| line.starts_with("{\"warning\":")), "{what}: {json}");
    }
}

#[test]
fn caches_nothing_without_a_home_directory() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("in.txt", "one\ntwo\n");
    let mut command = bench.command();
    command.args(LINES).env_remove("HOME").env_remove("XDG_CACHE_HOME").env("HOME", "/proc/none");
    let run = Run::from(command.output().unwrap()).code(0).prints("ONE\nTWO\n");
    assert_eq!(run.stderr.matches("warning: ").count(), 1, "{run}");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_locked_store_changes_no_result() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("in.txt", "one\ntwo\n");
    bench.run(LINES).code(0);
    let database = rusqlite::Connection::open(bench.path(".cache/tulk/results/results.db")).unwrap();
    database.pragma_update(None, "locking_mode", "EXCLUSIVE").unwrap();
    database.execute_batch("BEGIN EXCLUSIVE").unwrap();
    bench.write("in.txt", "one\ntwo\nthree\n");
    let run = bench.run(LINES).code(0).prints("ONE\nTWO\nTHREE\n");
    assert_eq!(run.stderr.matches("warning: ").count(), 1, "{run}");
    run.says("warning: another process has locked the cached results");
    database.execute_batch("ROLLBACK").unwrap();
    drop(database);
    assert_eq!(sent_by(&bench, || drop(bench.run(LINES).code(0).says_nothing())), [["three"]]);
}
