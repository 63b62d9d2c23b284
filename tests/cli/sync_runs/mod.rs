//! `tulk sync` under failures: kills, signals, concurrent runs, errors of the service and of the disk.

mod edits;
mod failures;
mod kills;
mod moves;
mod signals;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Stdio};

use serde_json::{Map, Value};

use crate::common::Bench;

/// Number of files, groups of keys per file (each with its own note), and keys per group.
const FILES: usize = 2;
const GROUPS: usize = 8;
const KEYS: usize = 3;
const LANGS: [&str; 2] = ["de", "fr"];

/// Writes a project whose texts begin with `prefix`. Each group of keys has a long note, so it becomes a separate request.
pub fn write_project(bench: &Bench, folder: &str, prefix: &str) {
    let mut config = String::from("[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"fr\"]\n\n[sync.notes]\n");
    for group in 0..GROUPS {
        config.extend([format!("\"g{group}.*\" = \"Group {group}{}\"\n", " of texts".repeat(40))]);
    }
    config.push_str("\n[[sync.files]]\nsource = \"en/*.json\"\ntarget = \"{lang}/*.json\"\ndialect = \"none\"\n");
    bench.write(&format!("{folder}tulk.toml"), config);
    for file in 0..FILES {
        let mut groups = Map::new();
        for group in 0..GROUPS {
            let keys = (0..KEYS)
                .map(|key| (format!("k{key}"), Value::String(format!("{prefix} file {file} group {group} key {key}"))));
            groups.insert(format!("g{group}"), Value::Object(keys.collect()));
        }
        let text = serde_json::to_string_pretty(&Value::Object(groups)).unwrap();
        bench.write(&format!("{folder}en/f{file}.json"), text);
    }
}

pub fn start(bench: &Bench, args: &[&str]) -> Child {
    let mut command = bench.command();
    command.args(["sync", "--concurrency", "3"]).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the texts of a request, each with its language.
pub fn texts_of(request: &Value) -> BTreeSet<String> {
    let body = &request["body"];
    let lang = body["target_lang"].as_str().unwrap_or_default().to_lowercase();
    let texts = body["text"].as_array().into_iter().flatten();
    texts.map(|text| format!("{lang} {}", text.as_str().unwrap())).collect()
}

/// Returns the translations in all targets, keyed by language, file and key. Fails if a file is incomplete.
#[track_caller]
pub fn targets(bench: &Bench) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for lang in LANGS {
        for file in 0..FILES {
            let name = format!("{lang}/f{file}.json");
            let Ok(text) = std::fs::read_to_string(bench.path(&name)) else { continue };
            let groups: BTreeMap<String, BTreeMap<String, String>> =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
            for (group, keys) in groups {
                found.extend(keys.into_iter().map(|(key, text)| (format!("{name} {group}.{key}"), text)));
            }
        }
    }
    found
}

/// Counts the lock entries, all of which must be by tulk.
#[track_caller]
pub fn own_entries(bench: &Bench) -> usize {
    let lock = bench.read("tulk.lock");
    assert!(!lock.contains(":p:") && !lock.contains(":x:"), "{lock}");
    lock.matches(":t:").count()
}

pub const UNITS: usize = FILES * GROUPS * KEYS * LANGS.len();
