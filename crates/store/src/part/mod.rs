//! Output files that grow over several runs: `FILE.part`, and `FILE.part.state`, from which `--resume` continues.
//!
//! Input: rows of output, and results that arrived early. Output: the finished file, or a part and a state for a later run. Files
//! that are written in one run use `files::AtomicFile` instead.

mod input_check;
mod open;
mod state;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write};
use std::path::Path;

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{self, Digest, FileLock, FileMode, ReadContent, SharedDigest};

use super::runs::RecordedOutput;

pub use self::input_check::InputCheck;
pub use self::open::PartPaths;
use self::state::StateHeader;
pub use self::state::{AnswerKey, EarlyAnswer, ResumePoint};

/// The treatment of a part that an earlier run left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingPart {
    /// Refuse to start, because the part contains results that were paid for.
    Refuse,
    /// Overwrite it (`--force`).
    Overwrite,
    /// Continue it (`--resume`). Without a part, start from the beginning.
    Resume,
}

/// The end of a row in the output, and the numbers of rows and entries up to there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RowEnd {
    rows: u64,
    entries: u64,
    /// Offset in the output, in bytes.
    bytes: u64,
}

/// An unfinished output file.
pub struct PartFile {
    paths: PartPaths,
    part: File,
    /// Locked during the run.
    state: FileLock,
    /// Size of the part in bytes.
    written: u64,
    input_digest: Digest,
    rows: u64,
    entries: u64,
    /// Not in the state file yet.
    row_ends: Vec<RowEnd>,
    /// Not in the state file yet.
    state_lines: String,
    resume_point: Option<ResumePoint>,
    /// Where to record that the file is finished.
    record: Option<RecordedOutput>,
    /// Digest of the input that this output replaces, as it was read. The input is not replaced if it has changed since.
    replaced_digest: Option<SharedDigest>,
    /// Whether the part or its state has something for a later run.
    is_kept: bool,
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = std::fs::remove_file(&self.paths.part);
            let _ = std::fs::remove_file(&self.paths.state);
        }
    }
}

impl PartFile {
    /// Opens the part of `path` and locks its state. Creates missing parent directories.
    ///
    /// `identity` must be the same in the run that resumes. Its first line is the server, its last line the target language; the lines
    /// in between are options that change the requests or how the input is read.
    ///
    /// Fails with `Kind::Usage` if an earlier run left a part and `existing` refuses it, if that run had another identity, if another
    /// process is writing the part, or if a file that tulk did not write has the name of the part or the state. That file is not changed.
    pub fn open(path: &Path, identity: &str, existing: ExistingPart) -> Result<Self, Failure> {
        let paths = PartPaths::new(path)?;
        let dir = files::parent_dir(&paths.target);
        files::make_dirs(dir, FileMode::Inherit)?;
        files::remove_abandoned(dir);
        let state = paths.open_state()?;
        let prepared = paths.prepare(&state, &StateHeader::new(identity), existing);
        let (part, resume_point) = prepared.inspect_err(|_| {
            if state.metadata().is_ok_and(|m| m.len() == 0) {
                let _ = std::fs::remove_file(&paths.state);
            }
        })?;
        let end = resume_point.as_ref().map(|point| point.end).unwrap_or_default();
        // No line may follow the `f` line.
        let unfinished = resume_point.as_ref().filter(|point| !point.finished);
        let mut file = Self {
            paths,
            part,
            state,
            written: end.bytes,
            input_digest: Digest::default(),
            rows: end.rows,
            entries: end.entries,
            row_ends: Vec::new(),
            state_lines: unfinished.map(ResumePoint::row_end_line).unwrap_or_default(),
            is_kept: resume_point.is_some(),
            resume_point,
            record: None,
            replaced_digest: None,
        };
        file.save_state()?;
        Ok(file)
    }

    /// Sets the record of the run, for when the file is finished.
    pub fn set_record(&mut self, record: RecordedOutput) {
        self.record = Some(record);
    }

    /// Replaces the output file only if its content still has the digest `read`, which must be complete before [`Self::finish`].
    /// Otherwise, keeps it.
    pub fn replace_if_unchanged(&mut self, read: SharedDigest) {
        self.replaced_digest = Some(read);
    }

    /// Returns where an earlier run stopped, if this run resumes it.
    pub fn resume_point(&self) -> Option<&ResumePoint> {
        self.resume_point.as_ref()
    }

    /// Sets the digest of the input rows whose output an earlier run wrote.
    pub fn set_input_digest(&mut self, digest: Digest) {
        self.input_digest = digest;
    }

