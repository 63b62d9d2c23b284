//! The report of a run: counts, failures, and where to continue.

use std::collections::BTreeMap;
use std::time::Duration;

use tulk_base::error::{Failure, Origin};

/// Report of a complete or incomplete run.
#[derive(Debug, Default)]
pub struct PipelineReport {
    /// Number of non-blank entries in the input, counted once for all targets.
    pub entries: u64,
    /// Number of requests sent, without retries.
    pub requests: u64,
    /// Number of code points sent to all targets, without duplicates.
    pub characters: u64,
    /// Number of billed characters, if the service reported any.
    pub billed: Option<u64>,
    /// Number of entries, over all targets, that were not sent because an equal one was.
    pub duplicates: u64,
    /// Number of entries, over all targets, whose results came from the cache; `None` in a run without one.
    pub cached: Option<u64>,
    /// Number of code points not sent, in duplicates and cached entries.
    pub characters_saved: u64,
    /// Number of retries.
    pub retries: u64,
    /// Number of code points that may have been billed twice because a response was lost.
    pub maybe_billed_twice: u64,
    /// Duration of the run.
    pub duration: Duration,
    /// Reports of the targets, in the order of the jobs.
    pub targets: Vec<TargetReport>,
    /// Number of texts in the input that are not translated, by reason.
    pub skipped: BTreeMap<&'static str, u64>,
    /// Warnings about the inputs: guessed encodings, and keys that occur more than once.
    pub warnings: Vec<String>,
    /// Entries that were refused, or whose results could not be used, and that were copied from the source.
    pub refused: Vec<RefusedEntry>,
    /// Failures of records that could not be parsed and of entries that could not be sent, copied from the source (`--keep-going`).
    pub faults: Vec<Failure>,
    /// The failure that ended the run for all targets: a signal, a closed pipe, a fault in the input.
    pub ended_by: Option<Failure>,
}

impl PipelineReport {
    /// Returns whether all targets are complete.
    pub fn is_complete(&self) -> bool {
        self.ended_by.is_none() && self.targets.iter().all(|target| target.failure.is_none())
    }
}

/// Report of one target.
#[derive(Debug, Default)]
pub struct TargetReport {
    /// Name of the target.
    pub target: String,
    /// Number of entries written, including an earlier run's.
    pub written: u64,
    /// Number of entries that were answered, and possibly billed, but could not be written in order.
    pub unwritten: u64,
    /// Position of the first record that is not written; `None` if all are.
    pub next: Option<Origin>,
    /// Whether everything is written. True even if a signal came after the last request.
    pub is_complete: bool,
    /// The failure that stopped the target.
    pub failure: Option<Failure>,
    /// State of the output file after the run.
    pub leftover: Leftover,
}

/// State of an output file after an incomplete run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leftover {
    /// Nothing to resume: no file, an empty file, or a complete one.
    #[default]
    Nothing,
    /// A part that `--resume` continues.
    Resumable,
    /// A part that can be read but not resumed.
    ReadOnly,
}

/// An entry that the service refused, or whose result could not be used.
#[derive(Debug)]
pub struct RefusedEntry {
    /// Position of the entry.
    pub origin: Origin,
    /// Name of the target.
    pub target: String,
    /// Reason for the refusal.
    pub failure: Failure,
}
