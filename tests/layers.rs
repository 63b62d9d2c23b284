//! Imports go one way, no test file is forgotten, and banned crates stay out.

#![allow(clippy::unwrap_used, clippy::string_slice)] // tests

use std::path::{Path, PathBuf};

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// For each part of the crate, what it may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("error", &[]),
    ("limits", &[]),
    ("suggest", &[]),
    ("files", &["error"]),
    ("json", &["error"]),
    ("output_path", &["files", "error"]),
    ("stop", &["error"]),
    ("store", &["files", "json", "error", "limits"]),
    ("config", &["files", "error", "limits", "suggest"]),
    ("output", &["config", "json", "error", "limits"]),
    ("http", &["config", "json", "stop", "error", "limits"]),
    ("api", &["http", "config", "json", "error", "limits", "suggest"]),
    ("input", &["error", "limits"]),
    ("formats", &["input", "json", "error", "limits"]),
    ("pipeline", &["formats", "input", "http", "store", "json", "stop", "error", "limits"]),
    ("context", &["config", "files", "http", "output", "sandbox", "stop", "error", "limits"]),
    (
        "commands",
        &[
            "api",
            "context",
            "config",
            "error",
            "files",
            "formats",
            "http",
            "input",
            "json",
            "limits",
            "output",
            "output_path",
            "pipeline",
            "sandbox",
            "stop",
            "store",
            "suggest",
        ],
    ),
    ("cli", &["commands", "config", "context", "error", "output"]),
    ("sandbox", &["files", "json", "error"]),
    ("main", &[]),
    ("lib", &[]),
];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let mut wrong = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&src).unwrap();
        let part = relative.components().next().unwrap().as_os_str().to_string_lossy().replace(".rs", "");
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == part) else {
            wrong.push(format!("{}: `{part}` has no layer in this test", relative.display()));
            continue;
        };
        for (number, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            for (at, _) in line.match_indices("crate::") {
                let used = &line[at + "crate::".len()..];
                let fits = |name: &str| {
                    used.strip_prefix(name)
                        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
                };
                if !fits(&part) && !allowed.iter().any(|a| fits(a)) {
                    wrong.push(format!("{}:{}: {}", relative.display(), number + 1, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these imports go against the layers:\n{}", wrong.join("\n"));
}

#[test]
fn no_test_file_is_forgotten() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let main = std::fs::read_to_string(dir.join("main.rs")).unwrap();
    for entry in std::fs::read_dir(&dir).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        assert!(name == "main" || main.contains(&format!("mod {name};")), "tests/cli/main.rs lacks `mod {name};`");
    }
}

#[test]
fn banned_crates_stay_out() {
    let lock = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock")).unwrap();
    let count = |name: &str| lock.lines().filter(|l| *l == format!("name = \"{name}\"")).count();
    for name in ["openssl-sys", "aws-lc-sys", "native-tls"] {
        assert_eq!(count(name), 0, "{name}");
    }
    for name in ["rustls", "tungstenite", "ring", "reqwest"] {
        assert_eq!(count(name), 1, "{name}");
    }
}
