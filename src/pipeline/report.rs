//! What a run did: the numbers of `--stats`, what failed, where to go on.

use std::time::Duration;

use crate::error::{Failure, Origin};

/// What a run did, whether or not it came to its end.
#[derive(Debug, Default)]
pub struct Report {
    /// Entries found in the input (blank ones are none), counted once whatever the number of targets.
    pub entries: u64,
    /// Requests sent, without repetitions.
    pub requests: u64,
    /// Code points sent, after repeats, all targets together.
    pub characters: u64,
    /// Characters billed, if the service reported any.
    pub billed: Option<u64>,
    /// Entries that were not sent because an equal one was, all targets together.
    pub repeats: u64,
    /// Repetitions of requests.
    pub retries: u64,
    /// Code points that may have been billed twice, because an answer was lost.
    pub maybe_billed_twice: u64,
    /// How long it took.
    pub seconds: Duration,
    /// Each target, in the order of the jobs.
    pub targets: Vec<TargetReport>,
    /// Entries that failed and passed through as their source (`--keep-going`).
    pub failed: Vec<FailedEntry>,
    /// What ended the run for all targets: a signal, a closed pipe, a fault in the input, a full quota.
    pub ended: Option<Failure>,
}

/// What a run did for one target.
#[derive(Debug, Default)]
pub struct TargetReport {
    /// The job's `target`.
    pub target: String,
    /// Entries written for it, those of an earlier run included.
    pub written: u64,
    /// Entries whose result came (and may be billed) but could not be written in order.
    pub unwritten: u64,
    /// Where to go on: the first record that was not written. `None` when all were.
    pub next: Option<Origin>,
    /// Why it stopped.
    pub failure: Option<Failure>,
    /// What there is of its file.
    pub left: Left,
}

/// What a run that did not come to its end leaves of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Left {
    /// Nothing: no file, none begun, or a whole one.
    #[default]
    Nothing,
    /// A part that `--resume` goes on with.
    Part,
    /// A part that can be read, and that no later run can go on with.
    Ended,
}

/// An entry that the service refused by itself.
#[derive(Debug)]
pub struct FailedEntry {
    /// Where it is.
    pub origin: Origin,
    /// For which target.
    pub target: String,
    /// Why.
    pub failure: Failure,
}
