//! `tulk help`: its topics, and the columns that it lists.

use std::collections::BTreeMap;

use crate::common::Bench;

/// Commands that print no rows.
const WITHOUT_COLUMNS: &[&str] = &[
    "api",
    "auth login",
    "auth logout",
    "auth token",
    "cache clear",
    "completions",
    "config edit",
    "config get",
    "config path",
    "config set",
    "config unset",
    "doc forget",
    "glossary delete",
    "glossary delete-dictionary",
    "glossary v2 delete",
    "help",
    "man",
    "sandbox reset",
    "sandbox serve",
    "style delete",
    "style export",
    "style instruction remove",
    "voice terms delete",
    "voice terms delete-list",
];

/// Returns the columns of each command, as `tulk help formats` lists them.
fn listed_columns(bench: &Bench) -> BTreeMap<String, Vec<String>> {
    let run = bench.run(["help", "formats"]).code(0);
    let (_, list) = run.out().split_once("\nColumns\n").unwrap();
    let mut columns = BTreeMap::<String, Vec<String>>::new();
    let mut current = Vec::new();
    for line in list.lines() {
        let (commands, names) = line.split_once("  ").unwrap_or((line, ""));
        if !commands.is_empty() {
            current = command_names(commands);
        }
        for command in &current {
            let known = columns.entry(command.clone()).or_default();
            if known.last().is_none_or(|name| !name.ends_with(';')) {
                known.extend(names.split_whitespace().map(str::to_owned));
            }
        }
    }
    // A semicolon separates the columns from a note.
    for names in columns.values_mut() {
        if let Some(end) = names.iter().position(|name| name.ends_with(';')) {
            names.truncate(end + 1);
            names[end].pop();
        }
    }
    columns
}

/// Expands `glossary list, show` to `glossary list` and `glossary show`.
fn command_names(list: &str) -> Vec<String> {
    let (first, rest) = list.split_once(", ").unwrap_or((list, ""));
    let group = first.rsplit_once(' ').map_or("", |(group, _)| group);
    let rest = rest.split(", ").filter(|name| !name.is_empty());
    std::iter::once(first.to_owned()).chain(rest.map(|name| format!("{group} {name}"))).collect()
}

