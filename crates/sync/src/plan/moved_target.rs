//! Targets of renamed units: still at the old location, possibly in another file, or already moved by a person.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tulk_catalogs::{CatalogKind, ReadOptions, Unit};

use super::moved::{MovedUnits, list_prefix};
use super::target::TargetPair;
use super::{MovedTarget, OldUnit, PlanRequest};
use crate::compare::{ComparedUnit, TargetUnits};
use crate::digest::TextDigest;
use crate::load::{CatalogPath, LoadedCatalog};
use crate::lock::{LockEntry, LockLanguage, lock_key};
use crate::moves::UnitLocation;

pub struct MovedTargets<'a> {
    request: PlanRequest<'a>,
    pair: &'a TargetPair<'a>,
    lang: usize,
    language: Option<LockLanguage>,
    target: TargetUnits<'a>,
    moved: &'a MovedUnits,
    old: &'a OldTargets,
    by_lock_key: HashMap<String, usize>,
    /// Lists whose target items are still in the order of the lock.
    lists: HashSet<String>,
}

impl<'a> MovedTargets<'a> {
    /// `lang` is the position of the language.
    pub fn new(
        request: PlanRequest<'a>,
        (pair, lang): (&'a TargetPair<'a>, usize),
        target: TargetUnits<'a>,
        moved: &'a MovedUnits,
        old: &'a OldTargets,
    ) -> Self {
        let by_lock_key = target.units.iter().enumerate().map(|(at, unit)| (lock_key(&unit.key), at)).collect();
        let language = request.lock.language_number(&pair.lang.tag);
        let lists = HashSet::new();
        let mut targets = Self { request, pair, lang, language, target, moved, old, by_lock_key, lists };
        // A person may have removed a list item in the target too. Then the positions in the lock do not fit the items of the target.
        let origins = moved.old_locations_within(&pair.file.lock_name).filter(|from| targets.matches_lock(from));
        targets.lists = origins.filter_map(|from| list_prefix(&from.key)).map(str::to_owned).collect();
        targets
    }

    fn unit_of_key(&self, key: &str) -> Option<&'a Unit> {
        self.target.units.get(*self.by_lock_key.get(key)?)
    }

    fn entry(&self, from: &UnitLocation, source: Option<TextDigest>, target: TextDigest) -> Option<LockEntry> {
        let entry = self.request.lock.unit(&from.file, &from.key)?.entry(self.language?, source, Some(target))?;
        (entry.target == Some(target)).then_some(entry)
    }

    fn matches_lock(&self, from: &UnitLocation) -> bool {
        let unit = self.unit_of_key(&from.key);
        let text = unit.and_then(|unit| Some((self.target.text(unit)?, unit.needs_review)));
        text.is_some_and(|(text, mark)| self.entry(from, None, TextDigest::of_unit(text, mark)).is_some())
    }

    /// Returns whether the unit of this key has moved to another key, so that the target here belongs to the other key.
    pub fn has_moved_away(&self, key: &str) -> bool {
        let location = UnitLocation { file: self.pair.file.lock_name.clone(), key: key.to_owned() };
        self.moved.new_location(&location).is_some_and(|to| self.is_moved(&location, to))
    }

    fn is_moved(&self, from: &UnitLocation, to: &UnitLocation) -> bool {
        !self.has_lock_entry(to)
            || list_prefix(&from.key).is_some_and(|list| from.file == to.file && self.lists.contains(list))
    }

    fn has_lock_entry(&self, to: &UnitLocation) -> bool {
        let unit = self.request.lock.unit(&to.file, &to.key);
        unit.zip(self.language).is_some_and(|(unit, language)| unit.count(language) > 0)
    }

    pub fn moved_target(&self, unit: &ComparedUnit) -> Option<MovedTarget> {
        let kept = self.pair.source.units.kept.get(unit.source)?;
        let location = UnitLocation { file: self.pair.file.lock_name.clone(), key: kept.lock_key.clone() };
        let from = self.moved.old_location(&location)?;
        if !self.is_moved(from, &location) {
            return None;
        }
        let digest_at_new_key = unit.digests.map(|target| target.text);
        let text = Some(kept.digests.text);
        let old = self.old_unit(from);
        let (old, entry) = if let Some(now) = digest_at_new_key.filter(|_| !self.has_lock_entry(&location)) {
            // A person has moved the target already. Remove the old copy if it has the same text.
            let entry = self.entry(from, text, now)?;
            let old = old.filter(|old| old.digest == now && old.is_removed);
            (old.map(|old| OldUnit { path: old.path.or_else(|| self.target_path()), ..old }), Some(entry))
        } else {
            let old = old?;
            let entry = self.entry(from, text, old.digest);
            (Some(old), entry)
        };
        Some(MovedTarget { unit: unit.source, from: from.clone(), old, entry, digest_at_new_key })
    }

    fn target_path(&self) -> Option<PathBuf> {
        self.pair.file.targets.iter().find(|(lang, _)| *lang == self.lang).map(|(_, path)| path.clone())
    }

    fn old_unit(&self, from: &UnitLocation) -> Option<OldUnit> {
        let is_removed = !self.moved.is_new_location(from);
        let found = |unit: &Unit, units: TargetUnits<'_>, path| {
            let text = units.text(unit)?.clone();
            let digest = TextDigest::of_unit(&text, unit.needs_review);
            Some(OldUnit { key: unit.key.clone(), text, digest, path, is_removed })
        };
        if from.file == self.pair.file.lock_name {
            let unit = self.unit_of_key(&from.key)?;
            let is_removed = is_removed && !self.pair.source.units.has_key(&unit.key);
            return found(unit, self.target, None).map(|old| OldUnit { is_removed, ..old });
        }
        let other = self.old.get(self.request, self.lang, &from.file)?;
        let unit = other.unit(&from.key)?;
        found(unit, other.units(), Some(other.path.clone()))
    }
}

