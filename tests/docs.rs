//! Every `sh` block of README and docs runs, and so does every `run:` line of a `yaml` block; a `text` block right after one
//! is its output. The examples of `tulk voice terms --help` run too.
//!
//! Blocks of a page run in order, in one shell session that starts in an empty home directory, so a page shows everything that it
//! needs. `console` blocks are for people.

#![allow(clippy::unwrap_used, clippy::string_slice)] // tests

mod common;
#[path = "common/interpreters.rs"]
mod interpreters;
#[path = "common/pages.rs"]
mod pages;
#[path = "common/screen.rs"]
mod screen;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use common::{Bench, binary};
use pages::{Page, pages};
use screen::{screen_of, shown};

/// Pages for contributors; they have no commands.
const FOR_CONTRIBUTORS: &[&str] = &["docs/architecture.md", "docs/service.md"];

fn user_pages() -> Vec<Page> {
    pages().into_iter().filter(|page| !FOR_CONTRIBUTORS.contains(&page.name.as_str())).collect()
}

#[test]
fn every_page_runs_as_written_from_an_empty_home() {
    let results: Vec<Result<usize, String>> = std::thread::scope(|scope| {
        let running: Vec<_> = pages().into_iter().map(|page| scope.spawn(move || page.run())).collect();
        running.into_iter().map(|page| page.join().unwrap()).collect()
    });
    let (mut ran, mut failed) = (0, Vec::new());
    for result in results {
        match result {
            Ok(steps) => ran += steps,
            Err(error) => failed.push(error),
        }
    }
    assert!(failed.is_empty(), "{} pages failed\n\n{}", failed.len(), failed.join("\n\n"));
    assert!(ran > 60, "only {ran} blocks were found");
}

/// Writes the files that docs/testing.md shows in a language, each under the name in its first line, and the file that they read.
fn files_of_testing_page(language: &str, comment: &str) -> Bench {
    let page = pages().into_iter().find(|page| page.name == "docs/testing.md").unwrap();
    let bench = Bench::bare();
    let files: Vec<_> = page.blocks.iter().filter(|block| block.language == language).collect();
    assert!(!files.is_empty(), "docs/testing.md shows no {language}");
    for file in files {
        let name = file.text.lines().next().unwrap().strip_prefix(comment).unwrap();
        bench.write(name, &file.text);
    }
    bench.write("phrases.tsv", "en\tde\tOpen\tOffen\nen\tde\tClosed\tGeschlossen\n");
    bench
}

