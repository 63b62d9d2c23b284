//! Reads whole files on separate threads, so that other documents are not delayed.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use tulk_base::error::Failure;
use tulk_base::files::Digest;

/// Bytes read at a time.
const READ_BYTES: usize = 256 * 1024;

/// Runs blocking work on a separate thread.
pub async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|e| Err(Failure::internal(e.to_string())))
}

/// Returns the size of a file in bytes and its SHA-256 in hexadecimal digits.
pub async fn size_and_digest(path: PathBuf) -> Result<(u64, String), Failure> {
    run_blocking(move || {
        let (mut bytes, mut digest) = (0, Digest::default());
        for_each_block(&path, &mut |block| {
            bytes += block.len() as u64;
            digest.update(block);
            Ok(())
        })?;
        Ok((bytes, digest.hex()))
    })
    .await
}

/// Reads a file in blocks of at most 256 KiB. Blocks the current thread.
pub fn for_each_block(path: &Path, use_block: &mut dyn FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut file = File::open(path).map_err(|e| Failure::file("read", path, &e))?;
    let mut buffer = vec![0; READ_BYTES];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => use_block(buffer.get(..n).unwrap_or_default())?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Failure::file("read", path, &e)),
        }
    }
}
