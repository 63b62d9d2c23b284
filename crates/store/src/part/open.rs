//! Checks and opens the files next to an output before it is written. They may be files that tulk did not write.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{self, FileLock};

use super::ExistingPart;
use super::state::{ResumePoint, StateHeader};

/// The paths of an output, its part and the state of the part.
#[derive(Clone, Debug)]
pub struct PartPaths {
    /// The output file, with links resolved.
    pub(super) target: PathBuf,
    pub(super) part: PathBuf,
    pub(super) state: PathBuf,
}

impl PartPaths {
    /// Returns the paths for an output. Fails on a loop of links.
    pub fn new(output: &Path) -> Result<Self, Failure> {
        let target = files::link_target(output)?;
        let (part, state) = (files::with_suffix(&target, ".part"), files::with_suffix(&target, ".part.state"));
        Ok(Self { target, part, state })
    }

    /// Returns the paths of the part and its state.
    pub fn parts(&self) -> [&Path; 2] {
        [&self.part, &self.state]
    }

    /// Returns whether an earlier run left a part.
    pub fn has_part(&self) -> bool {
        self.part.symlink_metadata().is_ok()
    }

    /// Removes the files that a run leaves if it is killed just after it finished the output: the state, and a part with the digest
    /// `source`. With `--in-place`, a run exchanges the part with the source file, so the part then contains the old source. Keeps other
    /// parts, and files that tulk did not write.
    pub fn remove_leftovers(&self, source: &str) {
        let is_ours = |state: &File| self.count_first_lines(state).is_ok() && !files::is_locked(state);
        let Ok(Some(state)) = files::open_existing(&self.state) else { return };
        if !is_ours(&state) {
            return;
        }
        if self.has_part() {
            let is_finished = is_finished(&state);
            let part = files::open_existing(&self.part).ok().flatten();
            let is_replaced = part.is_some_and(|part| files::digest_of(part).is_ok_and(|digest| digest == source));
            if !is_finished || !is_replaced || std::fs::remove_file(&self.part).is_err() {
                return;
            }
        }
        let _ = std::fs::remove_file(&self.state);
    }

    /// Returns where an earlier run stopped, or `None` if this run starts from the beginning. Changes no file, and fails as
    /// [`super::PartFile::open`] does.
    pub fn find_resume_point(&self, identity: &str, existing: ExistingPart) -> Result<Option<ResumePoint>, Failure> {
        self.check_target()?;
        loop {
            let state = files::open_existing(&self.state)?;
            match (self.check_existing(state.as_ref(), &StateHeader::new(identity), existing), &state) {
                // The part belongs to a run that is still active.
                (Err(_), Some(state)) if files::is_locked(state) => return Err(self.busy()),
                // Another process has just created the state and then the part. Look again.
                (Err(_), None) if self.state.exists() => {}
                (found, _) => return found,
            }
        }
    }

    /// Fails if the output is a directory, or if no file can be created at its path.
    fn check_target(&self) -> Result<(), Failure> {
        if self.target.is_dir() {
            return Err(Failure::usage(format!("cannot write {}: it is a directory", self.target.display())));
        }
        files::check_creatable(&self.target)
    }

    /// Decides how to treat existing files. `state` is the open state file, if it exists.
    pub(super) fn check_existing(
        &self,
        state: Option<&File>,
        header: &StateHeader,
        existing: ExistingPart,
    ) -> Result<Option<ResumePoint>, Failure> {
        let part_length = match files::open_existing(&self.part)? {
            Some(part) => Some(part.metadata().file_context("read", &self.part)?.len()),
            None => None,
        };
        let lines = match state {
            Some(state) => self.count_first_lines(state)?,
            None => 0,
        };
        if part_length.is_some() && lines == 0 {
            return Err(files::in_the_way_failure(&self.part));
        }
        if existing == ExistingPart::Refuse && part_length.is_some_and(|length| length > 0 || lines > 1) {
            return Err(Failure::usage(format!("{} was left by an earlier run", self.part.display()))
                .hint_to_start_over("continue it with --resume, or overwrite it with --force"));
        }
        match state {
            Some(state) if existing == ExistingPart::Resume => ResumePoint::read(state, self, header),
            _ => Ok(None),
        }
    }