#[test]
fn every_command_with_rows_is_listed_with_its_columns() {
    let bench = Bench::bare();
    bench.run(["man", "pages"]).code(0);
    let pages: Vec<String> = std::fs::read_dir(bench.path("pages"))
        .unwrap()
        .map(|page| page.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let columns = listed_columns(&bench);
    for page in &pages {
        let is_group = pages.iter().any(|other| other.starts_with(&format!("{page}-")));
        let is_listed = |command: &str| format!("tulk-{}", command.replace(' ', "-")) == *page;
        let known = columns.keys().any(|command| is_listed(command)) || WITHOUT_COLUMNS.iter().any(|c| is_listed(c));
        assert!(is_group || known, "{page} is neither in `tulk help formats` nor in WITHOUT_COLUMNS");
    }
}

#[test]
fn the_listed_columns_are_those_that_commands_print() {
    let bench = Bench::new();
    let columns = listed_columns(&bench);
    bench.write("terms.tsv", "cat\tKatze\n");
    bench.write("other.tsv", "dog\tHund\n");
    let id = bench.run(["glossary", "create", "pets", "--dictionary", "en:de=terms.tsv", "--columns", "glossary_id"]);
    assert_eq!(id.code, 0, "{id}");
    bench.write("talk.txt", "Ljubljana\n");
    bench.write("talk2.txt", "Maribor\n");
    bench.write("bad.txt", "Ljubljana\nLjubljana\n");
    bench.run(["voice", "terms", "create", "Talk", "en=talk.txt"]).code(0);
    let range = ["--start", "today", "--end", "today"];
    for (command, arguments) in [
        ("glossary list", &[][..]),
        ("glossary show", &["pets"]),
        ("glossary entries", &["pets"]),
        ("glossary lint", &["terms.tsv"]),
        ("glossary diff", &["pets", "en:de", "other.tsv"]),
        ("glossary export", &["pets", "."]),
        ("glossary v2 list", &[]),
        ("glossary v2 pairs", &[]),
        ("voice terms create", &["Other", "en=talk.txt"]),
        ("voice terms list", &[]),
        ("voice terms show", &["Talk"]),
        ("voice terms rename", &["Other", "Another"]),
        ("voice terms entries", &["Talk"]),
        ("voice terms merge", &["Talk", "en", "talk2.txt"]),
        ("voice terms set", &["Talk", "en", "talk.txt"]),
        ("voice terms sync", &["Talk", "en=talk2.txt"]),
        ("style list", &[]),
        ("style rules catalogue", &[]),
        ("tm list", &[]),
        ("langs list", &[]),
        ("langs resources", &[]),
        ("langs v2", &[]),
        ("usage", &[]),
        ("admin keys list", &[]),
        ("admin usage", &range),
        ("admin usage --by key", &range),
        ("admin usage --by key-and-day", &range),
        ("admin tags", &range),
        ("admin tags --by day", &range),
        ("auth status", &[]),
        ("config list", &[]),
        ("sandbox status", &[]),
        ("cache stats", &[]),
        ("doc list", &[]),
    ] {
        let arguments = command.split(' ').chain(arguments.iter().copied()).chain(["--format", "tsv", "--header"]);
        let run = bench.run(arguments);
        let header: Vec<&str> = run.out().lines().next().unwrap_or_default().split('\t').collect();
        assert_eq!(header, columns.get(command).cloned().unwrap_or_default(), "{command}\n{run}");
    }
}

#[test]
fn prints_the_topics_and_the_help_of_commands() {
    let bench = Bench::bare();
    for (topic, text) in [
        ("formats", "--format jsonl   one JSON object per line\n"),
        ("exit-codes", "\n130   stopped by Ctrl-C\n"),
        ("environment", "\nTULK_API_KEY         API key\n"),
        ("files", "\ncredentials.toml     keys, "),
        ("sandbox", "\n--seed N                     makes faults and latency repeatable\n"),
    ] {
        let run = bench.run(["help", topic]).code(0);
        assert!(format!("\n{}", run.out()).contains(text), "{run}");
        assert!(run.out().lines().all(|line| line.chars().count() <= 80), "{topic}: a line has over 80 characters");
    }
    let run = bench.run(["help", "langs", "check"]).code(0);
    assert!(run.out().contains("Usage: tulk langs check"), "{run}");
    bench.run(["help", "format"]).code(2).says("unknown topic or command `format`").says("topics: formats, ");
}

#[test]
fn the_last_flag_decides_about_color() {
    let bench = Bench::bare();
    let is_colored = |args: &[&str]| bench.run(args).code(0).out().contains('\u{1b}');
    assert!(is_colored(&["usage", "--color", "always", "-h"]));
    assert!(is_colored(&["--color=always", "-h"]));
    assert!(is_colored(&["--no-color", "--color", "always", "-h"]));
    assert!(!is_colored(&["--color", "always", "--no-color", "-h"]));
    assert!(!is_colored(&["-h"]));
    let forced = Bench::bare().env("CLICOLOR_FORCE", "1").env("CLICOLOR", "0");
    assert!(forced.run(["-h"]).code(0).out().contains('\u{1b}'));
    assert!(!forced.run(["--no-color", "-h"]).code(0).out().contains('\u{1b}'));
    forced.run(["--no-color", "config", "path"]).code(0);
    bench.run(["config", "path", "--color", "always", "--color", "never"]).code(0);
    bench.run(["usage", "--color", "blue"]).code(2).says("invalid value 'blue' for '--color <WHEN>'");
}

#[test]
fn w_is_short_for_write() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1").env("TULK_SANDBOX_ENGINE", "echo");
    assert_eq!(bench.run(["w", "correct", "Hello"]).code(0).out(), "Hello\n");
}
