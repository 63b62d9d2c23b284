//! Finds third-party programs that a test needs: those installed by `.ci/run`, or those of the system.

#![allow(dead_code)] // each test binary uses a part

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The `node_modules` that `.ci/run` fills.
pub const NODE_CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/node-client");

/// Returns a Python that has `modules`. Otherwise reports that the test is skipped.
pub fn python_with(modules: &str) -> Option<PathBuf> {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python-client/bin/python");
    let import = format!("import {modules}");
    let found = [installed, PathBuf::from("python3")].into_iter().find(|python| runs(python, &["-c", &import]));
    if found.is_none() {
        skip(&format!("no Python with {modules}"));
    }
    found
}

/// Returns Node.js if the packages in `node_modules` can be imported. Otherwise reports that the test is skipped.
pub fn node_with_client() -> Option<PathBuf> {
    let node = PathBuf::from("node");
    let is_found = runs(&node, &["--version"]) && Path::new(NODE_CLIENT).join("node_modules/deepl-node").is_dir();
    if !is_found {
        skip("no Node.js with the package deepl-node");
    }
    is_found.then_some(node)
}

/// Returns whether `parallel` is GNU parallel. Otherwise reports that the test is skipped.
pub fn has_gnu_parallel() -> bool {
    // moreutils also has a `parallel`; it does not know the flag.
    let version = Command::new("parallel").arg("--version").output();
    let is_found = version.is_ok_and(|output| output.stdout.starts_with(b"GNU parallel"));
    if !is_found {
        skip("no GNU parallel");
    }
    is_found
}

/// Returns the `bin` directory of Apache Spark. Reports that the test is skipped if Spark or Java is missing.
pub fn spark_programs() -> Option<PathBuf> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pyspark/bin");
    let is_found = programs.join("spark-submit").is_file() && runs(Path::new("java"), &["-version"]);
    if !is_found {
        skip("no Apache Spark with Java");
    }
    is_found.then_some(programs)
}

fn runs(program: &Path, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|output| output.status.success())
}

// Written to stderr directly, because the test harness hides captured output of passing tests.
fn skip(what: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {what}; `.ci/run` installs it");
}
