//! The lock during a run: what the run changes in it, and the file.
//!
//! The file may be changed while the run goes on, by a merge for example. Then the changes of the run are made in what it says now.

use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::Failure;
use crate::files::{self, FileMode};
use crate::sync::lock::{Lock, LockEntry, LockLanguage, LockedUnit, text_hash};
use crate::sync::project::Project;

/// A lock that a run changes.
pub struct LockFile<'a> {
    project: &'a Project,
    lock: Lock,
    changes: Vec<LockChange>,
    /// The number of changes that are in the file.
    written: usize,
}

/// The place of a field in the lock: file, key and language.
type FieldPlace = (String, String, String);

enum LockChange {
    Set(FieldPlace, LockEntry),
    Remove(FieldPlace),
    RemoveFile(String),
    RemoveLanguage(String),
}

impl<'a> LockFile<'a> {
    /// The lock of a project, as it was read.
    pub fn new(project: &'a Project, lock: Lock) -> Self {
        Self { project, lock, changes: Vec::new(), written: 0 }
    }

    /// Sets what is known about a unit in a language.
    pub fn set(&mut self, file: &str, key: &str, lang: &str, entry: LockEntry) {
        self.change(LockChange::Set((file.to_owned(), key.to_owned(), lang.to_owned()), entry));
    }

    /// Forgets a unit in a language.
    pub fn remove(&mut self, file: &str, key: &str, lang: &str) {
        self.change(LockChange::Remove((file.to_owned(), key.to_owned(), lang.to_owned())));
    }

    /// Returns what is known about a unit in a language.
    pub fn entry(&self, file: &str, key: &str, lang: &str) -> Option<LockEntry> {
        let unit: Option<(&LockedUnit, LockLanguage)> = self.lock.unit(file, key).zip(self.lock.language_number(lang));
        unit.and_then(|(unit, language)| unit.entry(language, None, None))
    }

    /// Forgets files and languages that the project no longer has.
    pub fn prune(&mut self, has_file: impl Fn(&str) -> bool, has_lang: impl Fn(&str) -> bool) {
        let files =
            self.lock.files().filter(|file| !has_file(file)).map(|file| LockChange::RemoveFile(file.to_owned()));
        let langs = self.lock.languages().filter(|lang| !has_lang(lang));
        let langs = langs.map(|lang| LockChange::RemoveLanguage(lang.to_owned()));
        for change in files.chain(langs).collect::<Vec<_>>() {
            self.change(change);
        }
    }

    fn change(&mut self, change: LockChange) {
        change.make(&mut self.lock);
        self.changes.push(change);
    }

    /// Takes the room on the disk that the file needs with further entries of a file in a language, until the result is dropped.
    ///
    /// Fails if there is none, or if no file can be written there.
    pub fn reserve(&self, file: &str, lang: &str, entries: &[(String, LockEntry)]) -> Result<NamedTempFile, Failure> {
        let mut lock = self.lock.clone();
        for (key, entry) in entries {
            lock.set(file, key, lang, *entry);
        }
        let path = self.project.lock_path()?;
        let fail = |error: io::Error| Failure::file("write", &path, &error);
        let mut reserved = NamedTempFile::new_in(path.parent().unwrap_or(Path::new("."))).map_err(fail)?;
        reserved.write_all(lock.write().as_bytes()).and_then(|()| reserved.as_file().sync_data()).map_err(fail)?;
        Ok(reserved)
    }

    /// Writes the file if there are changes.
    pub fn write_changes(&mut self) -> Result<(), Failure> {
        if self.changes.len() == self.written { Ok(()) } else { self.write() }
    }

    /// Writes the file if it does not say the same.
    pub fn write(&mut self) -> Result<(), Failure> {
        // A link may have appeared since the lock was read.
        let path = self.project.lock_path()?;
        let now = std::fs::read_to_string(&path).ok();
        if let Some(now) = now.as_ref().filter(|now| self.lock.exists && text_hash(now) != self.lock.hash) {
            self.lock = Lock::parse(now);
            for change in &self.changes {
                change.make(&mut self.lock);
            }
        }
        let text = self.lock.write();
        // Some version control systems write Windows line ends.
        if now.is_none_or(|now| now.replace("\r\n", "\n") != text) {
            files::write_atomic(&path, text.as_bytes(), FileMode::Inherit)?;
        }
        self.lock.hash = text_hash(&text);
        self.lock.exists = true;
        self.written = self.changes.len();
        Ok(())
    }
}

impl LockChange {
    fn make(&self, lock: &mut Lock) {
        match self {
            Self::Set((file, key, lang), entry) => lock.set(file, key, lang, *entry),
            Self::Remove((file, key, lang)) => lock.remove(file, key, lang),
            Self::RemoveFile(file) => lock.remove_file(file),
            Self::RemoveLanguage(lang) => lock.remove_language(lang),
        }
    }
}
