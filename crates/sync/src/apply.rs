//! Applies a plan to a target file: translations, moves and removals become edits of its text. A unit that was edited
//! after it was compared is left alone.

use std::cell::LazyCell;
use std::collections::HashSet;

use tulk_base::error::Failure;
use tulk_catalogs::{CatalogChanges, CatalogKind, CatalogLanguage, Change, Unit, UnitKey, UnitText, apply_edits};

use super::compare::{SourceUnits, TargetUnits, UnitPositions};
use super::digest::TextDigest;
use super::load::{CatalogPath, LoadedCatalog, failure_in};

/// A text to set or insert in a target.
#[derive(Clone, Debug)]
pub struct NewText {
    /// Position of the unit in [`SourceUnits::kept`].
    pub source: usize,
    /// The translation.
    pub text: UnitText,
    /// Whether the text equals the source, so a new target (a copy of the source) keeps its bytes.
    pub is_unchanged: bool,
    /// Digest of the target when it was compared; `None` if it was missing.
    pub expected_digest: Option<TextDigest>,
    /// The unit of the same target from which the text was moved, and the digest of that unit's text when it was compared.
    pub from: Option<(UnitKey, TextDigest)>,
}

/// A unit to remove from a target.
#[derive(Clone, Debug)]
pub struct RemovedUnit {
    /// Its key in the target.
    pub key: UnitKey,
    /// Digest of its text when it was compared.
    pub expected_digest: TextDigest,
    /// The text that replaces it, as a position in [`TargetChange::texts`]. The unit stays if that text is not written.
    pub for_text: Option<usize>,
}

/// The changes to a target file.
#[derive(Debug)]
pub struct TargetChange<'a> {
    /// The source catalogue; a new target starts as a copy of it.
    pub source: &'a LoadedCatalog,
    /// The units of `source`.
    pub units: &'a SourceUnits,
    /// The target language.
    pub language: &'a CatalogLanguage,
    /// Texts to set or insert.
    pub texts: &'a [NewText],
    /// Units to remove.
    pub removed: &'a [RemovedUnit],
}

/// The result of [`TargetChange::apply`].
#[derive(Debug, Default)]
pub struct ChangedTarget {
    /// The new file; `None` if nothing changes.
    pub bytes: Option<Vec<u8>>,
    /// Texts in the new file: positions in [`TargetChange::texts`] and digests.
    pub written: Vec<(usize, TextDigest)>,
    /// Positions of texts not written because the target was edited after it was compared.
    pub kept: Vec<usize>,
    /// Positions of texts that are missing when the new file is parsed: the format cannot hold them.
    pub lost: Vec<usize>,
    /// Removed units, as positions in [`TargetChange::removed`].
    pub removed: Vec<usize>,
}

