//! What a terminal shows: tables, gauges, reports, progress, errors, help and completion.
//!
//! Most tests run commands in real terminals (tmux) that are 60, 80, 100 and 200 columns wide, and compare the screens with
//! `tests/golden/screens/`. `TULK_BLESS=1 cargo test --test cli screens` rewrites them, so that a change of look is a diff to review.

mod completion;
mod errors;
mod first_minutes;
mod help;
mod mask;
mod picture;
mod progress;
mod tables;
mod tmux;

use std::path::Path;

use self::mask::mask;
use self::tmux::{END, Terminal, script};
use crate::common::Bench;
use crate::common::tools::has;

const WIDTHS: [u16; 4] = [60, 80, 100, 200];
const ROWS: u16 = 50;

/// Runs the commands in a terminal of each width and compares the screens with the golden file `name`.
#[track_caller]
fn check(bench: &Bench, name: &str, commands: &[&str]) {
    if !has("tmux") {
        return;
    }
    let script = script(commands);
    let terminals = WIDTHS.map(|width| (width, Terminal::start(bench, &format!("{width}"), (width, ROWS), &script)));
    compare(name, &terminals.map(|(width, terminal)| sections(width, &terminal)).concat());
}

/// Like [`check`], but with a new machine for each width, for commands that change something.
#[track_caller]
fn check_each(machine: impl Fn() -> Bench, name: &str, commands: &[&str]) {
    if !has("tmux") {
        return;
    }
    let machines = WIDTHS.map(|width| (width, machine()));
    let script = script(commands);
    let terminals =
        machines.each_ref().map(|(width, bench)| (width, Terminal::start(bench, "only", (*width, ROWS), &script)));
    compare(name, &terminals.map(|(width, terminal)| sections(*width, &terminal)).concat());
}

/// Returns the finished screen of a terminal, for one width also with attributes (bold, dim, colours).
#[track_caller]
fn sections(width: u16, terminal: &Terminal) -> String {
    terminal.wait_for_end();
    let screen = section(&format!("{width} columns"), terminal);
    if width != 100 {
        return screen;
    }
    let colored = mask(&terminal.capture(true)).replace('\u{1b}', "^[");
    let (colored, _) = colored.split_once(END).unwrap();
    format!("{screen}=== 100 columns, with attributes\n{}\n\n", trimmed(colored))
}

/// Returns the masked screen of a terminal under a heading, with lines broken as in the terminal.
fn section(heading: &str, terminal: &Terminal) -> String {
    let mut text = String::new();
    for pieces in terminal.lines() {
        let line = mask(&pieces.concat());
        if line.trim_end() == END {
            break;
        }
        // Masked text has the same number of characters.
        let mut characters = line.chars();
        for piece in &pieces {
            text.extend(characters.by_ref().take(piece.chars().count()));
            text.push('\n');
        }
    }
    format!("=== {heading}\n{}\n\n", trimmed(&text))
}

fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// Compares screens with the file `tests/golden/screens/<name>.txt`, or rewrites it.
#[track_caller]
fn compare(name: &str, screens: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/screens/{name}.txt"));
    if std::env::var_os("TULK_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        return std::fs::write(&path, screens).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let blessing = "look at the new screens, then: TULK_BLESS=1 cargo test --test cli screens";
    assert!(kept == screens, "{name} looks different; {blessing}\n--- before\n{kept}--- now\n{screens}");
}

#[test]
fn every_golden_screen_file_has_a_test() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/screens");
    let sources = [
        include_str!("completion.rs"),
        include_str!("errors.rs"),
        include_str!("first_minutes.rs"),
        include_str!("help.rs"),
        include_str!("progress.rs"),
        include_str!("tables.rs"),
    ]
    .concat();
    for file in std::fs::read_dir(directory).unwrap() {
        let name = file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(sources.contains(&format!("\"{name}\"")), "no test makes {name}.txt");
    }
}
