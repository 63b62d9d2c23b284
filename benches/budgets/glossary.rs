//! Offline check of a large dictionary.

use std::fmt::Write as _;

use super::process::{Cost, median, run, run_for_peak_memory};
use super::setup::Setup;
use super::table::Figure;

/// Slightly less than the maximum size of a dictionary, which is 10 MiB.
const BYTES: usize = 10_000_000;

pub fn measure(setup: &Setup) -> Vec<Figure> {
    let mut text = String::new();
    for number in 0.. {
        if text.len() + 100 >= BYTES {
            break;
        }
        let _ = writeln!(text, "term number {number}\tBegriff Nummer {number}");
    }
    let file = setup.dir().join("terms.tsv");
    std::fs::write(&file, &text).expect("a file");
    let lint = || {
        let mut command = setup.command(&setup.program, &["glossary", "lint"]);
        command.arg(&file);
        command
    };
    let costs: Vec<Cost> = (0..setup.rounds).map(|_| run(lint())).collect();
    let mega = text.len() as f64 / 1e6;
    vec![
        Figure::amount("lint of 10 MB: wall time", median(costs.iter().map(|c| c.wall)) * 1000.0, "ms"),
        Figure::amount(
            "lint of 10 MB: bytes per second of processor time",
            mega / median(costs.iter().map(|c| c.cpu)),
            "MB/s",
        ),
        Figure::amount("lint of 10 MB: peak memory", run_for_peak_memory(lint()), "MiB"),
    ]
}
