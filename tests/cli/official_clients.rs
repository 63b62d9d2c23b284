//! Runs the public service's official clients against the sandbox: third-party code must work with it.

use std::path::Path;
use std::process::Command;

use crate::common::Bench;
use crate::common::tools::{NODE_CLIENT, node_with_client, python_with};

/// Runs a script with the addresses of two sandboxes, the second with small limits. The script must succeed.
fn run_with_sandboxes(interpreter: &Path, script: &str, args: &[&str]) {
    let bench = Bench::bare();
    bench.write(
        "memories.json",
        r#"[{"translation_memory_id": "2f6d1c3a-0b9e-4f57-8a41-6c7d8e9f0a1b", "name": "Manuals", "source_language": "de",
            "target_languages": ["en"],
            "segments": [{"source": "Guten Tag", "target_lang": "en", "target": "Good day"}]}]"#,
    );
    // The clients wait five seconds between two polls, so the sandbox finishes everything before the first poll.
    let at_once = ["--document-queue", "0s", "--document-translate", "0s", "--memory-job-polls", "0"];
    let flags = [&["--engine", "upper", "--memories", "memories.json"][..], &at_once].concat();
    let server = bench.serve(&flags);
    let limited = bench.serve(&[&flags[..], &["--character-limit", "20", "--document-limit", "1"]].concat());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(script);
    let mut command = Command::new(interpreter);
    let output = command.arg(script).args(args).args([&server.url, &limited.url]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
}

#[test]
#[ignore = "needs another program; .ci/run includes it"]
fn the_official_python_client_works_with_the_sandbox() {
    let Some(python) = python_with("deepl") else { return };
    run_with_sandboxes(&python, "python/official_client.py", &[]);
}

#[test]
#[ignore = "needs another program; .ci/run includes it"]
fn the_official_node_client_works_with_the_sandbox() {
    let Some(node) = node_with_client() else { return };
    run_with_sandboxes(&node, "node/official_client.mjs", &[NODE_CLIENT]);
}
