//! Imports go one way, as the table in `src/lib.rs` says; no test file is forgotten; banned crates and libraries stay out.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::print_stderr, clippy::string_slice)] // tests

#[path = "common/source.rs"]
mod source;

use std::collections::BTreeMap;

use source::{read, rust_files};

/// The table in `src/lib.rs`: each module with the modules that it may use.
///
/// Fails if a module uses one that stands above it, or if a module of the crate is missing.
fn layers() -> BTreeMap<String, Vec<String>> {
    let lib = read("src/lib.rs");
    let rows: Vec<(String, Vec<String>)> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("//! ")?.split_once('→'))
        .map(|(module, uses)| (module.trim().to_owned(), uses.split_whitespace().map(str::to_owned).collect()))
        .collect();
    let position = |name: &str| rows.iter().position(|(module, _)| module == name);
    let everyone = position("everyone").expect("a row for everyone");
    let shared = rows[everyone].1.clone();
    let mut layers = BTreeMap::new();
    for (at, (module, uses)) in rows.iter().enumerate().filter(|(at, _)| *at != everyone) {
        for used in uses {
            let below = position(used).is_none_or(|used| used > at) && used != module;
            assert!(below, "src/lib.rs: `{module}` uses `{used}`, which does not stand below it");
        }
        let mut allowed = uses.clone();
        if at < everyone {
            allowed.extend(shared.iter().cloned());
        }
        layers.insert(module.clone(), allowed);
    }
    for module in &shared {
        layers.entry(module.clone()).or_default();
    }
    layers
}

#[test]
fn imports_go_one_way() {
    let layers = layers();
    let mut wrong = Vec::new();
    for (path, text) in rust_files("src") {
        let part = path.split('/').nth(1).unwrap().trim_end_matches(".rs");
        if part == "lib" {
            continue;
        }
        let Some(allowed) = layers.get(part) else {
            wrong.push(format!("{path}: `{part}` has no row in the table of src/lib.rs"));
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            for (at, _) in line.match_indices("crate::") {
                let used = &line[at + "crate::".len()..];
                let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if used != part && !used.is_empty() && !allowed.contains(&used) {
                    wrong.push(format!("{path}:{}: {}", number + 1, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these imports go against the layers:\n{}", wrong.join("\n"));
}

#[test]
fn every_row_of_the_table_is_a_module() {
    let lib = read("src/lib.rs");
    for module in layers().keys().filter(|module| *module != "main") {
        assert!(lib.contains(&format!("mod {module};")), "src/lib.rs has a row for `{module}`, but no such module");
    }
}

#[test]
fn no_test_file_is_forgotten() {
    for binary in ["tests/cli", "tests/reliability"] {
        let main = read(&format!("{binary}/main.rs"));
        for (path, _) in rust_files(binary) {
            let name = path.trim_start_matches(binary).trim_start_matches('/').trim_end_matches(".rs");
            let is_module = name.contains('/') || name == "main" || main.contains(&format!("mod {name};"));
            assert!(is_module, "{binary}/main.rs lacks `mod {name};`");
        }
    }
}

#[test]
fn banned_crates_stay_out() {
    let lock = read("Cargo.lock");
    let count = |name: &str| lock.lines().filter(|l| *l == format!("name = \"{name}\"")).count();
    for name in ["openssl-sys", "aws-lc-sys", "native-tls"] {
        assert_eq!(count(name), 0, "{name}");
    }
    for name in ["rustls", "tungstenite", "ring", "reqwest"] {
        assert_eq!(count(name), 1, "{name}");
    }
}

/// `crates/elementary` has the functions that the program needs from it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_program_loads_no_libm() {
    let Ok(output) = std::process::Command::new("ldd").arg(env!("CARGO_BIN_EXE_tulk")).output() else {
        eprintln!("skipped: ldd is not installed");
        return;
    };
    let libraries = String::from_utf8(output.stdout).unwrap();
    assert!(libraries.contains("libc.so") && !libraries.contains("libm.so"), "{libraries}");
}
