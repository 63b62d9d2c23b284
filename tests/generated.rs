//! completions/, man/ and the list of all help texts are what the binary prints.
//!
//! `TULK_BLESS=1 cargo test --test generated` rewrites them.

#![allow(clippy::unwrap_used, clippy::string_slice)] // tests

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::Bench;

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
fn completions_are_what_the_binary_prints() {
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
    compare("completions", &printed.into_iter().collect());
}

#[test]
fn man_pages_are_what_the_binary_prints() {
    let bench = Bench::bare();
    let dir = bench.path("man");
    bench.run(["man".as_ref(), dir.as_os_str()]).code(0);
    let printed = files(&dir);
    assert!(printed.contains_key("tulk.1") && printed.contains_key("tulk-translate.1"));
    compare("man", &printed);
}

/// The help of every command, each after its command line, in the order of the command tree.
fn help_of(bench: &Bench, path: &[String], all: &mut String) {
    let help = bench.run(path.iter().map(String::as_str).chain(["--help"])).code(0);
    let help = help.out();
    let shown = if path.is_empty() { help.to_owned() } else { without_global_options(help) };
    all.push_str(&format!("$ tulk {} --help\n{shown}\n", path.join(" ")).replace("tulk  --help", "tulk --help"));
    let commands = help.lines().skip_while(|line| !line.ends_with("ommands:")).skip(1);
    for line in commands.take_while(|line| line.is_empty() || line.starts_with(' ')) {
        let is_command = line.starts_with("  ") && !line.starts_with("   ");
        if let Some(name) = line.split_whitespace().next().filter(|name| is_command && *name != "help") {
            help_of(bench, &[path, &[name.to_owned()]].concat(), all);
        }
    }
}

/// Drops the section that every command has; it is listed once, with `tulk --help`.
fn without_global_options(help: &str) -> String {
    let mut inside = false;
    let lines = help.lines().filter(|line| {
        if !line.starts_with(' ') && !line.is_empty() {
            inside = *line == "Global options:";
        }
        !inside
    });
    lines.map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn the_list_of_help_texts_is_what_the_binary_prints() {
    let mut all = String::new();
    help_of(&Bench::bare(), &[], &mut all);
    assert!(all.matches(" --help\n").count() > 90, "only a part of the commands was found");
    let path = root("tests/golden/help.txt");
    if std::env::var_os("TULK_BLESS").is_some() {
        std::fs::write(&path, all).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == all, "tests/golden/help.txt is out of date; run: TULK_BLESS=1 cargo test --test generated");
}
