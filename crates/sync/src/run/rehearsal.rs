//! Finds units that their target cannot hold before anything is sent for them.
//!
//! A key may be a text in a target and hold other keys in the source, or be one that the format of the target cannot write. Input:
//! what is sent. Output: the same without such units, which fail with the reason.

use std::collections::HashMap;

use tulk_catalogs::{CatalogKind, CatalogLanguage, ReadOptions};

use super::usable::apply_usable;
use super::{SyncGroup, SyncRun};
use crate::apply::{NewText, TargetChange};
use crate::load::CatalogPath;
use crate::plan::PlannedTarget;
use crate::work::LanguageWork;

/// How a target is read and written.
pub struct TargetSettings {
    /// Its format.
    pub kind: &'static CatalogKind,
    /// How it is read.
    pub options: ReadOptions,
    /// The language that it says it is in.
    pub language: CatalogLanguage,
}

impl TargetSettings {
    /// Returns those of a target; `None` if the plan is of another project.
    pub fn of(sync: &SyncRun, target: &PlannedTarget) -> Option<Self> {
        let (file, lang) = (sync.files.get(target.file)?, sync.project.settings.langs.get(target.lang)?);
        let lang_path = sync.project.settings.rules.get(file.rule).map(|rule| rule.lang_path(lang));
        let options = ReadOptions {
            dialect: target.source.loaded.catalog.dialect,
            target_lang: Some(lang.tag.clone()),
            source_plurals: target.source.plurals.clone(),
        };
        let language = CatalogLanguage { tag: lang.tag.clone(), path: lang_path.unwrap_or_default() };
        Some(Self { kind: file.kind, options, language })
    }
}

/// Takes what cannot be written out of a group.
pub fn rehearse(sync: &SyncRun, group: &mut SyncGroup) {
    let mut tasks: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, task) in group.work.tasks.iter().enumerate() {
        tasks.entry(task.target).or_default().push(number);
    }
    let mut refused = Vec::new();
    for (number, tasks) in tasks {
        let target = sync.plan.targets.get(number);
        // What is removed may be what is in the way.
        let target = target
            .filter(|target| target.exists && target.moved.is_empty() && (!sync.prune || target.extra.is_empty()));
        refused.extend(target.and_then(|target| unwritable(sync, target, &group.work, &tasks)).unwrap_or_default());
    }
    if !refused.is_empty() {
        group.work.refuse(&refused);
    }
}

/// Returns the units that a target cannot hold, of those that it does not have. `None` if it cannot be read or changed as a whole,
/// which the run reports when it writes it.
fn unwritable(
    sync: &SyncRun,
    target: &PlannedTarget,
    work: &LanguageWork,
    tasks: &[usize],
) -> Option<Vec<(usize, String)>> {
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for (number, task) in tasks.iter().filter_map(|number| Some((*number, work.tasks.get(*number)?))) {
        let Some(unit) = target.units.get(task.unit).filter(|unit| unit.target.is_none()) else { continue };
        let Some(text) = task.stand_in() else { continue };
        numbers.push(number);
        texts.push(NewText { source: unit.source, text, is_unchanged: false, before: None, from: None });
    }
    if texts.is_empty() {
        return None;
    }
    let TargetSettings { kind, options, language } = TargetSettings::of(sync, target)?;
    let path = CatalogPath { root: sync.project.root.real(), path: &target.path, kind, options: &options };
    let now = path.read().ok()??;
    let source = &target.source;
    let change =
        TargetChange { source: &source.loaded, units: &source.units, language: &language, texts: &texts, removed: &[] };
    let (_, unusable) = apply_usable(&change, &path, Some(&now)).ok()?;
    Some(unusable.into_iter().filter_map(|(at, why)| Some((*numbers.get(at)?, why))).collect())
}
