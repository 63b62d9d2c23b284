//! Writes targets and the lock: journal, target, lock, in this order.

use std::collections::HashMap;

use super::observer::{SharedJournal, lock_journal};
use super::rows::RowState;
use super::{FailedUnit, SyncGroup, SyncOutcome, SyncRun};
use crate::catalogs::{CatalogLanguage, ReadOptions, UnitKey};
use crate::error::{Failure, Kind, Origin};
use crate::files::{self, FileMode};
use crate::pipeline::PipelineReport;
use crate::sync::apply::{NewText, TargetChange};
use crate::sync::compare::ComparedUnit;
use crate::sync::digest::TextDigest;
use crate::sync::load::CatalogPath;
use crate::sync::lock::{Lock, LockEntry, TargetAuthor};
use crate::sync::moves::UnitPlace;
use crate::sync::plan::{MovedTarget, PlannedTarget, note_comparison};
use crate::sync::project::Place;
use crate::sync::state::{NoteComparison, SourceDigests, UnitState, adopted};
use crate::sync::work::TaskOutcome;

/// Number of different refusals of the service that are listed for a language.
const LISTED_REFUSALS: usize = 5;

/// The target files and the lock of a run.
pub struct TargetFiles<'a> {
    sync: &'a SyncRun<'a>,
    lock: Lock,
    /// The lock as it is on the disk.
    written_lock: String,
    journal: SharedJournal,
    outcome: SyncOutcome,
    /// Whether answers are left that are not in a target.
    has_leftover: bool,
}

/// A text for a target with what the lock will say about it.
struct EntryToWrite {
    entry: LockEntry,
    lock_key: String,
    row: RowState,
    origin: Option<Origin>,
}

impl<'a> TargetFiles<'a> {
    pub fn new(sync: &'a SyncRun<'a>, lock: Lock, journal: SharedJournal) -> Self {
        let written_lock = if lock.exists { lock.write() } else { String::new() };
        Self { sync, lock, written_lock, journal, outcome: SyncOutcome::default(), has_leftover: false }
    }

    /// Adds what the pipeline reports about a group.
    pub fn add_report(&mut self, group: &SyncGroup, mut report: PipelineReport) {
        let lang = self.sync.project.settings.langs.get(group.lang).map(|lang| lang.tag.clone()).unwrap_or_default();
        let failure = report.targets.first_mut().and_then(|target| target.failure.take());
        for failure in report.ended_by.take().into_iter().chain(failure) {
            if failure.kind.is_stop() || matches!(failure.kind, Kind::Key | Kind::Quota) {
                self.outcome.ended_by.get_or_insert(failure);
            } else {
                let what = format!("{lang}: {}", failure.what);
                self.outcome.broken.push(Failure { what, ..failure });
            }
        }
        let mut causes: Vec<String> = Vec::new();
        for refused in report.refused.iter().filter(|refused| refused.failure.service.is_some()) {
            let cause = refused.failure.cause();
            if causes.len() < LISTED_REFUSALS && !causes.contains(&cause) {
                let what = format!("{lang}: {}", refused.failure.what);
                self.outcome.broken.push(Failure { what, at: None, ..refused.failure.clone() });
                causes.push(cause);
            }
        }
        self.outcome.reports.push(report);
    }

