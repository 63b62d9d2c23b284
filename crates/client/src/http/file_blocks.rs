//! Reads a file for an upload in blocks, on a separate thread that reads ahead while earlier blocks are sent.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::mpsc::{Receiver, channel};

use tulk_base::error::{Failure, FileContext as _};

/// Bytes per read. Large reads take a fraction of the CPU time of small ones.
const BLOCK_BYTES: usize = 256 * 1024;
const BLOCKS_AHEAD: usize = 2;

/// Buffers to reuse, from blocks that have been sent. Allocating new ones would take as long as copying the bytes.
type SpareBuffers = Arc<Mutex<Vec<Vec<u8>>>>;

/// A block that returns its buffer to `spare` when it is dropped.
struct FileBlock {
    buffer: Vec<u8>,
    bytes: usize,
    spare: SpareBuffers,
}

impl AsRef<[u8]> for FileBlock {
    fn as_ref(&self) -> &[u8] {
        self.buffer.get(..self.bytes).unwrap_or_default()
    }
}

impl Drop for FileBlock {
    fn drop(&mut self) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(std::mem::take(&mut self.buffer));
    }
}

/// Opens a file and returns its first `bytes` bytes in blocks. If the file has grown, the additional bytes are not read: the body must
/// not be longer than announced. Stops after an error.
pub async fn file_blocks(path: &Path, bytes: u64) -> Result<Receiver<io::Result<Bytes>>, Failure> {
    let (sender, blocks) = channel(BLOCKS_AHEAD);
    let mut file = tokio::fs::File::open(path).await.file_context("read", path)?.into_std().await;
    // The thread ends when the receiver is dropped.
    drop(tokio::task::spawn_blocking(move || {
        let spare = SpareBuffers::default();
        let mut left = bytes;
        while left > 0 {
            let block = read_block(&mut file, left, &spare);
            let read = block.as_ref().map_or(0, |block| block.len() as u64);
            let is_end = read == 0 && block.is_ok();
            if is_end || sender.blocking_send(block).is_err() || read == 0 {
                return;
            }
            left -= read;
        }
    }));
    Ok(blocks)
}

/// Reads at most `left` bytes. Returns an empty block at the end of the file.
fn read_block(file: &mut File, left: u64, spare: &SpareBuffers) -> io::Result<Bytes> {
    let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(BLOCK_BYTES);
    let mut buffer = spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
    if buffer.len() < wanted {
        buffer.resize(wanted, 0);
    }
    loop {
        match file.read(buffer.get_mut(..wanted).unwrap_or_default()) {
            Ok(bytes) => return Ok(Bytes::from_owner(FileBlock { buffer, bytes, spare: Arc::clone(spare) })),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn blocks_of(path: &Path, bytes: u64) -> Vec<u8> {
        let mut blocks = file_blocks(path, bytes).await.unwrap();
        let mut all = Vec::new();
        while let Some(block) = blocks.recv().await {
            all.extend_from_slice(&block.unwrap());
        }
        all
    }

    #[tokio::test]
    async fn reads_at_most_the_announced_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let content: Vec<u8> = (0..=250).cycle().take(3 * BLOCK_BYTES + 7).collect();
        std::fs::write(&path, &content).unwrap();
        assert_eq!(blocks_of(&path, content.len() as u64).await, content);
        assert_eq!(blocks_of(&path, 10).await, content[..10]);
        // The blocks end early if the file has become shorter.
        assert_eq!(blocks_of(&path, content.len() as u64 + 1).await, content);
        assert!(blocks_of(&path, 0).await.is_empty());
        assert!(file_blocks(dir.path().join("b").as_path(), 1).await.is_err());
    }
}
