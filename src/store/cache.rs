//! Replies about languages, cached for an hour in one file each.
//!
//! Several processes can share the cache, since files are replaced atomically. A broken file counts as not cached.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::files::{FileMode, cache_dir, sha256_hex, write_atomic};
use crate::limits;

/// Cached replies in one directory.
#[derive(Clone, Debug)]
pub struct ReplyCache {
    dir: PathBuf,
}

/// The first line of a file; the reply follows.
#[derive(Serialize, Deserialize)]
struct CacheHeader {
    /// The request: server, path and query.
    #[serde(rename = "question")]
    request: String,
    /// When the reply arrived, in seconds since 1970.
    stored: u64,
}

/// The size of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheSize {
    /// Number of replies.
    pub entries: u64,
    /// Size on disk.
    pub bytes: u64,
}

impl ReplyCache {
    /// Returns the user's cache of replies about languages.
    pub fn languages() -> Result<Self, Failure> {
        Ok(Self::at(&cache_dir()?.join("languages")))
    }

    /// Returns a cache in a directory, which is created at the first write.
    pub fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the reply to a request if it is cached and less than an hour old.
    pub fn get(&self, request: &str, now: SystemTime) -> Option<Vec<u8>> {
        let bytes = std::fs::read(self.path(request)).ok()?;
        let end = memchr::memchr(b'\n', &bytes)?;
        let header: CacheHeader = serde_json::from_slice(bytes.get(..end)?).ok()?;
        let is_hit = is_fresh(header.stored, now) && header.request == request;
        is_hit.then(|| bytes.get(end + 1..).map(<[u8]>::to_vec)).flatten()
    }

    /// Stores a reply, and removes outdated ones.
    pub fn put(&self, request: &str, reply: &[u8], now: SystemTime) -> Result<(), Failure> {
        let header = CacheHeader { request: request.to_owned(), stored: seconds(now) };
        let mut bytes = serde_json::to_vec(&header).map_err(|e| Failure::internal(e.to_string()))?;
        bytes.push(b'\n');
        bytes.extend_from_slice(reply);
        write_atomic(&self.path(request), &bytes, FileMode::Private)?;
        for path in self.files() {
            let age = path.metadata().and_then(|m| m.modified()).ok().and_then(|at| now.duration_since(at).ok());
            if age.is_some_and(|age| age > limits::LANGUAGE_CACHE) {
                // Another process may have removed or replaced the file; either is harmless.
                let _ = std::fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// Returns the size of the cache.
    pub fn size(&self) -> CacheSize {
        let sizes = self.files().filter_map(|path| Some(path.metadata().ok()?.len()));
        sizes.fold(CacheSize::default(), |sum, bytes| CacheSize { entries: sum.entries + 1, bytes: sum.bytes + bytes })
    }

    /// Removes all replies and returns the size that the cache had.
    pub fn clear(&self) -> Result<CacheSize, Failure> {
        let size = self.size();
        for path in self.files() {
            match std::fs::remove_file(&path) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Failure::file("remove", &path, &e));
                }
                _ => {}
            }
        }
        Ok(size)
    }

    fn path(&self, request: &str) -> PathBuf {
        self.dir.join(sha256_hex(request.as_bytes()) + ".json")
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "json"))
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Returns whether a reply can still be used: it is less than an hour old, and not from the future.
fn is_fresh(stored: u64, now: SystemTime) -> bool {
    let age = seconds(now).checked_sub(stored).map(Duration::from_secs);
    age.is_some_and(|age| age < limits::LANGUAGE_CACHE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn keeps_a_reply_for_an_hour() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ReplyCache::at(&dir.path().join("new"));
        assert_eq!(cache.get("q", at(10_000)), None);
        cache.put("q", b"[1]\n[2]", at(10_000)).unwrap();
        assert_eq!(cache.get("q", at(13_599)).as_deref(), Some(&b"[1]\n[2]"[..]));
        assert_eq!(cache.get("q", at(13_600)), None);
        assert_eq!(cache.get("q", at(9_999)), None, "the clock was set back");
        assert_eq!(cache.get("other", at(10_000)), None);
    }

    #[test]
    fn a_broken_file_counts_as_not_cached() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ReplyCache::at(dir.path());
        cache.put("q", b"[]", at(10_000)).unwrap();
        for broken in ["", "{}", "\n", "{\"question\":\"x\",\"stored\":10000}\n[]"] {
            std::fs::write(cache.path("q"), broken).unwrap();
            assert_eq!(cache.get("q", at(10_000)), None, "{broken:?}");
        }
    }

    #[test]
    fn reports_its_size_and_can_be_cleared() {
        let dir = tempfile::tempdir().unwrap();
        let cache = ReplyCache::at(dir.path());
        assert_eq!(cache.clear().unwrap(), CacheSize::default());
        let now = SystemTime::now();
        cache.put("a", b"[]", now).unwrap();
        cache.put("b", b"[]", now).unwrap();
        assert_eq!(cache.clear().unwrap().entries, 2);
        assert_eq!(cache.size(), CacheSize::default());
    }
}
