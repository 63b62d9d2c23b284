//! The download of a stored file, which can be complete only once: a stream of blocks, and what happens before the last one.

use std::io;
use std::path::Path;

use axum::body::Body;
use futures_util::stream;
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

/// Bytes read at a time.
const BLOCK_BYTES: usize = 256 * 1024;

/// Returns the first `bytes` bytes of a file as the body of an answer.
///
/// `finish` is called before the last block is sent and takes the file away from other downloads; if it fails, the download is
/// broken off. So only one of several downloads at the same time is complete, and one that is aborted earlier changes nothing.
pub async fn body(
    path: &Path,
    bytes: u64,
    finish: impl FnOnce() -> io::Result<()> + Send + 'static,
) -> io::Result<Body> {
    let download = FileDownload { file: File::open(path).await?, bytes_left: bytes, finish: Some(finish) };
    Ok(Body::from_stream(stream::try_unfold(download, FileDownload::next_block)))
}

/// A file that is being downloaded.
struct FileDownload<F> {
    file: File,
    bytes_left: u64,
    finish: Option<F>,
}

impl<F: FnOnce() -> io::Result<()>> FileDownload<F> {
    async fn next_block(mut self) -> io::Result<Option<(Vec<u8>, Self)>> {
        if self.bytes_left == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; usize::try_from(self.bytes_left).unwrap_or(BLOCK_BYTES).min(BLOCK_BYTES)];
        let read = self.file.read(&mut bytes).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.truncate(read);
        self.bytes_left = self.bytes_left.saturating_sub(read as u64);
        if self.bytes_left == 0
            && let Some(finish) = self.finish.take()
        {
            finish()?;
        }
        Ok(Some((bytes, self)))
    }
}
