//! The check that a run which resumes reads the same input as the earlier run.

use std::path::PathBuf;

use tulk_base::error::{Failure, Origin};
use tulk_base::files::Digest;

/// Compares the start of an input with what an earlier run read.
#[derive(Clone)]
pub struct InputCheck {
    /// For the message.
    path: PathBuf,
    /// Rows covered by the expected digest.
    rows: u64,
    /// Whether these are all rows.
    is_whole: bool,
    expected: String,
    checked: u64,
    digest: Digest,
}

impl InputCheck {
    /// Expects rows with this digest, and maybe more. `path` is for the message.
    pub(super) fn new(path: PathBuf, rows: u64, expected: String) -> Self {
        Self { path, rows, is_whole: false, expected, checked: 0, digest: Digest::default() }
    }

    /// Expects rows with this digest and no others: the output at `path` is finished.
    pub(super) fn of_whole_input(path: PathBuf, rows: u64, expected: String) -> Self {
        Self { is_whole: true, ..Self::new(path, rows, expected) }
    }

    /// Adds the bytes of row number `row`; rows come in order. Fails if the input is not the same.
    pub fn add_row(&mut self, row: u64, bytes: &[u8]) -> Result<(), Failure> {
        if row >= self.rows {
            return if self.is_whole { Err(self.mismatch()) } else { Ok(()) };
        }
        self.digest.update(bytes);
        self.checked = row + 1;
        if self.checked == self.rows && self.digest.hex() != self.expected {
            return Err(self.mismatch());
        }
        Ok(())
    }

    /// Fails if the input ended before all rows were checked.
    pub fn finish(&self) -> Result<(), Failure> {
        if self.is_done() { Ok(()) } else { Err(self.mismatch()) }
    }

    /// Returns whether the input is known to be the same.
    pub fn is_done(&self) -> bool {
        self.checked == self.rows
    }

    /// Returns the digest of the rows checked so far.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The line of the state file that expects the same rows again, with where the output of some of them ends.
    pub(super) fn state_line(&self, end: super::RowEnd) -> String {
        let super::RowEnd { rows, entries, bytes } = end;
        format!("w {} {} {rows}:{entries}:{bytes}\n", self.rows, self.expected)
    }

    fn mismatch(&self) -> Failure {
        Failure::usage("the input differs from that of the earlier run")
            .at(Origin::whole(&self.path.to_string_lossy()))
            .hint_to_start_over("use the same input, or start over with --force")
    }
}
