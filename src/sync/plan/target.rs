//! Reads a target and compares it with its source.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::finding::{Finding, FindingPlaces, message};
use super::moved::MovedUnits;
use super::source::SourceReader;
use super::{
    ExtraUnit, MovedTarget, PlanRequest, PlannedSource, PlannedTarget, StateCounts, adopts_as_own, note_comparison,
};
use crate::catalogs::{
    MessageRules, PluralForm, ReadOptions, TargetForms, Unit, UnitText, check_target, missing_forms,
};
use crate::error::Failure;
use crate::sync::compare::{ComparedUnit, KnownTargets, TargetUnits, UnitComparison, compare};
use crate::sync::digest::TextDigest;
use crate::sync::load::{CatalogPath, LoadedCatalog};
use crate::sync::lock::lock_key;
use crate::sync::moves::UnitPlace;
use crate::sync::project::{ProjectFile, ProjectLang};
use crate::sync::state::UnitState;

/// Plans targets.
pub struct TargetPlanner<'a> {
    pub request: PlanRequest<'a>,
    pub sources: &'a [Option<Arc<PlannedSource>>],
    pub moved: &'a MovedUnits<'a>,
}

/// A target beside its source.
struct TargetPair<'a> {
    file: &'a ProjectFile,
    lang: &'a ProjectLang,
    source: Arc<PlannedSource>,
    loaded: Option<LoadedCatalog>,
    forms: TargetForms,
}

/// What is listed of a target, and where.
struct TargetListing<'a> {
    pair: &'a TargetPair<'a>,
    target: TargetUnits<'a>,
    by_lock_key: HashMap<String, usize>,
    source_places: FindingPlaces<'a>,
    target_places: Option<FindingPlaces<'a>>,
}

