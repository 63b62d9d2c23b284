//! Start-up: `--version` against a process that does nothing and links the same shared libraries.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::process::{run, run_alternately};
use super::setup::Setup;
use super::table::Figure;

pub fn measure(setup: &Setup) -> Vec<Figure> {
    let empty = empty_program(setup);
    let pairs = run_alternately(
        setup.short_rounds,
        || run(setup.command(&setup.program, &["--version"])),
        || run(setup.command(&empty, &[])),
    );
    vec![
        Figure::ratio("--version: processor time against an empty process", pairs.ratio(|c| c.cpu)).at_most(2.0),
        Figure::ratio("--version: wall time against an empty process", pairs.ratio(|c| c.wall)),
        Figure::amount("--version: processor time", pairs.first(|c| c.cpu) * 1000.0, "ms"),
        Figure::amount("--version: wall time", pairs.first(|c| c.wall) * 1000.0, "ms"),
    ]
}

/// Builds a program that does nothing, with the shared libraries and compiler settings of tulk.
fn empty_program(setup: &Setup) -> PathBuf {
    let [source, linked, program] = ["empty.rs", "linked", "empty"].map(|name| setup.dir().join(name));
    std::fs::write(&source, "fn main() {}\n").expect("a file");
    let wanted = shared_libraries(&setup.program);
    let mut command = Command::new("rustc");
    command.args([
        "-C",
        "opt-level=s",
        "-C",
        "lto=fat",
        "-C",
        "codegen-units=1",
        "-C",
        "panic=abort",
        "-C",
        "strip=symbols",
    ]);
    command.args(["-C", "link-arg=-Wl,--no-as-needed"]);
    for name in &wanted {
        // libm.so.6 becomes -lm. libc and the loader are always linked.
        if let Some(short) = name.strip_prefix("lib").and_then(|rest| rest.split(".so").next()).filter(|n| *n != "c") {
            command.arg("-C").arg(format!("link-arg=-l{short}"));
        }
    }
    let built = command.arg("-o").arg(&linked).arg(&source).status();
    assert!(built.expect("rustc").success());
    std::fs::copy(&linked, &program).expect("a copy, as that of tulk");
    assert_eq!(shared_libraries(&program), wanted, "the empty program links other libraries");
    program
}

fn shared_libraries(program: &Path) -> BTreeSet<String> {
    let output = Command::new("ldd").arg(program).output().expect("ldd");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = text.lines().filter_map(|line| line.trim().split_once(" => ")).map(|(name, _)| name.to_owned());
    names.collect()
}
