//! Journal of a run: paid answers and written targets, so a killed run is not billed twice.
//!
//! Input: answers as they arrive, and the units of a target file just before it is written. Output: the same records in
//! the next run. The journal is a JSON Lines file in the state directory, deleted when a run completes. A target
//! recorded here has the recorded author, tulk or a person, even if the lock does not have it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{self, FileLock};
use tulk_base::limits::{KEY_FILE, STATE_FILE};

use super::digest::{SentDigest, TextDigest};
use super::lock::{Lock, LockEntry, TargetAuthor};
use super::moves::UnitLocation;

/// The journal of a project. Locked, unless opened with [`Self::open_read_only`].
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Arc<File>,
    /// Size of the complete lines on disk, in bytes.
    len: u64,
    pending: JournalLines,
    answers: HashMap<SentDigest, JournalAnswer>,
    /// Targets by file and language, then by key. A unit can have several: if a run was killed before it wrote the last one,
    /// the file still contains an older one.
    written: HashMap<(String, String), HashMap<String, Vec<WrittenTarget>>>,
    /// The first write error, after which writes are skipped.
    failure: Option<Failure>,
    /// `None` if opened only for reading.
    lock: Option<FileLock>,
}

/// The translation of a text, or why the answer cannot be used.
pub type JournalAnswer = Result<String, String>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WrittenTarget {
    target: TextDigest,
    entry: LockEntry,
}

/// Lines to append to the journal.
#[derive(Clone, Debug, Default)]
pub struct JournalLines(Vec<u8>);

#[derive(Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
struct JournalLine<'a> {
    /// Digest of the request and the text that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    sent: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<TargetLine<'a>>,
}

#[derive(Deserialize, Serialize)]
struct TargetLine<'a> {
    file: Cow<'a, str>,
    key: Cow<'a, str>,
    lang: Cow<'a, str>,
    /// `p` if a person wrote the text, which is possible because a unit that moves to another key keeps its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<char>,
    source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    digest: String,
}

impl Journal {
    /// Opens and locks the journal of a project. `project` is the real path of the project's folder.
    ///
    /// Fails if another process has locked it; the error contains its process ID.
    pub fn open(project: &Path) -> Result<Self, Failure> {
        Self::open_in(&files::state_dir()?.join("sync"), project)
    }

    /// Like [`Self::open`], with another directory for the journals of all projects.
    pub fn open_in(dir: &Path, project: &Path) -> Result<Self, Failure> {
        let name = file_name(project);
        let (lock_path, pid_path) = (dir.join(format!("{name}.lock")), dir.join(format!("{name}.pid")));
        let Some(lock) = files::try_lock(&lock_path)? else {
            let pid = files::read_text_bounded(&pid_path, KEY_FILE).unwrap_or_default();
            let by = if pid.is_empty() { String::new() } else { format!(" (process {})", pid.trim()) };
            return Err(Failure::usage(format!("another tulk sync is running in this project{by}"))
                .hint("wait until it has finished"));
        };
        files::write_atomic(&pid_path, std::process::id().to_string().as_bytes(), files::FileMode::Private)?;
        let path = dir.join(format!("{name}.jsonl"));
        files::check_trusted_file(&path)?;
        let mut options = OpenOptions::new();
        let file = files::open_regular_file(&path, files::private(options.read(true).append(true).create(true)))?;
        Self::read(path, file, Some(lock))
    }

    /// Reads the journal without locking it, for commands that change nothing. `None` if it is missing or unreadable.
    pub fn open_read_only(project: &Path) -> Option<Self> {
        let path = files::state_dir().ok()?.join("sync").join(format!("{}.jsonl", file_name(project)));
        files::check_trusted_file(&path).ok()?;
        let file = files::open_regular_file(&path, OpenOptions::new().read(true)).ok()?;
        Self::read(path, file, None).ok()
    }

