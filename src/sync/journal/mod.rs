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
use super::lock::{Lock, LockEntry, TargetAuthor};
use super::moves::UnitPlace;
use crate::error::Failure;
use crate::files::{self, FileLock};

/// The journal of a project, locked by this process.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The size of what was written completely.
    len: u64,
    /// Lines that are not written yet.
    pending: Vec<u8>,
    answers: HashMap<String, JournalAnswer>,
    /// By file and language, then by key. A run that was killed may have left the target of an earlier one.
    written: HashMap<(String, String), HashMap<String, Vec<WrittenTarget>>>,
    /// The first failure to write it.
    failure: Option<Failure>,
    /// `None` if it is only read.
    lock: Option<FileLock>,
}

/// The answer to a text, or why it cannot be used.
pub type JournalAnswer = Result<String, String>;

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
    /// Why the answer cannot be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<std::borrow::Cow<'a, str>>,
    /// A target that is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<TargetLine<'a>>,
}

#[derive(Deserialize, Serialize)]
struct TargetLine<'a> {
    file: std::borrow::Cow<'a, str>,
    key: std::borrow::Cow<'a, str>,
    lang: std::borrow::Cow<'a, str>,
    /// `p` for a person's, which a renamed key takes along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<char>,
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

    /// As [`Self::open`], with the journals of all projects in a directory.
    pub fn open_in(dir: &Path, project: &Path) -> Result<Self, Failure> {
        let name = file_name(project);
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
        let file = files::open_own(&path, files::private(options.read(true).append(true).create(true)))?;
        Self::read(path, file, Some(lock))
    }

    /// Reads the journal of the project in a directory without locking it, for commands that change nothing. `None` if there is
    /// none.
    pub fn peek(project: &Path) -> Option<Self> {
        let path = files::state_dir().ok()?.join("sync").join(format!("{}.jsonl", file_name(project)));
        let file = files::open_own(&path, OpenOptions::new().read(true)).ok()?;
        Self::read(path, file, None).ok()
    }

    /// Reads the lines. The last one may be half written; it is cut off.
    fn read(path: PathBuf, mut file: File, lock: Option<FileLock>) -> Result<Self, Failure> {
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(|e| Failure::file("read", &path, &e))?;
        let complete = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let len = complete as u64;
        let is_half = complete < text.len();
        let (answers, written) = (HashMap::new(), HashMap::new());
        let mut journal = Self { path, file, len, pending: Vec::new(), answers, written, failure: None, lock };
        for line in text.get(..complete).unwrap_or_default().split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice(line) else { continue };
            journal.add(line);
        }
        if is_half && journal.is_locked() {
            journal.cut().map_err(|e| Failure::file("write", &journal.path, &e))?;
        }
        Ok(journal)
    }

    fn add(&mut self, line: JournalLine<'_>) {
        let JournalLine { sent, answer, refused, target } = line;
        let answer = answer.map(|answer| Ok(answer.into_owned())).or(refused.map(|why| Err(why.into_owned())));
        if let (Some(sent), Some(answer)) = (sent, answer) {
            self.answers.insert(sent.into_owned(), answer);
        }
        if let Some((target, key, written)) = target.and_then(TargetLine::parse) {
            let targets = self.written.entry(target).or_default().entry(key).or_default();
            targets.retain(|other| other.target != written.target);
            targets.push(written);
        }
    }

    /// Returns whether it is this process that writes the journal.
    fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// Cuts off half a line.
    fn cut(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.len)?;
        self.file.seek(SeekFrom::End(0)).map(|_| ())
    }

    /// Returns the answer to what was sent, if it came before. `sent` is a digest of all that the answer depends on.
    pub fn answer(&self, sent: &str) -> Option<&JournalAnswer> {
        self.answers.get(sent)
    }

    /// Returns whether there are answers of an earlier run.
    pub fn has_answers(&self) -> bool {
        !self.answers.is_empty()
    }

    /// Appends an answer, for [`Self::flush`].
    pub fn add_answer(&mut self, sent: &str, answer: JournalAnswer) {
        if self.append(&JournalLine::of_answer(sent, &answer)) {
            self.answers.insert(sent.to_owned(), answer);
        }
    }

    /// Appends a target that is about to be written, for [`Self::sync`].
    pub fn add_target(&mut self, (file, key): (&str, &str), lang: &str, entry: LockEntry) {
        let Some(target) = entry.target else { return };
        self.append(&JournalLine::of_target((file, key, lang), WrittenTarget { target, entry }));
    }

    /// Returns the entry of a target that an earlier run wrote, if the target is still the same.
    pub fn written(&self, place: &UnitPlace, lang: &str, target: Option<TextDigest>) -> Option<LockEntry> {
        let written = self.written.get(&(place.file.clone(), lang.to_owned()))?.get(&place.key)?;
        written.iter().find(|written| Some(written.target) == target).map(|written| written.entry)
    }

    /// Returns whether an earlier run wrote targets of a file in a language.
    pub fn has_written(&self, file: &str, lang: &str) -> bool {
        !self.written.is_empty() && self.written.contains_key(&(file.to_owned(), lang.to_owned()))
    }

    fn append(&mut self, line: &JournalLine<'_>) -> bool {
        let len = self.pending.len();
        if self.failure.is_some() || serde_json::to_writer(&mut self.pending, line).is_err() {
            self.pending.truncate(len);
            return false;
        }
        self.pending.push(b'\n');
        true
    }

    /// Writes what was appended. A failure is kept for [`Self::sync`].
    pub fn flush(&mut self) {
        if self.pending.is_empty() || self.failure.is_some() {
            return;
        }
        match self.file.write_all(&self.pending) {
            Ok(()) => self.len += self.pending.len() as u64,
            Err(error) => {
                self.failure = Some(Failure::file("write", &self.path, &error));
                let _ = self.cut();
            }
        }
        self.pending.clear();
    }

    /// Returns why the journal could not be written.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Keeps only the answers that are not in a target, and the targets that the lock does not know. `lock` is the one that was
    /// written.
    pub fn keep_unused(&mut self, lock: &Lock, is_used: impl Fn(&str) -> bool) -> Result<(), Failure> {
        let answers = self.answers.iter().filter(|(sent, _)| !is_used(sent));
        let answers = answers.map(|(sent, answer)| JournalLine::of_answer(sent, answer));
        let targets = self.written.iter().flat_map(|((file, lang), keys)| {
            let language = lock.language_number(lang);
            let is_locked = move |key: &str, target| {
                let entry =
                    lock.unit(file, key).zip(language).and_then(|(unit, lang)| unit.entry(lang, None, Some(target)));
                entry.is_some_and(|entry| entry.target == Some(target))
            };
            let written = keys.iter().flat_map(|(key, written)| written.iter().map(move |written| (key, written)));
            let unknown = written.filter(move |(key, written)| !is_locked(key, written.target));
            unknown.map(move |(key, written)| JournalLine::of_target((file, key, lang), *written))
        });
        let mut kept = Vec::new();
        for line in answers.chain(targets) {
            if serde_json::to_writer(&mut kept, &line).is_ok() {
                kept.push(b'\n');
            }
        }
        if kept.is_empty() {
            return remove(&self.path);
        }
        files::write_atomic(&self.path, &kept, files::FileMode::Private)
    }

    /// Waits until everything is on disk. Fails if anything could not be written.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.flush();
        if self.failure.is_none()
            && let Err(error) = self.file.sync_data()
        {
            self.failure = Some(Failure::file("write", &self.path, &error));
        }
        self.failure.clone().map_or(Ok(()), Err)
    }

    /// Removes the journal of a run that is complete.
    pub fn remove(self) -> Result<(), Failure> {
        remove(&self.path)
    }
}

