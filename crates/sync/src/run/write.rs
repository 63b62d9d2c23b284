//! Writes targets and the lock on a separate thread, while answers for other groups arrive. Once all answers of a group
//! have arrived, the thread writes the journal, the targets and the lock, in this order.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, mpsc};

use tulk_base::error::{Failure, Kind, Origin};
use tulk_base::files;
use tulk_base::limits::CATALOG_FILE;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_formats::SentenceParts;
use tulk_pipeline::PipelineReport;

use super::collected_changes::{CollectedChanges, EntryToWrite, collect_changes};
use super::lock_file::LockFile;
use super::moved_away::MovedAway;
use super::observer::{AnswerKeys, SentEntries, SharedJournal};
use super::rows::{RowState, add_request};
use super::unwritable_units::{TargetSettings, apply_usable};
use super::{FailedUnit, SyncGroup, SyncOutcome, SyncRun};
use crate::apply::{ChangedTarget, TargetChange};
use crate::compare::ComparedUnit;
use crate::digest::SentDigest;
use crate::journal::{JournalAnswer, JournalLines};
use crate::load::CatalogPath;
use crate::lock::{Lock, LockEntry, TargetAuthor};
use crate::moves::UnitLocation;
use crate::plan::{PlannedTarget, note_comparison};
use crate::project::{ProjectLang, ProjectSettings, ResolvedPath};
use crate::state::{NoteComparison, SourceDigests, UnitState, adopted};

pub enum GroupEvent {
    /// About to be sent.
    Started {
        number: usize,
        group: SyncGroup,
        /// Already known answers, by entry.
        known: Vec<(usize, JournalAnswer)>,
        keys: AnswerKeys,
    },
    /// Number of the group, and answers by entry.
    Answered(usize, Vec<(usize, JournalAnswer)>),
    Ended(usize, Box<PipelineReport>, Vec<SentEntries>),
}

/// Writes the targets of each group when it has finished, and the lock.
pub fn write_groups(
    sync: &Arc<SyncRun>,
    lock: Lock,
    journal: SharedJournal,
    events: mpsc::Receiver<GroupEvent>,
) -> SyncOutcome {
    let mut files = TargetFiles::new(sync, lock, journal);
    let (mut groups, mut last) = (HashMap::new(), None);
    for event in events {
        match event {
            GroupEvent::Started { number, mut group, known, keys } => {
                set_results(sync, &mut group, known);
                groups.insert(number, (group, keys));
            }
            GroupEvent::Answered(number, answers) => {
                if let Some((group, _)) = groups.get_mut(&number) {
                    set_results(sync, group, answers);
                }
            }
            GroupEvent::Ended(number, report, requests) => {
                let Some((group, keys)) = groups.remove(&number) else { continue };
                files.add_report(&group, *report, requests);
                files.write_group(&group, keys);
                last = Some(group);
            }
        }
    }
    let outcome = files.finish();
    // Do not free this memory: the process exits soon, and many small deallocations take time.
    std::mem::forget(last);
    outcome
}

fn set_results(sync: &SyncRun, group: &mut SyncGroup, results: Vec<(usize, JournalAnswer)>) {
    for (entry, result) in results {
        match result {
            Err(why) => group.work.fail(entry, &why),
            Ok(text) => {
                let Some(sentence) = group.work.sentence(entry) else { continue };
                let parts = SentenceParts::of(sentence);
                let text = if sync.is_pseudo && parts.is_sent() { pseudo_translation(&text) } else { text };
                let text = parts.with_result(&text);
                let is_unchanged = text == parts.unchanged();
                group.work.set_result(entry, &text, is_unchanged);
            }
        }
    }
}

/// Puts the text in brackets and makes it a third longer, so that truncated and concatenated texts are visible in a
/// program.
fn pseudo_translation(text: &str) -> String {
    let more = text.chars().count().div_ceil(3).max(2);
    format!("[{text} {}]", "~".repeat(more - 1))
}

/// Maximum number of different refusals to report per group.
const MAX_LISTED_REFUSALS: usize = 5;

pub struct TargetFiles<'a> {
    sync: &'a SyncRun,
    lock: LockFile<'a>,
    journal: SharedJournal,
    outcome: SyncOutcome,
    moved_away: MovedAway,
    /// Locations and languages whose entries stay in the lock until the units have moved in the other languages too.
    needed_for_moves: Vec<(UnitLocation, String)>,
    /// For each written group, its journal keys and the entries whose answers are not in a target yet.
    used_answers: Vec<(AnswerKeys, HashSet<usize>)>,
    has_unwritten_answers: bool,
}

