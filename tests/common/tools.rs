//! Programs that tests need: those installed by `.ci/run`, or those of the system. Reports tests that cannot run on this machine.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The `node_modules` that `.ci/run` fills.
pub const NODE_CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/node-client");

/// Reports that a test, or a part of it, cannot run, whatever programs are installed.
///
/// Written to stderr directly, because the test harness hides captured output of passing tests.
pub fn skip(reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {reason}");
}

/// Reports a program or package that is not installed. With `TULK_REQUIRE_TOOLS=1`, the test fails instead.
#[track_caller]
pub fn skip_without(tool: &str) {
    let is_required = std::env::var("TULK_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(!is_required, "{tool} is not installed, and TULK_REQUIRE_TOOLS=1 requires it");
    skip(&format!("{tool} is not installed; as root, `.ci/run` installs it"));
}

/// Returns whether this user is root. Otherwise reports that the test is skipped.
#[cfg(unix)]
pub fn is_root_to(act: &str) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        skip(&format!("only root can {act}"));
    }
    is_root
}

/// Returns whether a program is on the path. Otherwise reports that the test is skipped.
#[track_caller]
pub fn has(program: &str) -> bool {
    first_of(&[program]).is_some()
}

/// Returns the first of these programs on the path. Otherwise reports that the test is skipped.
#[track_caller]
pub fn first_of(programs: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let candidates = std::env::split_paths(&path).flat_map(|dir| programs.iter().map(move |name| dir.join(name)));
    or_skip(candidates.into_iter().find(|file| file.is_file()), programs[0])
}

/// Returns a Python that has `modules`. Otherwise reports that the test is skipped.
#[track_caller]
pub fn python_with(modules: &str) -> Option<PathBuf> {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python-client/bin/python");
    let import = format!("import {modules}");
    let found = [installed, PathBuf::from("python3")].into_iter().find(|python| runs(python, &["-c", &import]));
    or_skip(found, &format!("Python with {modules}"))
}

/// Returns Node.js if the packages in `node_modules` can be imported. Otherwise reports that the test is skipped.
#[track_caller]
pub fn node_with_client() -> Option<PathBuf> {
    let node = PathBuf::from("node");
    let is_found = runs(&node, &["--version"]) && Path::new(NODE_CLIENT).join("node_modules/deepl-node").is_dir();
    or_skip(is_found.then_some(node), "Node.js with the package deepl-node")
}

/// Returns whether `parallel` is GNU parallel. Otherwise reports that the test is skipped.
#[track_caller]
pub fn has_gnu_parallel() -> bool {
    // moreutils also has a `parallel`; it does not know the flag.
    let version = Command::new("parallel").arg("--version").output();
    let is_found = version.is_ok_and(|output| output.stdout.starts_with(b"GNU parallel"));
    or_skip(is_found.then_some(()), "GNU parallel").is_some()
}

/// Returns the `bin` directory of Apache Spark. Reports that the test is skipped if Spark or Java is missing.
#[track_caller]
pub fn spark_programs() -> Option<PathBuf> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pyspark/bin");
    let is_found = programs.join("spark-submit").is_file() && runs(Path::new("java"), &["-version"]);
    or_skip(is_found.then_some(programs), "Apache Spark with Java")
}

/// Returns pre-commit. Otherwise reports that the test is skipped.
#[track_caller]
pub fn pre_commit() -> Option<PathBuf> {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pre-commit/bin/pre-commit");
    let found = [installed, PathBuf::from("pre-commit")].into_iter().find(|program| runs(program, &["--version"]));
    or_skip(found, "pre-commit")
}

fn runs(program: &Path, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|output| output.status.success())
}

#[track_caller]
fn or_skip<T>(found: Option<T>, tool: &str) -> Option<T> {
    if found.is_none() {
        skip_without(tool);
    }
    found
}