/// Runs a program that finds tulk on its path. The program must succeed.
fn run_with_tulk(bench: &Bench, program: &Path, args: &[&str]) -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    let tulk = binary();
    let path = format!("{}:{path}", tulk.parent().unwrap().display());
    let mut command = std::process::Command::new(program);
    command.args(args).current_dir(bench.dir()).env("PATH", path).env("HOME", bench.dir());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn the_python_files_on_the_page_about_testing_run() {
    let Some(python) = interpreters::python_with("deepl, pytest") else { return };
    let bench = files_of_testing_page("python", "# ");
    let output = run_with_tulk(&bench, &python, &["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    assert!(output.contains(" passed"), "{output}");
}

#[test]
fn the_javascript_file_on_the_page_about_testing_runs() {
    let Some(node) = interpreters::node_with_client() else { return };
    let bench = files_of_testing_page("js", "// ");
    let modules = Path::new(interpreters::NODE_CLIENT).join("node_modules");
    std::os::unix::fs::symlink(modules, bench.path("node_modules")).unwrap();
    let output = run_with_tulk(&bench, &node, &["--test"]);
    assert!(output.contains("# fail 0"), "{output}");
}

#[test]
fn a_page_that_fails_is_reported_with_its_block() {
    let run = |markdown: &str| Page::new("page.md", markdown).run();
    let session = "```sh\nexport A=1\nmkdir d\ncd d\n```\n```sh\necho $A ${PWD##*/}\n```\n";
    assert_eq!(run(&format!("{session}```text\n1 d\n```\n")), Ok(2));
    let other = run(&format!("{session}```text\n2 d\n```\n")).unwrap_err();
    assert!(other.starts_with("page.md:6: the page shows another output\n--- page\n2 d\n--- stdout\n1 d\n"), "{other}");
    for (script, code) in [("false\ntrue", "code 1"), ("exit 0", "code 0"), ("echo (", "code 2"), ("jq", "code 127")] {
        let failed = run(&format!("{session}\n```sh\n{script}\n```\n")).unwrap_err();
        assert!(failed.starts_with(&format!("page.md:10: this block failed\n{script}\n")), "{failed}");
        assert!(failed.ends_with(&format!("--- {code}\n")), "{failed}");
    }
    let steps = "```yaml\n- run: exit 0\n- name: Two\n  run: |\n    false\n\n    true\n```\n";
    let failed = run(steps).unwrap_err();
    assert!(failed.starts_with("page.md:1: this block failed\n"), "{failed}");
    assert_eq!(run(&steps.replace("false", "true")), Ok(1));
}

#[test]
fn every_page_chooses_the_sandbox_before_its_first_command() {
    for page in user_pages() {
        let steps = page.steps();
        let first = steps.first().unwrap_or_else(|| panic!("{} has no commands", page.name));
        if page.name == "README.md" {
            // It introduces `--sandbox` first.
            assert!(steps.iter().any(|step| step.script.starts_with("export TULK_SANDBOX=1\n")), "README.md");
        } else if page.name == "docs/testing.md" {
            // It starts a sandbox for each program under test.
            assert!(first.script.contains("tulk sandbox serve --port 0 "), "{}:{}", page.name, first.line);
        } else {
            assert!(first.script.starts_with("export TULK_SANDBOX=1\n"), "{}:{}", page.name, first.line);
        }
    }
    for name in FOR_CONTRIBUTORS {
        let pages = pages();
        let page = pages.iter().find(|page| page.name == *name).unwrap();
        assert!(page.steps().is_empty(), "{name} has commands, so it is not only for contributors");
    }
}

/// Returns the first word of a script that is a path outside the home directory. Paths of requests and JSON pointers do not count.
fn path_outside(script: &str) -> Option<&str> {
    const REQUESTS: [&str; 4] = ["/v1/", "/v2/", "/v3/", "/_sandbox/"];
    let words = script.split(|c: char| c.is_whitespace() || "'\"=<>;|&()".contains(c));
    words.into_iter().find(|word| {
        let absolute = word.starts_with('/') && !matches!(*word, "/" | "/dev/null" | "/dev/zero");
        let request = REQUESTS.iter().any(|start| word.starts_with(start));
        let closing_tag = script.contains(&format!("<{word}>"));
        let pointer = script.contains(&format!("--field {word}"));
        (absolute && !request && !closing_tag && !pointer) || word.split('/').any(|part| part == "..")
    })
}

#[test]
fn no_page_uses_a_path_outside_the_home_directory() {
    assert_eq!(path_outside("cat <'/etc/hosts'"), Some("/etc/hosts"));
    assert_eq!(path_outside("cd a/../.. && ls"), Some("a/../.."));
    assert_eq!(path_outside("#!/bin/sh\ntulk api GET /v2/usage > /dev/null"), None);
    for page in pages() {
        for step in page.steps() {
            assert_eq!(path_outside(&step.script), None, "{}:{}", page.name, step.line);
        }
    }
}

/// `console` blocks do not run, but their commands and flags exist: each command is run with `--help` after it.
#[test]
fn commands_for_people_have_flags_that_exist() {
    let mut checked = 0;
    for page in pages() {
        for block in page.blocks.iter().filter(|block| block.language == "console") {
            for line in block.text.lines().filter_map(|line| line.strip_prefix("$ ")) {
                let Some(start) = line.match_indices("tulk ").map(|(at, _)| at).find(|at| is_start(&line[..*at]))
                else {
                    continue;
                };
                let command = line[start..].split("  #").next().unwrap().split(" | ").next().unwrap();
                let run = Bench::bare().bash(&format!("{command} --help"));
                assert_eq!(run.code, 0, "{}:{}\n{command}\n{run}", page.name, block.line);
                checked += 1;
            }
        }
    }
    assert!(checked > 8, "only {checked} commands were found");
}

/// Whether a command can begin after this text of a line.
fn is_start(before: &str) -> bool {
    before.is_empty() || before.ends_with("| ") || before.ends_with("=1 ")
}

#[test]
fn settings_on_the_pages_are_valid() {
    let mut checked = 0;
    for page in pages() {
        for block in page.blocks.iter().filter(|block| block.language == "toml") {
            let bench = Bench::bare();
            bench.write("config.toml", &block.text);
            let run = bench.run(["--config", "config.toml", "config", "list"]);
            assert_eq!(run.code, 0, "{}:{}\n{run}", page.name, block.line);
            checked += 1;
        }
    }
    assert!(checked > 0, "no settings were found");
}

#[test]
fn links_between_pages_lead_to_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut linked, names) = (BTreeSet::new(), pages().into_iter().map(|page| page.name));
    for name in names.chain(["CONTRIBUTING.md".to_owned()]) {
        let text = std::fs::read_to_string(root.join(&name)).unwrap();
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| Path::new(target).extension().is_some_and(|e| e == "md")) {
            let file = root.join(&name).parent().unwrap().join(target);
            assert!(file.is_file(), "{name} links to {target}, which does not exist");
            linked.insert(file.strip_prefix(root).unwrap().display().to_string());
        }
    }
    for page in user_pages().iter().filter(|page| page.name != "README.md") {
        assert!(linked.contains(&page.name), "no page links to {}", page.name);
    }
}

