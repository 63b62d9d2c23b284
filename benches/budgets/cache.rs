//! Cached results: lookup time among a million entries, the size of the store, and how much of a changed file is sent.

use std::path::Path;
use std::process::Command;

use super::inputs::{write_lines, write_numbered_lines};
use super::process::{run, run_alternately};
use super::setup::Setup;
use super::stub::Stub;
use super::table::Figure;

const ENTRIES: u64 = 1_000_000;
const LOOKED_UP_LINES: u64 = 100_000;
/// Lines in the changed file, and how many of them change.
const FILE_LINES: u64 = 10_000;
const CHANGED_LINES: u64 = 100;
/// Relative to the home directory.
const STORE: &str = ".cache/tulk/results";

pub fn measure(setup: &Setup) -> Vec<Figure> {
    if !setup.has_flag("translate", "--cache") {
        return Vec::new(); // an older build
    }
    let stub = Stub::start();
    let mut figures = vec![changed_file(setup, &stub)];
    let input = setup.dir().join("input.txt");
    write_lines(&input, ENTRIES);
    let filling = run(translate(setup, &stub, &input, &["--cache"]));
    let plain = run(translate(setup, &stub, &input, &[]));
    let texts = 2 * std::fs::metadata(&input).expect("a file").len();
    let store = size(&setup.dir().join(STORE));
    figures.extend([
        Figure::ratio("storing 1,000,000: processor time against no cache", filling.cpu / plain.cpu),
        Figure::ratio("size of the store against texts and results", store as f64 / texts as f64).at_most(1.5),
    ]);
    figures.extend(compare_hits(setup, &stub, &input));
    figures
}

fn translate(setup: &Setup, stub: &Stub, input: &Path, flags: &[&str]) -> Command {
    let mut command = setup.tulk(&stub.url(), &["translate", "--to", "de", "--lines", "-o", "/dev/null"]);
    command.args(flags).arg("-i").arg(input);
    command
}

/// Translates a file, changes some of its lines, and counts how many lines the second run sends.
fn changed_file(setup: &Setup, stub: &Stub) -> Figure {
    let input = setup.dir().join("input.txt");
    write_lines(&input, FILE_LINES);
    run(translate(setup, stub, &input, &["--cache"]));
    let step = FILE_LINES / CHANGED_LINES;
    write_numbered_lines(
        &input,
        (0..FILE_LINES).map(|number| if number % step == 0 { number + ENTRIES * 2 } else { number }),
    );
    let before = stub.translated_texts();
    run(translate(setup, stub, &input, &["--cache"]));
    let sent = (stub.translated_texts() - before) as f64;
    Figure::amount("sent of 10,000 lines of which 100 changed", sent, "lines").at_most(CHANGED_LINES as f64)
}

/// Compares runs that find all lines in the store with runs that send all lines. The lines are scattered over the store.
fn compare_hits(setup: &Setup, stub: &Stub, input: &Path) -> Vec<Figure> {
    let mut numbers: Vec<u64> = (0..ENTRIES).collect();
    fastrand::Rng::with_seed(1).shuffle(&mut numbers);
    write_numbered_lines(input, numbers.into_iter().take(usize::try_from(LOOKED_UP_LINES).unwrap_or_default()));
    let mut sent = 0;
    let pairs = run_alternately(
        setup.rounds,
        || {
            let before = stub.translated_texts();
            let cost = run(translate(setup, stub, input, &["--cache"]));
            sent = sent.max(stub.translated_texts() - before);
            cost
        },
        || run(translate(setup, stub, input, &[])),
    );
    let micros = pairs.first(|c| c.wall) * 1e6 / LOOKED_UP_LINES as f64;
    vec![
        Figure::amount("sent of 100,000 lines that are all stored", sent as f64, "lines").at_most(0.0),
        Figure::amount("finding 100,000 of 1,000,000: whole run, per line", micros, "us").at_most(20.0),
        Figure::ratio("finding 100,000: processor time against no cache", pairs.ratio(|c| c.cpu)),
        Figure::ratio("finding 100,000: wall time against no cache, no latency", pairs.ratio(|c| c.wall)),
    ]
}

fn size(dir: &Path) -> u64 {
    let entries = std::fs::read_dir(dir).expect("the store");
    entries.map(|entry| entry.and_then(|entry| entry.metadata()).map_or(0, |data| data.len())).sum()
}
