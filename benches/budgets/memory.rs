//! Memory against the number of lines and the size of entries.

use super::inputs::{write_entries, write_lines};
use super::process::run_for_peak_memory;
use super::setup::Setup;
use super::stub::Stub;
use super::table::Figure;

const FEW_LINES: u64 = 1_000_000;
const MANY_LINES: u64 = 10_000_000;
/// Size of the input, the same for all entry sizes.
const BYTES: usize = 50_000_000;
/// In bytes. The last size is near the limit of a request.
const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];

pub fn measure(setup: &Setup) -> Vec<Figure> {
    let mut figures = compare_line_counts(setup);
    figures.extend(SIZES.map(|size| entries(setup, size)));
    figures
}

fn translate(setup: &Setup, stub: &Stub) -> f64 {
    let arguments = ["translate", "--to", "de", "--lines", "--concurrency", "32", "-o", "/dev/null", "-i"];
    let mut command = setup.tulk(&stub.url(), &arguments);
    command.arg(setup.dir().join("input.txt"));
    run_for_peak_memory(command)
}

/// Compares two inputs, one with ten times as many lines. One run each is enough, because peak memory varies little.
fn compare_line_counts(setup: &Setup) -> Vec<Figure> {
    let stub = Stub::start();
    let [less, more] = [FEW_LINES, MANY_LINES].map(|lines| {
        write_lines(&setup.dir().join("input.txt"), lines);
        translate(setup, &stub)
    });
    vec![
        Figure::amount("peak memory for 1,000,000 lines", less, "MiB"),
        Figure::ratio("peak memory for 10,000,000 lines against 1,000,000", more / less).at_most(1.1),
    ]
}

fn entries(setup: &Setup, size: usize) -> Figure {
    let stub = Stub::start();
    write_entries(&setup.dir().join("input.txt"), BYTES, size);
    Figure::amount(format!("peak memory with entries of {size} bytes, 32 in flight"), translate(setup, &stub), "MiB")
}