struct TargetWork<'b> {
    target: &'b PlannedTarget,
    file: String,
    lang: String,
    changes: CollectedChanges,
}

impl<'a> TargetFiles<'a> {
    pub fn new(sync: &'a SyncRun, lock: Lock, journal: SharedJournal) -> Self {
        let lock = LockFile::new(&sync.project, lock);
        let (outcome, moved_away) = (SyncOutcome::default(), MovedAway::default());
        let (needed_for_moves, used_answers) = (Vec::new(), Vec::new());
        Self { sync, lock, journal, outcome, moved_away, needed_for_moves, used_answers, has_unwritten_answers: false }
    }

    /// `requests` are the answered ones.
    pub fn add_report(&mut self, group: &SyncGroup, mut report: PipelineReport, requests: Vec<SentEntries>) {
        for entries in requests {
            add_request(&self.sync.plan, group, &mut self.outcome.sent, entries);
        }
        let settings = &self.sync.project.settings;
        let with_lang = |failure| match settings.langs.get(group.lang) {
            Some(lang) => with_language(settings, lang, failure),
            None => failure,
        };
        let failure = report.targets.first_mut().and_then(|target| target.failure.take());
        for failure in report.ended_by.take().into_iter().chain(failure) {
            if failure.kind.is_stop()
                || matches!(failure.kind, Kind::Key | Kind::Quota)
                || self.is_journal_failure(&failure)
            {
                self.outcome.ended_by.get_or_insert(failure);
            } else {
                self.outcome.failures.push(with_lang(failure));
            }
        }
        let mut causes: Vec<String> = Vec::new();
        for refused in report.refused.iter().filter(|refused| refused.failure.service.is_some()) {
            let cause = refused.failure.cause();
            if causes.len() < MAX_LISTED_REFUSALS && !causes.contains(&cause) {
                self.outcome.failures.push(with_lang(Failure { at: None, ..refused.failure.clone() }));
                causes.push(cause);
            }
        }
        self.outcome.reports.push(report);
    }

    /// A write error of the journal ends the run.
    fn is_journal_failure(&self, failure: &Failure) -> bool {
        self.journal.failure().is_some_and(|known| known.what == failure.what)
    }

