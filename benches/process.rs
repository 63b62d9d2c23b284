//! Measures whole processes: start-up against an empty process, one translation against curl, many lines against the ideal.
//!
//! `cargo bench --bench process`. Compare the ratios of one run; absolute times vary with the machine. Linux only:
//! processor time and peak memory are read from /proc.

#![allow(missing_docs, clippy::cast_precision_loss, clippy::expect_used)] // a program whose figures are only printed

mod measure;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use measure::{children_ticks, cpu, peak, with_args};

const RUNS: u32 = 60;

fn main() {
    let tulk = env!("CARGO_BIN_EXE_tulk");
    let home = tempfile::tempdir().expect("a temporary directory");
    let report =
        [start_up(tulk, home.path()), one_translation(tulk, home.path()), throughput(tulk, home.path())].concat();
    let mut out = std::io::stdout().lock();
    for line in report.into_iter().chain([memory(tulk, home.path())]) {
        let _ = writeln!(out, "{line}");
    }
}

/// Start-up against an empty process.
fn start_up(tulk: &str, home: &Path) -> Vec<String> {
    let empty = empty_program(home);
    let empty = cpu(RUNS, || Command::new(&empty));
    let version = cpu(RUNS, || with_args(tulk, &["--version"]));
    vec![format!("--version: {:.2} times an empty process (limit 1.5)", version / empty)]
}

/// One translation over http against curl.
fn one_translation(tulk: &str, home: &Path) -> Vec<String> {
    let (mut server, url) = sandbox(tulk, &["--engine", "echo"]);
    let address = format!("{url}/v2/translate");
    let curl = cpu(RUNS, || curl_translation(&address));
    let translate = || {
        let mut command = with_args(tulk, &["translate", "--to", "de", "Hello, world"]);
        command.env_clear().env("HOME", home).env("TULK_SERVER", &url).env("TULK_API_KEY", "sandbox");
        command
    };
    let one = cpu(RUNS, translate);
    let peak = peak(translate());
    end(&mut server);
    vec![
        format!("one translation over http: {:.2} times curl's processor time (limit 0.35)", one / curl),
        format!("one translation over http: {peak:.1} MiB at its peak (limit 8)"),
    ]
}

fn curl_translation(address: &str) -> Command {
    let body = r#"{"text":["Hello, world"],"target_lang":"DE"}"#;
    let key = "Authorization: Service-Auth-Key sandbox";
    with_args(
        "curl",
        &["-s", "-o", "/dev/null", "-H", key, "-H", "Content-Type: application/json", "-d", body, address],
    )
}

/// 200,000 lines at two latencies against the time that the latency alone takes.
fn throughput(tulk: &str, home: &Path) -> Vec<String> {
    let lines: u32 = 200_000;
    let measure = |(name, latency, ideal_ms): (&str, &str, f64)| {
        let (mut server, url) = sandbox(tulk, &["--engine", "echo", "--latency", latency, "--seed", "1"]);
        let before = children_ticks();
        let start = Instant::now();
        let mib = peak(translate_lines(tulk, home, &url, lines));
        let wall = start.elapsed().as_secs_f64();
        let cpu = (children_ticks() - before) as f64 / 100.0;
        let ideal = f64::from(lines) / 50.0 / 32.0 * ideal_ms / 1000.0;
        end(&mut server);
        format!(
            "{lines} lines at {name}: {:.2} times the ideal {ideal:.2} s (limit 1.10), {:.2} us of processor time a line (limit 4), {mib:.1} MiB (limit 16)",
            wall / ideal,
            cpu * 1e6 / f64::from(lines),
        )
    };
    [("50 ms", "50ms", 50.0), ("10 to 100 ms", "10ms-100ms", 55.0)].into_iter().map(measure).collect()
}

/// Memory for ten times as many lines.
fn memory(tulk: &str, home: &Path) -> String {
    let (mut server, url) = sandbox(tulk, &["--engine", "echo"]);
    let [less, more] = [200_000, 2_000_000].map(|lines| peak(translate_lines(tulk, home, &url, lines)));
    end(&mut server);
    format!("memory for 2,000,000 lines: {:.2} times that for 200,000 (limit 1.10)", more / less)
}

/// Writes a file of lines and translates it to /dev/null.
fn translate_lines(tulk: &str, home: &Path, url: &str, lines: u32) -> Command {
    let input = home.join("lines.txt");
    write_lines(&input, lines);
    let mut command =
        with_args(tulk, &["translate", "--to", "de", "--lines", "--concurrency", "32", "-o", "/dev/null", "-i"]);
    command.arg(&input).env_clear().env("HOME", home).env("TULK_SERVER", url).env("TULK_API_KEY", "sandbox");
    command
}

/// Builds a program that does nothing.
fn empty_program(dir: &Path) -> PathBuf {
    let source = dir.join("empty.rs");
    std::fs::write(&source, "fn main() {}\n").expect("a file");
    let program = dir.join("empty");
    let built = Command::new("rustc").args(["-O", "-C", "panic=abort", "-o"]).arg(&program).arg(&source).status();
    assert!(built.expect("rustc").success());
    program
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

fn write_lines(path: &Path, lines: u32) {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).expect("a file"));
    for i in 0..lines {
        writeln!(file, "This is line number {i} of a longer text").expect("a line");
    }
}