impl TargetChange<'_> {
    /// Returns the new content of the target. `now` is its current content; `None` creates it as a copy of the source.
    pub fn apply(&self, path: &CatalogPath<'_>, now: Option<&LoadedCatalog>) -> Result<ChangedTarget, Failure> {
        let (base, mut kept) = (now.unwrap_or(self.source), Vec::new());
        let is_new = now.is_none();
        // `self.source` has no units, because they were moved to `self.units`.
        let own = now.map_or(&self.units.units, |now| &now.catalog.units);
        let units = TargetUnits { units: own, is_bilingual: path.kind.is_bilingual };
        let positions = UnitPositions::new(units.units);
        let mut changes = CatalogChanges { language: Some(self.language), is_new_target: is_new, units: Vec::new() };
        let mut is_wanted = vec![false; units.units.len()];
        let neighbors = LazyCell::new(|| Neighbors::new(&self.units.units, units.units));
        for (number, text) in self.texts.iter().enumerate() {
            let Some(unit) = self.source_unit(text.source) else { continue };
            let position = positions.find(&unit.key);
            let target = position.and_then(|position| units.units.get(position));
            let from = text.from.as_ref();
            let has_origin = from.is_none_or(|(key, digest)| digest_of(positions.unit(key), units) == Some(*digest));
            if !is_new && (digest_of(target, units) != text.expected_digest || !has_origin) {
                kept.push(number);
                continue;
            }
            if let Some(is_wanted) = position.and_then(|position| is_wanted.get_mut(position)) {
                *is_wanted = true;
            }
            match target {
                Some(_) if is_new && text.is_unchanged && !path.kind.is_bilingual => {}
                Some(target) => {
                    changes.units.push(Change::Set { unit: target.id, text: &text.text, markup: &unit.markup });
                }
                None => {
                    let position = self.units.kept.get(text.source).map_or(0, |kept| kept.position);
                    let (after, before) = neighbors.of(position);
                    changes.units.push(Change::Insert { like: unit, text: &text.text, after, before });
                }
            }
        }
        let mut removed = Vec::new();
        if is_new {
            changes.units.extend(removals_from_copy(path.kind, units.units, &is_wanted));
        } else {
            removed = self.removals(units, &positions, &kept);
            changes.units.extend(removed.iter().map(|(_, unit)| Change::Remove { unit: *unit }));
        }
        let removed = removed.into_iter().map(|(number, _)| number).collect();
        if changes.units.is_empty() && !is_new {
            return Ok(ChangedTarget { kept, ..ChangedTarget::default() });
        }
        Ok(ChangedTarget { removed, ..self.edit_and_verify(path, base, &changes, kept)? })
    }

    fn source_unit(&self, kept: usize) -> Option<&Unit> {
        self.units.unit(self.units.kept.get(kept)?.position)
    }

    /// Returns the units to remove, as positions in [`Self::removed`] and unit IDs. Units that were edited since the
    /// comparison stay, and so do units whose replacement is not written.
    fn removals(&self, target: TargetUnits<'_>, positions: &UnitPositions<'_>, kept: &[usize]) -> Vec<(usize, usize)> {
        let units = self.removed.iter().enumerate().filter_map(|(number, removed)| {
            let unit = positions.unit(&removed.key);
            let is_replaced = removed.for_text.is_none_or(|text| kept.binary_search(&text).is_err());
            let is_same = digest_of(unit, target) == Some(removed.expected_digest);
            unit.filter(|_| is_replaced && is_same).map(|unit| (number, unit.id))
        });
        units.collect()
    }

    /// Parses the edited text, so that `written` and `lost` show what the new file really contains.
    fn edit_and_verify(
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
        let new = apply_edits(text, base.file.edits_for_encoding(edits)).ok_or_else(overlap)?;
        let bytes = base.file.encode(&new);
        let again = path.parse(&bytes).map_err(|failure| {
            Failure::internal(format!("{}: the file would no longer be readable: {}", path.name(), failure.what))
        })?;
        let units = TargetUnits { units: &again.catalog.units, is_bilingual: path.kind.is_bilingual };
        let positions = UnitPositions::new(units.units);
        let mut written = Vec::with_capacity(self.texts.len());
        let is_kept: HashSet<usize> = kept.iter().copied().collect();
        let mut lost = Vec::new();
        for (number, text) in self.texts.iter().enumerate().filter(|(number, _)| !is_kept.contains(number)) {
            let found = self.source_unit(text.source).and_then(|unit| positions.unit(&unit.key));
            match digest_of(found, units) {
                Some(digest) => written.push((number, digest)),
                None => lost.push(number),
            }
        }
        Ok(ChangedTarget { bytes: Some(bytes), written, kept, lost, removed: Vec::new() })
    }
}

/// IDs of the nearest target units before and after each source unit.
struct Neighbors {
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

impl Neighbors {
    fn new(source: &[Unit], target: &[Unit]) -> Self {
        let positions = UnitPositions::new(target);
        let ids: Vec<Option<usize>> = source.iter().map(|unit| Some(positions.unit(&unit.key)?.id)).collect();
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

/// Returns the units to remove from a copy of the source: those without a new text. In bilingual files, only those with
/// an old translation are removed; in PO files, none, because the writer of the format removes old translations itself.
fn removals_from_copy<'a>(kind: &CatalogKind, copy: &'a [Unit], is_wanted: &[bool]) -> Vec<Change<'a>> {
    let is_removed = |unit: &Unit| match (kind.is_bilingual, kind.name) {
        (false, _) => !unit.text.is_blank(),
        (true, "po") => false,
        (true, _) => unit.target.is_some() && unit.skip.is_none(),
    };
    let units = copy.iter().zip(is_wanted).filter(|(unit, is_wanted)| !*is_wanted && is_removed(unit));
    units.map(|(unit, _)| Change::Remove { unit: unit.id }).collect()
}

fn digest_of(target: Option<&Unit>, units: TargetUnits<'_>) -> Option<TextDigest> {
    let unit = target?;
    Some(TextDigest::of_unit(units.text(unit)?, unit.needs_review))
}
