//! The journal of a run: what was paid for, and what was written, so that a killed run costs nothing twice.
//!
//! Input: answers as they arrive, and the units of a target file just before it is written. Output: the same after a kill. The
//! journal is a file of JSON lines in the state directory, which is removed when a run is complete. What it says was written is
//! tulk's, whatever the lock says.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::digest::TextDigest;
use super::lock::{LockEntry, TargetAuthor};
use super::moves::UnitPlace;
use crate::error::Failure;
use crate::files::{self, FileLock};

/// The journal of a project, locked by this process.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    answers: HashMap<String, String>,
    written: HashMap<(UnitPlace, String), WrittenTarget>,
    /// The first failure to write it.
    failure: Option<Failure>,
    _lock: FileLock,
}

/// A target that a run has written, or was about to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WrittenTarget {
    target: TextDigest,
    entry: LockEntry,
}

/// A line of the file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct JournalLine<'a> {
    /// The request and the text that was sent, as a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sent: Option<std::borrow::Cow<'a, str>>,
    /// The answer to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<std::borrow::Cow<'a, str>>,
    /// A target that is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<TargetLine<'a>>,
}

#[derive(Deserialize, Serialize)]
struct TargetLine<'a> {
    file: std::borrow::Cow<'a, str>,
    key: std::borrow::Cow<'a, str>,
    lang: std::borrow::Cow<'a, str>,
    source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    digest: String,
}

impl Journal {
    /// Opens the journal of the project in a directory, given by its real path, and locks it.
    ///
    /// Fails with the process ID of the holder if another process has locked it.
    pub fn open(project: &Path) -> Result<Self, Failure> {
        Self::open_in(&files::state_dir()?.join("sync"), project)
    }

    fn open_in(dir: &Path, project: &Path) -> Result<Self, Failure> {
        let mut name = files::sha256_hex(project.as_os_str().as_encoded_bytes());
        name.truncate(32);
        let (lock_path, pid_path) = (dir.join(format!("{name}.lock")), dir.join(format!("{name}.pid")));
        let Some(lock) = files::try_lock(&lock_path)? else {
            let pid = std::fs::read_to_string(&pid_path).unwrap_or_default();
            let by = if pid.is_empty() { String::new() } else { format!(" (process {})", pid.trim()) };
            return Err(Failure::usage(format!("another tulk sync is at work in this project{by}"))
                .hint("wait until it has ended"));
        };
        files::write_atomic(&pid_path, std::process::id().to_string().as_bytes(), files::FileMode::Private)?;
        let path = dir.join(format!("{name}.jsonl"));
        let mut options = OpenOptions::new();
        let mut file = files::open_own(&path, files::private(options.read(true).append(true).create(true)))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(|e| Failure::file("read", &path, &e))?;
        let mut journal =
            Self { path, file, answers: HashMap::new(), written: HashMap::new(), failure: None, _lock: lock };
        journal.read(&text)?;
        Ok(journal)
    }

    /// Reads the lines. The last one may be half written; it is cut off.
    fn read(&mut self, text: &[u8]) -> Result<(), Failure> {
        let complete = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for line in text.get(..complete).unwrap_or_default().split(|byte| *byte == b'\n') {
            let Ok(JournalLine { sent, answer, target }) = serde_json::from_slice(line) else { continue };
            if let (Some(sent), Some(answer)) = (sent, answer) {
                self.answers.insert(sent.into_owned(), answer.into_owned());
            }
            if let Some((key, written)) = target.and_then(TargetLine::parse) {
                self.written.insert(key, written);
            }
        }
        if complete < text.len() {
            let len = u64::try_from(complete).unwrap_or_default();
            let cut = self.file.set_len(len).and_then(|()| self.file.seek(SeekFrom::End(0)));
            cut.map_err(|e| Failure::file("write", &self.path, &e))?;
        }
        Ok(())
    }

    /// Returns the answer to what was sent, if it came before. `sent` is a digest of all that the answer depends on.
    pub fn answer(&self, sent: &str) -> Option<&str> {
        self.answers.get(sent).map(String::as_str)
    }

    /// Appends an answer. A failure is kept for [`Self::sync`].
    pub fn add_answer(&mut self, sent: &str, answer: &str) {
        let line = JournalLine { sent: Some(sent.into()), answer: Some(answer.into()), target: None };
        if self.append(&line) {
            self.answers.insert(sent.to_owned(), answer.to_owned());
        }
    }

