//! Output files of a stream: checked before anything is sent, and written as `FILE.part` until the end.
//!
//! An incomplete file stays as `FILE.part`, and an existing file with the final name is left alone.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{AtomicFile, FileMode, follow_links, is_special, with_suffix};
use tulk_pipeline::output_path::OutputCollisions;

use super::VoiceStreamArgs;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamOutcome {
    /// The stream ended normally: files get their final names.
    Complete,
    /// A failure or signal ended it: existing files stay, and partial ones are kept beside them.
    Incomplete,
}

impl StreamOutcome {
    pub fn from_result(result: &Result<(), Failure>) -> Self {
        if result.is_ok() { Self::Complete } else { Self::Incomplete }
    }
}

pub struct OutputFiles {
    collisions: OutputCollisions,
    force: bool,
}

impl OutputFiles {
    /// Registers the input and the speech file. Fails if they are the same, or if the speech would replace a file.
    pub fn new(args: &VoiceStreamArgs) -> Result<Self, Failure> {
        let mut files = Self { collisions: OutputCollisions::default(), force: args.force };
        // For stdin, this detects a redirected file but not a pipe.
        files.collisions.add_input(args.audio_file().unwrap_or(Path::new("/dev/stdin")));
        if let Some(speech) = args.speech_path() {
            files.add(speech, "the speech")?;
        }
        Ok(files)
    }

    /// Registers a file. Fails if it is the input or another output, or if it would replace a file without `--force`.
    pub fn add(&mut self, path: &Path, result: &str) -> Result<(), Failure> {
        let rename = |failure: Failure| failure.hint("choose another name with -o or --audio-out");
        self.collisions.add_output(path, result).map_err(rename)?;
        if is_special(path) {
            return Ok(());
        }
        let part = part_path(path);
        self.collisions.add_output(&part, &format!("the part of {result}")).map_err(rename)?;
        if !self.force && path.is_file() {
            return Err(Failure::usage(format!("{} already exists", path.display())).hint("replace it with --force"));
        }
        if !self.force && part.symlink_metadata().is_ok() {
            return Err(Failure::usage(format!("{} was left by an earlier run", part.display()))
                .hint("check it and remove it, or replace it with --force"));
        }
        Ok(())
    }

    pub fn open(&self, path: &Path) -> Result<ResultFile, Failure> {
        let part = part_path(path);
        if self.force && !is_special(path) && part.symlink_metadata().is_ok() {
            std::fs::remove_file(&part).file_context("replace", &part)?;
        }
        let file = AtomicFile::create_part(path, &part, FileMode::Inherit)?;
        Ok(ResultFile { path: path.to_path_buf(), part, file, may_replace: self.force, is_empty: true })
    }
}

fn part_path(path: &Path) -> PathBuf {
    with_suffix(&follow_links(path), ".part")
}

pub struct ResultFile {
    path: PathBuf,
    part: PathBuf,
    file: AtomicFile,
    may_replace: bool,
    is_empty: bool,
}

impl ResultFile {
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.is_empty &= bytes.is_empty();
        self.file.write_all(bytes).file_context("write", &self.path)
    }

    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Gives a complete file its final name. Otherwise, returns the path of the partial file if it has any content.
    pub fn finish(self, outcome: StreamOutcome) -> Result<Option<PathBuf>, Failure> {
        if outcome == StreamOutcome::Complete {
            if self.may_replace {
                self.file.commit()?;
            } else {
                self.file.commit_new()?;
            }
            return Ok(None);
        }
        if self.is_empty || is_special(&self.path) {
            return Ok(None);
        }
        self.file.keep_as(&self.part)?;
        Ok(Some(self.part))
    }
}
