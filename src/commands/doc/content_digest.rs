//! The digest of a large file that was uploaded without one: computed while the service translates, or when it is needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tulk_base::error::Failure;
use tulk_base::files::{Digest, FileVersion};
use tulk_store::documents::{DocumentSource, DocumentStage};

use super::blocking::for_each_block;
use super::lifecycle::SharedRecord;

/// Adds the digest to a record on a separate thread. Stops when it is dropped.
pub struct DigestTask {
    is_stopped: Arc<AtomicBool>,
}

impl DigestTask {
    /// Starts, if the record of an uploaded document has no digest.
    pub fn start(shared: &SharedRecord) -> Self {
        let is_stopped = Arc::new(AtomicBool::new(false));
        if let Some(source) = shared.get().source.filter(|source| source.sha256.is_none()) {
            let (shared, is_stopped) = (shared.clone(), Arc::clone(&is_stopped));
            // The handle is not needed: without the digest the record is complete too.
            drop(tokio::task::spawn_blocking(move || {
                let Some(digest) = digest_of_version(&source, &is_stopped) else { return };
                shared.update(|locked| {
                    if let (DocumentStage::Uploaded, Some(source)) = (locked.record.stage, &mut locked.record.source) {
                        source.sha256 = Some(digest);
                        // On a full disk, the next change of the record reports it.
                        let _ = locked.save();
                    }
                });
            }));
        }
        Self { is_stopped }
    }
}

impl Drop for DigestTask {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// Returns the digest of the file that was uploaded. `None` if it has changed, is gone or cannot be read, or if `is_stopped`
/// was set.
///
/// Blocks the current thread.
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
    use tulk_base::files::sha256_hex;

    use super::*;

    #[test]
    fn only_the_file_that_was_uploaded_has_the_digest() {
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
