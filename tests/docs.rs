//! Every `sh` block of README and docs runs, and so does every `run:` line of a `yaml` block; a `text` block right after one
//! is its output. The examples of `tulk voice terms --help` run too.
//!
//! Blocks of a page run in order, in one shell session that starts in an empty home directory, so a page shows everything that it
//! needs. `console` blocks are for people.

#![allow(clippy::unwrap_used, clippy::string_slice)] // tests

mod common;
#[path = "common/pages.rs"]
mod pages;

use std::path::Path;

use common::Bench;
use pages::{Page, pages};

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

/// Returns the first word of a script that is a path outside the home directory. Paths of requests do not count.
fn path_outside(script: &str) -> Option<&str> {
    const REQUESTS: [&str; 4] = ["/v1/", "/v2/", "/v3/", "/_sandbox/"];
    let words = script.split(|c: char| c.is_whitespace() || "'\"=<>;|&()".contains(c));
    words.into_iter().find(|word| {
        let absolute = word.starts_with('/') && !matches!(*word, "/" | "/dev/null" | "/dev/zero");
        let request = REQUESTS.iter().any(|start| word.starts_with(start));
        let closing_tag = script.contains(&format!("<{word}>"));
        (absolute && !request && !closing_tag) || word.split('/').any(|part| part == "..")
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

#[test]
fn the_two_commands_of_the_readme_are_what_they_claim() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert!(readme.contains("cargo run --release -- --sandbox translate --to de \"Hello, world\""));
    let ci = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/run")).unwrap();
    assert!(readme.contains("cargo test --locked") && ci.contains("cargo test --locked"));
}
