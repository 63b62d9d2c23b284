//! The scripts that install tulk: install.sh of a release, the GitHub action, the pre-commit hooks, the files for package managers, and
//! their metadata. Also the workflows that test tulk and make a release. A small script replaces the program.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice)] // tests

#[path = "../common/mod.rs"]
mod common;

mod action;
mod hooks;
mod install;
mod managers;
mod metadata;
mod workflows;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Another process writes the program. If this one did, another test could start a child that has it open for writing, and running the
/// program would fail.
fn write_program(path: &Path, script: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "printf %s \"$2\" > \"$1\" && chmod 755 \"$1\"", "sh"]).arg(path).arg(script);
    assert!(command.status().unwrap().success(), "{}", path.display());
}

fn files_below(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&next) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(directory).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}

fn unpacked_release(folder: &Path, version: &str) -> PathBuf {
    write_program(&folder.join("tulk"), &format!("#!/bin/sh\necho tulk {version}\n"));
    std::fs::copy(root().join("packaging/install.sh"), folder.join("install.sh")).unwrap();
    let completions = ["completions/tulk.bash", "completions/_tulk", "completions/tulk.fish"];
    let others = ["man/tulk.1", "man/tulk-old.1", "docs/start.md", "docs/schemas/usage.json"];
    for file in completions.iter().chain(&others) {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, file).unwrap();
    }
    for file in ["LICENSE", "THIRD-PARTY-LICENSES", "README.md", "CHANGELOG.md", "SECURITY.md", "tulk.cdx.json"] {
        std::fs::write(folder.join(file), file).unwrap();
    }
    folder.to_owned()
}
