//! The public service's official Node client, against the sandbox: other people's code must work with it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Bench;

/// Returns the directory in which `.ci/run` installs the client, if the client and Node are there.
fn client() -> Option<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/node-client");
    let node = Command::new("node").arg("--version").output();
    let is_installed = directory.join("node_modules/deepl-node/package.json").is_file();
    (is_installed && node.is_ok_and(|output| output.status.success())).then_some(directory)
}

#[test]
fn the_official_node_client_works_with_the_sandbox() {
    let Some(client) = client() else {
        // Written directly: the output of a test that passes is not shown.
        let _ = writeln!(std::io::stderr(), "skipped: no Node with the package `deepl-node`; `.ci/run` installs it");
        return;
    };
    let bench = Bench::bare();
    bench.write(
        "memories.json",
        r#"[{"translation_memory_id": "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b", "name": "Manuals", "source_language": "de",
            "target_languages": ["en"],
            "segments": [{"source": "Guten Tag", "target_lang": "en", "target": "Good day"}]}]"#,
    );
    let flags =
        ["--engine", "upper", "--memories", "memories.json", "--document-queue", "0s", "--document-translate", "0s"];
    let server = bench.serve(&flags);
    let limited = bench.serve(&[&flags[..], &["--character-limit", "20", "--document-limit", "1"]].concat());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/official_client.mjs");
    let mut node = Command::new("node");
    let output = node.arg(script).arg(client).args([&server.url, &limited.url]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
}
