//! A directory of cached files, each named after the digest of its key. Several processes can share it: files are replaced
//! atomically, and a missing or broken file counts as not cached.

use std::fs::Metadata;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tulk_base::error::Failure;
use tulk_base::files::{FileMode, cache_dir, check_trusted_file, read_bounded, sha256_hex, write_atomic};
use tulk_base::limits::CACHE_FILE;

/// The directory of one cache.
#[derive(Clone, Debug)]
pub struct CacheDir {
    dir: PathBuf,
}

/// Size of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheSize {
    /// Number of files, or of results in the database of results.
    pub entries: u64,
    /// Size in bytes on disk.
    pub bytes: u64,
}

impl AddAssign for CacheSize {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.bytes += other.bytes;
    }
}

impl CacheDir {
    /// Returns a subdirectory of the user's cache directory.
    pub fn of_user(name: &str) -> Result<Self, Failure> {
        Ok(Self::at(&cache_dir()?.join(name)))
    }

    /// Returns the cache in `dir`, which is created at the first write.
    pub fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Returns the path of the file for a key, even if the file does not exist.
    pub fn file(&self, key: &str) -> PathBuf {
        self.dir.join(sha256_hex(key.as_bytes()) + ".json")
    }

    /// Returns the paths of all files.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "json"))
    }

    /// Returns the content of a file; `None` if it cannot be read or if another user could have written it.
    pub fn read(&self, path: &Path) -> Option<Vec<u8>> {
        check_trusted_file(path).ok()?;
        read_bounded(path, CACHE_FILE).ok()
    }

    /// Writes a private file, and removes all files last written more than `keep` ago.
    pub fn write(&self, key: &str, bytes: &[u8], keep: Duration, now: SystemTime) -> Result<(), Failure> {
        let file = self.file(key);
        check_trusted_file(&file)?;
        write_atomic(&file, bytes, FileMode::Private)?;
        for path in self.files() {
            let age = path.metadata().and_then(|m| m.modified()).ok().and_then(|at| now.duration_since(at).ok());
            if age.is_some_and(|age| age > keep) {
                // Another process may have removed or replaced the file. Either is harmless.
                let _ = std::fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// Returns the size of all files, or of the files written at or before `before`.
    pub fn size(&self, before: Option<SystemTime>) -> CacheSize {
        let mut size = CacheSize::default();
        for (_, metadata) in self.written(before) {
            size += CacheSize { entries: 1, bytes: metadata.len() };
        }
        size
    }

    /// Removes all files, or the files written at or before `before`, and returns their size.
    pub fn clear(&self, before: Option<SystemTime>) -> Result<CacheSize, Failure> {
        let mut size = CacheSize::default();
        for (path, metadata) in self.written(before) {
            match std::fs::remove_file(&path) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Failure::file("remove", &path, &e)),
                _ => size += CacheSize { entries: 1, bytes: metadata.len() },
            }
        }
        Ok(size)
    }

    fn written(&self, before: Option<SystemTime>) -> impl Iterator<Item = (PathBuf, Metadata)> {
        let files = self.files().filter_map(|path| path.metadata().ok().map(|metadata| (path, metadata)));
        files.filter(move |(_, file)| before.is_none_or(|before| file.modified().is_ok_and(|at| at <= before)))
    }
}
