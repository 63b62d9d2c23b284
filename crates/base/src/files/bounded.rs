//! Reads complete files and streams up to a limit, so that `/dev/zero`, an endless pipe or a wrong file cannot fill the memory.
//!
//! At most one byte more than the limit is read. A signal ends the wait for a pipe or a device.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, ErrorKind, Read};
use std::path::Path;

use super::standard::check_stdin;
use crate::error::{Failure, FileContext as _};
use crate::numbers::counted;
use crate::stop;

/// The maximum size of a kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimit {
    /// Maximum size in bytes.
    pub bytes: u64,
    /// The kind of file in messages, such as `a key file`.
    pub kind: &'static str,
    /// Hint for a larger file.
    pub hint: &'static str,
}

impl SizeLimit {
    /// Returns the failure for a file above the limit. `name` is the file's name in messages; `bytes` its size, if known.
    pub fn exceeded(&self, name: &str, bytes: Option<u64>) -> Failure {
        let size = bytes.map(|bytes| format!(": it has {}", counted(bytes, "byte"))).unwrap_or_default();
        let what = format!("{name} is larger than {}, the limit of {}{size}", size_words(self.bytes), self.kind);
        Failure::usage(what).hint(self.hint)
    }

    fn error(self, bytes: Option<u64>) -> io::Error {
        io::Error::new(ErrorKind::FileTooLarge, TooLarge { limit: self, bytes })
    }
}

/// I/O error of a read that exceeded its limit. [`Failure::of_read`] converts it to a failure.
#[derive(Debug)]
pub struct TooLarge {
    limit: SizeLimit,
    bytes: Option<u64>,
}

impl TooLarge {
    /// Creates the failure for the file at `path`; `-` is stdin.
    pub fn failure(&self, path: &Path) -> Failure {
        let name = if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() };
        self.limit.exceeded(&name, self.bytes).names_file(path)
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is larger than {}, the limit of {}", size_words(self.limit.bytes), self.limit.kind)
    }
}

impl Error for TooLarge {}

/// Formats a size: `256 MiB`, `64 KiB`, `1,000 bytes`.
fn size_words(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.into_iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{} {name}", bytes / unit),
        None => counted(bytes, "byte"),
    }
}

/// Reads a complete file. A FIFO or device is read to its end, to the limit, or until a signal.
pub fn read_bounded(path: &Path, limit: SizeLimit) -> io::Result<Vec<u8>> {
    if !path.metadata().is_ok_and(|metadata| stop::may_block(&metadata)) {
        return read_opened(&File::open(path)?, limit);
    }
    let path = path.to_owned();
    stop::interruptible_io(move || read_opened(&File::open(path)?, limit))
}

