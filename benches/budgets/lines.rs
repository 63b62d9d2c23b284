//! Many lines: time against the total latency, CPU time per line, and memory.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use nix::sys::resource::UsageWho;

use super::inputs::write_lines;
use super::process::{median, processor_time, run, run_alternately, run_for_peak_memory};
use super::setup::Setup;
use super::stub::{Latency, Stub, raw_client};
use super::table::Figure;

/// Entries in a request.
const BATCH: u64 = 50;
/// Requests in flight.
const CONCURRENCY: u64 = 32;
const LINES_WITH_LATENCY: u64 = 200_000;
const LINES_WITHOUT_LATENCY: u64 = 1_000_000;

pub fn measure(setup: &Setup) -> Vec<Figure> {
    [latency(setup), throughput(setup)].concat()
}

fn translate(setup: &Setup, stub: &Stub, input: &Path) -> Command {
    let concurrency = CONCURRENCY.to_string();
    let mut command = setup.tulk(&stub.url(), &["translate", "--to", "de", "--lines", "-o", "/dev/null"]);
    command.args(["--concurrency", &concurrency, "-i"]).arg(input);
    command
}

/// Measures time against the ideal: the sum of all latencies, divided by the requests in flight.
fn latency(setup: &Setup) -> Vec<Figure> {
    let input = setup.dir().join("lines.txt");
    write_lines(&input, LINES_WITH_LATENCY);
    let cases = [("50 ms", Latency::Fixed(50), 1.04), ("10 to 100 ms", Latency::Between(10, 100), 1.10)];
    let measure = |(name, latency, budget): (&str, Latency, f64)| {
        let stub = Stub::with_latency(latency);
        let round = || {
            let before = stub.total_latency();
            let cost = run(translate(setup, &stub, &input));
            cost.wall / ((stub.total_latency() - before) / CONCURRENCY as f64)
        };
        let what = format!("200,000 at {name}, {CONCURRENCY} in flight: time against ideal");
        Figure::ratio(what, median((0..setup.rounds).map(|_| round()))).at_most(budget)
    };
    cases.into_iter().map(measure).collect()
}

fn throughput(setup: &Setup) -> Vec<Figure> {
    let input = setup.dir().join("lines.txt");
    write_lines(&input, LINES_WITHOUT_LATENCY);
    let stub = Arc::new(Stub::start());
    let jq = || {
        let mut command = setup.command("jq", &["-R", "."]);
        command.arg(&input);
        command
    };
    let pairs = run_alternately(setup.rounds, || run(translate(setup, &stub, &input)), || run(jq()));
    let own = processor_time(UsageWho::RUSAGE_SELF);
    let most = run_for_peak_memory(translate(setup, &stub, &input));
    let own = processor_time(UsageWho::RUSAGE_SELF) - own;
    let speed = LINES_WITHOUT_LATENCY as f64 / pairs.first(|c| c.wall);
    let start = Instant::now();
    raw_client(&stub, CONCURRENCY, LINES_WITHOUT_LATENCY / BATCH, BATCH);
    let raw = LINES_WITHOUT_LATENCY as f64 / start.elapsed().as_secs_f64();
    let micros = |seconds: f64| seconds * 1e6 / LINES_WITHOUT_LATENCY as f64;
    vec![
        Figure::ratio("no latency: processor time against jq", pairs.ratio(|c| c.cpu)).at_most(2.0),
        Figure::amount("no latency: processor time per line", micros(pairs.first(|c| c.cpu)), "us"),
        Figure::amount("no latency: speed", speed, "lines/s"),
        Figure::amount("no latency: peak memory", most, "MiB"),
        Figure::amount("the bench's server: processor time per line", micros(own), "us"),
        Figure::ratio("the bench's server: speed of a bare client against tulk", raw / speed),
    ]
}
