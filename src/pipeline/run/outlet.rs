//! One output of a run, as the loop sees it: where it stands, what it goes on with, what it leaves.

use crate::error::Failure;
use crate::pipeline::Left;
use crate::store::part::{Check, Resumed};

/// A sink as the loop sees it.
pub struct Outlet {
    /// The lanes it takes.
    pub targets: Vec<usize>,
    /// What an earlier run left.
    pub resumed: Option<Resumed>,
    /// Compares the start of the input with what the earlier run read.
    pub check: Option<Check>,
    /// Whether it is a file that a later run can go on with.
    pub goes_on: bool,
    /// Entries written, an earlier run's included.
    pub entries: u64,
    /// Rows written, an earlier run's included.
    pub rows: u64,
    /// Whether it came to its end.
    pub complete: bool,
    /// Why it cannot be written.
    pub failure: Option<Failure>,
    /// What the writer left of its file.
    pub left: Option<Left>,
}

impl Outlet {
    /// The first row that this run writes.
    pub fn first_row(&self) -> u64 {
        self.resumed.as_ref().map_or(0, |r| r.rows)
    }

    /// Entries written for a target, of which `passed` went to the writer in this run.
    pub fn written(&self, passed: u64) -> u64 {
        // A target that has failed is missing in what is written for the others.
        self.entries.min(self.resumed.as_ref().map_or(0, |r| r.entries) + passed)
    }

    /// What there is of its file, as far as the writer came to tell.
    pub fn left(&self) -> Left {
        let begun = if self.goes_on && !self.complete && self.rows > 0 { Left::Part } else { Left::Nothing };
        self.left.unwrap_or(begun)
    }
}
