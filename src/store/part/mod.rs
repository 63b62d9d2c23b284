//! Output files that grow over several runs: `FILE.part`, and `FILE.part.state` from which `--resume` continues.
//!
//! Input: rows of output and answers that arrived early. Output: the finished file, or a part and a state that a later
//! run continues. `state` describes the format of the state file, `input_check` how a later run recognises the input.
//!
//! Files that are written in one run use `files::AtomicFile`.

mod input_check;
mod state;

use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::Failure;
use crate::files::{self, Digest, FileMode};

pub use self::input_check::InputCheck;
use self::state::StateHeader;
pub use self::state::{AnswerKey, EarlyAnswer, ResumePoint};

/// What to do with a part that an earlier run left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingPart {
    /// Refuse to start, because it contains results that were paid for.
    Refuse,
    /// Overwrite it (`--force`).
    Overwrite,
    /// Continue it (`--resume`). If there is none, start from the beginning.
    Resume,
}

/// The number of rows and entries in a part, and where the last of them ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct RowEnd {
    rows: u64,
    entries: u64,
    /// Bytes of output.
    bytes: u64,
}

/// An output file that is not finished.
pub struct PartFile {
    target: PathBuf,
    part_path: PathBuf,
    state_path: PathBuf,
    part: File,
    /// Locked while this process writes the part.
    state: File,
    /// Bytes in the part.
    written: u64,
    input_digest: Digest,
    rows: u64,
    entries: u64,
    /// Ends of rows that are not in the state yet.
    row_ends: Vec<RowEnd>,
    /// Lines that are not in the state file yet.
    state_lines: String,
    resume_point: Option<ResumePoint>,
    /// Whether the part or its state contains anything that a later run can use.
    keep: bool,
}

/// Removes a part that contains nothing of use.
impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.keep {
            let _ = std::fs::remove_file(&self.part_path);
            let _ = std::fs::remove_file(&self.state_path);
        }
    }
}

impl PartFile {
    /// Opens the part of `path` and locks its state. Missing parent directories are created.
    ///
    /// `identity` must be the same in a later run that resumes: the first line is the server, the last the target language,
    /// the lines in between are options that change the requests or how the input is read.
    ///
    /// Fails with `Kind::Usage` if an earlier run left a part and `existing` refuses it, if that run had another identity, and
    /// if another process is writing the part.
    pub fn open(path: &Path, identity: &str, existing: ExistingPart) -> Result<Self, Failure> {
        let target = files::follow_links(path);
        files::make_dirs(files::parent_dir(&target), FileMode::Inherit)?;
        let (part_path, state_path) =
            (files::with_suffix(&target, ".part"), files::with_suffix(&target, ".part.state"));
        let state = open_state(&state_path, &target)?;
        if existing == ExistingPart::Refuse && has_results(&part_path, &state)? {
            return Err(Failure::usage(format!("{} was left by an earlier run", part_path.display()))
                .hint("continue it with --resume, or overwrite it with --force"));
        }
        let header = StateHeader::new(identity);
        let resume_point = match existing {
            ExistingPart::Resume => ResumePoint::read(&state, &part_path, &target, &header)?,
            ExistingPart::Refuse | ExistingPart::Overwrite => None,
        };
        let part = open_part(&part_path, &target, resume_point.as_ref())?;
        let state_lines = if let Some(point) = &resume_point {
            point.state_line()
        } else {
            state.set_len(0).map_err(|e| Failure::file("write", &state_path, &e))?;
            header.state_line()?
        };
        let end = resume_point.as_ref().map(|point| point.end).unwrap_or_default();
        let mut file = Self {
            target,
            part_path,
            state_path,
            part,
            state,
            written: end.bytes,
            input_digest: Digest::default(),
            rows: end.rows,
            entries: end.entries,
            row_ends: Vec::new(),
            state_lines,
            keep: resume_point.is_some(),
            resume_point,
        };
        file.save_state()?;
        Ok(file)
    }

    /// Returns where an earlier run stopped, if this run continues it.
    pub fn resume_point(&self) -> Option<&ResumePoint> {
        self.resume_point.as_ref()
    }

    /// Sets the digest of the rows that an earlier run wrote.
    pub fn set_input_digest(&mut self, digest: Digest) {
        self.input_digest = digest;
    }

    /// Records that a row is part of the output, which then has `end` bytes.
    ///
    /// A later run can continue after the row only if `resumable`.
    pub fn add_row(&mut self, record: &[u8], entries: u64, end: u64, resumable: bool) {
        self.input_digest.update(record);
        self.rows += 1;
        self.entries += entries;
        if resumable {
            self.row_ends.push(RowEnd { rows: self.rows, entries: self.entries, bytes: end });
        }
    }

