//! Reads a file or stdin in blocks, on a separate thread so that an idle pipe does not block the stream.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::Path;

use tokio::sync::mpsc;
use tulk_base::error::{Failure, Kind, io_message};
use tulk_base::files::is_special;
use tulk_base::stop;

use super::read_ahead::SeekableFile;

/// Largest block in bytes. Blocks from a pipe can be smaller.
const BLOCK_BYTES: usize = 16 * 1024;
/// Blocks that are read ahead.
const READ_AHEAD: usize = 4;

/// The blocks of an input.
pub struct BlockReader {
    receiver: mpsc::Receiver<io::Result<Vec<u8>>>,
    name: String,
    size: Option<u64>,
    seekable: Option<SeekableFile>,
}

impl BlockReader {
    /// Opens a file, or stdin for `None`.
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let (source, name): (Box<dyn Read + Send>, _) = match path {
            Some(path) => {
                let fail = |e| Failure::file("read", path, &e);
                let file = stop::open_file(OpenOptions::new().read(true), path).map_err(fail)?;
                let metadata = file.metadata().map_err(fail)?;
                if metadata.is_dir() {
                    return Err(Failure::usage(format!("cannot read {}: it is a directory", path.display())));
                }
                (Box::new(file), path.display().to_string())
            }
            None => (Box::new(io::stdin()), "stdin".to_owned()),
        };
        let is_regular = path.is_none_or(|path| !is_special(path));
        // Without it, the bit rate is used instead of times.
        let seekable = is_regular.then(|| SeekableFile::open(path).unwrap_or(None)).flatten();
        let size = seekable.as_ref().map(SeekableFile::size);
        let (sender, receiver) = mpsc::channel(READ_AHEAD);
        std::thread::Builder::new()
            .name("audio".to_owned())
            .spawn(move || read_blocks(source, &sender))
            .map_err(|e| Failure::internal(format!("cannot start a thread: {}", io_message(&e))))?;
        Ok(Self { receiver, name, size, seekable })
    }

    /// Returns the input for reading ahead, once, if it is a regular file.
    pub fn take_seekable(&mut self) -> Option<SeekableFile> {
        self.seekable.take()
    }

    /// Waits for the next block; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        match self.receiver.recv().await {
            None => Ok(None),
            Some(Ok(block)) => Ok(Some(block)),
            Some(Err(error)) => {
                Err(Failure::new(Kind::Internal, format!("cannot read {}: {}", self.name, io_message(&error))))
            }
        }
    }

    /// Returns the file name, or `stdin`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the size in bytes of a regular file.
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
                // If the receiver was dropped, the error no longer matters.
                let _ = sender.blocking_send(Err(error));
                return;
            }
        }
    }
}
