//! Checks that a resumed run reads the same input as the earlier run.

use std::path::PathBuf;

use tulk_base::error::{Failure, Origin};
use tulk_base::files::Digest;

/// Compares the first rows of an input with those of an earlier run.
#[derive(Clone)]
pub struct InputCheck {
    /// For messages.
    path: PathBuf,
    /// Number of rows covered by `expected`.
    rows: u64,
    /// Whether the input must end after these rows.
    covers_all_rows: bool,
    expected: String,
    checked: u64,
    digest: Digest,
}

impl InputCheck {
    /// Expects rows with this digest, possibly followed by more. `path` is for messages.
    pub(super) fn new(path: PathBuf, rows: u64, expected: String) -> Self {
        Self { path, rows, covers_all_rows: false, expected, checked: 0, digest: Digest::default() }
    }

    /// Expects the rows with this digest and no more, because the output at `path` is finished.
    pub(super) fn of_complete_input(path: PathBuf, rows: u64, expected: String) -> Self {
        Self { covers_all_rows: true, ..Self::new(path, rows, expected) }
    }

    /// Adds the bytes of row number `row`. Rows must be added in order. Fails if the input has changed.
    pub fn add_row(&mut self, row: u64, bytes: &[u8]) -> Result<(), Failure> {
        if row >= self.rows {
            return if self.covers_all_rows { Err(self.mismatch()) } else { Ok(()) };
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

    /// Returns the `w` line that makes a later run expect the same rows. `end` is the end of the output so far.
    pub(super) fn row_end_line(&self, end: super::RowEnd) -> String {
        let super::RowEnd { rows, entries, bytes } = end;
        format!("w {} {} {rows}:{entries}:{bytes}\n", self.rows, self.expected)
    }

    fn mismatch(&self) -> Failure {
        Failure::usage("the input has changed since the earlier run")
            .at(Origin::whole(&self.path.to_string_lossy()))
            .hint_to_start_over("use the same input, or start over with --force")
    }
}
