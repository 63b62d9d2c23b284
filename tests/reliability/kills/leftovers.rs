//! Checks the files in a home directory: names, modes, and whether state files can be read.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::Value;

use crate::common::Bench;

pub fn files(bench: &Bench, dir: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(&bench.path(dir), &mut found);
    let home = bench.dir().to_str().unwrap().to_owned() + "/";
    for name in &mut found {
        *name = name.trim_start_matches(&home).to_owned();
    }
    found.sort();
    found
}

fn collect(dir: &Path, found: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(&path, found);
        } else {
            found.push(path.to_str().unwrap().to_owned());
        }
    }
}

pub fn mode(bench: &Bench, name: &str) -> u32 {
    bench.path(name).metadata().unwrap().permissions().mode() & 0o777
}

/// Checks after a kill that state files and keys are private and that complete lines are valid JSON.
#[track_caller]
pub fn check_state(bench: &Bench, label: &str) {
    let config = [".config/tulk/credentials.toml".to_owned()].into_iter().filter(|name| bench.path(name).exists());
    let state = files(bench, ".local/state");
    for name in state.iter().cloned().chain(config) {
        assert_eq!(mode(bench, &name), 0o600, "{label}: {name}");
    }
    for name in state.iter().filter(|name| name.ends_with(".json") || name.ends_with(".jsonl")) {
        let text = bench.read(name);
        if name.ends_with(".json") {
            assert!(serde_json::from_str::<Value>(&text).is_ok(), "{label}: {name}: {text}");
            continue;
        }
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        for line in whole.lines() {
            assert!(serde_json::from_str::<Value>(line).is_ok(), "{label}: {name}: {line}");
        }
    }
}

/// Checks after the last run that no temporary files, parts or records of unfinished runs remain.
#[track_caller]
pub fn check_end(bench: &Bench, label: &str) {
    let left: Vec<String> = files(bench, "").into_iter().filter(|name| is_leftover(name)).collect();
    assert_eq!(left, Vec::<String>::new(), "{label}: left over");
}

fn is_leftover(name: &str) -> bool {
    let extension = Path::new(name).extension().unwrap_or_default().to_string_lossy().into_owned();
    matches!(extension.as_str(), "tmp" | "part" | "state" | "run" | "jsonl")
}