impl TargetPlanner<'_> {
    /// Plans a file in a language. `None` if its source cannot be read, which is reported elsewhere.
    pub fn plan(&self, (at, number, path): (usize, usize, PathBuf)) -> Result<Option<PlannedTarget>, Failure> {
        let Some(pair) = self.read(at, number, &path)? else { return Ok(None) };
        let units = pair.loaded.as_ref().map(|loaded| loaded.catalog.units.as_slice()).unwrap_or_default();
        let target = TargetUnits { units, is_bilingual: pair.file.kind.is_bilingual };
        let known = KnownTargets {
            lock: self.request.lock,
            journal: self.request.journal,
            file: &pair.file.lock_name,
            lang: &pair.lang.tag,
            notes: note_comparison(self.request.project.settings.context),
        };
        let found = compare(&pair.source.units, target, known, |unit, text| self.problem(&pair, unit, text));
        let mut planned = PlannedTarget {
            file: at,
            lang: number,
            path,
            source: pair.source.clone(),
            exists: pair.loaded.is_some(),
            forms: pair.forms.clone(),
            counts: StateCounts { skipped: pair.source.units.skipped, ..StateCounts::default() },
            stale_by_note: 0,
            vanished: 0,
            units: Vec::new(),
            moved: Vec::new(),
            extra: Vec::new(),
            findings: Vec::new(),
        };
        self.add_units(&pair, target, found, &mut planned);
        Ok(Some(planned))
    }

    fn read(&self, at: usize, number: usize, path: &PathBuf) -> Result<Option<TargetPair<'_>>, Failure> {
        let project = self.request.project;
        let (Some(file), Some(lang)) = (self.request.files.get(at), project.settings.langs.get(number)) else {
            return Ok(None);
        };
        let Some(rule) = project.settings.rules.get(file.rule) else { return Ok(None) };
        let source = self.sources.get(at).and_then(Option::as_ref);
        let dialect = rule.dialect.or(source.and_then(|source| source.loaded.catalog.dialect));
        let options = ReadOptions { dialect, target_lang: Some(lang.tag.clone()) };
        let catalog = CatalogPath { root: project.root.real(), path, kind: file.kind, options: &options };
        let loaded = catalog.read()?;
        let source = match (source, &loaded) {
            (Some(source), _) => source.clone(),
            (None, Some(loaded)) if file.source.is_none() || file.kind.name == "xcstrings" => {
                Arc::new(SourceReader { request: self.request }.planned(rule, loaded.clone()))
            }
            _ => return Ok(None),
        };
        let header = loaded.as_ref().and_then(|loaded| loaded.catalog.plural_forms.clone());
        let forms = header.map_or(TargetForms::OfLanguage, TargetForms::Gettext);
        Ok(Some(TargetPair { file, lang, source, loaded, forms }))
    }

    /// Returns what is wrong with a person's translation.
    fn problem(&self, pair: &TargetPair<'_>, unit: &Unit, text: &UnitText) -> Option<String> {
        if let Some(limit) = unit.max_chars
            && let Some(long) = text.texts().map(|text| text.chars().count()).find(|chars| *chars > limit)
        {
            return Some(format!("it has {long} characters; the limit is {limit}"));
        }
        let rules = self.rules(pair, unit);
        let missing: Vec<String> = missing_forms(&unit.text, text, &rules).into_iter().map(form_name).collect();
        if !missing.is_empty() {
            return Some(format!("the plural has no form for {}", missing.join(", ")));
        }
        check_target(&unit.text, text, &rules).err()
    }

    fn rules<'a>(&'a self, pair: &'a TargetPair<'_>, unit: &'a Unit) -> MessageRules<'a> {
        let catalog = &pair.source.loaded.catalog;
        let syntax = unit.syntax.or(pair.file.kind.syntax);
        MessageRules {
            syntax: syntax.unwrap_or_else(|| catalog.dialect.unwrap_or_default().syntax()),
            markup: &unit.markup,
            source_lang: &self.request.project.settings.source_lang.plurals,
            target_lang: &pair.lang.plurals,
            target_forms: &pair.forms,
        }
    }

    fn add_units(
        &self,
        pair: &TargetPair<'_>,
        target: TargetUnits<'_>,
        found: UnitComparison,
        planned: &mut PlannedTarget,
    ) {
        let listing = TargetListing {
            pair,
            target,
            by_lock_key: self.target_keys(target),
            source_places: FindingPlaces::new(&pair.source.loaded),
            target_places: pair.loaded.as_ref().map(FindingPlaces::new),
        };
        let selection = self.request.selection;
        for unit in found.units {
            self.add_unit(&listing, unit, planned);
        }
        for unit in found.extra.iter().filter_map(|at| target.units.get(*at)).filter(|unit| (selection.key)(&unit.key))
        {
            let lock_key = lock_key(&unit.key);
            if self.moved.is_gone(&UnitPlace { file: pair.file.lock_name.clone(), key: lock_key.clone() }) {
                continue;
            }
            planned.counts.add(UnitState::Extra);
            if let Some(places) = listing.target_places.as_ref().filter(|_| selection.finds) {
                let said = message(UnitState::Extra, false, false).to_owned();
                let at = places.origin(unit.at);
                planned.findings.push(Finding { at, key: unit.key.clone(), state: UnitState::Extra, message: said });
            }
            planned.extra.push(ExtraUnit { key: unit.key.clone(), lock_key });
        }
    }

    /// Counts a unit, and lists it if there is something to do.
    fn add_unit(&self, listing: &TargetListing<'_>, mut unit: ComparedUnit, planned: &mut PlannedTarget) {
        let (pair, selection) = (listing.pair, self.request.selection);
        let Some(kept) = pair.source.units.kept.get(unit.source) else { return };
        let from = pair.source.units.unit(kept.position);
        let Some(from) = from.filter(|unit| (selection.key)(&unit.key)) else { return };
        if !self.moved.is_empty() {
            let place = UnitPlace { file: pair.file.lock_name.clone(), key: kept.lock_key.clone() };
            let moved = self.moved.origin(&place).and_then(|moved| self.moved_target(listing, moved, &unit));
            if let Some(moved) = moved {
                planned.counts.add(UnitState::Current);
                return planned.moved.push(moved);
            }
        }
        planned.vanished += u64::from(unit.state == UnitState::Missing && self.was_there(pair, &kept.lock_key));
        let adopts = unit.entry.is_none() && matches!(unit.state, UnitState::Edited | UnitState::Same);
        if adopts && adopts_as_own(self.request.project, self.request.lock) {
            unit.state = UnitState::Current;
        }
        planned.counts.add(unit.state);
        let by_note = unit.entry.is_some_and(|entry| entry.source == kept.digests.text);
        planned.stale_by_note += u64::from(unit.state == UnitState::Stale && by_note);
        let is_done = matches!(unit.state, UnitState::Current | UnitState::Edited);
        if selection.finds && !is_done {
            planned.findings.push(self.finding(listing, &unit, from, by_note));
        }
        let is_recorded = unit.entry.is_some_and(|entry| entry.target == unit.digests.map(|target| target.text));
        if !is_done || !is_recorded || (selection.lists)(&unit) {
            planned.units.push(unit);
        }
    }

    /// Returns whether the lock knows a translation of a unit.
    fn was_there(&self, pair: &TargetPair<'_>, key: &str) -> bool {
        let language = self.request.lock.language_number(&pair.lang.tag);
        let unit = self.request.lock.unit(&pair.file.lock_name, key);
        let entry = unit.zip(language).and_then(|(unit, language)| unit.entry(language, None, None));
        entry.is_some_and(|entry| entry.target.is_some())
    }

    fn finding(&self, listing: &TargetListing<'_>, unit: &ComparedUnit, from: &Unit, by_note: bool) -> Finding {
        let found = unit.target.and_then(|at| listing.target.units.get(at)).filter(|_| unit.digests.is_some());
        let problem = found
            .filter(|_| unit.state == UnitState::Invalid)
            .and_then(|found| self.problem(listing.pair, from, listing.target.text(found)?));
        let needs_review = unit.digests.is_some_and(|target| target.needs_review);
        let message = problem.unwrap_or_else(|| message(unit.state, needs_review, by_note).to_owned());
        let at = match found.zip(listing.target_places.as_ref()) {
            Some((found, places)) => places.origin(found.at),
            None => listing.source_places.origin(from.at),
        };
        Finding { at, key: from.key.clone(), state: unit.state, message }
    }

    /// Returns the units of a target by their keys in the lock, if anything was renamed.
    fn target_keys(&self, target: TargetUnits<'_>) -> HashMap<String, usize> {
        if self.moved.is_empty() {
            return HashMap::new();
        }
        target.units.iter().enumerate().map(|(at, unit)| (lock_key(&unit.key), at)).collect()
    }

    /// Returns the target of a renamed unit, if the file has one under the old key.
    fn moved_target(&self, listing: &TargetListing<'_>, from: &UnitPlace, unit: &ComparedUnit) -> Option<MovedTarget> {
        let (pair, target) = (listing.pair, listing.target);
        if from.file != pair.file.lock_name {
            return None;
        }
        let old = target.units.get(*listing.by_lock_key.get(&from.key)?)?;
        let text = target.text(old)?;
        let digest = TextDigest::of_unit(text, old.needs_review);
        let language = self.request.lock.language_number(&pair.lang.tag);
        let kept = pair.source.units.kept.get(unit.source)?;
        let entry = language.and_then(|language| {
            self.request.lock.unit(&from.file, &from.key)?.entry(language, Some(kept.digests.text), Some(digest))
        });
        Some(MovedTarget {
            unit: unit.source,
            from: old.key.clone(),
            from_lock_key: from.key.clone(),
            removes_old: !self.moved.is_taken(from) && !pair.source.units.has_key(&old.key),
            text: text.clone(),
            entry,
            before: unit.digests.map(|target| target.text),
        })
    }
}

/// Returns how a form of a plural is called in messages.
fn form_name(form: PluralForm) -> String {
    match form {
        PluralForm::Exact(number) => format!("={number}"),
        PluralForm::Category(category) => category.name().to_owned(),
        PluralForm::Index(index) => format!("msgstr[{index}]"),
    }
}
