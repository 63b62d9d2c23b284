//! Reads files of this repository, for tests of the source itself.

#![allow(dead_code, missing_docs, clippy::unwrap_used, clippy::panic)] // each test binary uses a part; tests panic

use std::path::{Path, PathBuf};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The files are sorted; paths are relative to the root, with `/`.
pub fn rust_files(dir: &str) -> Vec<(String, String)> {
    files(dir, "rs")
}

/// Returns the directory and the source directory of each crate.
pub fn crates() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(root().join("crates")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| format!("crates/{}", entry.unwrap().file_name().to_string_lossy())).collect();
    names.sort();
    names.push("fuzz".to_owned());
    let mut all = vec![(".".to_owned(), "src".to_owned())];
    all.extend(names.into_iter().map(|name| (name.clone(), format!("{name}/src"))));
    all
}

pub fn sources() -> Vec<(String, String)> {
    crates().iter().flat_map(|(_, source)| rust_files(source)).collect()
}

pub fn files(dir: &str, extension: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(&root().join(dir), &mut found);
    found.retain(|path| path.extension().is_some_and(|e| e == extension));
    found.sort();
    let relative = |path: &Path| path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
    found.iter().map(|path| (relative(path), std::fs::read_to_string(path).unwrap())).collect()
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}
