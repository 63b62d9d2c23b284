//! Reads a file or stdin in blocks, on a separate thread so that an idle pipe does not block the stream. A regular file
//! can also be read at any offset, for an index at its end.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek as _};
use std::path::Path;

use tokio::sync::mpsc;
use tulk_base::error::{Failure, Kind, io_message};
use tulk_base::files::is_special;
use tulk_base::{machine, stop};

/// Largest block in bytes. Blocks from a pipe can be smaller.
const BLOCK_BYTES: usize = 16 * 1024;
/// Maximum number of blocks that are read ahead.
const READ_AHEAD: usize = 4;

pub struct BlockReader {
    receiver: mpsc::Receiver<io::Result<Vec<u8>>>,
    name: String,
    size: Option<u64>,
    seekable: Option<SeekableFile>,
}

impl BlockReader {
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let (source, name): (Box<dyn Read + Send>, _) = match path {
            Some(path) => {
                let fail = |e| Failure::file("read", path, &e);
                let file = stop::open_file(OpenOptions::new().read(true), path).map_err(fail)?;
                let metadata = file.metadata().map_err(fail)?;
                if metadata.is_dir() {
                    return Err(Failure::directory(path).hint("pass a file in it"));
                }
                (Box::new(file), path.display().to_string())
            }
            None => (Box::new(io::stdin()), "stdin".to_owned()),
        };
        let is_regular = path.is_none_or(|path| !is_special(path));
        // If opening fails, times are estimated from the bit rate.
        let seekable = is_regular.then(|| SeekableFile::open(path).unwrap_or(None)).flatten();
        let size = seekable.as_ref().map(SeekableFile::size);
        let (sender, receiver) = mpsc::channel(READ_AHEAD);
        machine::spawn("audio", move || read_blocks(source, &sender))?;
        Ok(Self { receiver, name, size, seekable })
    }

    /// Returns the file for reading at other offsets; `None` if it is not a regular file, or on the second call.
    pub fn take_seekable(&mut self) -> Option<SeekableFile> {
        self.seekable.take()
    }

    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        match self.receiver.recv().await {
            None => Ok(None),
            Some(Ok(block)) => Ok(Some(block)),
            Some(Err(error)) => {
                Err(Failure::new(Kind::Internal, format!("cannot read {}: {}", self.name, io_message(&error))))
            }
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn size(&self) -> Option<u64> {
        self.size
    }
}

/// Reads until the end, an error, or until the receiver is dropped.
fn read_blocks(mut source: Box<dyn Read + Send>, sender: &mpsc::Sender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = vec![0; BLOCK_BYTES];
        match source.read(&mut block) {
            Ok(0) => return,
            Ok(n) => {
                block.truncate(n);
                if sender.blocking_send(Ok(block)).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                // The receiver may be dropped; then the error does not matter.
                let _ = sender.blocking_send(Err(error));
                return;
            }
        }
    }
}

/// A regular file that is read without moving the position of the block reader.
#[derive(Debug)]
pub struct SeekableFile {
    file: File,
    base: u64,
    /// Bytes from `base` to the end.
    size: u64,
}

impl SeekableFile {
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

    pub fn size(&self) -> u64 {
        self.size
    }

    /// Reads up to `len` bytes, fewer at the end. `None` if nothing can be read.
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