/// Cache of targets of other files, by language and lock name.
#[derive(Debug, Default)]
pub struct OldTargets(Mutex<HashMap<TargetName, Option<Arc<OldTarget>>>>);

type TargetName = (usize, String);

#[derive(Debug)]
pub struct OldTarget {
    pub path: PathBuf,
    kind: &'static CatalogKind,
    loaded: LoadedCatalog,
    by_lock_key: HashMap<String, usize>,
}

impl OldTarget {
    pub fn unit(&self, key: &str) -> Option<&Unit> {
        self.loaded.catalog.units.get(*self.by_lock_key.get(key)?)
    }

    pub fn units(&self) -> TargetUnits<'_> {
        TargetUnits { units: &self.loaded.catalog.units, is_bilingual: self.kind.is_bilingual }
    }
}

impl OldTargets {
    /// Returns a target; `None` if it is missing or unreadable, or if no rule gives its path.
    pub fn get(&self, request: PlanRequest<'_>, lang: usize, file: &str) -> Option<Arc<OldTarget>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .entry((lang, file.to_owned()))
            .or_insert_with(|| read_old_target(request, lang, file).map(Arc::new))
            .clone()
    }
}

fn read_old_target(request: PlanRequest<'_>, number: usize, file: &str) -> Option<OldTarget> {
    let settings = &request.project.settings;
    let lang = settings.langs.get(number)?;
    let planned = request.files.iter().find(|planned| planned.lock_name == file);
    // Even if the source is gone, its rule gives the paths of its targets.
    let (rule, path) = match planned {
        Some(planned) => {
            let target = planned.targets.iter().find(|(target, _)| *target == number)?;
            (settings.rules.get(planned.rule)?, target.1.clone())
        }
        None => settings.rules.iter().find_map(|rule| {
            let captures = rule.source.as_ref()?.captures(file)?;
            let path = rule.target.as_ref()?.with_lang(&rule.lang_path(lang)).fill(&captures);
            Some((rule, PathBuf::from(path)))
        })?,
    };
    // Fails if a symbolic link leads out of the project.
    request.project.resolve(&path).ok()?;
    let options = ReadOptions {
        dialect: rule.dialect,
        target_lang: Some(lang.tag.clone()),
        source_plurals: None,
        encoding: rule.encoding,
        skips_broken: false,
    };
    let loaded = load_old_target(request, &path, rule.kind, &options)?;
    let units = loaded.catalog.units.iter().enumerate();
    let by_lock_key = units.map(|(at, unit)| (lock_key(&unit.key), at)).collect();
    Some(OldTarget { path, kind: rule.kind, loaded, by_lock_key })
}

fn load_old_target(
    request: PlanRequest<'_>,
    path: &Path,
    kind: &'static CatalogKind,
    options: &ReadOptions,
) -> Option<LoadedCatalog> {
    CatalogPath { root: request.project.root.real(), path, kind, options }.read().ok().flatten()
}
