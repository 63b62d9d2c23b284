//! Reads parts of a file that is also read from its start, such as an index at its end.

use std::fs::File;
use std::io::{self, ErrorKind, Seek as _};
use std::path::Path;

/// A regular file. Reading from it does not move the position of the other reader.
#[derive(Debug)]
pub struct SeekableFile {
    file: File,
    /// Where the audio starts in the file.
    base: u64,
    /// Bytes from there to the end.
    size: u64,
}

impl SeekableFile {
    /// Opens a path, or stdin for `None`. Returns `None` if it is not a regular file.
    pub fn open(path: Option<&Path>) -> io::Result<Option<Self>> {
        let Some(path) = path else { return Self::stdin() };
        Self::new(File::open(path)?)
    }

    #[cfg(unix)]
    fn stdin() -> io::Result<Option<Self>> {
        use std::os::fd::AsFd as _;
        Self::new(io::stdin().as_fd().try_clone_to_owned()?.into())
    }

    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps)] // the signature of the other platforms
    fn stdin() -> io::Result<Option<Self>> {
        Ok(None)
    }

    fn new(mut file: File) -> io::Result<Option<Self>> {
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Ok(None);
        }
        let base = file.stream_position()?;
        Ok(Some(Self { file, base, size: metadata.len().saturating_sub(base) }))
    }

    /// Returns the bytes from the start of the audio to the end.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Reads `len` bytes, fewer at the end. Returns `None` if nothing can be read.
    pub fn read_at(&self, at: u64, len: usize) -> Option<Vec<u8>> {
        let left = usize::try_from(self.size.checked_sub(at)?).unwrap_or(usize::MAX);
        let mut bytes = vec![0; len.min(left)];
        let mut filled = 0;
        while let Some(room) = bytes.get_mut(filled..).filter(|room| !room.is_empty()) {
            match self.read_some(room, self.base.checked_add(at)?.checked_add(filled as u64)?) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
        bytes.truncate(filled);
        (filled > 0).then_some(bytes)
    }

    #[cfg(unix)]
    fn read_some(&self, room: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, room, at)
    }

    #[cfg(windows)]
    fn read_some(&self, room: &mut [u8], at: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.file, room, at)
    }
}
