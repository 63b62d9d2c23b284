//! What reads bytes of others, as functions for a fuzzer: each takes any bytes and panics if a law is broken.
//!
//! Only tests and the targets in `fuzz/` are compiled with it. `fuzz/corpus/NAME` has small inputs for each target. An input that
//! broke a law stays there, and the tests read it again.

mod catalogs;
mod format_laws;
mod inline;
#[cfg(test)]
mod tests;
mod text;
mod values;

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
    text::TARGETS, //
    catalogs::TARGETS,
    inline::TARGETS,
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

/// Splits an input into bytes that choose options, and the rest. `None` if it is too short.
fn choices<const N: usize>(input: &[u8]) -> Option<([u8; N], &[u8])> {
    input.split_first_chunk::<N>().map(|(choices, rest)| (*choices, rest))
}
