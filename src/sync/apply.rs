//! Carries out a plan in a target file: results, moves and removals become edits of its text.
//!
//! Input: the units of the source, the target as it is now, and what shall be in it. Output: the new bytes, and what was written. A
//! unit that somebody has changed since it was compared stays as it is.

use std::collections::{HashMap, HashSet};

use super::compare::{SourceUnits, TargetUnits};
use super::digest::TextDigest;
use super::load::{CatalogPath, LoadedCatalog, failure_in};
use crate::catalogs::{CatalogChanges, CatalogLanguage, Change, Unit, UnitKey, UnitText, apply_edits};
use crate::error::Failure;

/// A text that a target shall have.
#[derive(Clone, Debug)]
pub struct NewText {
    /// The position of the unit in [`SourceUnits::kept`].
    pub source: usize,
    /// The text.
    pub text: UnitText,
    /// Whether the text spells the source as it is, so that a copy of the source keeps its bytes.
    pub is_unchanged: bool,
    /// The target when it was compared; `None` if there was none.
    pub before: Option<TextDigest>,
}

/// What a target file shall become.
#[derive(Debug)]
pub struct TargetChange<'a> {
    /// The source, which a new target is a copy of.
    pub source: &'a LoadedCatalog,
    /// Its units.
    pub units: &'a SourceUnits,
    /// The language of the target.
    pub language: &'a CatalogLanguage,
    /// Texts to set or insert.
    pub texts: &'a [NewText],
    /// Keys to remove.
    pub removed: &'a [UnitKey],
}

/// The result of [`TargetChange::apply`].
#[derive(Debug, Default)]
pub struct ChangedTarget {
    /// The new bytes; `None` if nothing changes.
    pub bytes: Option<Vec<u8>>,
    /// The texts that are in the target now: their positions in [`TargetChange::texts`], and their digests.
    pub written: Vec<(usize, TextDigest)>,
    /// The texts that are not, because somebody has changed the target since.
    pub kept: Vec<usize>,
}

