//! What reads bytes of others, as functions for a fuzzer: each takes any bytes and panics if a law is broken.
//!
//! Only tests and the targets in `fuzz/` are compiled with it. `fuzz/corpus/NAME` has small inputs for each target. An input that
//! broke a law stays there, and the tests read it again.

mod answers;
mod audio;
mod catalogs;
mod format_laws;
mod inline;
mod own_files;
mod project_files;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(test)]
mod tests;
mod text;
mod values;

use std::io;
use std::path::Path;

/// A reader under test.
#[derive(Debug)]
pub struct FuzzTarget {
    /// Name of the target and of its directory in `fuzz/corpus`.
    pub name: &'static str,
    /// Reads the input. Panics if a law is broken.
    pub check: fn(&[u8]),
}

/// All targets, by kind.
const TARGETS: &[&[FuzzTarget]] = &[
    answers::TARGETS,
    audio::TARGETS,
    catalogs::TARGETS,
    inline::TARGETS,
    own_files::TARGETS,
    project_files::TARGETS,
    #[cfg(feature = "sandbox")]
    sandbox::TARGETS,
    text::TARGETS,
    values::TARGETS,
];

/// Returns all targets.
pub fn targets() -> impl Iterator<Item = &'static FuzzTarget> {
    TARGETS.iter().copied().flatten()
}

/// Gives an input to the target with this name. Panics if it breaks a law.
pub fn check(name: &str, input: &[u8]) {
    targets().filter(|target| target.name == name).for_each(|target| (target.check)(input));
}

/// Calls a function with an empty directory. What goes wrong with its files is no law.
fn in_dir(work: impl FnOnce(&Path) -> io::Result<()>) {
    let done = tempfile::tempdir().and_then(|dir| work(dir.path()));
    assert!(done.is_ok(), "{done:?}");
}

/// Calls a function with the path of a file that has these bytes.
fn with_file<T>(name: &str, bytes: &[u8], work: impl FnOnce(&Path) -> T) -> Option<T> {
    let mut result = None;
    in_dir(|dir| {
        let path = dir.join(name);
        std::fs::write(&path, bytes)?;
        result = Some(work(&path));
        Ok(())
    });
    result
}

/// Splits an input into bytes that choose options, and the rest. `None` if it is too short.
fn choices<const N: usize>(input: &[u8]) -> Option<([u8; N], &[u8])> {
    input.split_first_chunk::<N>().map(|(choices, rest)| (*choices, rest))
}
