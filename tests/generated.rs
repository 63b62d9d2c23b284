//! Checks that man/ and the list of all help texts are up to date with the binary, and that it prints the scripts in completions/.
//!
//! `TULK_BLESS=1 cargo test --test generated` rewrites man/ and the list.

#![allow(clippy::unwrap_used, clippy::string_slice)] // tests

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use common::{Bench, help_tree};

fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn files(dir: &Path) -> BTreeMap<String, String> {
    let Ok(entries) = std::fs::read_dir(dir) else { return BTreeMap::new() };
    let name = |p: &Path| p.file_name().unwrap().to_string_lossy().into_owned();
    entries.map(|e| e.unwrap().path()).map(|p| (name(&p), std::fs::read_to_string(&p).unwrap())).collect()
}

fn compare(dir: &str, printed: &BTreeMap<String, String>) {
    let dir = root(dir);
    if std::env::var_os("TULK_BLESS").is_some() {
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        for (name, text) in printed {
            std::fs::write(dir.join(name), text).unwrap();
        }
        return;
    }
    let kept = files(&dir);
    let names = |m: &BTreeMap<String, String>| m.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&kept), names(printed), "run: TULK_BLESS=1 cargo test --test generated");
    for (name, text) in printed {
        assert!(&kept[name] == text, "{name} is out of date; run: TULK_BLESS=1 cargo test --test generated");
    }
}

#[test]
fn completions_are_up_to_date() {
    let bench = Bench::bare();
    let shells = [
        ("bash", "tulk.bash"),
        ("zsh", "_tulk"),
        ("fish", "tulk.fish"),
        ("powershell", "_tulk.ps1"),
        ("elvish", "tulk.elv"),
    ];
    let printed =
        shells.map(|(shell, file)| (file.to_owned(), bench.run(["completions", shell]).code(0).out().to_owned()));
    assert_eq!(files(&root("completions")), printed.into_iter().collect(), "the binary contains these files");
}

#[test]
fn man_pages_are_up_to_date() {
    let bench = Bench::bare();
    let dir = bench.path("man");
    bench.run(["man".as_ref(), "--out".as_ref(), dir.as_os_str()]).code(0);
    let printed = files(&dir);
    assert!(printed.contains_key("tulk.1") && printed.contains_key("tulk-translate.1"));
    compare("man", &printed);
}

fn help_texts(bench: &Bench) -> String {
    let mut all = String::new();
    for path in std::iter::once(String::new()).chain(help_tree::commands(bench).iter().cloned()) {
        let words = || path.split(' ').filter(|word| !word.is_empty());
        let short = bench.run(words().chain(["-h"])).code(0);
        let line = |flag| words().chain([flag]).fold("$ tulk".to_owned(), |line, word| format!("{line} {word}"));
        let long = bench.run(words().chain(["--help"])).code(0);
        let _ = writeln!(all, "{}\n{}\n{}\n{}", line("-h"), short.out(), line("--help"), long.out());
    }
    for topic in ["options", "environment", "formats", "exit-codes", "files", "sandbox"] {
        let _ = writeln!(all, "$ tulk help {topic}\n{}", bench.run(["help", topic]).code(0).out());
    }
    all
}

#[test]
fn the_list_of_help_texts_is_up_to_date() {
    let all = help_texts(&Bench::bare());
    assert!(all.matches(" -h\n").count() > 90, "only a part of the commands was found");
    let path = root("tests/golden/help.txt");
    if std::env::var_os("TULK_BLESS").is_some() {
        std::fs::write(&path, all).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == all, "tests/golden/help.txt is out of date; run: TULK_BLESS=1 cargo test --test generated");
}