    /// Returns whether the part stays when it is dropped.
    pub fn is_kept(&self) -> bool {
        self.keep
    }

    /// Returns the number of bytes in the part.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Records an answer that arrived before those of earlier rows.
    pub fn add_early_answer(&mut self, key: AnswerKey, sent: &str, answer: &EarlyAnswer) {
        if let Some(line) = answer.state_line(key, sent) {
            self.keep = true;
            self.state_lines.push_str(&line);
        }
    }

    /// Writes the recorded lines to the state file.
    pub fn save_state(&mut self) -> Result<(), Failure> {
        if !self.state_lines.is_empty() {
            let written = self.state.write_all(self.state_lines.as_bytes());
            written.map_err(|e| Failure::file("write", &self.state_path, &e))?;
            self.state_lines.clear();
        }
        Ok(())
    }

    /// Appends output. The ends of its rows are saved in the state first.
    pub fn append(&mut self, output: &[u8]) -> Result<(), Failure> {
        self.record_row_ends();
        self.save_state()?;
        self.keep |= !output.is_empty();
        self.part.write_all(output).map_err(|e| Failure::file("write", &self.part_path, &e))?;
        self.written += output.len() as u64;
        Ok(())
    }

    fn record_row_ends(&mut self) {
        if self.row_ends.is_empty() {
            return;
        }
        // The digest covers all rows so far. A part that contains only some of them is checked against all of them.
        let _ = write!(self.state_lines, "w {} {}", self.rows, self.input_digest.hex());
        for RowEnd { rows, entries, bytes } in self.row_ends.drain(..) {
            let _ = write!(self.state_lines, " {rows}:{entries}:{bytes}");
        }
        self.state_lines.push('\n');
    }

    /// Renames the part to the file, synced and with the mode of the file it replaces, and removes the state.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.keep = true;
        let remove_state = |path: &Path| std::fs::remove_file(path).map_err(|e| Failure::file("remove", path, &e));
        if self.resume_point.as_ref().is_some_and(|point| point.finished) {
            let _ = std::fs::remove_file(&self.part_path);
            return remove_state(&self.state_path);
        }
        self.append(&[])?;
        self.part.sync_all().map_err(|e| Failure::file("write", &self.part_path, &e))?;
        self.state_lines.push_str("f\n");
        self.save_state()?;
        std::fs::rename(&self.part_path, &self.target).map_err(|e| Failure::file("write", &self.target, &e))?;
        files::sync_dir(files::parent_dir(&self.target));
        remove_state(&self.state_path)
    }
}

/// Opens the state for reading and appending, readable by the owner only, and locks it.
fn open_state(state_path: &Path, target: &Path) -> Result<File, Failure> {
    let mut options = OpenOptions::new();
    let state = files::private(options.read(true).append(true).create(true)).open(state_path);
    let state = state.map_err(|e| Failure::file("write", state_path, &e))?;
    match state.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(Failure::usage(format!("another process is writing {}", target.display())).hint("wait until it ends"))
        }
        // Some file systems have no locks. The run continues without one.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(state),
    }
}

/// Opens the part with the mode of the file it will replace, cut to where the earlier run stopped.
fn open_part(part_path: &Path, target: &Path, resume_point: Option<&ResumePoint>) -> Result<File, Failure> {
    let fail = |e: io::Error| Failure::file("write", part_path, &e);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let old = std::fs::metadata(target).ok().map(|m| m.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt};
        options.mode(old.as_ref().map_or(0o666, PermissionsExt::mode) & 0o777);
    }
    let mut file = options.open(part_path).map_err(fail)?;
    if let Some(old) = old {
        file.set_permissions(old).map_err(fail)?;
    }
    if !resume_point.is_some_and(|point| point.finished) {
        let start = resume_point.map_or(0, |point| point.end.bytes);
        file.set_len(start).map_err(fail)?;
        file.seek(SeekFrom::Start(start)).map_err(fail)?;
    }
    Ok(file)
}

/// Returns whether an earlier run left output or early answers.
fn has_results(part_path: &Path, state: &File) -> Result<bool, Failure> {
    let Ok(metadata) = std::fs::metadata(part_path) else { return Ok(false) };
    let lines = BufReader::new(state).lines().take(2).collect::<io::Result<Vec<_>>>();
    let lines = lines.map_err(|e| Failure::file("read", part_path, &e))?;
    Ok(metadata.len() > 0 || lines.len() > 1)
}
