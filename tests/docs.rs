//! Every `sh` block of README and docs runs, and so does every `run:` line of a `yaml` block; a `text` block right after one
//! is its output. The examples of `tulk voice terms --help` run too.
//!
//! Blocks of a file run in order against the embedded sandbox, in one directory with nothing but a recording, `talk.wav`.
//! `console` blocks are for people.

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

/// Returns the commands of a block; `None` if it is not one to run.
fn script(block: &Block) -> Option<String> {
    match block.language.as_str() {
        "sh" => Some(block.text.clone()),
        "yaml" => {
            let lines = block.text.lines().map(|line| line.trim_start().trim_start_matches("- "));
            Some(lines.filter_map(|line| line.strip_prefix("run: ")).map(|command| format!("{command}\n")).collect())
        }
        _ => None,
    }
}

/// A second of silence: WAV, 16 kHz, 16 bit, one channel.
fn recording() -> Vec<u8> {
    let mut bytes =
        b"RIFF\x24\x7D\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3E\0\0\0\x7D\0\0\x02\0\x10\0data\0\x7D\0\0".to_vec();
    bytes.resize(bytes.len() + 32_000, 0);
    bytes
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
        bench.write("talk.wav", recording());
        let text = std::fs::read_to_string(&page).unwrap();
        let blocks = blocks(&text);
        for (i, block) in blocks.iter().enumerate() {
            let Some(script) = script(block) else { continue };
            assert_ne!(script, "", "{}:{} has nothing to run", page.display(), block.line);
            let run = bench.bash(&script);
            let at = format!("{}:{}", page.display(), block.line);
            assert_eq!(run.code, 0, "{at}\n{script}\n{run}");
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

/// Returns the commands under `Example:` or `Examples:` in a help text.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_examples_of_voice_terms_run_as_written() {
    let help = Bench::bare().run(["voice", "terms", "--help"]).code(0);
    let (_, commands) = help.out().split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| line.starts_with("  "));
    let names: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"sync"), "{names:?}");
    for name in std::iter::once("--help").chain(names) {
        let bench = Bench::bare().env("TULK_SANDBOX", "1");
        bench.write("talk.wav", recording());
        bench.write("talk.en.txt", "tulk\nWebVTT\n");
        bench.write("talk.de.txt", "tulk\nUntertitel\n");
        let create = "tulk voice terms create 'Subtitles talk' en=talk.en.txt de=talk.de.txt";
        assert_eq!(bench.bash(create).code, 0);
        let help = bench.run(["voice", "terms", name, "--help"]).code(0);
        let examples = examples(help.out());
        assert!(!examples.is_empty(), "`voice terms {name}` has no example");
        // The examples of `create` would make a second collection of the same name.
        if name == "create" {
            bench.bash("tulk voice terms delete 'Subtitles talk' --yes").code(0);
        }
        for example in examples {
            let run = bench.bash(&example);
            assert_eq!(run.code, 0, "{example}\n{run}");
        }
    }
}