    /// Reads all complete lines. If the journal is locked, cuts off an incomplete last line.
    fn read(path: PathBuf, file: File, lock: Option<FileLock>) -> Result<Self, Failure> {
        let text = files::read_opened(&file, STATE_FILE).file_context("read", &path)?;
        let complete = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let len = complete as u64;
        let has_partial_line = complete < text.len();
        let (answers, written) = (HashMap::new(), HashMap::new());
        let (file, pending) = (Arc::new(file), JournalLines::default());
        let mut journal = Self { path, file, len, pending, answers, written, failure: None, lock };
        for line in parse_lines(text.get(..complete).unwrap_or_default()) {
            journal.add(line);
        }
        if has_partial_line && journal.is_locked() {
            journal.truncate().file_context("write", &journal.path)?;
        }
        Ok(journal)
    }

    fn add(&mut self, mut line: JournalLine<'_>) {
        self.answers.extend(line.take_answer());
        if let Some((target, key, written)) = line.target.and_then(TargetLine::parse) {
            let targets = self.written.entry(target).or_default().entry(key).or_default();
            targets.retain(|other| other.target != written.target);
            targets.push(written);
        }
    }

    fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    fn truncate(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.len)?;
        (&*self.file).seek(SeekFrom::End(0)).map(|_| ())
    }

    /// Returns the answer of an earlier run to the same request and text.
    pub fn answer(&self, sent: SentDigest) -> Option<&JournalAnswer> {
        self.answers.get(&sent)
    }

    /// Returns whether an earlier run left answers.
    pub fn has_answers(&self) -> bool {
        !self.answers.is_empty()
    }

    /// Queues an answer; [`Self::flush`] writes it.
    pub fn add_answer(&mut self, sent: SentDigest, answer: &JournalAnswer) {
        self.pending.add_answer(sent, answer);
    }

    /// Writes the records of targets that are about to be written. Sync [`Self::file_to_sync`] to disk before writing the
    /// targets.
    pub fn add_targets(&mut self, lines: JournalLines) {
        self.pending.0.extend(lines.0);
        self.flush();
    }

    /// Returns the entry of a target written by an earlier run, unless the target has changed since.
    pub fn written_entry(&self, location: &UnitLocation, lang: &str, target: Option<TextDigest>) -> Option<LockEntry> {
        let written = self.written.get(&(location.file.clone(), lang.to_owned()))?.get(&location.key)?;
        written.iter().find(|written| Some(written.target) == target).map(|written| written.entry)
    }

    /// Returns whether an earlier run wrote a file in this language.
    pub fn has_written(&self, file: &str, lang: &str) -> bool {
        !self.written.is_empty() && self.written.contains_key(&(file.to_owned(), lang.to_owned()))
    }

    /// Writes the queued lines. After an error (see [`Self::failure`]), nothing more is written until
    /// [`Self::keep_unused`] tries again.
    pub fn flush(&mut self) {
        if self.failure.is_some() {
            return;
        }
        let JournalLines(pending) = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return;
        }
        match (&*self.file).write_all(&pending) {
            Ok(()) => self.len += pending.len() as u64,
            Err(error) => {
                self.record_failure(&error);
                let _ = self.truncate();
                self.pending = JournalLines(pending);
            }
        }
    }

    /// Returns the first write error.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Rewrites the journal. Keeps answers that are not used, and targets whose written text is not in `lock`. Deletes an
    /// empty journal.
    pub fn keep_unused(&mut self, lock: &Lock, is_used: impl Fn(SentDigest) -> bool) -> Result<(), Failure> {
        self.flush();
        let mut kept = JournalLines::default();
        let mut is_first = HashSet::new();
        let text = files::read_bounded(&self.path, STATE_FILE).file_context("read", &self.path)?;
        // In reverse order, because the last answer to a request is the valid one.
        let all: Vec<JournalLine<'_>> = parse_lines(&text).chain(parse_lines(&self.pending.0)).collect();
        for mut line in all.into_iter().rev() {
            if let Some((sent, answer)) =
                line.take_answer().filter(|(sent, _)| is_first.insert(*sent) && !is_used(*sent))
            {
                kept.add_answer(sent, &answer);
            }
        }
        let targets = self.written.iter().flat_map(|((file, lang), keys)| {
            let language = lock.language_number(lang);
            let is_locked = move |key: &str, target| {
                let entry =
                    lock.unit(file, key).zip(language).and_then(|(unit, lang)| unit.entry(lang, None, Some(target)));
                entry.is_some_and(|entry| entry.target == Some(target))
            };
            let written = keys.iter().flat_map(|(key, written)| written.iter().map(move |written| (key, written)));
            let unknown = written.filter(move |(key, written)| !is_locked(key, written.target));
            unknown.map(move |(key, written)| (file, lang, key, *written))
        });
        for (file, lang, key, written) in targets {
            kept.add_target((file, key), lang, LockEntry { target: Some(written.target), ..written.entry });
        }
        #[cfg(windows)]
        self.close();
        if kept.0.is_empty() {
            return remove(&self.path);
        }
        files::write_atomic(&self.path, &kept.0, files::FileMode::Private)
    }

    /// Closes the file, because Windows cannot replace an open file.
    #[cfg(windows)]
    fn close(&mut self) {
        if let Ok(nothing) = File::open("NUL") {
            self.file = Arc::new(nothing);
        }
    }

    /// Records a write error, unless there is an earlier one.
    pub fn record_failure(&mut self, error: &std::io::Error) {
        self.failure.get_or_insert_with(|| Failure::file("write", &self.path, error));
    }

    /// Returns the file for syncing to disk without borrowing the journal, so that answers can be added meanwhile.
    pub fn file_to_sync(&self) -> Arc<File> {
        self.file.clone()
    }

    /// Deletes the journal after a complete run.
    pub fn remove(mut self) -> Result<(), Failure> {
        // Do not free this memory: the process exits soon, and many small deallocations take time.
        std::mem::forget(std::mem::take(&mut self.answers));
        std::mem::forget(std::mem::take(&mut self.written));
        #[cfg(windows)]
        self.close();
        remove(&self.path)
    }
}

