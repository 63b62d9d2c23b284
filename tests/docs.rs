//! Runs every `sh` block of README and docs, and every `run:` line of a `yaml` block. A `text` block right after one is its expected
//! output. Of `console` blocks, only the command names and flags are checked. Also checks the links of the pages, and the structure of
//! the changelog.

#![cfg(target_os = "linux")] // the blocks are for a POSIX shell
#![allow(clippy::unwrap_used, clippy::string_slice)] // tests

#[path = "common/changelog.rs"]
mod changelog;
mod common;
#[path = "common/links.rs"]
mod links;
#[path = "common/pages.rs"]
mod pages;
#[path = "common/source.rs"]
mod source;

use std::collections::BTreeSet;
use std::path::Path;

use common::{Bench, binary, tools};
use pages::{Page, pages};

/// Pages without commands: two for contributors, and one about systems on which tests do not run.
const WITHOUT_COMMANDS: &[&str] = &["docs/architecture.md", "docs/platforms.md", "docs/service.md"];

fn user_pages() -> Vec<Page> {
    pages().into_iter().filter(|page| !WITHOUT_COMMANDS.contains(&page.name.as_str())).collect()
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

/// Writes the blocks of docs/testing.md in `language` to files. The first line of a block has the file name, after `comment`. Also writes
/// `phrases.tsv`, which these files use.
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
fn python_files_of_the_testing_page_run() {
    let Some(python) = tools::python_with("deepl, pytest") else { return };
    let bench = files_of_testing_page("python", "# ");
    let output = run_with_tulk(&bench, &python, &["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    assert!(output.contains(" passed"), "{output}");
}

#[test]
fn the_javascript_file_of_the_testing_page_runs() {
    let Some(node) = tools::node_with_client() else { return };
    let bench = files_of_testing_page("js", "// ");
    let modules = Path::new(tools::NODE_CLIENT).join("node_modules");
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
            // README introduces `--sandbox` first.
            assert!(steps.iter().any(|step| step.script.starts_with("export TULK_SANDBOX=1\n")), "README.md");
        } else if ["docs/testing.md", "docs/sandbox-server.md"].contains(&page.name.as_str()) {
            // These pages start a sandbox for a program under test.
            assert!(first.script.contains("tulk sandbox serve --port 0 "), "{}:{}", page.name, first.line);
        } else {
            assert!(first.script.starts_with("export TULK_SANDBOX=1\n"), "{}:{}", page.name, first.line);
        }
    }
    for name in WITHOUT_COMMANDS {
        let pages = pages();
        let page = pages.iter().find(|page| page.name == *name).unwrap();
        assert!(page.steps().is_empty(), "{name} has commands, so it does not belong here");
    }
}

/// Returns the first word that is a path outside the home directory. Paths of requests and JSON pointers do not count.
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

/// `console` blocks do not run; instead, each command is run with `--help` appended, which checks the command and its flags.
#[test]
fn commands_in_console_blocks_have_existing_flags() {
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

/// Pages outside of docs whose links are checked.
const OTHER_PAGES: &[&str] = &["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

const GROUPS_OF_COMMANDS: [&str; 4] = ["Translate:\n", "Assets:\n", "Service:\n", "Tool:\n"];

fn linked_pages() -> Vec<(String, String)> {
    let names = pages().into_iter().map(|page| page.name).chain(OTHER_PAGES.iter().map(|name| (*name).to_owned()));
    names.map(|name| (name.clone(), source::read(&name))).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_exist() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for (name, text) in linked_pages() {
        wrong.extend(links::unclosed_block(&text).map(|line| format!("{name}:{line}: the block has no end")));
        for link in links::links(&text) {
            checked += 1;
            wrong.extend(links::problem(&name, &link.target).map(|what| format!("{name}:{}: {what}", link.line)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 250, "only {checked} links were found");
}

#[test]
fn every_page_can_be_reached_from_the_readme() {
    let pages = linked_pages();
    let (mut reached, mut next) = (BTreeSet::new(), vec!["README.md".to_owned()]);
    while let Some(name) = next.pop() {
        let Some((_, text)) = pages.iter().find(|page| page.0 == name) else { continue };
        if reached.insert(name.clone()) {
            let files = links::links(text).into_iter().filter(|link| !link.target.contains("://"));
            next.extend(files.map(|link| links::resolve(&name, link.target.split('#').next().unwrap())));
        }
    }
    for (name, _) in pages {
        assert!(reached.contains(&name), "no path of links leads from README.md to {name}");
    }
}

#[test]
fn the_index_names_each_page_once_and_each_command() {
    let index = source::read("docs/README.md");
    let linked: Vec<String> =
        links::links(&index).iter().map(|link| links::resolve("docs/README.md", &link.target)).collect();
    for name in
        pages().iter().map(|page| &page.name).filter(|name| name.starts_with("docs/") && *name != "docs/README.md")
    {
        let times = linked.iter().filter(|file| *file == name).count();
        assert_eq!(times, 1, "docs/README.md has {times} links to {name}");
    }
    let help = Bench::bare().run(["--help"]).code(0).out().to_owned();
    let groups = help.split("\n\n").filter(|part| GROUPS_OF_COMMANDS.iter().any(|title| part.starts_with(title)));
    let rows = groups.flat_map(|group| group.lines().skip(1)).filter(|line| !line.starts_with("   "));
    let commands: Vec<&str> = rows.filter_map(|row| row.trim().split([',', ' ']).next()).collect();
    assert!(commands.len() > 15, "{help}");
    for command in commands.iter().filter(|command| **command != "help") {
        let rows = index.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
        let mut words = rows.flat_map(|cell| cell.split(['`', ' ', ',']));
        assert!(words.any(|word| word == *command), "docs/README.md has no page for `tulk {command}`");
    }
}

#[test]
fn each_page_begins_with_its_purpose() {
    for page in pages().iter().filter(|page| page.name != "README.md") {
        let text = source::read(&page.name);
        let mut parts = text.split("\n\n");
        let (title, first) = (parts.next().unwrap(), parts.next().unwrap_or_default());
        let is_title = title.starts_with("# ") && title.lines().count() == 1;
        let is_paragraph = first.starts_with(|c: char| c.is_alphabetic() || c == '`') && !first.starts_with("```");
        assert!(is_title && is_paragraph, "{} begins with\n{title}\n\n{first}", page.name);
    }
}

#[test]
fn messages_on_the_troubleshooting_page_exist() {
    let (page, known) = (source::read("docs/troubleshooting.md"), source::read("tests/golden/messages.txt"));
    let table = page.lines().skip_while(|line| !line.starts_with("| message |")).take_while(|line| !line.is_empty());
    let messages: Vec<&str> = table.filter_map(|row| row.strip_prefix("| `")?.split('`').next()).collect();
    assert!(messages.len() > 10, "{messages:?}");
    for message in messages {
        let parts: Vec<&str> = message.split('…').map(str::trim).collect();
        let fits = |line: &str| parts.iter().try_fold(line, |rest, part| Some(rest.split_once(part)?.1)).is_some();
        assert!(known.lines().any(fits), "no message has the words `{message}`");
    }
}

#[test]
fn the_readme_is_shorter_than_200_lines() {
    let lines = source::read("README.md").lines().count();
    assert!(lines < 200, "README.md has {lines} lines");
}

#[test]
fn the_changelog_has_versions_dates_and_known_groups() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(changelog::problem(&source::read("CHANGELOG.md"), version), None);
}

#[test]
fn the_first_commands_of_the_readme_run_the_sandbox_and_the_tests() {
    let readme = source::read("README.md");
    let commands: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert!(commands[0].starts_with("cargo run -- --sandbox translate --to de \"Hello, world\" "), "{commands:?}");
    assert!(commands[1].starts_with("cargo test --locked "), "{commands:?}");
    assert!(readme.find("$ cargo run").unwrap() < readme.find("```sh").unwrap());
    assert!(source::read(".ci/run").contains("cargo test --locked"));
}
