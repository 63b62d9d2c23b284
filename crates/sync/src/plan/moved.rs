//! Renamed units, found by their texts. Each language is searched separately: a run may have moved units in some
//! languages only.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{PlanRequest, PlannedSource};
use crate::digest::TextDigest;
use crate::lock::{LockLanguage, LockedUnit};
use crate::moves::{UnitLocation, UnitMove, UnitTexts, find_moves};
use crate::parallel::parallel_map;

/// Keys that are gone from the sources, and the moves in each language.
#[derive(Debug, Default)]
pub struct Renames {
    /// Keys in the lock that no source has, by file.
    pub gone: HashMap<String, HashSet<String>>,
    /// Languages without moves are missing.
    moves: HashMap<usize, MovedUnits>,
}

#[derive(Debug, Default)]
pub struct MovedUnits {
    to: HashMap<UnitLocation, UnitLocation>,
    from: HashMap<UnitLocation, UnitLocation>,
}

impl Renames {
    /// Finds renamed units. If a source is unreadable, no key counts as gone.
    pub fn find(request: PlanRequest<'_>, sources: &[Option<Arc<PlannedSource>>], is_incomplete: bool) -> Self {
        if is_incomplete || !request.lock.exists {
            return Self::default();
        }
        let search = RenameSearch { request, sources, gone: gone_keys(request, sources) };
        let langs = request.selection.langs.clone();
        let found = parallel_map(langs, |lang| (lang, search.moves(lang)));
        let moves = found.into_iter().filter(|(_, moves)| !moves.to.is_empty()).collect();
        Self { gone: search.gone, moves }
    }

    pub fn of(&self, lang: usize) -> Option<&MovedUnits> {
        self.moves.get(&lang)
    }
}

/// Returns the lock keys that no source has. Skips files whose targets hold the source texts.
fn gone_keys(request: PlanRequest<'_>, sources: &[Option<Arc<PlannedSource>>]) -> HashMap<String, HashSet<String>> {
    let mut gone: HashMap<String, HashSet<String>> = HashMap::new();
    let mut known_files = HashSet::new();
    for (file, source) in request.files.iter().zip(sources) {
        let name = file.lock_name.as_str();
        known_files.insert(name);
        let Some(source) = source else { continue };
        let others = source.units.other_lock_keys().filter(|key| request.lock.unit(name, key).is_some());
        let present = source.locked.iter().flatten().count() + others.count();
        if present < request.lock.count(name) {
            let present: HashSet<_> = source.units.lock_keys().collect();
            let keys = request.lock.keys(name).filter(|key| !present.contains(*key));
            gone.insert(name.to_owned(), keys.map(str::to_owned).collect());
        }
    }
    for name in request.lock.files().filter(|name| !known_files.contains(name)) {
        gone.insert(name.to_owned(), request.lock.keys(name).map(str::to_owned).collect());
    }
    gone
}

struct RenameSearch<'a> {
    request: PlanRequest<'a>,
    sources: &'a [Option<Arc<PlannedSource>>],
    gone: HashMap<String, HashSet<String>>,
}