impl<'a> JournalLine<'a> {
    fn of_answer(sent: &'a str, answer: &'a JournalAnswer) -> Self {
        let (text, why) = (answer.as_deref().ok(), answer.as_ref().err());
        Self { sent: Some(sent.into()), answer: text.map(Into::into), refused: why.map(Into::into), target: None }
    }

    /// The line of a target, given by its file, key and language.
    fn of_target((file, key, lang): (&'a str, &'a str, &'a str), written: WrittenTarget) -> Self {
        let WrittenTarget { target, entry } = written;
        let line = TargetLine {
            file: file.into(),
            key: key.into(),
            lang: lang.into(),
            author: (entry.author == TargetAuthor::Person).then_some('p'),
            source: entry.source.to_string(),
            note: entry.note.map(|note| note.to_string()),
            digest: target.to_string(),
        };
        Self { sent: None, answer: None, refused: None, target: Some(line) }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.flush();
    }
}

impl TargetLine<'_> {
    /// Returns the file and the language, the key, and what was written.
    fn parse(self) -> Option<((String, String), String, WrittenTarget)> {
        let target = TextDigest::parse(&self.digest)?;
        let note = match &self.note {
            Some(note) => Some(TextDigest::parse(note)?),
            None => None,
        };
        let source = TextDigest::parse(&self.source)?;
        let author = if self.author == Some('p') { TargetAuthor::Person } else { TargetAuthor::Tulk };
        let entry = LockEntry { author, source, note, target: Some(target) };
        let target_file = (self.file.into_owned(), self.lang.into_owned());
        Some((target_file, self.key.into_owned(), WrittenTarget { target, entry }))
    }
}

fn remove(path: &Path) -> Result<(), Failure> {
    std::fs::remove_file(path).map_err(|e| Failure::file("remove", path, &e))
}

/// Returns the name of the files of a project, given by its real path.
fn file_name(project: &Path) -> String {
    let mut name = files::sha256_hex(project.as_os_str().as_encoded_bytes());
    name.truncate(32);
    name
}

#[cfg(test)]
mod tests;