#[test]
fn a_screen_shows_what_is_left_of_the_bytes() {
    assert_eq!(shown("a\r\n\u{1b}[1mbc\u{1b}[0m  \r\nd"), ["a", "bc", "d"]);
    assert_eq!(shown("one\r\ntwo\r\n\u{1b}[2A\u{1b}[2K\rO\r\n\u{1b}[0Jend\r\n"), ["O", "end", ""]);
    assert_eq!(shown("abc\rx\u{1b}[K\u{1b}[?25l"), ["x"]);
}

/// Replaces IDs, dates and times of day, and sorts the lines of finished documents, whose order depends on the service.
fn without_chance(lines: impl Iterator<Item = String>) -> Vec<String> {
    let is_made_of =
        |word: &str, length: usize, class: fn(char) -> bool| word.len() == length && word.chars().all(class);
    let mask = |word: &str| match word {
        _ if is_made_of(word, 36, |c| c.is_ascii_hexdigit() || c == '-') => "ID".to_owned(),
        _ if is_made_of(word, 10, |c| c.is_ascii_digit() || c == '-') => "DATE".to_owned(),
        _ if is_made_of(word, 5, |c| c.is_ascii_digit() || c == ':') => "TIME".to_owned(),
        _ => word.to_owned(),
    };
    let mut lines: Vec<String> =
        lines.map(|line| line.split(' ').map(mask).collect::<Vec<_>>().join(" ").trim_end().to_owned()).collect();
    for group in lines.chunk_by_mut(|a, b| a.starts_with('✓') && b.starts_with('✓')) {
        group.sort();
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

#[test]
fn the_session_of_the_readme_is_what_a_terminal_shows() {
    let pages = pages();
    let blocks = pages.iter().find(|page| page.name == "README.md").unwrap().blocks.iter();
    let session = &blocks.clone().find(|block| block.text.starts_with("$ tulk ")).unwrap().text;
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    bench.write("letter.txt", "Dear Sir or Madam.\n".repeat(64));
    bench.write("notes.txt", "Close the lid.\n".repeat(21));
    bench.write("kitchen.en-de.tsv", "kettle\tWasserkocher\nwhisk\tSchneebesen\n");
    bench.write("garden.en-fr.tsv", "rake\trâteau\nspade\tbêche\nrake\tfourche\n");
    bench.bash("tulk glossary create Kitchen --dictionary en:de=kitchen.en-de.tsv").code(0);
    let mut script = String::new();
    for command in session.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let blank = if script.is_empty() { "" } else { "echo\n" };
        writeln!(script, "{blank}echo '$ {command}'\n{command} || :").unwrap();
    }
    assert!(script.len() > 100, "README.md has no session");
    let (page, screen) = (session.lines().map(str::to_owned), screen_of(&bench, 100, &script));
    let (page, screen) = (without_chance(page), without_chance(screen.into_iter()));
    assert_eq!(page, screen, "--- page\n{}\n--- screen\n{}", page.join("\n"), screen.join("\n"));
}

#[test]
fn the_two_commands_of_the_readme_are_what_they_claim() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert!(readme.contains("cargo run --release -- --sandbox translate --to de \"Hello, world\""));
    let ci = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/run")).unwrap();
    assert!(readme.contains("cargo test --locked") && ci.contains("cargo test --locked"));
}