    /// Appends a target that is about to be written.
    pub fn add_target(&mut self, place: &UnitPlace, lang: &str, entry: LockEntry) {
        let Some(target) = entry.target else { return };
        let line = TargetLine {
            file: place.file.as_str().into(),
            key: place.key.as_str().into(),
            lang: lang.into(),
            source: entry.source.to_string(),
            note: entry.note.map(|note| note.to_string()),
            digest: target.to_string(),
        };
        self.append(&JournalLine { sent: None, answer: None, target: Some(line) });
    }

    /// Returns the entry of a target that a run wrote, if the target is still the same.
    pub fn written(&self, place: &UnitPlace, lang: &str, target: Option<TextDigest>) -> Option<LockEntry> {
        let written = self.written.get(&(place.clone(), lang.to_owned()))?;
        (Some(written.target) == target).then_some(written.entry)
    }

    /// Returns whether a run wrote any target.
    pub fn has_written(&self) -> bool {
        !self.written.is_empty()
    }

    fn append(&mut self, line: &JournalLine<'_>) -> bool {
        let Ok(mut bytes) = serde_json::to_vec(line) else { return false };
        bytes.push(b'\n');
        match self.file.write_all(&bytes) {
            Ok(()) => true,
            Err(error) => {
                self.failure.get_or_insert_with(|| Failure::file("write", &self.path, &error));
                false
            }
        }
    }

    /// Waits until everything is on disk. Fails if anything could not be written.
    pub fn sync(&mut self) -> Result<(), Failure> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.file.sync_data().map_err(|e| Failure::file("write", &self.path, &e)),
        }
    }

    /// Removes the journal of a run that is complete.
    pub fn remove(self) -> Result<(), Failure> {
        std::fs::remove_file(&self.path).map_err(|e| Failure::file("remove", &self.path, &e))
    }
}

impl TargetLine<'_> {
    fn parse(self) -> Option<((UnitPlace, String), WrittenTarget)> {
        let target = TextDigest::parse(&self.digest)?;
        let note = match &self.note {
            Some(note) => Some(TextDigest::parse(note)?),
            None => None,
        };
        let source = TextDigest::parse(&self.source)?;
        let entry = LockEntry { author: TargetAuthor::Tulk, source, note, target: Some(target) };
        let place = UnitPlace { file: self.file.into_owned(), key: self.key.into_owned() };
        Some(((place, self.lang.into_owned()), WrittenTarget { target, entry }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(key: &str) -> UnitPlace {
        UnitPlace { file: "en.json".to_owned(), key: key.to_owned() }
    }

    #[test]
    fn answers_and_targets_survive_a_kill_and_half_a_line_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let project = Path::new("/some/project");
        let digest = TextDigest::of_text("eins");
        let source = TextDigest::of_text("one");
        let entry = LockEntry { author: TargetAuthor::Tulk, source, note: Some(digest), target: Some(digest) };
        let mut journal = Journal::open_in(dir.path(), project).unwrap();
        assert_eq!(journal.answer("k"), None);
        journal.add_answer("k", "eins\n\"zwei\"");
        journal.add_target(&place("a"), "de", entry);
        journal.file.write_all(b"{\"sent\":\"x\",\"ans").unwrap();
        journal.sync().unwrap();
        drop(journal);
        for _ in 0..2 {
            let mut journal = Journal::open_in(dir.path(), project).unwrap();
            assert_eq!(journal.answer("k"), Some("eins\n\"zwei\""));
            assert_eq!(journal.answer("x"), None);
            assert_eq!(journal.written(&place("a"), "de", Some(digest)), Some(entry));
            assert_eq!(journal.written(&place("a"), "de", Some(source)), None, "the target was changed");
            assert_eq!(journal.written(&place("a"), "fr", Some(digest)), None);
            journal.add_answer("l", "drei");
        }
        Journal::open_in(dir.path(), project).unwrap().remove().unwrap();
        assert_eq!(Journal::open_in(dir.path(), project).unwrap().answer("l"), None);
    }

    #[test]
    fn a_second_run_is_refused_and_names_the_first() {
        let dir = tempfile::tempdir().unwrap();
        let first = Journal::open_in(dir.path(), Path::new("/a")).unwrap();
        let failure = Journal::open_in(dir.path(), Path::new("/a")).unwrap_err();
        let pid = std::process::id();
        assert_eq!(failure.what, format!("another tulk sync is at work in this project (process {pid})"));
        Journal::open_in(dir.path(), Path::new("/b")).unwrap();
        drop(first);
        Journal::open_in(dir.path(), Path::new("/a")).unwrap();
    }
}