impl TargetChange<'_> {
    /// Returns the new content of a target; `now` is what it is, or `None` if there is no such file.
    pub fn apply(&self, path: &CatalogPath<'_>, now: Option<&LoadedCatalog>) -> Result<ChangedTarget, Failure> {
        let (base, mut kept) = (now.unwrap_or(self.source), Vec::new());
        let is_new = now.is_none();
        // The units of a source are kept apart from its file.
        let own = now.map_or(&self.units.units, |now| &now.catalog.units);
        let units = TargetUnits { units: own, is_bilingual: path.kind.is_bilingual };
        let by_key: HashMap<&UnitKey, usize> =
            units.units.iter().enumerate().map(|(position, unit)| (&unit.key, position)).collect();
        let mut changes = CatalogChanges { language: Some(self.language), is_new_target: is_new, units: Vec::new() };
        let mut wanted: HashSet<&UnitKey> = HashSet::with_capacity(self.texts.len());
        let neighbors = Neighbors::new(&self.units.units, |key| Some(units.units.get(*by_key.get(key)?)?.id));
        for (number, text) in self.texts.iter().enumerate() {
            let Some(unit) = self.source_unit(text.source) else { continue };
            let target = by_key.get(&unit.key).and_then(|position| units.units.get(*position));
            if !is_new && !is_as_compared(text, target, units) {
                kept.push(number);
                continue;
            }
            wanted.insert(&unit.key);
            match target {
                Some(_) if is_new && text.is_unchanged && !path.kind.is_bilingual => {}
                Some(target) => {
                    changes.units.push(Change::Set { unit: target.id, text: &text.text, markup: &unit.markup })
                }
                None => {
                    let position = self.units.kept.get(text.source).map_or(0, |kept| kept.position);
                    let (after, before) = neighbors.of(position);
                    changes.units.push(Change::Insert { like: unit, text: &text.text, after, before });
                }
            }
        }
        changes.units.extend(self.removals(units, &by_key, is_new, &wanted));
        if changes.units.is_empty() && !is_new {
            return Ok(ChangedTarget { kept, ..ChangedTarget::default() });
        }
        self.finish(path, base, &changes, kept)
    }

    fn source_unit(&self, kept: usize) -> Option<&Unit> {
        self.units.unit(self.units.kept.get(kept)?.position)
    }

    /// Returns what is left out: keys that are removed, and, of a copy of the source, every unit without a text of its own.
    fn removals<'b>(
        &'b self,
        target: TargetUnits<'b>,
        by_key: &HashMap<&UnitKey, usize>,
        is_new: bool,
        wanted: &HashSet<&UnitKey>,
    ) -> Vec<Change<'b>> {
        if !is_new {
            let units = self.removed.iter().filter_map(|key| target.units.get(*by_key.get(key)?));
            return units.map(|unit| Change::Remove { unit: unit.id }).collect();
        }
        if target.is_bilingual {
            return Vec::new();
        }
        let left_out = target.units.iter().filter(|unit| !unit.text.is_blank() && !wanted.contains(&unit.key));
        left_out.map(|unit| Change::Remove { unit: unit.id }).collect()
    }

    /// Makes the edits and reads the result back: what is in the target then is what it says.
    fn finish(
        &self,
        path: &CatalogPath<'_>,
        base: &LoadedCatalog,
        changes: &CatalogChanges<'_>,
        kept: Vec<usize>,
    ) -> Result<ChangedTarget, Failure> {
        let text = &base.file.text;
        let edits = path.kind.format.edits(text, path.options, changes);
        let edits = edits.map_err(|error| failure_in(&path.name(), text, &error))?;
        let overlap = || Failure::internal(format!("{}: the changes overlap", path.name()));
        let new = apply_edits(text, edits).ok_or_else(overlap)?;
        let bytes = base.file.encode(&new);
        let again = path.parse(&bytes).map_err(|failure| {
            Failure::internal(format!("{}: the file would no longer be readable: {}", path.name(), failure.what))
        })?;
        let units = TargetUnits { units: &again.catalog.units, is_bilingual: path.kind.is_bilingual };
        let by_key: HashMap<&UnitKey, &Unit> = units.units.iter().map(|unit| (&unit.key, unit)).collect();
        let mut written = Vec::with_capacity(self.texts.len());
        let is_kept: HashSet<usize> = kept.iter().copied().collect();
        for (number, text) in self.texts.iter().enumerate().filter(|(number, _)| !is_kept.contains(number)) {
            let found = self.source_unit(text.source).and_then(|unit| by_key.get(&unit.key));
            if let Some((unit, text)) = found.and_then(|unit| Some((unit, units.text(unit)?))) {
                written.push((number, TextDigest::of_unit(text, unit.needs_review)));
            }
        }
        Ok(ChangedTarget { bytes: Some(bytes), written, kept })
    }
}

/// For each unit of the source, the units of the target that are the nearest before and after it.
struct Neighbors {
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

impl Neighbors {
    /// `id` tells which unit of the target has a key.
    fn new(source: &[Unit], id: impl Fn(&UnitKey) -> Option<usize>) -> Self {
        let ids: Vec<Option<usize>> = source.iter().map(|unit| id(&unit.key)).collect();
        let nearest = |last: &mut Option<usize>, id: &Option<usize>| {
            let found = *last;
            *last = id.or(*last);
            Some(found)
        };
        let before = ids.iter().scan(None, nearest).collect();
        let mut after: Vec<Option<usize>> = ids.iter().rev().scan(None, nearest).collect();
        after.reverse();
        Self { before, after }
    }

    fn of(&self, position: usize) -> (Option<usize>, Option<usize>) {
        let at = |ids: &[Option<usize>]| ids.get(position).copied().flatten();
        (at(&self.before), at(&self.after))
    }
}

/// Returns whether a target is as it was when it was compared.
fn is_as_compared(text: &NewText, target: Option<&Unit>, units: TargetUnits<'_>) -> bool {
    let now = target.and_then(|unit| Some(TextDigest::of_unit(units.text(unit)?, unit.needs_review)));
    now == text.before
}
