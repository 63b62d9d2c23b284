//! Results under way to a file: `FILE.part`, and `FILE.part.state` from which a later run goes on.
//!
//! What the state says is in [`notes`]. Spec: `-o FILE` and `--resume` of translate.

mod notes;

use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::Failure;

use notes::Header;
pub use notes::{Ahead, Check, Digest, Resumed};

/// What to do with a part that an earlier run left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// Refuse to start: it holds paid work.
    Refuse,
    /// Throw it away (`--force`).
    Replace,
    /// Go on with it (`--resume`); starts anew where there is none.
    Resume,
}

/// A file of results under way.
pub struct Part {
    target: PathBuf,
    under_way: PathBuf,
    state_path: PathBuf,
    file: File,
    state: File,
    /// Bytes in the part.
    written: u64,
    source: Digest,
    source_bytes: u64,
    rows: u64,
    entries: u64,
    /// Ends of rows not yet noted: rows, entries, end in the output.
    ends: Vec<(u64, u64, u64)>,
    notes: String,
    resumed: Option<Resumed>,
    /// Whether it holds anything that a later run could use.
    worth: bool,
}

/// A part that holds nothing is not left behind.
impl Drop for Part {
    fn drop(&mut self) {
        if !self.worth {
            let _ = std::fs::remove_file(&self.under_way);
            let _ = std::fs::remove_file(&self.state_path);
        }
    }
}

