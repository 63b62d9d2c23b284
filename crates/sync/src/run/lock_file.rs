//! The lock file during a run. If another program changes the file during the run, such as a merge, the changes of the run
//! are applied again to the new content.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tulk_base::error::Failure;
use tulk_base::files;
use tulk_base::limits::CATALOG_FILE;

use crate::lock::{Lock, LockEntry, LockLanguage, LockedUnit, text_hash};
use crate::project::Project;

/// The pause after a write lasts at least this many times as long as the write. Changes that are not written yet are in the
/// journal.
const WRITE_PAUSE_FACTOR: u32 = 20;

/// A lock file and the changes of a run.
pub struct LockFile<'a> {
    project: &'a Project,
    lock: Lock,
    changes: Vec<LockChange>,
    written: usize,
    /// End and duration of the last write.
    last_write: Option<(Instant, Duration)>,
    /// Interned names of files and languages.
    names: HashSet<Arc<str>>,
}

type FieldKey = (Arc<str>, Box<str>, Arc<str>);

enum LockChange {
    Set(FieldKey, LockEntry),
    Remove(FieldKey),
    RemoveFile(String),
    RemoveLanguages(Vec<String>),
}

impl<'a> LockFile<'a> {
    /// Starts with the lock as read, without changes.
    pub fn new(project: &'a Project, lock: Lock) -> Self {
        Self { project, lock, changes: Vec::new(), written: 0, last_write: None, names: HashSet::new() }
    }

    /// Returns the lock with all changes, including unwritten ones.
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// Replaces the entries of a unit in a language.
    pub fn set(&mut self, file: &str, key: &str, lang: &str, entry: LockEntry) {
        let field = self.field_key(file, key, lang);
        self.apply(LockChange::Set(field, entry));
    }

    /// Removes the entries of a unit in a language.
    pub fn remove(&mut self, file: &str, key: &str, lang: &str) {
        let field = self.field_key(file, key, lang);
        self.apply(LockChange::Remove(field));
    }

    fn field_key(&mut self, file: &str, key: &str, lang: &str) -> FieldKey {
        (self.intern(file), key.into(), self.intern(lang))
    }

    fn intern(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let new: Arc<str> = name.into();
        self.names.insert(new.clone());
        new
    }

    /// Returns the entry of a unit in a language, whatever its source and target are.
    pub fn entry(&self, file: &str, key: &str, lang: &str) -> Option<LockEntry> {
        let unit: Option<(&LockedUnit, LockLanguage)> = self.lock.unit(file, key).zip(self.lock.language_number(lang));
        unit.and_then(|(unit, language)| unit.entry(language, None, None))
    }

    /// Returns whether the entry is needed to find the new location of the unit in other languages.
    pub fn is_needed_for_moves(&self, file: &str, key: &str, lang: &str) -> bool {
        let unit: Option<(&LockedUnit, LockLanguage)> = self.lock.unit(file, key).zip(self.lock.language_number(lang));
        unit.is_some_and(|(unit, language)| unit.is_needed_for_moves(language))
    }

    /// Removes files and languages that the project no longer has.
    pub fn prune(&mut self, has_file: impl Fn(&str) -> bool, has_lang: impl Fn(&str) -> bool) {
        let files =
            self.lock.files().filter(|file| !has_file(file)).map(|file| LockChange::RemoveFile(file.to_owned()));
        let langs: Vec<String> = self.lock.languages().filter(|lang| !has_lang(lang)).map(str::to_owned).collect();
        let langs = (!langs.is_empty()).then_some(LockChange::RemoveLanguages(langs));
        for change in files.chain(langs).collect::<Vec<_>>() {
            self.apply(change);
        }
    }

    fn apply(&mut self, change: LockChange) {
        change.apply_to(&mut self.lock);
        self.changes.push(change);
    }

    /// Writes pending changes, unless the last write was too recent.
    pub fn write_changes(&mut self) -> Result<(), Failure> {
        let is_soon = self.last_write.is_some_and(|(end, took)| end.elapsed() < took * WRITE_PAUSE_FACTOR);
        if self.changes.len() == self.written || is_soon { Ok(()) } else { self.write() }
    }

    /// Writes the file if its content differs.
    pub fn write(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        // Resolve the path again, because a symbolic link may have appeared since the lock was read.
        let path = self.project.lock_path()?;
        let Self { lock, changes, .. } = self;
        let is_written = self.last_write.is_some() && self.written == changes.len();
        let text = files::edit_file(&path, &path, CATALOG_FILE, files::FileMode::Inherit, |bytes| {
            let now = bytes.map(String::from_utf8_lossy);
            let is_unchanged = now.as_ref().is_some_and(|now| text_hash(now) == lock.hash);
            if is_unchanged && is_written {
                return Ok((None, None));
            }
            if let Some(now) = now.as_ref().filter(|_| !is_unchanged) {
                *lock = Lock::parse(now);
                for change in &*changes {
                    change.apply_to(lock);
                }
            }
            let text = lock.write();
            // The file may have CRLF line endings from the version control system.
            let is_new = now.is_none_or(|now| !is_same_except_crlf(&now, &text));
            Ok((is_new.then(|| text.clone().into_bytes()), Some(text)))
        })?;
        let Some(text) = text else { return Ok(()) };
        self.lock.hash = text_hash(&text);
        self.lock.exists = true;
        self.written = self.changes.len();
        self.last_write = Some((Instant::now(), start.elapsed()));
        Ok(())
    }
}

fn is_same_except_crlf(now: &str, text: &str) -> bool {
    if now.contains('\r') { now.replace("\r\n", "\n") == text } else { now == text }
}

impl LockChange {
    fn apply_to(&self, lock: &mut Lock) {
        match self {
            Self::Set((file, key, lang), entry) => lock.set(file, key, lang, *entry),
            Self::Remove((file, key, lang)) => lock.remove(file, key, lang),
            Self::RemoveFile(file) => lock.remove_file(file),
            Self::RemoveLanguages(langs) => lock.remove_languages(langs),
        }
    }
}
