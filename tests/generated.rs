//! completions/ and man/ are what the binary prints. `TULK_BLESS=1 cargo test --test generated` rewrites them.

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
