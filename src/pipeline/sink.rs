//! Where output goes: a stream that is written directly, or a file by way of its part.

use std::io::{self, Write};
use std::path::Path;

use crate::error::{Failure, io_message};
use crate::store::part::{Leftover, Part};

/// Where a sink's bytes go.
pub enum Destination {
    /// Written directly: stdout, a FIFO, a device. The name is for messages.
    Stream(String, Box<dyn Write + Send>),
    /// A file, whole or not at all, that a later run can go on with.
    Part(Box<Part>),
    /// Nowhere.
    Nothing,
}

impl Destination {
    /// Standard output. The reader's going away ends the run quietly.
    pub fn stdout() -> Self {
        Self::Stream("stdout".to_owned(), Box::new(io::stdout()))
    }

    /// Anything that can be written to.
    pub fn stream(name: &str, to: Box<dyn Write + Send>) -> Self {
        Self::Stream(name.to_owned(), to)
    }

    /// A file. Regular files get a part beside them until they are whole; `/dev/null`, FIFOs and devices are written
    /// directly. `identity` is what a later run must have in common: the server, the options, the target, a line each.
    pub fn file(path: &Path, identity: &str, leftover: Leftover) -> Result<Self, Failure> {
        let about = std::fs::metadata(path);
        if about.as_ref().is_ok_and(std::fs::Metadata::is_dir) {
            return Err(Failure::usage(format!("cannot write {}: it is a directory", path.display())));
        }
        if about.is_ok_and(|m| !m.is_file()) {
            let file = std::fs::OpenOptions::new().write(true).open(path);
            let file = file.map_err(|e| Failure::file("write", path, &e))?;
            return Ok(Self::Stream(path.display().to_string(), Box::new(file)));
        }
        Ok(Self::Part(Box::new(Part::open(path, identity, leftover)?)))
    }

    /// The part, if it has one.
    pub(super) fn part(&self) -> Option<&Part> {
        match self {
            Self::Part(part) => Some(part),
            _ => None,
        }
    }

    /// Writes output out, to the system.
    pub(super) fn write(&mut self, output: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Part(part) => part.append(output),
            Self::Stream(name, to) => to.write_all(output).and_then(|()| to.flush()).map_err(|e| failed(name, &e)),
            Self::Nothing => Ok(()),
        }
    }
}

fn failed(name: &str, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Failure::pipe_closed();
    }
    Failure::internal(format!("cannot write {name}: {}", io_message(error)))
}
