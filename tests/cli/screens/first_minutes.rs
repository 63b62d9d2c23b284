//! The first minutes of a new user: the commands of README and docs/start.md from top to bottom, then five mistakes.
//!
//! The commands are those of the `sh` blocks. Each width has a separate machine, with a sandbox where the page has one.

use std::path::Path;

use super::tmux::{Terminal, script};
use super::{compare, section};
use crate::common::Bench;
use crate::common::tools::has;

const WIDTHS: [u16; 2] = [80, 120];

/// Returns the commands of the `sh` blocks of a page, in order. Lines that end in a backslash or a pipe continue.
fn commands(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
    let blocks = text.split("\n```sh\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let mut commands = Vec::new();
    for block in blocks {
        let mut command = String::new();
        for line in block.lines() {
            command.push_str(line);
            if line.ends_with(['\\', '|']) {
                command.push('\n');
            } else {
                commands.push(std::mem::take(&mut command));
            }
        }
    }
    commands
}

#[track_caller]
fn check(name: &str, commands: &[&str]) {
    if !has("tmux") {
        return;
    }
    let script = script(commands);
    let machines = WIDTHS.map(|width| (width, Bench::bare()));
    let terminals =
        machines.each_ref().map(|(width, bench)| (width, Terminal::start(bench, "first", (*width, 50), &script)));
    let screens = terminals.map(|(width, terminal)| {
        terminal.wait_for_end();
        in_order(&section(&format!("{width} columns"), &terminal))
    });
    compare(name, &screens.concat());
}

/// Sorts the lines of documents, which finish in any order. Removes those of other files: a quick run prints none.
fn in_order(screen: &str) -> String {
    let is_of_slow_run = |line: &&str| line.starts_with('✓') && line.contains(" in 0:");
    let mut lines: Vec<&str> = screen.split('\n').filter(|line| !is_of_slow_run(line)).collect();
    for group in lines.chunk_by_mut(|a, b| a.starts_with('✓') && b.starts_with('✓')) {
        group.sort_unstable();
    }
    lines.join("\n")
}

#[test]
fn the_readme() {
    let blocks = commands("README.md");
    assert!(blocks.len() > 15, "{blocks:?}");
    let first = ["tulk --sandbox translate --to de \"Hello, world\""];
    check("first-minutes-readme", &first.into_iter().chain(blocks.iter().map(String::as_str)).collect::<Vec<_>>());
}

#[test]
fn getting_started() {
    let commands = commands("docs/start.md");
    assert!(commands.len() > 20, "{commands:?}");
    check("first-minutes-start", &commands.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn five_mistakes() {
    let commands = [
        "tulk translate --to de Hello",
        "tulk --sandbox translate --to german Hello",
        "tulk --sandbox translate --to de -i letter.txt",
        "tulk --sandbox translate --target de Hello",
        "tulk trans --to de Hello",
    ];
    check("first-minutes-mistakes", &commands);
}