impl RenameSearch<'_> {
    fn moves(&self, lang: usize) -> MovedUnits {
        let tag = self.request.project.settings.langs.get(lang).map(|lang| lang.tag.as_str());
        let Some(language) = tag.and_then(|tag| self.request.lock.language_number(tag)) else {
            return MovedUnits::default();
        };
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for (file, keys) in &self.gone {
            gone.extend(keys.iter().filter_map(|key| {
                let sources = self.request.lock.unit(file, key)?.sources(language);
                let location = UnitLocation { file: file.clone(), key: key.clone() };
                (!sources.is_empty()).then_some((location, sources))
            }));
        }
        for (file, source) in self.request.files.iter().zip(self.sources) {
            let Some(source) = source else { continue };
            let name = &file.lock_name;
            let has_gone = !gone.is_empty();
            if !has_gone && !source.has_lists {
                continue;
            }
            for (unit, at) in source.units.kept.iter().zip(&source.locked) {
                // The key of a list item is its position: if items move, the keys stay and get other texts.
                let item = list_prefix(&unit.lock_key).is_some();
                if !item && !has_gone {
                    continue;
                }
                let location = || UnitLocation { file: name.clone(), key: unit.lock_key.clone() };
                let locked = at.and_then(|at| self.request.lock.unit_at(at));
                match locked_sources(locked, language) {
                    None => new.push((location(), vec![unit.digests.text])),
                    Some(sources) if item && !sources.contains(&unit.digests.text) => {
                        new.push((location(), vec![unit.digests.text]));
                        gone.push((location(), sources));
                    }
                    Some(_) => {}
                }
            }
        }
        gone.sort_unstable();
        let mut moves = find_moves(&gone, &new);
        moves.extend(self.outdated_moves(language, (gone, new), &moves));
        MovedUnits::new(moves)
    }

    /// Finds moves of units whose translation is by a person and outdated. Their new keys are found by the source texts in
    /// the entries of other languages. Outdated translations by tulk are not moved, because they would be translated again
    /// anyway.
    fn outdated_moves(
        &self,
        language: LockLanguage,
        (gone, new): (Vec<UnitTexts>, Vec<UnitTexts>),
        found: &[UnitMove],
    ) -> Vec<UnitMove> {
        let is_from: HashSet<&UnitLocation> = found.iter().map(|found| &found.from).collect();
        let is_to: HashSet<&UnitLocation> = found.iter().map(|found| &found.to).collect();
        let unit = |location: &UnitLocation| self.request.lock.unit(&location.file, &location.key);
        let has_only_person_targets =
            |location: &UnitLocation| unit(location).is_some_and(|unit| unit.has_only_person_targets(language));
        let with_others = |(location, mut texts): UnitTexts| {
            texts.extend(unit(&location).into_iter().flat_map(LockedUnit::all_sources));
            texts.sort_unstable();
            texts.dedup();
            (location, texts)
        };
        let is_plain = |location: &UnitLocation| list_prefix(&location.key).is_none();
        let gone = gone.into_iter().filter(|(location, _)| {
            is_plain(location) && !is_from.contains(location) && has_only_person_targets(location)
        });
        let gone: Vec<UnitTexts> = gone.map(with_others).collect();
        if gone.is_empty() {
            return Vec::new();
        }
        let new = new.into_iter().filter(|(location, _)| is_plain(location) && !is_to.contains(location));
        find_moves(&gone, &new.map(with_others).collect::<Vec<_>>())
    }
}

fn locked_sources(unit: Option<&LockedUnit>, language: LockLanguage) -> Option<Vec<TextDigest>> {
    let sources = unit?.sources(language);
    (!sources.is_empty()).then_some(sources)
}

/// Prefix of the list that contains a lock key; `None` if the key is not in a list.
pub fn list_prefix(key: &str) -> Option<&str> {
    let mut start = 0;
    for part in key.split('.') {
        if start > 0 && !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            return key.get(..start);
        }
        start += part.len() + 1;
    }
    None
}

impl MovedUnits {
    fn new(moves: Vec<UnitMove>) -> Self {
        let mut units = Self::default();
        for UnitMove { from, to } in moves {
            units.from.insert(from.clone(), to.clone());
            units.to.insert(to, from);
        }
        units
    }

    pub fn old_location(&self, location: &UnitLocation) -> Option<&UnitLocation> {
        self.to.get(location)
    }

    pub fn new_location(&self, location: &UnitLocation) -> Option<&UnitLocation> {
        self.from.get(location)
    }

    pub fn is_new_location(&self, location: &UnitLocation) -> bool {
        self.to.contains_key(location)
    }

    pub fn old_locations_within<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a UnitLocation> {
        self.from.iter().filter(move |(from, to)| from.file == file && to.file == file).map(|(from, _)| from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_list_items_by_their_keys() {
        assert_eq!(list_prefix("steps.0"), Some("steps."));
        assert_eq!(list_prefix("a.steps.12.title"), Some("a.steps."));
        assert_eq!(
            (list_prefix("a.b"), list_prefix("404"), list_prefix("a.4x"), list_prefix("a.")),
            (None, None, None, None)
        );
    }
}