    /// Records that a row is part of the output, which then has `end` bytes. A later run can continue after this row only if it is
    /// `resumable`.
    pub fn add_row(&mut self, record: &[u8], entries: u64, end: u64, resumable: bool) {
        self.input_digest.update(record);
        self.rows += 1;
        self.entries += entries;
        if resumable {
            self.row_ends.push(RowEnd { rows: self.rows, entries: self.entries, bytes: end });
        }
    }

    /// Returns the number of rows in the output.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns whether the part is kept when `self` is dropped.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Returns the number of bytes in the part.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Records a result that a later run cannot take from the output.
    pub fn add_early_answer(&mut self, key: AnswerKey, source: &str, answer: &EarlyAnswer) {
        if let Some(line) = answer.answer_line(key, source) {
            self.is_kept = true;
            self.state_lines.push_str(&line);
        }
    }

    /// Writes the pending lines to the state file.
    pub fn save_state(&mut self) -> Result<(), Failure> {
        if !self.state_lines.is_empty() {
            let written = (&*self.state).write_all(self.state_lines.as_bytes());
            written.file_context("write", &self.paths.state)?;
            self.state_lines.clear();
        }
        Ok(())
    }

    /// Appends output, after saving the ends of its rows in the state file.
    pub fn append(&mut self, output: &[u8]) -> Result<(), Failure> {
        // Rows without entries, such as a header row, cost nothing, so a part with only such rows need not be kept.
        let has_no_entries = self.entries == 0 && !self.row_ends.is_empty();
        self.record_row_ends();
        self.save_state()?;
        self.is_kept |= !output.is_empty() && !has_no_entries;
        self.part.write_all(output).file_context("write", &self.paths.part)?;
        self.written += output.len() as u64;
        Ok(())
    }

    fn record_row_ends(&mut self) {
        if self.row_ends.is_empty() {
            return;
        }
        // The digest covers all rows so far. A later run checks them all, even if the part has fewer.
        let _ = write!(self.state_lines, "w {} {}", self.rows, self.input_digest.hex());
        for RowEnd { rows, entries, bytes } in self.row_ends.drain(..) {
            let _ = write!(self.state_lines, " {rows}:{entries}:{bytes}");
        }
        self.state_lines.push('\n');
    }

    /// Syncs the part, gives it the mode of the file that it replaces, renames it to that file, and removes the state.
    ///
    /// If the file must be unchanged but is not, it is kept, and the part gets a free name next to it. The failure names both.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.is_kept = true;
        if self.resume_point.as_ref().is_some_and(|point| point.finished) {
            return self.remove_state();
        }
        // The last line covers the complete input, so that a later run can tell whether the input has grown.
        self.row_ends.push(RowEnd { rows: self.rows, entries: self.entries, bytes: self.written });
        self.append(&[])?;
        self.part.sync_all().file_context("write", &self.paths.part)?;
        if !files::is_at(&self.part, &self.paths.part) {
            return Err(Failure::internal(format!("{} was replaced while it was written", self.paths.part.display())));
        }
        let target = &self.paths.target;
        let replaced = self.replaced_digest.as_ref().map(|read| ReadContent::with_digest(read.hex()));
        if let Some(old) = &replaced
            && !old.is_at(target).file_context("read", target)?
        {
            return self.keep_both();
        }
        self.state_lines.push_str("f\n");
        self.save_state()?;
        // Record this before the rename: after a kill in between, the part still exists and shows that the file is not finished.
        if let Some(record) = self.record.take() {
            record.finished(&self.digest()?);
        }
        let PartPaths { part, target, .. } = &self.paths;
        if let Some(old) = replaced {
            if !files::rename_over(part, target, &old, FileMode::Inherit).file_context("write", target)? {
                return self.keep_both();
            }
        } else {
            // The mode of the old file may have changed since the part was created.
            files::inherit_mode(&self.part, target).file_context("write", target)?;
            std::fs::rename(part, target).file_context("write", target)?;
            files::sync_dir(files::parent_dir(target));
        }
        self.remove_state()
    }

    /// Renames the finished part to a free name next to the changed file. Returns the failure that names both.
    fn keep_both(&self) -> Result<(), Failure> {
        let PartPaths { part, target, .. } = &self.paths;
        let beside = files::rename_beside(part, target).file_context("write", target)?;
        self.remove_state()?;
        Err(files::edited_failure(target, &beside))
    }

    fn remove_state(&self) -> Result<(), Failure> {
        std::fs::remove_file(&self.paths.state).file_context("remove", &self.paths.state)
    }

    fn digest(&mut self) -> Result<String, Failure> {
        let digest = self.part.seek(SeekFrom::Start(0)).and_then(|_| files::digest_of(&self.part));
        digest.file_context("read", &self.paths.part)
    }
}
