//! What a run did: counts, failures, and where to continue.

use std::collections::BTreeMap;
use std::time::Duration;

use tulk_base::error::{Failure, Origin};

/// What a run did, whether or not it was completed.
#[derive(Debug, Default)]
pub struct PipelineReport {
    /// Non-blank entries of the input, counted once for all targets.
    pub entries: u64,
    /// Requests sent, without retries.
    pub requests: u64,
    /// Code points sent to all targets, without duplicates.
    pub characters: u64,
    /// Characters billed, if the service reported any.
    pub billed: Option<u64>,
    /// Entries of all targets that were not sent because an equal one was.
    pub duplicates: u64,
    /// Entries of all targets whose results came from the cache; `None` in a run without one.
    pub cached: Option<u64>,
    /// Code points of duplicates and of entries from the cache, which were not sent.
    pub characters_saved: u64,
    /// Retries of requests.
    pub retries: u64,
    /// Code points that may have been billed twice because an answer was lost.
    pub maybe_billed_twice: u64,
    /// Duration of the run.
    pub duration: Duration,
    /// The targets, in the order of the jobs.
    pub targets: Vec<TargetReport>,
    /// How many texts of the input are not translated, by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Warnings about the inputs: guessed encodings, and keys that occur more than once.
    pub warnings: Vec<String>,
    /// Entries that were refused and copied from the source (`--keep-going`).
    pub refused: Vec<RefusedEntry>,
    /// Why records could not be understood, or entries not sent, and were copied from the source (`--keep-going`).
    pub faults: Vec<Failure>,
    /// The failure that ended the run for all targets: a signal, a closed pipe, a bad input.
    pub ended_by: Option<Failure>,
}

impl PipelineReport {
    /// Returns whether every target was completed.
    pub fn is_complete(&self) -> bool {
        self.ended_by.is_none() && self.targets.iter().all(|target| target.failure.is_none())
    }
}

/// What a run did for one target.
#[derive(Debug, Default)]
pub struct TargetReport {
    /// The name of the target.
    pub target: String,
    /// Entries that are written, including those of an earlier run.
    pub written: u64,
    /// Entries that were answered, and maybe billed, but could not be written in order.
    pub unwritten: u64,
    /// Where to continue: the first record that is not written. `None` if all are.
    pub next: Option<Origin>,
    /// Whether everything is written. A signal may have come after the last request.
    pub is_complete: bool,
    /// Why the target stopped.
    pub failure: Option<Failure>,
    /// What is left of its file.
    pub leftover: Leftover,
}

/// What an incomplete run leaves of an output file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leftover {
    /// Nothing to continue: no file, an empty one, or a complete one.
    #[default]
    Nothing,
    /// A part that `--resume` continues.
    Resumable,
    /// A part that can be read but not resumed.
    ReadOnly,
}

/// An entry that the service refused.
#[derive(Debug)]
pub struct RefusedEntry {
    /// Where it is.
    pub origin: Origin,
    /// The target.
    pub target: String,
    /// Why it was refused.
    pub failure: Failure,
}