/// Reads a file like [`read_bounded`]. Fails if it is not UTF-8.
pub fn read_text_bounded(path: &Path, limit: SizeLimit) -> io::Result<String> {
    let text = String::from_utf8(read_bounded(path, limit)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

/// Reads the rest of an open file.
pub fn read_opened(file: &File, limit: SizeLimit) -> io::Result<Vec<u8>> {
    let size = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
    if size.is_some_and(|size| size > limit.bytes) {
        return Err(limit.error(size));
    }
    let mut bytes = Vec::new();
    // The size is only a hint: the file may grow, and files in /proc report 0.
    bytes.try_reserve_exact(size.and_then(|size| usize::try_from(size).ok()).unwrap_or(0))?;
    read_to_limit(file, bytes, limit)
}

fn read_to_limit(reader: impl Read, mut bytes: Vec<u8>, limit: SizeLimit) -> io::Result<Vec<u8>> {
    reader.take(limit.bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit.bytes { Err(limit.error(None)) } else { Ok(bytes) }
}

/// Reads stdin to its end, to the limit, or until a signal.
pub fn read_stdin_bounded(limit: SizeLimit) -> Result<Vec<u8>, Failure> {
    check_stdin()?;
    let read = stop::interruptible(move || read_to_limit(io::stdin().lock(), Vec::new(), limit))?;
    read.file_context("read", "-")
}

/// Reads a line of stdin including its line ending, or until a signal.
pub fn read_stdin_line_bounded(limit: SizeLimit) -> io::Result<Vec<u8>> {
    stop::interruptible_io(move || {
        let mut line = Vec::new();
        io::stdin().lock().take(limit.bytes + 1).read_until(b'\n', &mut line)?;
        if line.len() as u64 > limit.bytes { Err(limit.error(None)) } else { Ok(line) }
    })
}

/// Returns whether a file has exactly this content; false if it cannot be read.
pub fn has_content(path: &Path, content: &[u8]) -> bool {
    let limit = SizeLimit { bytes: content.len() as u64, kind: "the content", hint: "" };
    read_bounded(path, limit).is_ok_and(|bytes| bytes == content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    const LIMIT: SizeLimit = SizeLimit { bytes: 2048, kind: "a test file", hint: "use a smaller file" };

    fn failure(path: &Path) -> Failure {
        read_bounded(path, LIMIT).file_context("read", path).unwrap_err()
    }

    #[test]
    fn a_file_at_the_limit_is_read_and_a_larger_one_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, vec![b'x'; 2048]).unwrap();
        assert_eq!(read_bounded(&path, LIMIT).unwrap().len(), 2048);
        std::fs::write(&path, vec![b'x'; 2049]).unwrap();
        let failure = failure(&path);
        assert_eq!((failure.kind, failure.hint.as_deref()), (Kind::Usage, Some("use a smaller file")));
        let expected = format!("{} is larger than 2 KiB, the limit of a test file: it has 2,049 bytes", path.display());
        assert_eq!(failure.what, expected);
        assert_eq!(failure.file.as_deref(), Some(&*path));
    }

    #[test]
    fn a_sparse_file_is_refused_without_reading_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(failure(&path).what.ends_with("it has 1,099,511,627,776 bytes"));
    }

    #[test]
    fn a_stream_is_read_one_byte_past_the_limit() {
        struct Endless(u64);
        impl Read for Endless {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                self.0 += into.len() as u64;
                into.fill(b'x');
                Ok(into.len())
            }
        }
        let mut endless = Endless(0);
        let error = read_to_limit(&mut endless, Vec::new(), LIMIT).unwrap_err();
        assert_eq!(
            Failure::of_read(Path::new("-"), &error).unwrap().what,
            "stdin is larger than 2 KiB, the limit of a test file"
        );
        assert_eq!(endless.0, 2049);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_end_at_the_limit_and_files_without_a_size_are_read() {
        assert_eq!(failure(Path::new("/dev/zero")).what, "/dev/zero is larger than 2 KiB, the limit of a test file");
        assert!(!read_bounded(Path::new("/proc/self/cmdline"), LIMIT).unwrap().is_empty());
        assert!(read_bounded(Path::new("/dev/null"), LIMIT).unwrap().is_empty());
    }

    #[test]
    fn a_missing_file_keeps_its_error() {
        assert_eq!(read_bounded(Path::new("missing"), LIMIT).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn content_is_compared_without_reading_a_longer_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "one").unwrap();
        assert!(has_content(&path, b"one"));
        assert!(!has_content(&path, b"two") && !has_content(&path, b"on") && !has_content(&path, b"ones"));
        assert!(!has_content(&dir.path().join("missing"), b""));
    }

    #[test]
    fn sizes_have_the_largest_unit_that_divides_them() {
        let words = [1, 1000, 1024, 65_536, 1 << 20, 3 << 29, 1 << 30].map(size_words);
        assert_eq!(words, ["1 byte", "1,000 bytes", "1 KiB", "64 KiB", "1 MiB", "1536 MiB", "1 GiB"]);
    }
}
