//! Caches replies about languages for an hour, in one file each.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::limits;

use super::cache_dir::CacheDir;

/// The cached replies in a directory.
#[derive(Clone, Debug)]
pub struct ReplyCache {
    dir: CacheDir,
}

/// The first line of a file, before the reply.
#[derive(Serialize, Deserialize)]
struct CacheHeader {
    /// Server, path and query of the request.
    #[serde(rename = "question")]
    request: String,
    /// Arrival of the reply, in seconds since 1970.
    stored: u64,
}

impl ReplyCache {
    /// Opens the user's cache of replies about languages.
    pub fn languages() -> Result<Self, Failure> {
        Ok(Self { dir: CacheDir::of_user("languages")? })
    }

    /// Returns the directory.
    pub fn dir(&self) -> &CacheDir {
        &self.dir
    }

    /// Returns the reply to a request if it is cached and less than an hour old.
    pub fn get(&self, request: &str, now: SystemTime) -> Option<Vec<u8>> {
        let bytes = self.dir.read(&self.dir.file(request))?;
        let end = memchr::memchr(b'\n', &bytes)?;
        let header: CacheHeader = serde_json::from_slice(bytes.get(..end)?).ok()?;
        let is_hit = is_fresh(header.stored, now) && header.request == request;
        is_hit.then(|| bytes.get(end + 1..).map(<[u8]>::to_vec)).flatten()
    }

    /// Stores a reply and removes expired ones.
    pub fn put(&self, request: &str, reply: &[u8], now: SystemTime) -> Result<(), Failure> {
        let header = CacheHeader { request: request.to_owned(), stored: unix_seconds(now) };
        let mut bytes = serde_json::to_vec(&header)?;
        bytes.push(b'\n');
        bytes.extend_from_slice(reply);
        self.dir.write(request, &bytes, limits::LANGUAGE_CACHE_AGE, now)
    }
}

fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// A time in the future does not count as fresh.
fn is_fresh(stored: u64, now: SystemTime) -> bool {
    let age = unix_seconds(now).checked_sub(stored).map(Duration::from_secs);
    age.is_some_and(|age| age < limits::LANGUAGE_CACHE_AGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache_dir::CacheSize;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn keeps_a_reply_for_an_hour() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let cache = ReplyCache { dir: CacheDir::at(&dir.path().join("new")) };
        assert_eq!(cache.get("q", at(10_000)), None);
        cache.put("q", b"[1]\n[2]", at(10_000)).unwrap();
        assert_eq!(cache.get("q", at(13_599)).as_deref(), Some(&b"[1]\n[2]"[..]));
        assert_eq!(cache.get("q", at(13_600)), None);
        assert_eq!(cache.get("q", at(9_999)), None, "the clock was set back");
        assert_eq!(cache.get("other", at(10_000)), None);
    }

    #[test]
    fn a_broken_file_counts_as_not_cached() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let cache = ReplyCache { dir: CacheDir::at(dir.path()) };
        cache.put("q", b"[]", at(10_000)).unwrap();
        for broken in ["", "{}", "\n", "{\"question\":\"x\",\"stored\":10000}\n[]"] {
            std::fs::write(cache.dir.file("q"), broken).unwrap();
            assert_eq!(cache.get("q", at(10_000)), None, "{broken:?}");
        }
    }

    #[test]
    fn reports_its_size_and_can_be_cleared() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let cache = ReplyCache { dir: CacheDir::at(dir.path()) };
        assert_eq!(cache.dir.clear(None).unwrap(), CacheSize::default());
        let now = SystemTime::now();
        cache.put("a", b"[]", now).unwrap();
        cache.put("b", b"[]", now).unwrap();
        assert_eq!(cache.dir.clear(None).unwrap().entries, 2);
        assert_eq!(cache.dir.size(None), CacheSize::default());
    }
}