    /// Writes the targets of a group whose answers are there, then the lock.
    pub fn write_group(&mut self, group: &SyncGroup) {
        let mut tasks: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, task) in group.work.tasks.iter().enumerate() {
            tasks.entry(task.target).or_default().push(number);
        }
        for number in &group.targets {
            let Some(target) = self.sync.plan.targets.get(*number) else { continue };
            let tasks = tasks.remove(number).unwrap_or_default();
            if let Err(failure) = self.write_target(group, target, &tasks) {
                self.has_leftover = true;
                self.outcome.broken.push(failure);
            }
        }
        if let Err(failure) = self.write_lock() {
            self.outcome.broken.push(failure);
        }
    }

    /// Returns what was done. The journal is removed if nothing is left of it.
    pub fn finish(mut self) -> SyncOutcome {
        if let Err(failure) = self.write_lock() {
            self.outcome.broken.push(failure);
        }
        let is_complete = !self.has_leftover && self.outcome.ended_by.is_none() && self.outcome.broken.is_empty();
        let journal = lock_journal(&self.journal).take();
        if let Some(journal) = journal.filter(|_| is_complete)
            && let Err(failure) = journal.remove()
        {
            self.outcome.broken.push(failure);
        }
        self.outcome
    }

    fn write_lock(&mut self) -> Result<(), Failure> {
        if self.sync.is_pseudo {
            return Ok(());
        }
        let text = self.lock.write();
        if text != self.written_lock || !self.lock.exists {
            files::write_atomic(&self.sync.project.lock_path(), text.as_bytes(), FileMode::Inherit)?;
            self.written_lock = text;
            self.lock.exists = true;
        }
        Ok(())
    }

    fn write_target(&mut self, group: &SyncGroup, target: &PlannedTarget, tasks: &[usize]) -> Result<(), Failure> {
        let (texts, entries) = self.texts(group, target, tasks);
        let removed = self.removed_keys(target);
        if !texts.is_empty() || !removed.is_empty() {
            self.change_file(target, &texts, &entries, &removed)?;
        }
        self.record_others(target);
        Ok(())
    }

    /// Returns the texts that a target gets: results, and those of renamed keys.
    fn texts(
        &mut self,
        group: &SyncGroup,
        target: &PlannedTarget,
        tasks: &[usize],
    ) -> (Vec<NewText>, Vec<EntryToWrite>) {
        let (mut texts, mut entries) = (Vec::new(), Vec::new());
        for (number, task) in tasks.iter().filter_map(|number| Some((*number, group.work.tasks.get(*number)?))) {
            let Some(unit) = target.units.get(task.unit).copied() else { continue };
            let Some(kept) = target.source.units.kept.get(unit.source) else { continue };
            let origin = group.origins.get(number).cloned();
            match task.outcome() {
                TaskOutcome::Unfinished => self.has_leftover = true,
                TaskOutcome::Failed(why) => self.record_failure(target, &unit, origin, why),
                TaskOutcome::Done { text, is_unchanged } => {
                    let before = unit.digests.map(|target| target.text);
                    texts.push(NewText { source: unit.source, text, is_unchanged, before });
                    let entry = self.new_entry(TargetAuthor::Tulk, kept.digests, unit.entry);
                    let (lock_key, row) = (kept.lock_key.clone(), RowState::Unit(unit.state));
                    entries.push(EntryToWrite { entry, lock_key, row, origin });
                }
            }
        }
        for moved in &target.moved {
            let Some(kept) = target.source.units.kept.get(moved.unit) else { continue };
            let MovedTarget { text, entry, before, .. } = moved.clone();
            texts.push(NewText { source: moved.unit, text, is_unchanged: false, before });
            let author = entry.map_or(TargetAuthor::Person, |entry| entry.author);
            let entry = self.new_entry(author, kept.digests, entry);
            entries.push(EntryToWrite { entry, lock_key: kept.lock_key.clone(), row: RowState::Moved, origin: None });
        }
        (texts, entries)
    }

    /// Returns what the lock will say, without the target. Notes that are not compared stay as they were recorded.
    fn new_entry(&self, author: TargetAuthor, source: SourceDigests, before: Option<LockEntry>) -> LockEntry {
        let note = match note_comparison(self.sync.project.settings.context) {
            NoteComparison::Compared => source.note,
            NoteComparison::Ignored => before.and_then(|entry| entry.note),
        };
        LockEntry { author, source: source.text, note, target: None }
    }

    fn record_failure(&mut self, target: &PlannedTarget, unit: &ComparedUnit, origin: Option<Origin>, why: String) {
        let Some(kept) = target.source.units.kept.get(unit.source) else { return };
        let (file, lang) = self.names(target);
        let key = target.source.units.unit(kept.position).map(|unit| unit.key.clone()).unwrap_or_default();
        self.outcome.failed.push(FailedUnit { at: origin.unwrap_or_default(), key, lang: lang.clone(), why });
        self.outcome.rows.row((target.file, target.lang, RowState::Unit(UnitState::Failed))).units += 1;
        // A person's target stays a person's.
        if matches!(unit.state, UnitState::Missing | UnitState::Stale | UnitState::Failed) {
            let entry = self.new_entry(TargetAuthor::Failed, kept.digests, unit.entry);
            let target = unit.digests.map(|target| target.text);
            self.lock.set(&file, &kept.lock_key, &lang, LockEntry { target, ..entry });
        }
    }

    /// Returns the name of the file in the lock, and the language.
    fn names(&self, target: &PlannedTarget) -> (String, String) {
        let file = self.sync.files.get(target.file).map(|file| file.lock_name.clone()).unwrap_or_default();
        let lang = self.sync.project.settings.langs.get(target.lang).map(|lang| lang.tag.clone()).unwrap_or_default();
        (file, lang)
    }

    fn removed_keys(&self, target: &PlannedTarget) -> Vec<UnitKey> {
        let moved = target.moved.iter().filter(|moved| moved.removes_old).map(|moved| moved.from.clone());
        let pruned = target.extra.iter().filter(|_| self.sync.prune).map(|extra| extra.key.clone());
        moved.chain(pruned).collect()
    }

    /// Changes a target file, and records what is in it then.
    fn change_file(
        &mut self,
        target: &PlannedTarget,
        texts: &[NewText],
        entries: &[EntryToWrite],
        removed: &[UnitKey],
    ) -> Result<(), Failure> {
        let project = self.sync.project;
        let (Some(file), Some(lang)) = (self.sync.files.get(target.file), project.settings.langs.get(target.lang))
        else {
            return Ok(());
        };
        // A link may have appeared since the files were found.
        let real = match project.place(&target.path)? {
            Place::Missing(path) | Place::File(path) => path,
            Place::Folder(_) | Place::Other(_) => {
                return Err(Failure::usage(format!("{} is not a regular file", target.path.display())));
            }
        };
        let dialect = target.source.loaded.catalog.dialect;
        let options = ReadOptions { dialect, target_lang: Some(lang.tag.clone()) };
        let path = CatalogPath { root: project.root.real(), path: &target.path, kind: file.kind, options: &options };
        let now = path.read()?;
        let lang_path = project.settings.rules.get(file.rule).map(|rule| rule.lang_path(lang));
        let language = CatalogLanguage { tag: lang.tag.clone(), path: lang_path.unwrap_or_default() };
        let source = &target.source;
        let change = TargetChange { source: &source.loaded, units: &source.units, language: &language, texts, removed };
        let changed = change.apply(&path, now.as_ref())?;
        let entries_written: Vec<(usize, LockEntry)> = changed
            .written
            .iter()
            .filter_map(|(number, digest)| {
                let entry = entries.get(*number)?.entry;
                Some((*number, LockEntry { target: Some(*digest), ..entry }))
            })
            .collect();
        let (file_name, lang_name) = self.names(target);
        self.write_journal(&file_name, &lang_name, entries, &entries_written)?;
        if let Some(bytes) = changed.bytes.filter(|bytes| now.as_ref().is_none_or(|now| now.bytes() != *bytes)) {
            files::write_atomic(&real, &bytes, FileMode::Inherit)?;
        }
        for number in &changed.kept {
            self.add_kept(target, texts, *number, &lang_name);
        }
        self.record_removed(target, &file_name, &lang_name);
        for (number, entry) in entries_written {
            let Some(EntryToWrite { lock_key, row, .. }) = entries.get(number) else { continue };
            self.lock.set(&file_name, lock_key, &lang_name, entry);
            self.outcome.rows.row((target.file, target.lang, *row)).units += 1;
            self.outcome.written += 1;
        }
        Ok(())
    }

    fn write_journal(
        &self,
        file: &str,
        lang: &str,
        entries: &[EntryToWrite],
        written: &[(usize, LockEntry)],
    ) -> Result<(), Failure> {
        let mut journal = lock_journal(&self.journal);
        let Some(journal) = journal.as_mut() else { return Ok(()) };
        for (number, entry) in written {
            let Some(key) = entries.get(*number).map(|entry| entry.lock_key.clone()) else { continue };
            journal.add_target(&UnitPlace { file: file.to_owned(), key }, lang, *entry);
        }
        journal.sync()
    }

    fn add_kept(&mut self, target: &PlannedTarget, texts: &[NewText], number: usize, lang: &str) {
        let kept = texts.get(number).and_then(|text| target.source.units.kept.get(text.source));
        let Some(unit) = kept.and_then(|kept| target.source.units.unit(kept.position)) else { return };
        let why = "it was changed in the meantime".to_owned();
        let at = Origin::whole(&target.path.to_string_lossy());
        self.outcome.kept.push(FailedUnit { at, key: unit.key.clone(), lang: lang.to_owned(), why });
    }

    /// Forgets the keys that are no longer in the target.
    fn record_removed(&mut self, target: &PlannedTarget, file: &str, lang: &str) {
        for moved in &target.moved {
            self.lock.remove(file, &moved.from_lock_key, lang);
        }
        for extra in target.extra.iter().filter(|_| self.sync.prune) {
            self.lock.remove(file, &extra.lock_key, lang);
            self.outcome.rows.row((target.file, target.lang, RowState::Pruned)).units += 1;
        }
    }

    /// Records the targets that nothing is done about: a person's, or with `adopt = "tulk"` tulk's.
    fn record_others(&mut self, target: &PlannedTarget) {
        let (file, lang) = self.names(target);
        for unit in &target.units {
            let Some(kept) = target.source.units.kept.get(unit.source) else { continue };
            let own = |digest: TextDigest| {
                let entry = self.new_entry(TargetAuthor::Tulk, kept.digests, unit.entry);
                LockEntry { target: Some(digest), ..entry }
            };
            let entry = match unit.state {
                UnitState::Current if unit.entry.is_none() => unit.digests.map(|target| own(target.text)),
                _ => adopted(kept.digests, unit.digests, unit.entry, unit.state),
            };
            let known = self.lock.unit(&file, &kept.lock_key);
            let language = self.lock.language_number(&lang);
            // What was translated just now has an entry of its own.
            let is_written = known.zip(language).is_some_and(|(known, language)| {
                known.entry(language, None, None).is_some_and(|found| Some(found) != unit.entry)
            });
            if let Some(entry) = entry.filter(|_| !is_written) {
                self.lock.set(&file, &kept.lock_key, &lang, entry);
            }
        }
    }
}