impl Part {
    /// Opens the part of `path` and locks its state; missing parent directories are made.
    ///
    /// `identity` is what must be the same for a later run to go on: the server, then the options that change requests or
    /// how the input is read, then the target, on lines of their own.
    ///
    /// Fails with usage when an earlier run left a part and `leftover` says so, when that run's options, server or target
    /// were others, and when another process is at it.
    pub fn open(path: &Path, identity: &str, leftover: Leftover) -> Result<Self, Failure> {
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if let Some(parent) = target.parent().filter(|p| !p.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent).map_err(|e| Failure::file("make", parent, &e))?;
        }
        let (part, state_path) = (with_suffix(&target, ".part"), with_suffix(&target, ".part.state"));
        let state = private(&state_path).map_err(|e| Failure::file("write", &state_path, &e))?;
        lock(&state, &target)?;
        if leftover == Leftover::Refuse && holds_work(&part, &state)? {
            let what = format!("{} is left from an earlier run", part.display());
            return Err(Failure::usage(what).hint("go on with it by --resume, or throw it away by --force"));
        }
        let header = Header::of(identity);
        let resumed = if leftover == Leftover::Resume { Resumed::read(&state, &part, &target, &header)? } else { None };
        let mut file = open_part(&part, &target).map_err(|e| Failure::file("write", &part, &e))?;
        let start = resumed.as_ref().map_or(0, |r| r.bytes);
        let cut = |e: io::Error| Failure::file("write", &part, &e);
        if !resumed.as_ref().is_some_and(|r| r.finished) {
            file.set_len(start).map_err(cut)?;
            file.seek(SeekFrom::Start(start)).map_err(cut)?;
        }
        let mut notes = String::new();
        match &resumed {
            // ServiceError again: of what was noted after it, nothing holds any more.
            Some(r) if r.bytes > 0 => notes::note_back(&mut notes, r),
            Some(_) => {}
            None => {
                state.set_len(0).map_err(|e| Failure::file("write", &state_path, &e))?;
                notes = serde_json::to_string(&header).map_err(|e| Failure::internal(e.to_string()))? + "\n";
            }
        }
        let mut this = Self {
            target,
            under_way: part,
            state_path,
            file,
            state,
            written: start,
            source: Digest::default(),
            source_bytes: 0,
            rows: resumed.as_ref().map_or(0, |r| r.rows),
            entries: resumed.as_ref().map_or(0, |r| r.entries),
            ends: Vec::new(),
            notes,
            worth: resumed.is_some(),
            resumed,
        };
        this.save_notes()?;
        Ok(this)
    }

    /// What an earlier run left, if this one goes on with it.
    pub fn resumed(&self) -> Option<&Resumed> {
        self.resumed.as_ref()
    }

    /// Sets the digest of the rows that are not read again for writing.
    pub fn seed(&mut self, digest: Digest) {
        self.source = digest;
    }

    /// Notes that a row went into the output, which then has `end` bytes; a run may go on behind it if `whole`.
    pub fn row(&mut self, record: &[u8], entries: u64, end: u64, whole: bool) {
        self.source.update(record);
        self.source_bytes += record.len() as u64;
        self.rows += 1;
        self.entries += entries;
        if whole {
            self.ends.push((self.rows, self.entries, end));
        }
    }

    /// Whether it stays when it is dropped.
    pub fn stays(&self) -> bool {
        self.worth
    }

    /// Bytes in the part.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Notes an answer that came ahead of its turn.
    pub fn ahead(&mut self, at: (u64, u32, u32), sent: &str, answer: &Ahead) {
        let (row, target, slot) = at;
        if let Ok(json) = serde_json::to_string(answer) {
            self.worth = true;
            let _ = writeln!(self.notes, "a {row} {target} {slot} {} {json}", notes::short(sent));
        }
    }

    /// Writes the notes out.
    pub fn save_notes(&mut self) -> Result<(), Failure> {
        if !self.notes.is_empty() {
            self.state.write_all(self.notes.as_bytes()).map_err(|e| Failure::file("write", &self.state_path, &e))?;
            self.notes.clear();
        }
        Ok(())
    }

    /// Appends output; the ends of its rows are noted first.
    pub fn append(&mut self, output: &[u8]) -> Result<(), Failure> {
        self.note_rows();
        self.save_notes()?;
        self.worth |= !output.is_empty();
        self.file.write_all(output).map_err(|e| Failure::file("write", &self.under_way, &e))?;
        self.written += output.len() as u64;
        Ok(())
    }

    fn note_rows(&mut self) {
        if self.ends.is_empty() {
            return;
        }
        // The digest covers all rows so far, so a part that bears out only some of them is checked by all of them.
        let _ = write!(self.notes, "w {} {}", self.rows, self.source.hex());
        for (rows, entries, end) in self.ends.drain(..) {
            let _ = write!(self.notes, " {rows}:{entries}:{end}");
        }
        self.notes.push('\n');
    }

    /// Makes the part the file: synced, renamed, with the old file's mode; the state is removed.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.worth = true;
        if self.resumed.as_ref().is_some_and(|r| r.finished) {
            let _ = std::fs::remove_file(&self.under_way);
            return std::fs::remove_file(&self.state_path).map_err(|e| Failure::file("remove", &self.state_path, &e));
        }
        self.append(&[])?;
        self.file.sync_all().map_err(|e| Failure::file("write", &self.under_way, &e))?;
        self.notes.push_str("f\n");
        self.save_notes()?;
        std::fs::rename(&self.under_way, &self.target).map_err(|e| Failure::file("write", &self.target, &e))?;
        sync_parent(&self.target);
        std::fs::remove_file(&self.state_path).map_err(|e| Failure::file("remove", &self.state_path, &e))
    }
}

/// Whether an earlier run left output, or answers ahead of their turn.
fn holds_work(part: &Path, state: &File) -> Result<bool, Failure> {
    let Ok(about) = std::fs::metadata(part) else { return Ok(false) };
    let notes = BufReader::new(state).lines().take(2).collect::<io::Result<Vec<_>>>();
    let notes = notes.map_err(|e| Failure::file("read", part, &e))?;
    Ok(about.len() > 0 || notes.len() > 1)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Opens a file for reading and appending that only its owner can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

fn lock(state: &File, target: &Path) -> Result<(), Failure> {
    match state.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(Failure::usage(format!("another process is writing {}", target.display())).hint("wait until it ends"))
        }
        // A file system without locks: better unlocked than not at all.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Opens the part with the mode that the file has, or a new one would.
fn open_part(part: &Path, target: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let old = std::fs::metadata(target).ok().map(|m| m.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt};
        options.mode(old.as_ref().map_or(0o666, PermissionsExt::mode) & 0o777);
    }
    let file = options.open(part)?;
    if let Some(old) = old {
        file.set_permissions(old)?;
    }
    Ok(file)
}

fn sync_parent(path: &Path) {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not all systems can sync a directory; the rename stands all the same.
    if let Ok(dir) = File::open(parent) {
        let _ = dir.sync_all();
    }
}