    pub fn write_group(&mut self, group: &SyncGroup, keys: AnswerKeys) {
        let mut tasks: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, task) in group.work.tasks.iter().enumerate() {
            tasks.entry(task.target).or_default().push(number);
        }
        let mut unwritten_targets = HashSet::new();
        for number in &group.targets {
            let Some(target) = self.sync.plan.targets.get(*number) else { continue };
            let tasks = tasks.remove(number).unwrap_or_default();
            if let Err(failure) = self.write_target(group, target, &tasks) {
                self.has_unwritten_answers = true;
                unwritten_targets.insert(*number);
                if self.is_journal_failure(&failure) {
                    self.outcome.ended_by.get_or_insert(failure);
                } else {
                    self.outcome.failures.push(failure);
                }
            }
        }
        // Remove the old units before the old locations are removed from the lock.
        self.outcome.failures.extend(self.moved_away.remove(&self.sync.project));
        if let Err(failure) = self.write_lock(false) {
            self.has_unwritten_answers = true;
            self.outcome.failures.push(failure);
            return;
        }
        let is_open = |task: usize| {
            group
                .work
                .tasks
                .get(task)
                .is_none_or(|task| task.is_unfinished() || unwritten_targets.contains(&task.target))
        };
        let open = (0..group.work.entries.len()).filter(|entry| group.work.users(*entry).any(is_open));
        self.used_answers.push((keys, open.collect()));
    }

    /// Writes the lock. In the journal, keeps only answers that are not in a target.
    pub fn finish(mut self) -> SyncOutcome {
        for (from, lang) in std::mem::take(&mut self.needed_for_moves) {
            if !self.lock.is_needed_for_moves(&from.file, &from.key, &lang) {
                self.lock.remove(&from.file, &from.key, &lang);
            }
        }
        if self.sync.prune && self.sync.is_whole && self.sync.plan.unreadable.is_empty() {
            let project = &self.sync.project;
            let has_lang = |tag: &str| project.settings.langs.iter().any(|lang| lang.tag == tag);
            let files: HashSet<&str> = self.sync.files.iter().map(|file| file.lock_name.as_str()).collect();
            self.lock.prune(|name| files.contains(name), has_lang);
        }
        let written = self.write_lock(true);
        let is_locked = written.is_ok();
        if let Err(failure) = written {
            self.outcome.failures.push(failure);
        }
        let failures = [&self.outcome.failures, &self.sync.plan.unreadable];
        self.has_unwritten_answers |=
            self.outcome.ended_by.is_some() || failures.iter().any(|failures| !failures.is_empty());
        if let Some(mut journal) = self.journal.lock().take().filter(|_| is_locked) {
            let failure = journal.failure().cloned();
            if let Some(failure) = &failure {
                self.outcome.ended_by.get_or_insert_with(|| failure.clone());
            }
            // Keep answers of earlier runs for other languages, files and keys.
            let ended = if self.has_unwritten_answers || !self.sync.is_whole {
                let used: HashSet<SentDigest> =
                    self.used_answers.iter().flat_map(|(keys, open)| keys.without(open)).collect();
                journal.keep_unused(self.lock.lock(), |sent| used.contains(&sent))
            } else {
                journal.remove()
            };
            // A write error of the journal is already reported.
            self.outcome.failures.extend(ended.err().filter(|_| failure.is_none()));
        }
        let Self { outcome, lock, .. } = self;
        std::mem::forget(lock);
        outcome
    }

    /// Writes the lock at the end of the run; before that, writes only pending changes.
    fn write_lock(&mut self, is_last: bool) -> Result<(), Failure> {
        match (self.sync.is_pseudo, is_last) {
            (true, _) => Ok(()),
            (false, true) => self.lock.write(),
            (false, false) => self.lock.write_changes(),
        }
    }

    fn write_target(&mut self, group: &SyncGroup, target: &PlannedTarget, tasks: &[usize]) -> Result<(), Failure> {
        // Do this even if there is nothing to write: if an earlier run was killed just after it exchanged the old and the new
        // target, the old one is left as a temporary file.
        files::remove_abandoned(files::parent_dir(&self.sync.project.root.real().join(&target.path)));
        let changes = collect_changes(self.sync, group, target, tasks);
        let (file, lang) = self.file_and_lang(target);
        self.has_unwritten_answers |= changes.has_unfinished;
        let mut work = TargetWork { target, file, lang, changes };
        for (unit, origin, why) in std::mem::take(&mut work.changes.failed) {
            self.record_failure(&work, &unit, origin, why);
        }
        if !work.changes.texts.is_empty() || !work.changes.removed.is_empty() {
            self.change_file(&mut work)?;
        }
        self.record_unchanged_targets(&work);
        Ok(())
    }

    fn record_failure(&mut self, work: &TargetWork<'_>, unit: &ComparedUnit, origin: Option<Origin>, why: String) {
        let TargetWork { target, file, lang, .. } = work;
        let Some(kept) = target.source.units.kept.get(unit.source) else { return };
        let key = target.source.units.unit(kept.position).map(|unit| unit.key.clone()).unwrap_or_default();
        self.outcome.failed.push(FailedUnit { at: origin.unwrap_or_default(), key, lang: lang.clone(), why });
        self.outcome.rows.row((target.file, target.lang, RowState::Unit(UnitState::Failed))).units += 1;
        // Never replace the entry of a person's target by `Failed`.
        if unit.can_overwrite() {
            let entry = new_entry(self.sync, TargetAuthor::Failed, kept.digests, unit.entry);
            let target = unit.digests.map(|target| target.text);
            self.lock.set(file, &kept.lock_key, lang, LockEntry { target, ..entry });
        }
    }

    fn file_and_lang(&self, target: &PlannedTarget) -> (String, String) {
        let file = self.sync.files.get(target.file).map(|file| file.lock_name.clone()).unwrap_or_default();
        let lang = self.sync.project.settings.langs.get(target.lang).map(|lang| lang.tag.clone()).unwrap_or_default();
        (file, lang)
    }

    fn change_file(&mut self, work: &mut TargetWork<'_>) -> Result<(), Failure> {
        let (project, target) = (&self.sync.project, work.target);
        let settings = TargetSettings::of(project, &self.sync.files, target);
        let Some(TargetSettings { kind, options, language }) = settings else { return Ok(()) };
        // Resolve the path again, because a symbolic link may have appeared since the files were found.
        let real = match project.resolve(&target.path)? {
            ResolvedPath::Missing(path) | ResolvedPath::File(path) => path,
            ResolvedPath::Folder(_) | ResolvedPath::Other(_) => {
                return Err(Failure::usage(format!("{} is not a regular file", target.path.display())));
            }
        };
        let path = CatalogPath { root: project.root.real(), path: &target.path, kind, options: &options };
        let CollectedChanges { texts, removed, .. } = &work.changes;
        let source = &target.source;
        let change = TargetChange { source: &source.loaded, units: &source.units, language: &language, texts, removed };
        let (changed, unusable, written) =
            files::edit_file(&real, &target.path, CATALOG_FILE, files::FileMode::Inherit, |bytes| {
                if target.exists && bytes.is_none() {
                    return Err(Failure::usage(format!("{} was removed in the meantime", path.name())));
                }
                let now = bytes.map(|bytes| path.parse(bytes)).transpose()?;
                let (mut changed, unusable) = apply_usable(&change, &path, now.as_ref())?;
                let written = self.write_journal(work, &changed)?;
                let new = changed.bytes.take().filter(|new| bytes != Some(new.as_slice()));
                Ok((new, (changed, unusable, written)))
            })?;
        for (number, why) in unusable {
            let Some(EntryToWrite { unit: Some(unit), origin, .. }) = work.changes.entries.get(number) else {
                continue;
            };
            self.record_failure(work, unit, origin.clone(), why);
        }
        for number in &changed.kept {
            self.report_kept(work, *number);
        }
        self.record_moved(work, &changed);
        self.record_removed(work, &changed);
        for (number, entry) in written {
            let Some(EntryToWrite { lock_key, row, source, .. }) = work.changes.entries.get(number) else { continue };
            self.lock.set(&work.file, lock_key, &work.lang, entry);
            self.outcome.rows.row((target.file, target.lang, *row)).units += 1;
            self.outcome.written += 1;
            work.changes.recorded.insert(*source);
        }
        Ok(())
    }

    /// Records the new targets in the journal before they are written, because otherwise a later run could not tell that they
    /// are tulk's. Returns their lock entries, by text number.
    fn write_journal(
        &self,
        work: &TargetWork<'_>,
        changed: &ChangedTarget,
    ) -> Result<Vec<(usize, LockEntry)>, Failure> {
        let written = changed.written.iter().filter_map(|(number, digest)| {
            let entry = work.changes.entries.get(*number)?.entry;
            Some((*number, LockEntry { target: Some(*digest), ..entry }))
        });
        let written: Vec<(usize, LockEntry)> = written.collect();
        if self.journal.lock().is_some() {
            let mut lines = JournalLines::default();
            for (number, entry) in &written {
                let Some(text) = work.changes.entries.get(*number) else { continue };
                lines.add_target((&work.file, &text.lock_key), &work.lang, *entry);
            }
            self.journal.write_targets(lines)?;
        }
        Ok(written)
    }

    fn report_kept(&mut self, work: &TargetWork<'_>, number: usize) {
        let units = &work.target.source.units;
        let kept = work.changes.texts.get(number).and_then(|text| units.kept.get(text.source));
        let Some(unit) = kept.and_then(|kept| units.unit(kept.position)) else { return };
        let why = "it was changed in the meantime".to_owned();
        let at = Origin::whole(&work.target.path.to_string_lossy());
        self.outcome.kept.push(FailedUnit { at, key: unit.key.clone(), lang: work.lang.clone(), why });
    }

    fn record_moved(&mut self, work: &TargetWork<'_>, changed: &ChangedTarget) {
        for (number, entry) in work.changes.entries.iter().enumerate() {
            let Some(moved) = &entry.moved else { continue };
            if changed.kept.contains(&number) || changed.lost.contains(&number) {
                continue;
            }
            self.remove_old_location(&moved.from, &work.lang, moved.is_old_key_reused);
            if let Some(path) = &moved.old_path {
                self.moved_away.add(work.target, path, moved);
            }
        }
    }

    fn remove_old_location(&mut self, from: &UnitLocation, lang: &str, is_old_key_reused: bool) {
        let is_needed_for_moves = self.lock.is_needed_for_moves(&from.file, &from.key, lang);
        match self.lock.entry(&from.file, &from.key, lang).filter(|_| is_old_key_reused || is_needed_for_moves) {
            // If another list item now has this key, keep the entry, so that the old target counts as outdated until the new
            // one is written. Also keep an entry whose source text other languages need to find the new key.
            Some(entry) => {
                let entry = LockEntry { author: TargetAuthor::Tulk, ..entry };
                self.lock.set(&from.file, &from.key, lang, entry);
                if !is_old_key_reused {
                    self.needed_for_moves.push((from.clone(), lang.to_owned()));
                }
            }
            None => self.lock.remove(&from.file, &from.key, lang),
        }
    }

    fn record_removed(&mut self, work: &TargetWork<'_>, changed: &ChangedTarget) {
        for number in &changed.removed {
            let Some(extra) = number.checked_sub(work.changes.first_pruned).and_then(|at| work.target.extra.get(at))
            else {
                continue;
            };
            self.lock.remove(&work.file, &extra.lock_key, &work.lang);
            self.outcome.rows.row((work.target.file, work.target.lang, RowState::Pruned)).units += 1;
        }
    }

    /// Records targets that this run neither translated nor moved: those that a person wrote or moved, those that count as
    /// tulk's because of `adopt = "tulk"`, and those whose entry was lost. Also removes the entries of keys that are gone.
    fn record_unchanged_targets(&mut self, work: &TargetWork<'_>) {
        let TargetWork { target, file, lang, changes } = work;
        for moved in &changes.moved_by_hand {
            let Some(kept) = target.source.units.kept.get(moved.unit) else { continue };
            let Some(entry) = moved.entry else { continue };
            self.lock.set(file, &kept.lock_key, lang, entry);
            self.remove_old_location(&moved.from, lang, false);
            self.outcome.rows.row((target.file, target.lang, RowState::Moved)).units += 1;
            if let Some(old) = &moved.old {
                self.moved_away.add_old(target, old);
            }
        }
        let has_source = self.sync.files.get(target.file).is_some_and(|file| file.source.is_some());
        // While some texts are unfinished, keep the entries of keys that are gone. If a unit was renamed and its target is
        // unconfirmed, the old entry may be the only record of the author.
        let may_remove = !changes.has_unfinished && (has_source || self.sync.prune);
        for key in target.forgotten.iter().filter(|_| may_remove) {
            self.remove_old_location(&UnitLocation { file: file.clone(), key: key.clone() }, lang, false);
        }
        for unit in target.units.iter().filter(|unit| !changes.recorded.contains(&unit.source)) {
            let Some(kept) = target.source.units.kept.get(unit.source) else { continue };
            let digest = unit.digests.map(|target| target.text);
            let fits = unit.entry.filter(|entry| entry.target == digest);
            let entry = match fits {
                // Write the entry unless the lock has exactly this one: an earlier run may have been killed before it wrote
                // the lock, or a merge may have left several entries.
                Some(entry) => (!unit.is_locked).then_some(entry),
                None => adopted(kept.digests, unit.digests, unit.entry, unit.state),
            };
            match entry {
                Some(entry) => self.lock.set(file, &kept.lock_key, lang, entry),
                // A merge left several entries but none for this target, so its author is unknown.
                None if unit.entry.is_none() && !unit.is_locked && !unit.can_overwrite() => {
                    self.lock.remove(file, &kept.lock_key, lang);
                }
                None => {}
            }
        }
    }
}

