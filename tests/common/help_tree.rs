//! Reads the list of commands and the sections of help texts.

use std::sync::OnceLock;

use super::Bench;

const GROUPS: [&str; 4] = ["Translate:", "Assets:", "Service:", "Tool:"];

/// Returns the names of all commands and groups, such as `glossary list`, in the order of the help.
pub fn commands(bench: &Bench) -> &'static [String] {
    static COMMANDS: OnceLock<Vec<String>> = OnceLock::new();
    COMMANDS.get_or_init(|| {
        let help = bench.run(["--help"]).code(0);
        let mut all = Vec::new();
        for name in GROUPS.iter().flat_map(|title| names(help.out(), title)) {
            add(bench, &name, &mut all);
        }
        all
    })
}

fn add(bench: &Bench, command: &str, all: &mut Vec<String>) {
    let help = bench.run(command.split(' ').chain(["-h"])).code(0);
    all.push(command.to_owned());
    for name in names(help.out(), "Commands:") {
        add(bench, &format!("{command} {name}"), all);
    }
}

/// Returns the first word of each row under a heading. Continuation lines of a description have a deeper indent and are skipped.
fn names(help: &str, title: &str) -> Vec<String> {
    let is_row = |line: &&&str| !line.starts_with("   ");
    let lines = section(help, title);
    lines.iter().filter(is_row).map(|line| line.trim().split([',', ' ']).next().unwrap().to_owned()).collect()
}

pub fn section<'a>(help: &'a str, title: &str) -> Vec<&'a str> {
    let lines = help.lines().skip_while(|line| *line != title).skip(1);
    lines.take_while(|line| line.starts_with("  ")).collect()
}

pub fn examples(help: &str) -> Vec<String> {
    let lines = [section(help, "Example:"), section(help, "Examples:")].concat();
    lines.iter().map(|line| line.trim().to_owned()).collect()
}
