//! One output of a run, as the loop sees it.

use tulk_base::error::Failure;
use tulk_store::part::{InputCheck, ResumePoint};

use crate::Leftover;
use crate::index::{RowNumber, TargetIndex};
use crate::sink_writer::WrittenRows;

/// The state of a sink.
pub struct SinkState {
    /// The targets whose results it takes.
    pub targets: Vec<TargetIndex>,
    /// Where an earlier run stopped.
    pub resume_point: Option<ResumePoint>,
    /// The check that the start of the input is the one that the earlier run read.
    pub input_check: Option<InputCheck>,
    /// Whether it is a file that a later run can resume.
    pub resumable: bool,
    /// Entries written, including those of an earlier run.
    pub entries: u64,
    /// Rows written, including those of an earlier run.
    pub rows: RowNumber,
    /// Whether all rows are written.
    pub complete: bool,
    /// Why it cannot be written.
    pub failure: Option<Failure>,
    /// What the writer has left of the file.
    pub leftover: Option<Leftover>,
}

impl SinkState {
    /// A sink that continues after `resume_point`, if there is one.
    pub fn new(targets: Vec<TargetIndex>, resume_point: Option<ResumePoint>, resumable: bool) -> Self {
        Self {
            targets,
            input_check: resume_point.as_ref().map(ResumePoint::input_check),
            resumable,
            entries: resume_point.as_ref().map_or(0, ResumePoint::entries),
            rows: RowNumber(resume_point.as_ref().map_or(0, ResumePoint::rows)),
            resume_point,
            complete: false,
            failure: None,
            leftover: None,
        }
    }

    /// Returns the first row that this run writes.
    pub fn first_row(&self) -> RowNumber {
        RowNumber(self.resume_point.as_ref().map_or(0, ResumePoint::rows))
    }

    /// Returns whether the input is known to be that of the earlier run.
    pub fn is_checked(&self) -> bool {
        self.input_check.as_ref().is_none_or(InputCheck::is_done)
    }

    /// Adds rows that the writer has written.
    pub fn add_written(&mut self, written: WrittenRows) {
        self.rows.0 += written.rows;
        self.entries += written.entries;
    }

    /// Returns the number of entries written for a target, of which `handed_over` went to the writer in this run.
    pub fn written(&self, handed_over: u64) -> u64 {
        // A target that has failed is missing in what is written for the others.
        self.entries.min(self.resume_point.as_ref().map_or(0, ResumePoint::entries) + handed_over)
    }

    /// Returns what is left of the file, as far as the writer reported it.
    pub fn leftover(&self) -> Leftover {
        let started = self.resumable && !self.complete && self.rows > RowNumber(0);
        self.leftover.unwrap_or(if started { Leftover::Resumable } else { Leftover::Nothing })
    }
}
