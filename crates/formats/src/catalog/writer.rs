//! Writes a catalogue with the results of a target: the text of the record with an edit for each changed unit.

use std::collections::HashSet;
use std::io::{self, Write};

use tulk_base::error::{Failure, Kind, Origin};
use tulk_catalogs::{CatalogChanges, CatalogError, CatalogLanguage, Change, Expansion, Unit, UnitText, apply_edits};

use super::reader::to_failure;
use super::slots::SentenceParts;
use super::{CatalogRecord, CatalogTarget, CatalogText, check_length};
use crate::{Record, RejectedResults, ResultRow, ResultWriter};

pub(super) struct CatalogWriter {
    format: CatalogText,
    target: String,
}

struct ChangedUnit<'a> {
    unit: &'a Unit,
    text: UnitText,
}

impl ChangedUnit<'_> {
    fn change(&self) -> Change<'_> {
        Change::Set { unit: self.unit.id, text: &self.text, markup: &self.unit.markup }
    }
}

impl CatalogWriter {
    pub(super) fn new(format: CatalogText, target: String) -> Self {
        Self { format, target }
    }

    fn translated_bytes(&self, row: &ResultRow, data: &CatalogRecord) -> Result<Vec<u8>, Failure> {
        let record = &row.record;
        let text = std::str::from_utf8(&record.bytes).unwrap_or_default();
        let position = self.format.targets.iter().position(|target| *target == self.target);
        let Some(target) = position.and_then(|position| data.targets.get(position)) else {
            return Err(Failure::internal("a catalogue was not read for this target"));
        };
        let new_texts = self.changed_units(row, target)?;
        let language = CatalogLanguage { tag: self.target.clone(), path: self.target.clone() };
        let changes = CatalogChanges {
            units: new_texts.iter().map(ChangedUnit::change).collect(),
            language: Some(&language).filter(|language| !language.tag.is_empty()),
            is_new_target: false,
        };
        let options = self.format.read_options(&self.target);
        let edits = self.format.kind.format.edits(text, &options, &changes);
        let edits = edits.map_err(|error| {
            let failure = to_failure(error, text, &record.origin.source);
            Failure { kind: Kind::Refused, ..failure }
        })?;
        let edited = apply_edits(text, data.file.edits_for_encoding(edits));
        let edited = edited.ok_or_else(|| Failure::internal("edits of a catalogue overlap"))?;
        Ok(data.file.encode(&edited))
    }

    /// Returns the units to write. Of units that are translated together, returns all or none.
    fn changed_units<'a>(&self, row: &ResultRow, target: &'a CatalogTarget) -> Result<Vec<ChangedUnit<'a>>, Failure> {
        let (mut done, mut sent, mut incomplete) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut slots = target.slots.iter();
        for unit in &target.catalog.units {
            let Some(Ok(expansion)) = self.format.expansion(&target.catalog, unit, &self.target) else { continue };
            let slots = slots.by_ref().take(expansion.sentences.len());
            let slots: Vec<_> = slots.copied().collect();
            let unit_group = unit.within.unwrap_or(unit.id);
            if slots.iter().any(Option::is_some) {
                sent.insert(unit_group);
            }
            let text = new_unit_text(row, 0, &expansion, &slots, unit).map_err(|why| {
                let what = format!("the results of `{}` cannot be used: {why}", unit.key);
                Failure::new(Kind::Refused, what).at(origin_of(&row.record, slots.iter().flatten().next()))
            })?;
            match text {
                Some((text, is_changed)) => done.push((unit_group, ChangedUnit { unit, text }, is_changed)),
                None => drop(incomplete.insert(unit_group)),
            }
        }
        let is_written = |unit_group: usize, changed: &ChangedUnit<'_>, is_changed: bool| {
            if !self.format.kind.is_bilingual {
                return is_changed || changed.text != changed.unit.text;
            }
            // A result that equals the source is a translation, too, and replaces an outdated, empty or fuzzy one.
            let ChangedUnit { unit, text } = changed;
            let is_open = unit.needs_review || unit.target.as_ref().is_none_or(UnitText::is_blank);
            is_open || sent.contains(&unit_group) && unit.target.as_ref() != Some(text)
        };
        let done = done.into_iter().filter(|(unit_group, changed, is_changed)| {
            !incomplete.contains(unit_group) && is_written(*unit_group, changed, *is_changed)
        });
        Ok(done.map(|(_, changed, _)| changed).collect())
    }
}

