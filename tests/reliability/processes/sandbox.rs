//! Sandboxes that share their state: embedded ones, several servers on one directory, and resets while they run.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use super::{PROCESSES, end, run_concurrently, start};
use crate::common::Bench;

/// A server with its state on disk, killed on drop.
struct StatefulServer {
    child: Child,
    url: String,
}

impl StatefulServer {
    fn start(bench: &Bench) -> Self {
        let mut command = bench.command();
        command.args(["sandbox", "serve", "--quiet", "--port", "0", "--engine", "upper"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, url: line.trim().to_owned() }
    }
}

impl Drop for StatefulServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn create(n: usize) -> String {
    format!("glossary create G{n} --dictionary en:de=tea.tsv --columns name")
}

fn names(bench: &Bench) -> Vec<String> {
    let mut names: Vec<String> =
        bench.run(["glossary", "list", "--columns", "name"]).code(0).out().lines().map(str::to_owned).collect();
    names.sort();
    names
}

fn all() -> Vec<String> {
    let mut names: Vec<String> = (0..PROCESSES).map(|n| format!("G{n}")).collect();
    names.sort();
    names
}

#[test]
fn embedded_sandboxes_of_32_processes_share_their_state() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.write("tea.tsv", "tea\tTee\n");
    for (n, run) in run_concurrently(&bench, create).into_iter().enumerate() {
        run.code(0).prints(format!("G{n}\n"));
    }
    assert_eq!(names(&bench), all());
}

#[test]
fn four_servers_on_one_directory_have_the_same_state() {
    let bench = Bench::bare().env("TULK_API_KEY", "sandbox");
    bench.write("tea.tsv", "tea\tTee\n");
    let servers: Vec<StatefulServer> = (0..4).map(|_| StatefulServer::start(&bench)).collect();
    let runs = run_concurrently(&bench, |n| format!("--server {} {}", servers[n % 4].url, create(n)));
    for (n, run) in runs.into_iter().enumerate() {
        run.code(0).prints(format!("G{n}\n"));
    }
    for server in &servers {
        let list = bench.run(["--server", &server.url, "glossary", "list", "--columns", "name"]).code(0);
        let mut names: Vec<&str> = list.out().lines().collect();
        names.sort_unstable();
        assert_eq!(names, all());
    }
}

#[test]
fn a_server_loses_nothing_of_many_clients() {
    let bench = Bench::bare().env("TULK_API_KEY", "sandbox");
    bench.write("tea.tsv", "tea\tTee\n");
    let first = StatefulServer::start(&bench);
    let bench = bench.env("TULK_SERVER", &first.url);
    for run in run_concurrently(&bench, create) {
        run.code(0);
    }
    // A later server finds all of it.
    drop(first);
    let second = StatefulServer::start(&bench);
    assert_eq!(names(&bench.env("TULK_SERVER", &second.url)), all());
}

#[test]
fn a_reset_does_not_break_running_processes() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.write("tea.tsv", "tea\tTee\n");
    let runs = run_concurrently(&bench, |n| if n % 4 == 0 { "sandbox reset --yes".to_owned() } else { create(n) });
    for (n, run) in runs.into_iter().enumerate() {
        run.code(0).prints(if n % 4 == 0 { String::new() } else { format!("G{n}\n") });
    }
    assert!(names(&bench).len() <= 24);
    end(start(&bench, &["sandbox", "reset", "--yes"])).code(0);
    assert!(names(&bench).is_empty());
}
