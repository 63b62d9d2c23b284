//! Every `sh` block of README and docs runs; a `text` block right after one is its output.
//!
//! Blocks of a file run in order in one empty directory, against the embedded sandbox. `console` blocks are for people.

#![allow(clippy::unwrap_used, clippy::string_slice)] // tests

mod common;

use std::path::{Path, PathBuf};

use common::Bench;

struct Block {
    line: usize,
    language: String,
    text: String,
}

fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (i, line) in markdown.lines().enumerate() {
        if let Some(language) = line.strip_prefix("```") {
            open = !open;
            if open {
                blocks.push(Block { line: i + 1, language: language.trim().to_owned(), text: String::new() });
            }
        } else if open {
            let block = blocks.last_mut().unwrap();
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![root.join("README.md")];
    if let Ok(entries) = std::fs::read_dir(root.join("docs")) {
        pages.extend(entries.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    pages.sort();
    pages
}

#[test]
fn every_command_of_the_docs_runs() {
    let mut ran = 0;
    for page in pages() {
        let bench = Bench::bare().env("TULK_SANDBOX", "1");
        let text = std::fs::read_to_string(&page).unwrap();
        let blocks = blocks(&text);
        for (i, block) in blocks.iter().enumerate().filter(|(_, b)| b.language == "sh") {
            let run = bench.bash(&block.text);
            let at = format!("{}:{}", page.display(), block.line);
            assert_eq!(run.code, 0, "{at}\n{}\n{run}", block.text);
            if let Some(expected) = blocks.get(i + 1).filter(|b| b.language == "text") {
                assert_eq!(run.out(), expected.text, "{at}\n{run}");
            }
            ran += 1;
        }
    }
    assert!(ran > 0, "no block was found");
}

#[test]
fn the_two_commands_of_the_readme_are_what_they_claim() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert!(readme.contains("cargo run --release -- --sandbox translate --to de \"Hello, world\""));
    let ci = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/run")).unwrap();
    assert!(readme.contains("cargo test --locked") && ci.contains("cargo test --locked"));
}