/// Fails if results could not be written to the catalogue. Called before anything is sent.
pub(super) fn check_writable(format: &CatalogText, text: &str, data: &CatalogRecord) -> Result<(), CatalogError> {
    for (number, (target, name)) in data.targets.iter().zip(&format.targets).enumerate() {
        // All targets have the same units, so testing the first is enough.
        let units = if number == 0 { simulated_units(format, target, name) } else { Vec::new() };
        let language = CatalogLanguage { tag: name.clone(), path: name.clone() };
        let changes = CatalogChanges {
            units: units.iter().map(ChangedUnit::change).collect(),
            language: Some(&language).filter(|language| !language.tag.is_empty()),
            is_new_target: false,
        };
        format.kind.format.edits(text, &format.read_options(name), &changes)?;
    }
    Ok(())
}

fn simulated_units<'a>(format: &CatalogText, target: &'a CatalogTarget, name: &str) -> Vec<ChangedUnit<'a>> {
    let units = target.catalog.units.iter().filter_map(|unit| {
        let expansion = format.expansion(&target.catalog, unit, name)?.ok()?;
        let results = expansion.sentences.iter().map(|sentence| {
            let parts = SentenceParts::of(sentence);
            let other = if parts.is_sent() { "x" } else { "" };
            [&parts.unchanged(), other].concat()
        });
        let results: Vec<String> = results.collect();
        let text = expansion.fold(&results.iter().map(String::as_str).collect::<Vec<_>>()).ok()?;
        (text != unit.text).then_some(ChangedUnit { unit, text })
    });
    units.collect()
}

/// Finds units with several sentences whose results cannot be combined into a valid text, and returns these results.
pub(super) fn rejected_results(
    format: &CatalogText,
    row: &ResultRow,
    target: usize,
    units: &CatalogTarget,
) -> Vec<RejectedResults> {
    let mut rejected = Vec::new();
    let mut slots = units.slots.iter();
    for unit in &units.catalog.units {
        let Some(Ok(expansion)) = format.expansion(&units.catalog, unit, &units.name) else { continue };
        let slots: Vec<_> = slots.by_ref().take(expansion.sentences.len()).copied().collect();
        if slots.len() > 1
            && let Err(why) = new_unit_text(row, target, &expansion, &slots, unit)
        {
            rejected.push(RejectedResults { slots: slots.iter().flatten().map(|slot| *slot as usize).collect(), why });
        }
    }
    rejected
}

/// Returns the new text of a unit, and whether any result differs from what was sent; `None` if a result is missing.
/// Fails if the results are unusable.
fn new_unit_text(
    row: &ResultRow,
    target: usize,
    expansion: &Expansion,
    slots: &[Option<u32>],
    unit: &Unit,
) -> Result<Option<(UnitText, bool)>, String> {
    let mut results = Vec::with_capacity(expansion.sentences.len());
    let (mut is_changed, mut is_missing) = (false, false);
    for (sentence, slot) in expansion.sentences.iter().zip(slots.iter().copied()) {
        let parts = SentenceParts::of(sentence);
        let unchanged = parts.unchanged();
        let Some(slot) = slot.map(|slot| slot as usize) else {
            results.push(unchanged);
            continue;
        };
        let Some(text) = row.result(target, slot).and_then(|result| result.text.as_deref()) else {
            is_missing = true;
            continue;
        };
        let result = parts.with_result(text);
        is_changed |= result != unchanged;
        results.push(result);
    }
    if is_missing {
        return Ok(None);
    }
    let results: Vec<&str> = results.iter().map(String::as_str).collect();
    let text = expansion.fold(&results)?;
    check_length(&text, unit)?;
    Ok(Some((text, is_changed)))
}

fn origin_of(record: &Record, slot: Option<&u32>) -> Origin {
    slot.map_or_else(|| Origin::whole(&record.origin.source), |slot| record.slot_origin(*slot as usize))
}

impl ResultWriter for CatalogWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        match row.record.catalog.as_deref() {
            Some(data) => out.write_all(&self.translated_bytes(row, data).map_err(io::Error::other)?),
            None => out.write_all(&row.record.bytes),
        }
    }
}
