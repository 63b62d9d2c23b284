//! Finds texts that a target cannot hold. The target format may be unable to write a text, or a key that has a text in the
//! target may have nested keys in the source. Such units fail before they are sent. When a target is written, bisection
//! finds the texts that the format cannot write or that would make the file unreadable.

use std::collections::HashMap;

use tulk_base::error::Failure;
use tulk_catalogs::{CatalogKind, CatalogLanguage, ReadOptions};

use super::{SyncGroup, SyncRun};
use crate::apply::{ChangedTarget, NewText, RemovedUnit, TargetChange};
use crate::load::{CatalogPath, LoadedCatalog};
use crate::plan::PlannedTarget;
use crate::project::{Project, ProjectFile};
use crate::work::LanguageWork;

pub struct TargetSettings {
    pub kind: &'static CatalogKind,
    pub options: ReadOptions,
    pub language: CatalogLanguage,
}

impl TargetSettings {
    /// Returns `None` if the plan belongs to another project.
    pub fn of(project: &Project, files: &[ProjectFile], target: &PlannedTarget) -> Option<Self> {
        let (file, lang) = (files.get(target.file)?, project.settings.langs.get(target.lang)?);
        let rule = project.settings.rules.get(file.rule)?;
        let options = ReadOptions {
            dialect: target.source.loaded.catalog.dialect,
            target_lang: Some(lang.tag.clone()),
            source_plurals: target.source.plurals.clone(),
            encoding: rule.encoding,
            skips_broken: false,
        };
        let language = CatalogLanguage { tag: lang.tag.clone(), path: rule.lang_path(lang) };
        Some(Self { kind: file.kind, options, language })
    }
}

pub fn fail_unwritable_units(sync: &SyncRun, group: &mut SyncGroup) {
    let mut tasks: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, task) in group.work.tasks.iter().enumerate() {
        tasks.entry(task.target).or_default().push(number);
    }
    let mut refused = Vec::new();
    for (number, tasks) in tasks {
        let target = sync.plan.targets.get(number);
        // Skip targets with removals, because a unit that is about to be removed may cause the problem.
        let target = target
            .filter(|target| target.exists && target.moved.is_empty() && (!sync.prune || target.extra.is_empty()));
        refused
            .extend(target.and_then(|target| find_unwritable(sync, target, &group.work, &tasks)).unwrap_or_default());
    }
    if !refused.is_empty() {
        group.work.fail_before_sending(&refused);
    }
}

/// Finds units that the target does not have yet and cannot hold. `None` if the target cannot be read or changed at all,
/// which the run reports when it writes the target.
fn find_unwritable(
    sync: &SyncRun,
    target: &PlannedTarget,
    work: &LanguageWork,
    tasks: &[usize],
) -> Option<Vec<(usize, String)>> {
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for (number, task) in tasks.iter().filter_map(|number| Some((*number, work.tasks.get(*number)?))) {
        let Some(unit) = target.units.get(task.unit).filter(|unit| unit.target.is_none()) else { continue };
        let Some(text) = task.echo() else { continue };
        numbers.push(number);
        texts.push(NewText { source: unit.source, text, is_unchanged: false, expected_digest: None, from: None });
    }
    if texts.is_empty() {
        return None;
    }
    let TargetSettings { kind, options, language } = TargetSettings::of(&sync.project, &sync.files, target)?;
    let path = CatalogPath { root: sync.project.root.real(), path: &target.path, kind, options: &options };
    let now = path.read().ok()??;
    let source = &target.source;
    let change =
        TargetChange { source: &source.loaded, units: &source.units, language: &language, texts: &texts, removed: &[] };
    let (_, unusable) = apply_usable(&change, &path, Some(&now)).ok()?;
    Some(unusable.into_iter().filter_map(|(at, why)| Some((*numbers.get(at)?, why))).collect())
}

/// Maximum number of attempts. If they do not find all unusable texts, the complete file fails.
const MAX_ATTEMPTS: usize = 200;
/// Reason for a text that was set, but is missing in the result.
const CANNOT_HOLD_RESULT: &str = "the file format cannot hold the result";

/// Applies a change without the unusable texts, and returns these by position, with the reason.
pub fn apply_usable(
    change: &TargetChange<'_>,
    path: &CatalogPath<'_>,
    now: Option<&LoadedCatalog>,
) -> Result<(ChangedTarget, Vec<(usize, String)>), Failure> {
    match change.apply(path, now) {
        Ok(changed) => {
            let unusable = changed.lost.iter().map(|number| (*number, CANNOT_HOLD_RESULT.to_owned())).collect();
            Ok((changed, unusable))
        }
        Err(failure) => apply_by_bisection(change, path, now).ok_or(failure),
    }
}

/// Bisects for unusable texts and applies the others. `None` if the error has another cause.
fn apply_by_bisection(
    change: &TargetChange<'_>,
    path: &CatalogPath<'_>,
    now: Option<&LoadedCatalog>,
) -> Option<(ChangedTarget, Vec<(usize, String)>)> {
    let attempt = |numbers: &[usize]| {
        let texts: Vec<NewText> = numbers.iter().filter_map(|number| change.texts.get(*number).cloned()).collect();
        TargetChange { texts: &texts, removed: &[], ..*change }.apply(path, now)
    };
    attempt(&[]).ok()?;
    let all: Vec<usize> = (0..change.texts.len()).collect();
    let (mut open, mut unusable, mut attempts) = (vec![all], Vec::new(), 0);
    while let Some(numbers) = open.pop() {
        attempts += 1;
        let Err(failure) = attempt(&numbers) else { continue };
        match numbers.as_slice() {
            [only] => unusable.push((*only, failure.what)),
            _ if attempts > MAX_ATTEMPTS => return None,
            _ => {
                let (first, second) = numbers.split_at(numbers.len() / 2);
                open.extend([second.to_vec(), first.to_vec()]);
            }
        }
    }
    let is_unusable = |number: &usize| unusable.iter().any(|(other, _)| other == number);
    let kept: Vec<usize> = (0..change.texts.len()).filter(|number| !is_unusable(number)).collect();
    let texts: Vec<NewText> = kept.iter().filter_map(|number| change.texts.get(*number).cloned()).collect();
    // Do not remove the old unit of a move if the new text is unusable. `positions` has the original position of each
    // remaining removal.
    let removed: Vec<RemovedUnit> = change
        .removed
        .iter()
        .map(|removed| {
            let for_text = removed.for_text.map(|text| kept.binary_search(&text).unwrap_or(usize::MAX));
            RemovedUnit { for_text, ..removed.clone() }
        })
        .collect();
    let (removed_now, positions): (Vec<RemovedUnit>, Vec<usize>) =
        removed.into_iter().zip(0..).filter(|(removed, _)| removed.for_text != Some(usize::MAX)).unzip();
    let changed = TargetChange { texts: &texts, removed: &removed_now, ..*change }.apply(path, now).ok()?;
    let number = |at: &usize| kept.get(*at).copied();
    let ChangedTarget { bytes, written, kept: unchanged, lost, removed } = changed;
    unusable.extend(lost.iter().filter_map(number).map(|at| (at, CANNOT_HOLD_RESULT.to_owned())));
    let changed = ChangedTarget {
        bytes,
        written: written.iter().filter_map(|(at, digest)| Some((number(at)?, *digest))).collect(),
        kept: unchanged.iter().filter_map(number).collect(),
        lost: unusable.iter().map(|(at, _)| *at).collect(),
        removed: removed.iter().filter_map(|at| positions.get(*at).copied()).collect(),
    };
    Some((changed, unusable))
}