    /// Counts up to two lines of a state file. Fails if the first is not a header that tulk wrote.
    fn count_first_lines(&self, mut state: &File) -> Result<usize, Failure> {
        state.seek(SeekFrom::Start(0)).file_context("read", &self.state)?;
        let (mut first, mut second) = (Vec::new(), [0]);
        let mut lines = BufReader::new(state);
        let read = lines.by_ref().take(StateHeader::MAX_BYTES).read_until(b'\n', &mut first);
        read.file_context("read", &self.state)?;
        if first.is_empty() {
            return Ok(0);
        }
        if !StateHeader::is_header(&first) {
            return Err(files::in_the_way_failure(&self.state));
        }
        Ok(1 + lines.read(&mut second).file_context("read", &self.state)?)
    }

    /// Opens and locks the state file, and creates it if it is missing. Does not change its content.
    pub(super) fn open_state(&self) -> Result<FileLock, Failure> {
        files::open_locked(&self.state)?.ok_or_else(|| self.busy())
    }

    /// Checks what an earlier run left, and opens the part. Removes what follows the point where this run continues.
    pub(super) fn prepare(
        &self,
        mut state: &File,
        header: &StateHeader,
        existing: ExistingPart,
    ) -> Result<(File, Option<ResumePoint>), Failure> {
        let resume_point = self.check_existing(Some(state), header, existing)?;
        files::make_private(state, &self.state)?;
        let fail = |e| Failure::file("write", &self.state, &e);
        // A kill may have cut off the last line. Remove it, because the next line would continue it.
        state.set_len(resume_point.as_ref().map_or(0, |point| point.state_bytes)).map_err(fail)?;
        if resume_point.is_none() {
            // The header identifies the run of the part, so it must be on disk before the part.
            state.write_all(header.header_line()?.as_bytes()).map_err(fail)?;
        }
        let part = self.open_part(resume_point.as_ref()).inspect_err(|_| {
            if resume_point.is_none() && !self.has_part() {
                let _ = std::fs::remove_file(&self.state);
            }
        })?;
        Ok((part, resume_point))
    }

    /// Opens the part with the mode of the file that it will replace, truncated to where the earlier run stopped. A finished file has
    /// no part; the file itself is then opened for reading.
    fn open_part(&self, resume_point: Option<&ResumePoint>) -> Result<File, Failure> {
        if resume_point.is_some_and(|point| point.finished) {
            return File::open(&self.target).file_context("open", &self.target);
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let old = std::fs::metadata(&self.target).ok().map(|m| m.permissions());
        #[cfg(unix)]
        {
            use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt};
            options.mode(old.as_ref().map_or(0o666, PermissionsExt::mode) & 0o777);
        }
        let mut file = files::open_regular_file(&self.part, &mut options)?;
        let prepare = |file: &mut File| {
            if let Some(old) = old {
                file.set_permissions(old)?;
            }
            let start = resume_point.map_or(0, |point| point.end.bytes);
            file.set_len(start)?;
            file.seek(SeekFrom::Start(start)).map(|_| ())
        };
        prepare(&mut file).file_context("write", &self.part)?;
        Ok(file)
    }

    fn busy(&self) -> Failure {
        let what = format!("another process is writing {}", self.target.display());
        Failure::usage(what).hint("wait until it ends")
    }
}

fn is_finished(mut state: &File) -> bool {
    let mut end = [0; 3];
    state.seek(SeekFrom::End(-3)).and_then(|_| state.read_exact(&mut end)).is_ok() && end == *b"\nf\n"
}
