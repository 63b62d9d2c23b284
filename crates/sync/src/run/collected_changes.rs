//! Collects the changes to a target: translations, renamed units and units to remove.

use std::collections::HashSet;
use std::path::PathBuf;

use tulk_base::error::Origin;
use tulk_base::numbers::{counted, grouped};
use tulk_catalogs::{Unit, UnitKey, UnitText};

use super::rows::RowState;
use super::write::new_entry;
use super::{SyncGroup, SyncRun};
use crate::apply::{NewText, RemovedUnit};
use crate::compare::ComparedUnit;
use crate::digest::TextDigest;
use crate::lock::{LockEntry, TargetAuthor};
use crate::moves::UnitLocation;
use crate::plan::{MovedTarget, PlannedTarget};
use crate::rules::{message_rules, problem};
use crate::state::SourceDigests;
use crate::work::TaskOutcome;

#[derive(Default)]
pub struct CollectedChanges {
    pub texts: Vec<NewText>,
    /// In the order of `texts`.
    pub entries: Vec<EntryToWrite>,
    /// First the renamed units, then the pruned ones.
    pub removed: Vec<RemovedUnit>,
    /// Position of the first pruned unit in `removed`.
    pub first_pruned: usize,
    /// Units without a usable result, with the location of the source and the reason.
    pub failed: Vec<(ComparedUnit, Option<Origin>, String)>,
    /// Units that a person has already renamed in the target.
    pub moved_by_hand: Vec<MovedTarget>,
    /// Units whose lock entry is final, as positions in the source.
    pub recorded: HashSet<usize>,
    pub has_unfinished: bool,
}

pub struct EntryToWrite {
    /// Position of the unit among the kept units of the source.
    pub source: usize,
    /// The unit, if it was translated; `None` if it was moved.
    pub unit: Option<ComparedUnit>,
    /// The entry, without the target digest.
    pub entry: LockEntry,
    pub lock_key: String,
    /// The row that counts the unit.
    pub row: RowState,
    pub origin: Option<Origin>,
    /// `None` if the unit was not moved.
    pub moved: Option<MovedText>,
}

pub struct MovedText {
    pub from: UnitLocation,
    /// Whether another list item now has the old key.
    pub is_old_key_reused: bool,
    pub old: (UnitKey, TextDigest),
    /// Set if the unit must be removed from another file.
    pub old_path: Option<PathBuf>,
}

/// Collects the changes to a target from the results of a group. `tasks` are the units of the group in this target.
pub fn collect_changes(sync: &SyncRun, group: &SyncGroup, target: &PlannedTarget, tasks: &[usize]) -> CollectedChanges {
    let mut changes = CollectedChanges::default();
    changes.texts.reserve(tasks.len());
    changes.entries.reserve(tasks.len());
    for (number, task) in tasks.iter().filter_map(|number| Some((*number, group.work.tasks.get(*number)?))) {
        let Some(unit) = target.units.get(task.unit).copied() else { continue };
        let Some(kept) = target.source.units.kept.get(unit.source) else { continue };
        let origin = group.origins.get(number).cloned();
        let Some(from) = target.source.units.unit(kept.position) else { continue };
        match task.outcome() {
            TaskOutcome::Unfinished => changes.has_unfinished = true,
            TaskOutcome::Failed(why) => changes.fail(unit, origin, why),
            TaskOutcome::Done { text, is_unchanged } => {
                let broken = broken_rule(&text, from);
                if let Some(why) = broken.or_else(|| problem_in_next_run(sync, target, from, &text)) {
                    changes.fail(unit, origin, why);
                } else {
                    let expected_digest = unit.digests.map(|target| target.text);
                    changes.texts.push(NewText {
                        source: unit.source,
                        text,
                        is_unchanged,
                        expected_digest,
                        from: None,
                    });
                    changes.entries.push(EntryToWrite {
                        source: unit.source,
                        unit: Some(unit),
                        entry: new_entry(sync, TargetAuthor::Tulk, kept.digests, unit.entry),
                        lock_key: kept.lock_key.clone(),
                        row: RowState::Unit(unit.state),
                        origin,
                        moved: None,
                    });
                }
            }
        }
    }
    for moved in &target.moved {
        changes.add_moved(sync, target, moved);
    }
    changes.first_pruned = changes.removed.len();
    if sync.prune {
        let pruned = target.extra.iter();
        let removed =
            pruned.map(|extra| RemovedUnit { key: extra.key.clone(), expected_digest: extra.digest, for_text: None });
        changes.removed.extend(removed);
    }
    changes
}

/// An outdated target keeps its old source digest, so it stays outdated.
fn moved_entry(sync: &SyncRun, author: TargetAuthor, source: SourceDigests, old_entry: Option<LockEntry>) -> LockEntry {
    match old_entry.filter(|entry| entry.source != source.text) {
        Some(entry) => LockEntry { author, target: None, ..entry },
        None => new_entry(sync, author, source, old_entry),
    }
}

fn broken_rule(text: &UnitText, unit: &Unit) -> Option<String> {
    if text.is_blank() {
        return Some("the result is empty".to_owned());
    }
    let long = unit.exceeded_limit(text);
    long.map(|(chars, limit)| {
        format!("the result has {}; the limit is {}", counted(chars, "character"), grouped(limit))
    })
}

fn problem_in_next_run(sync: &SyncRun, target: &PlannedTarget, unit: &Unit, text: &UnitText) -> Option<String> {
    let file = sync.files.get(target.file)?;
    let lang = sync.project.settings.langs.get(target.lang);
    let rules = message_rules(&sync.project, file.kind, &target.source, lang, &target.forms, unit);
    problem(unit, text, &rules, TargetAuthor::Tulk)
}

impl CollectedChanges {
    fn fail(&mut self, unit: ComparedUnit, origin: Option<Origin>, why: String) {
        if unit.can_overwrite() {
            self.recorded.insert(unit.source);
        }
        self.failed.push((unit, origin, why));
    }

    fn add_moved(&mut self, sync: &SyncRun, target: &PlannedTarget, moved: &MovedTarget) {
        let Some(kept) = target.source.units.kept.get(moved.unit) else { return };
        let Some(old) =
            moved.old.as_ref().filter(|old| moved.digest_at_new_key != Some(old.digest) || old.path.is_none())
        else {
            return self.moved_by_hand.push(moved.clone());
        };
        let number = self.texts.len();
        let is_own = old.path.is_none();
        if is_own && old.is_removed {
            let removed = RemovedUnit { key: old.key.clone(), expected_digest: old.digest, for_text: Some(number) };
            self.removed.push(removed);
        }
        let from = is_own.then(|| (old.key.clone(), old.digest));
        let text = old.text.clone();
        self.texts.push(NewText {
            source: moved.unit,
            text,
            is_unchanged: false,
            expected_digest: moved.digest_at_new_key,
            from,
        });
        let author = moved.entry.map_or(TargetAuthor::Person, |entry| entry.author);
        self.entries.push(EntryToWrite {
            source: moved.unit,
            unit: None,
            entry: moved_entry(sync, author, kept.digests, moved.entry),
            lock_key: kept.lock_key.clone(),
            row: RowState::Moved,
            origin: None,
            moved: Some(MovedText {
                from: moved.from.clone(),
                is_old_key_reused: is_own && target.source.units.has_key(&old.key),
                old: (old.key.clone(), old.digest),
                old_path: old.path.clone().filter(|_| old.is_removed),
            }),
        });
    }
}