/// Returns an entry without the target digest. If notes are not compared, keeps the recorded note.
pub fn new_entry(
    sync: &SyncRun,
    author: TargetAuthor,
    source: SourceDigests,
    old_entry: Option<LockEntry>,
) -> LockEntry {
    let note = match note_comparison(sync.project.settings.context) {
        NoteComparison::Compared => source.note,
        NoteComparison::Ignored => old_entry.and_then(|entry| entry.note),
    };
    LockEntry { author, source: source.text, note, target: None }
}

/// Adds the language, and a hint if the service refused a language code.
fn with_language(settings: &ProjectSettings, lang: &ProjectLang, mut failure: Failure) -> Failure {
    let source = &settings.source_lang;
    let refused = [("target_lang", lang, false), ("source_lang", source, true)].into_iter();
    let names = |parameter: &str| failure.service.as_ref().is_some_and(|service| service.names(parameter));
    let refused = refused.filter(|(parameter, ..)| names(parameter)).find_map(|(_, refused, is_source)| {
        let code: LangCode = refused.service.parse().ok()?;
        let hint = format!(
            "for another code, set `service` under [sync.langs.{}]; `tulk langs list` shows the supported ones",
            refused.tag
        );
        Some(match code.did_you_mean(LanguageUse::Text, is_source) {
            Some(question) => format!("{question} {hint}"),
            None => hint,
        })
    });
    failure.what = format!("{}: {}", lang.tag, failure.what);
    failure.hint = failure.hint.or(refused);
    failure
}
