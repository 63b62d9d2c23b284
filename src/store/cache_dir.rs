//! A directory of cached files, each under the digest of what it answers.
//!
//! Several processes can share it: files are replaced atomically, and one that is gone or broken counts as not cached. What the
//! files contain is up to the caches that use it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::error::Failure;
use crate::files::{FileMode, cache_dir, sha256_hex, write_atomic};

/// The files of one cache.
#[derive(Clone, Debug)]
pub struct CacheDir {
    dir: PathBuf,
}

/// The size of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheSize {
    /// Number of files.
    pub entries: u64,
    /// Size on disk.
    pub bytes: u64,
}

impl CacheDir {
    /// Returns a directory in the user's cache.
    pub fn of_user(name: &str) -> Result<Self, Failure> {
        Ok(Self::at(&cache_dir()?.join(name)))
    }

    /// Returns a directory, which is created at the first write.
    pub fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Returns the path of the file for a key.
    pub fn file(&self, key: &str) -> PathBuf {
        self.dir.join(sha256_hex(key.as_bytes()) + ".json")
    }

    /// Returns the paths of all files.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "json"))
    }

    /// Writes a file that only this user can read, and removes those that were not written for longer than `keep`.
    pub fn write(&self, key: &str, bytes: &[u8], keep: Duration, now: SystemTime) -> Result<(), Failure> {
        write_atomic(&self.file(key), bytes, FileMode::Private)?;
        for path in self.files() {
            let age = path.metadata().and_then(|m| m.modified()).ok().and_then(|at| now.duration_since(at).ok());
            if age.is_some_and(|age| age > keep) {
                // Another process may have removed or replaced the file; either is harmless.
                let _ = std::fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// Returns the size of all files.
    pub fn size(&self) -> CacheSize {
        let sizes = self.files().filter_map(|path| Some(path.metadata().ok()?.len()));
        sizes.fold(CacheSize::default(), |sum, bytes| CacheSize { entries: sum.entries + 1, bytes: sum.bytes + bytes })
    }

    /// Removes all files and returns the size that they had.
    pub fn clear(&self) -> Result<CacheSize, Failure> {
        let size = self.size();
        for path in self.files() {
            match std::fs::remove_file(&path) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Failure::file("remove", &path, &e)),
                _ => {}
            }
        }
        Ok(size)
    }
}