impl JournalLines {
    /// Adds a target, given by its file, key and language.
    pub fn add_target(&mut self, (file, key): (&str, &str), lang: &str, entry: LockEntry) {
        let Some(target) = entry.target else { return };
        let target = TargetLine {
            file: file.into(),
            key: key.into(),
            lang: lang.into(),
            author: (entry.author == TargetAuthor::Person).then_some('p'),
            source: entry.source.to_string(),
            note: entry.note.map(|note| note.to_string()),
            digest: target.to_string(),
        };
        self.add(&JournalLine { target: Some(target), ..JournalLine::default() });
    }

    fn add_answer(&mut self, sent: SentDigest, answer: &JournalAnswer) {
        self.add(&JournalLine {
            sent: Some(sent.to_string().into()),
            answer: answer.as_deref().ok().map(Cow::Borrowed),
            refused: answer.as_deref().err().map(|why| why.as_str().into()),
            target: None,
        });
    }

    fn add(&mut self, line: &JournalLine<'_>) {
        if let Ok(line) = serde_json::to_vec(line) {
            self.0.extend(line);
            self.0.push(b'\n');
        }
    }
}

/// Skips invalid lines.
fn parse_lines(text: &[u8]) -> impl Iterator<Item = JournalLine<'_>> {
    text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}

impl JournalLine<'_> {
    fn take_answer(&mut self) -> Option<(SentDigest, JournalAnswer)> {
        let sent = SentDigest::parse(&self.sent.take()?)?;
        let answer = self.answer.take().map(|answer| Ok(answer.into_owned()));
        answer.or_else(|| self.refused.take().map(|why| Err(why.into_owned()))).map(|answer| (sent, answer))
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.flush();
    }
}

impl TargetLine<'_> {
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
    std::fs::remove_file(path).file_context("remove", path)
}

fn file_name(project: &Path) -> String {
    let mut name = files::sha256_hex(project.as_os_str().as_encoded_bytes());
    name.truncate(32);
    name
}

#[cfg(test)]
mod tests;
