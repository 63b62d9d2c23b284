//! Untrusted files take linear time: four times as much of anything takes about four times as long.

mod catalogs;
mod files;

/// A description, and a function that returns either a file with `n` parts or the `n`-th key.
type RepeatedPart = (&'static str, fn(usize) -> String);

pub(super) fn is_linear<T>(what: &str, input: impl Fn(usize) -> T, work: impl Fn(&T)) -> Result<(), String> {
    tulk_growth::is_linear(what, 16, input, work)
}

pub(super) fn all_are_linear(checks: impl Iterator<Item = Result<(), String>>) {
    let failed: Vec<String> = checks.filter_map(Result::err).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
