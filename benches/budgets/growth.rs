//! How cost grows with the size of entries, and with the number of languages, files and requests in flight.

use std::process::Command;

use super::inputs::{write_entries, write_lines};
use super::process::{median, run, run_alternately};
use super::setup::Setup;
use super::stub::{Latency, Stub};
use super::table::{Figure, thousands};

const LINES: u64 = 200_000;
/// Number of lines with 8 requests in flight. With more or fewer requests in flight, it changes in proportion.
const LINES_WITH_LATENCY: u64 = 20_000;
/// Entries in a request.
const BATCH: u64 = 50;
const FILES: u64 = 100;
const SIZES: [usize; 3] = [50, 500, 5_000];
/// Size of the input, the same for all entry sizes.
const BYTES: usize = 10_000_000;

pub fn measure(setup: &Setup) -> Vec<Figure> {
    let mut figures = SIZES.map(|size| entries(setup, size)).to_vec();
    figures.extend([languages(setup), files(setup), small_files(setup)]);
    figures.extend([1, 8, 32, 64].map(|concurrency| in_flight(setup, concurrency)));
    figures
}

fn tulk(setup: &Setup, stub: &Stub, arguments: &[&str]) -> Command {
    let mut command = setup.tulk(&stub.url(), &["translate", "--lines"]);
    command.args(arguments).current_dir(setup.dir());
    command
}

fn entries(setup: &Setup, size: usize) -> Figure {
    let stub = Stub::start();
    write_entries(&setup.dir().join("input.txt"), BYTES, size);
    let run = || run(tulk(setup, &stub, &["--to", "de", "-i", "input.txt", "-o", "/dev/null"])).cpu;
    let micros = median((0..setup.rounds).map(|_| run())) * 1e6 / (BYTES / size) as f64;
    Figure::amount(format!("processor time per entry of {size} bytes"), micros, "us")
}

fn languages(setup: &Setup) -> Figure {
    let stub = Stub::start();
    write_lines(&setup.dir().join("input.txt"), LINES);
    let to = |languages: &str| {
        run(tulk(setup, &stub, &["--to", languages, "--force", "-i", "input.txt", "-o", "out.{lang}.txt"]))
    };
    let pairs = run_alternately(setup.rounds, || to("de,fr,es,it"), || to("de"));
    Figure::ratio("4 languages against 1: processor time", pairs.ratio(|c| c.cpu))
}

/// Compares many files with one file that has as many lines.
fn files(setup: &Setup) -> Figure {
    let stub = Stub::start();
    let dir = setup.dir().join("files");
    std::fs::create_dir(&dir).expect("a directory");
    let names: Vec<String> = (0..FILES).map(|number| format!("files/{number}.txt")).collect();
    for name in &names {
        write_lines(&setup.dir().join(name), LINES / FILES);
    }
    write_lines(&setup.dir().join("input.txt"), LINES);
    let many: Vec<&str> = names.iter().flat_map(|name| ["-i", name.as_str()]).collect();
    let output = ["--to", "de", "--force", "-o", "{dir}/{stem}.{lang}{ext}"];
    let pairs = run_alternately(
        setup.rounds,
        || run(tulk(setup, &stub, &[&output[..], &many].concat())),
        || run(tulk(setup, &stub, &[&output[..], &["-i", "input.txt"]].concat())),
    );
    Figure::ratio("100 files against 1 with as many lines: processor time", pairs.ratio(|c| c.cpu))
}

/// Measures many files of one line each, as a ratio to one latency per file.
fn small_files(setup: &Setup) -> Figure {
    let stub = Stub::with_latency(Latency::Fixed(50));
    let names: Vec<String> = (0..FILES).map(|number| format!("files/{number}.txt")).collect();
    for name in &names {
        write_lines(&setup.dir().join(name), 1);
    }
    let many: Vec<&str> = names.iter().flat_map(|name| ["-i", name.as_str()]).collect();
    let arguments = [&["--to", "de", "--force", "-o", "{dir}/{stem}.{lang}{ext}"][..], &many].concat();
    let walls = (0..setup.rounds.min(5)).map(|_| run(tulk(setup, &stub, &arguments)).wall);
    Figure::ratio("100 files of 1 line at 50 ms: time against 100 × 50 ms", median(walls) / (FILES as f64 * 0.05))
}

/// Measures the speed at a latency of 50 ms, as a ratio to the maximum that the latency allows.
fn in_flight(setup: &Setup, concurrency: u64) -> Figure {
    let stub = Stub::with_latency(Latency::Fixed(50));
    let lines = LINES_WITH_LATENCY * concurrency / 8;
    write_lines(&setup.dir().join("input.txt"), lines);
    let number = concurrency.to_string();
    let arguments = ["--to", "de", "--concurrency", &number, "-i", "input.txt", "-o", "/dev/null"];
    let walls = (0..setup.rounds.min(5)).map(|_| run(tulk(setup, &stub, &arguments)).wall);
    let speed = lines as f64 / median(walls);
    let allowed = (BATCH * concurrency) as f64 / 0.05;
    let what = format!("speed at 50 ms, {concurrency} in flight, of {} lines/s", thousands(allowed));
    Figure::ratio(what, speed / allowed)
}
