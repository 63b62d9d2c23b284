//! Properties of all code that reads untrusted input. Each target takes any bytes and panics if a property does not hold.
//!
//! `cargo test -p tulk-fuzz` runs each target with the inputs in `corpus/NAME` and with mutations of them. `cargo fuzz` generates more.
//! An input that once failed stays in the corpus.

mod answers;
mod audio;
mod catalogs;
mod format_properties;
#[cfg(test)]
mod growth;
mod inline;
mod own_files;
mod project_files;
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
    /// Reads the input. Panics if a property does not hold.
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
    sandbox::TARGETS,
    text::TARGETS,
    values::TARGETS,
];

/// Returns all targets.
pub fn targets() -> impl Iterator<Item = &'static FuzzTarget> {
    TARGETS.iter().copied().flatten()
}

/// Runs a target.
///
/// # Panics
/// If a property does not hold for the input.
pub fn check(name: &str, input: &[u8]) {
    targets().filter(|target| target.name == name).for_each(|target| (target.check)(input));
}

/// Panics on an I/O error.
fn in_dir(work: impl FnOnce(&Path) -> io::Result<()>) {
    let done = tempfile::tempdir().and_then(|dir| work(dir.path()));
    assert!(done.is_ok(), "{done:?}");
}

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

/// Splits off the first `N` bytes, which choose options. `None` if the input is shorter.
fn choices<const N: usize>(input: &[u8]) -> Option<([u8; N], &[u8])> {
    input.split_first_chunk::<N>().map(|(choices, rest)| (*choices, rest))
}
