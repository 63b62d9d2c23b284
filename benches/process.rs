//! Whole-process figures: start-up against an empty process, one translation against curl, lines against the ideal.
//!
//! `cargo bench --bench process`. Absolute times mean little on a shared machine; the ratios of one run do. Linux only:
//! processor time and peak memory are read from /proc.

#![allow(missing_docs, clippy::cast_precision_loss, clippy::expect_used)] // a program; figures are shown, not computed with

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

const RUNS: u32 = 60;

fn main() {
    let tulk = env!("CARGO_BIN_EXE_tulk");
    let home = tempfile::tempdir().expect("a temporary directory");
    let mut report = Vec::new();

    let empty = empty_program(home.path());
    let empty = cpu(RUNS, || Command::new(&empty));
    let version = cpu(RUNS, || with_args(tulk, &["--version"]));
    report.push(format!("--version: {:.2} times an empty process (bar 1.5)", version / empty));

    let (mut server, url) = sandbox(tulk, &["--engine", "echo"]);
    let address = format!("{url}/v2/translate");
    let body = r#"{"text":["Hello, world"],"target_lang":"DE"}"#;
    let curl = cpu(RUNS, || {
        with_args(
            "curl",
            &[
                "-s",
                "-o",
                "/dev/null",
                "-H",
                "Authorization: Service-Auth-Key sandbox",
                "-H",
                "Content-Type: application/json",
                "-d",
                body,
                &address,
            ],
        )
    });
    let home_dir = home.path().to_path_buf();
    let translate = || {
        let mut command = with_args(tulk, &["translate", "--to", "de", "Hello, world"]);
        command.env_clear().env("HOME", &home_dir).env("TULK_SERVER", &url).env("TULK_API_KEY", "sandbox");
        command
    };
    let one = cpu(RUNS, translate);
    report.push(format!("one translation over http: {:.2} times curl's processor time (bar 0.35)", one / curl));
    report.push(format!("one translation over http: {:.1} MiB at its peak (bar 8)", peak(translate())));
    end(&mut server);

    for (name, latency, ideal_ms) in [("50 ms", "50ms", 50.0), ("10 to 100 ms", "10ms-100ms", 55.0)] {
        let (mut server, url) = sandbox(tulk, &["--engine", "echo", "--latency", latency, "--seed", "1"]);
        let lines: u32 = 200_000;
        let input = home.path().join("lines.txt");
        write_lines(&input, lines);
        let mut command =
            with_args(tulk, &["translate", "--to", "de", "--lines", "--concurrency", "32", "-o", "/dev/null", "-i"]);
        command
            .arg(&input)
            .env_clear()
            .env("HOME", home.path())
            .env("TULK_SERVER", &url)
            .env("TULK_API_KEY", "sandbox");
        let before = children_ticks();
        let began = Instant::now();
        let kib = peak(command);
        let wall = began.elapsed().as_secs_f64();
        let spent = (children_ticks() - before) as f64 / 100.0;
        let ideal = f64::from(lines) / 50.0 / 32.0 * ideal_ms / 1000.0;
        report.push(format!(
            "{lines} lines at {name}: {:.2} times the ideal {ideal:.2} s (bar 1.10), {:.2} us of processor time a line (bar 4), {kib:.1} MiB (bar 16)",
            wall / ideal,
            spent * 1e6 / f64::from(lines),
        ));
        end(&mut server);
    }

    let (mut server, url) = sandbox(tulk, &["--engine", "echo"]);
    let memory = [200_000, 2_000_000].map(|lines| {
        let input = home.path().join("lines.txt");
        write_lines(&input, lines);
        let mut command =
            with_args(tulk, &["translate", "--to", "de", "--lines", "--concurrency", "32", "-o", "/dev/null", "-i"]);
        command
            .arg(&input)
            .env_clear()
            .env("HOME", home.path())
            .env("TULK_SERVER", &url)
            .env("TULK_API_KEY", "sandbox");
        peak(command)
    });
    report.push(format!("memory for 2,000,000 lines: {:.2} times that for 200,000 (bar 1.10)", memory[1] / memory[0]));
    end(&mut server);

    let mut out = std::io::stdout().lock();
    for line in report {
        let _ = writeln!(out, "{line}");
    }
}

/// A program that does nothing, built as tulk is.
fn empty_program(dir: &std::path::Path) -> std::path::PathBuf {
    let source = dir.join("empty.rs");
    std::fs::write(&source, "fn main() {}\n").expect("a file");
    let program = dir.join("empty");
    let built = Command::new("rustc").args(["-O", "-C", "panic=abort", "-o"]).arg(&program).arg(&source).status();
    assert!(built.expect("rustc").success());
    program
}

fn with_args(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Processor time of finished children, in ticks of 10 ms.
fn children_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("/proc/self/stat");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let tick = |i: usize| fields.get(i).and_then(|f| f.parse::<u64>().ok()).unwrap_or_default();
    tick(13) + tick(14)
}

/// Seconds of processor time of one run, over `runs` runs after one to warm up.
fn cpu(runs: u32, make: impl Fn() -> Command) -> f64 {
    let run = || assert!(make().status().expect("a run").success());
    run();
    let before = children_ticks();
    (0..runs).for_each(|_| run());
    (children_ticks() - before).max(1) as f64 / 100.0 / f64::from(runs)
}

/// Peak memory of one run in MiB, sampled until it ends.
fn peak(mut command: Command) -> f64 {
    let mut child = command.spawn().expect("a run");
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0.0_f64;
    loop {
        if let Ok(status) = std::fs::read_to_string(&path) {
            let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or_default();
            let kib: f64 = line.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or_default();
            most = most.max(kib / 1024.0);
        }
        if let Some(status) = child.try_wait().expect("its end") {
            assert!(status.success());
            return most;
        }
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
}

fn sandbox(tulk: &str, flags: &[&str]) -> (Child, String) {
    let mut child = Command::new(tulk)
        .args(["sandbox", "serve", "--port", "0", "--ephemeral"])
        .args(flags)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the sandbox");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its stdout")).read_line(&mut line).expect("its address");
    (child, line.trim().to_owned())
}

fn end(server: &mut Child) {
    let _ = server.kill();
    let _ = server.wait();
}

fn write_lines(path: &std::path::Path, lines: u32) {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).expect("a file"));
    for i in 0..lines {
        writeln!(file, "This is line number {i} of a longer text").expect("a line");
    }
}
