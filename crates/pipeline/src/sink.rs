//! Destinations of output: a stream that is written directly, or a file that is written through its part.

use std::io::{self, Write};
use std::path::Path;

use tulk_base::error::{Failure, io_message};
use tulk_base::files::{self, SharedDigest};
use tulk_base::stop::InterruptibleWriter;

use tulk_store::part::{ExistingPart, PartFile, ResumePoint};
use tulk_store::runs::RecordedOutput;

const STDOUT: &str = "stdout";

/// Destination of a sink's bytes.
pub enum Destination {
    /// A stream that is written directly: stdout, a FIFO, a device. The name is for messages.
    Stream(String, Box<dyn Write + Send>),
    /// A file that is renamed into place when it is complete, and that a later run can resume.
    Part(Box<PartFile>),
    /// Nowhere, for `--dry-run`.
    Nothing,
    /// Nowhere, for a `--dry-run` that resumes from this point.
    Resumed(Box<ResumePoint>),
}

impl Destination {
    /// Returns standard output. If its reader closes the pipe, the run ends without an error.
    pub fn stdout() -> Self {
        Self::Stream(STDOUT.to_owned(), Box::new(InterruptibleWriter::new(io::stdout())))
    }

    /// Returns any other writer. `name` is for messages.
    pub fn stream(name: &str, to: Box<dyn Write + Send>) -> Self {
        Self::Stream(name.to_owned(), to)
    }

    /// Returns whether this is standard output.
    pub fn is_stdout(&self) -> bool {
        matches!(self, Self::Stream(name, _) if name == STDOUT)
    }

    /// Opens a file. A regular file has a part next to it until it is complete. FIFOs and devices, such as `/dev/null`, are written
    /// directly.
    ///
    /// `identity` must be the same in the run that resumes; see [`PartFile::open`].
    pub fn file(path: &Path, identity: &str, existing: ExistingPart) -> Result<Self, Failure> {
        if path.is_dir() {
            return Err(Failure::usage(format!("cannot write {}: it is a directory", path.display())));
        }
        if files::is_special(path) {
            let file = files::open_special(path)?;
            return Ok(Self::Stream(path.display().to_string(), Box::new(InterruptibleWriter::new(file))));
        }
        Ok(Self::Part(Box::new(PartFile::open(path, identity, existing)?)))
    }

    /// Sets where to record that a file is finished. Streams are not recorded.
    pub fn set_record(&mut self, record: RecordedOutput) {
        if let Self::Part(part) = self {
            part.set_record(record);
        }
    }

    /// Replaces the file only if its content still has the digest `read`, for an input that is replaced by its result.
    pub fn replace_if_unchanged(&mut self, read: SharedDigest) {
        if let Self::Part(part) = self {
            part.replace_if_unchanged(read);
        }
    }

    pub(super) fn resume_point(&self) -> Option<&ResumePoint> {
        match self {
            Self::Part(part) => part.resume_point(),
            Self::Resumed(point) => Some(point),
            Self::Stream(..) | Self::Nothing => None,
        }
    }

    pub(super) fn part(&self) -> Option<&PartFile> {
        match self {
            Self::Part(part) => Some(part),
            _ => None,
        }
    }

    pub(super) fn write(&mut self, output: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Part(part) => part.append(output),
            Self::Stream(name, to) => {
                to.write_all(output).and_then(|()| to.flush()).map_err(|e| write_failure(name, &e))
            }
            Self::Nothing | Self::Resumed(_) => Ok(()),
        }
    }
}

fn write_failure(name: &str, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Failure::pipe_closed();
    }
    if let Some(stopped) = Failure::stopped(error) {
        return stopped;
    }
    Failure::internal(format!("cannot write {name}: {}", io_message(error))).hint_for(error)
}
