//! Answers that may be asked for again: one file each, for an hour. Safe with many processes: files appear whole.
//!
//! Holds what the language operations answer; nothing of it is worth a failure, so a broken file is a miss.
//! Spec: "Languages", caching.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::files::{FileMode, cache_dir, write_atomic};
use crate::limits;

/// Kept answers in one directory.
#[derive(Clone, Debug)]
pub struct Answers {
    dir: PathBuf,
}

/// What stands in a file before the answer.
#[derive(Serialize, Deserialize)]
struct Head {
    /// What the answer answers: server and address.
    question: String,
    /// When it came, in seconds since 1970.
    stored: u64,
}

/// How much is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Answers.
    pub entries: u64,
    /// Their size on disk.
    pub bytes: u64,
}

impl Answers {
    /// The language answers of this user.
    pub fn languages() -> Result<Self, Failure> {
        Ok(Self::at(&cache_dir()?.join("languages")))
    }

    /// Answers in a directory, which is made at the first write.
    pub fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Where they lie.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The answer to a question, if one is kept that is younger than an hour.
    pub fn get(&self, question: &str, now: SystemTime) -> Option<Vec<u8>> {
        let bytes = std::fs::read(self.path(question)).ok()?;
        let end = memchr::memchr(b'\n', &bytes)?;
        let head: Head = serde_json::from_slice(bytes.get(..end)?).ok()?;
        let fresh = is_fresh(head.stored, now) && head.question == question;
        fresh.then(|| bytes.get(end + 1..).map(<[u8]>::to_vec)).flatten()
    }

    /// Keeps an answer, and drops those that are too old to be given.
    pub fn put(&self, question: &str, answer: &[u8], now: SystemTime) -> Result<(), Failure> {
        let head = Head { question: question.to_owned(), stored: seconds(now) };
        let mut bytes = serde_json::to_vec(&head).map_err(|e| Failure::internal(e.to_string()))?;
        bytes.push(b'\n');
        bytes.extend_from_slice(answer);
        write_atomic(&self.path(question), &bytes, FileMode::Private)?;
        for path in self.files() {
            let age = path.metadata().and_then(|m| m.modified()).ok().and_then(|at| now.duration_since(at).ok());
            if age.is_some_and(|age| age > limits::LANGUAGE_CACHE) {
                // Another process may have removed it, or replaced it and will ask again: no harm either way.
                let _ = std::fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// Counts what is kept.
    pub fn kept(&self) -> Kept {
        let sizes = self.files().filter_map(|path| Some(path.metadata().ok()?.len()));
        sizes.fold(Kept::default(), |kept, size| Kept { entries: kept.entries + 1, bytes: kept.bytes + size })
    }

    /// Removes all of it; gives how much it was.
    pub fn clear(&self) -> Result<Kept, Failure> {
        let kept = self.kept();
        for path in self.files() {
            match std::fs::remove_file(&path) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Failure::file("remove", &path, &e));
                }
                _ => {}
            }
        }
        Ok(kept)
    }

    fn path(&self, question: &str) -> PathBuf {
        use std::fmt::Write as _;
        let mut name = String::with_capacity(69);
        for byte in digest(&SHA256, question.as_bytes()).as_ref() {
            // Writing to a String does not fail.
            let _ = write!(name, "{byte:02x}");
        }
        self.dir.join(name + ".json")
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "json"))
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Whether an answer may be given: not from the future, and not older than an hour.
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
    fn gives_an_answer_for_an_hour() {
        let dir = tempfile::tempdir().unwrap();
        let answers = Answers::at(&dir.path().join("new"));
        assert_eq!(answers.get("q", at(10_000)), None);
        answers.put("q", b"[1]\n[2]", at(10_000)).unwrap();
        assert_eq!(answers.get("q", at(13_599)).as_deref(), Some(&b"[1]\n[2]"[..]));
        assert_eq!(answers.get("q", at(13_600)), None);
        assert_eq!(answers.get("q", at(9_999)), None, "a clock that went back");
        assert_eq!(answers.get("other", at(10_000)), None);
    }

    #[test]
    fn a_broken_file_is_a_miss() {
        let dir = tempfile::tempdir().unwrap();
        let answers = Answers::at(dir.path());
        answers.put("q", b"[]", at(10_000)).unwrap();
        for broken in ["", "{}", "\n", "{\"question\":\"x\",\"stored\":10000}\n[]"] {
            std::fs::write(answers.path("q"), broken).unwrap();
            assert_eq!(answers.get("q", at(10_000)), None, "{broken:?}");
        }
    }

    #[test]
    fn counts_and_clears() {
        let dir = tempfile::tempdir().unwrap();
        let answers = Answers::at(dir.path());
        assert_eq!(answers.clear().unwrap(), Kept::default());
        let now = SystemTime::now();
        answers.put("a", b"[]", now).unwrap();
        answers.put("b", b"[]", now).unwrap();
        assert_eq!(answers.clear().unwrap().entries, 2);
        assert_eq!(answers.kept(), Kept::default());
    }
}
