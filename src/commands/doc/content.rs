//! Reads document files. A file is read to its end on a separate thread, so other documents are not delayed.
//!
//! A large file is uploaded before its digest is known. The digest is computed while the service translates, or when
//! needed.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{Digest, FileVersion};
use tulk_base::machine;
use tulk_store::documents::{DocumentSource, DocumentStage};

use super::records::SharedRecord;

const READ_BYTES: usize = 256 * 1024;

pub async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let done = machine::start("document", work)?;
    done.await.unwrap_or_else(|e| Err(Failure::internal(e.to_string())))
}

/// Returns the size in bytes and the SHA-256 in hexadecimal digits.
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
    let mut file = File::open(path).file_context("read", path)?;
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

/// Computes a digest on a separate thread and adds it to the record. Stops when dropped.
pub struct DigestTask {
    is_stopped: Arc<AtomicBool>,
}

impl DigestTask {
    /// Starts the thread if the document's record has no digest yet.
    pub fn start(shared: &SharedRecord) -> Self {
        let is_stopped = Arc::new(AtomicBool::new(false));
        if let Some(source) = shared.get().source.filter(|source| source.sha256.is_none()) {
            let (shared, is_stopped) = (shared.clone(), Arc::clone(&is_stopped));
            let work = move || {
                let Some(digest) = digest_of_version(&source, &is_stopped) else { return };
                shared.update(|locked| {
                    if let (DocumentStage::Uploaded, Some(source)) = (locked.record.stage, &mut locked.record.source) {
                        source.sha256 = Some(digest);
                        // If the disk is full, the next change of the record reports it.
                        let _ = locked.save();
                    }
                });
            };
            // The thread is not joined, because a record is complete even without a digest.
            let _ = machine::spawn("digest", work);
        }
        Self { is_stopped }
    }
}

impl Drop for DigestTask {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// Returns the digest of an uploaded file. `None` if the file has changed since the upload, cannot be read, or
/// `is_stopped` was set. Blocks the current thread.
pub fn digest_of_version(source: &DocumentSource, is_stopped: &AtomicBool) -> Option<String> {
    let is_current = || source.version.is_some() && FileVersion::of(&source.path).ok() == source.version;
    if !is_current() {
        return None;
    }
    let mut digest = Digest::default();
    let read = for_each_block(&source.path, &mut |block| {
        digest.update(block);
        if is_stopped.load(Ordering::Relaxed) { Err(Failure::internal("stopped")) } else { Ok(()) }
    });
    (read.is_ok() && is_current()).then(|| digest.hex())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tulk_base::files::sha256_hex;

    #[test]
    fn returns_no_digest_for_a_changed_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "One").unwrap();
        let version = FileVersion::of(&path).ok();
        let source = DocumentSource { path: path.clone(), bytes: 3, version, ..DocumentSource::default() };
        let running = AtomicBool::new(false);
        assert_eq!(digest_of_version(&source, &running), Some(sha256_hex(b"One")));
        assert_eq!(digest_of_version(&source, &AtomicBool::new(true)), None);
        assert_eq!(digest_of_version(&DocumentSource { version: None, ..source.clone() }, &running), None);
        std::fs::write(&path, "Three").unwrap();
        assert_eq!(digest_of_version(&source, &running), None);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(digest_of_version(&source, &running), None);
    }
}
