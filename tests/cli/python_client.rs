//! The public service's official Python client, against the sandbox: other people's code must work with it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Bench;

/// Returns a Python that has the client: the one that `.ci/run` makes, or the one of the system.
fn python() -> Option<PathBuf> {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python-client/bin/python");
    [installed, PathBuf::from("python3")].into_iter().find(|python| {
        Command::new(python).args(["-c", "import deepl"]).output().is_ok_and(|output| output.status.success())
    })
}

#[test]
fn the_official_python_client_works_with_the_sandbox() {
    let Some(python) = python() else {
        // Written directly: the output of a test that passes is not shown.
        let _ = writeln!(std::io::stderr(), "skipped: no Python with the package `deepl`; `.ci/run` installs it");
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
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/official_client.py");
    let output = Command::new(python).arg(script).args([&server.url, &limited.url]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
}
