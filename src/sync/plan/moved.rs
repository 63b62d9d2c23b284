//! The units that were renamed, found by their texts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{PlanRequest, PlannedSource};
use crate::sync::moves::{UnitMove, UnitPlace, find_moves};

/// Returns the renamed units. If a source cannot be read, nothing counts as gone.
pub fn find(request: PlanRequest<'_>, sources: &[Option<Arc<PlannedSource>>], is_incomplete: bool) -> Vec<UnitMove> {
    if is_incomplete || !request.lock.exists {
        return Vec::new();
    }
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    let mut known_files = HashSet::new();
    for (file, source) in request.files.iter().zip(sources) {
        known_files.insert(file.lock_name.as_str());
        let Some(source) = source else { continue };
        let name = &file.lock_name;
        let mut present = HashSet::with_capacity(source.units.kept.len());
        for unit in &source.units.kept {
            present.insert(unit.lock_key.as_str());
            let place = || UnitPlace { file: name.clone(), key: unit.lock_key.clone() };
            let Some(locked) = request.lock.unit(name, &unit.lock_key) else {
                new.push((place(), unit.digests.text));
                continue;
            };
            // An item of a list stays at its position when its text goes to another one.
            let digests = locked.sources();
            if is_item(&unit.lock_key) && !digests.contains(&unit.digests.text) {
                new.push((place(), unit.digests.text));
                gone.push((place(), digests));
            }
        }
        let missing = request.lock.keys(name).filter(|key| !present.contains(key));
        gone.extend(missing.filter_map(|key| {
            let sources = request.lock.unit(name, key)?.sources();
            Some((UnitPlace { file: name.clone(), key: key.to_owned() }, sources))
        }));
    }
    for name in request.lock.files().filter(|name| !known_files.contains(name)) {
        gone.extend(request.lock.keys(name).filter_map(|key| {
            let sources = request.lock.unit(name, key)?.sources();
            Some((UnitPlace { file: name.to_owned(), key: key.to_owned() }, sources))
        }));
    }
    find_moves(&gone, &new)
}

/// Returns whether a key in the lock is that of an item of a list, or within one.
fn is_item(key: &str) -> bool {
    key.split('.').any(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The moves by their new and their old places.
#[derive(Debug, Default)]
pub struct MovedUnits<'a> {
    to: HashMap<&'a UnitPlace, &'a UnitPlace>,
    from: HashSet<&'a UnitPlace>,
}

impl<'a> MovedUnits<'a> {
    pub fn new(moves: &'a [UnitMove]) -> Self {
        Self {
            to: moves.iter().map(|found| (&found.to, &found.from)).collect(),
            from: moves.iter().map(|found| &found.from).collect(),
        }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// Returns where a unit was.
    pub fn origin(&self, place: &UnitPlace) -> Option<&'a UnitPlace> {
        self.to.get(place).copied()
    }

    /// Returns whether a unit has gone from a place.
    pub fn is_gone(&self, place: &UnitPlace) -> bool {
        self.from.contains(place)
    }

    /// Returns whether something has come to a place.
    pub fn is_taken(&self, place: &UnitPlace) -> bool {
        self.to.contains_key(place)
    }
}
