//! Reads a target and compares it with its source.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::finding::{Finding, FindingPlaces, message};
use super::moved::MovedUnits;
use super::source::SourceReader;
use super::{ExtraUnit, MovedTarget, PlanRequest, PlannedSource, PlannedTarget, StateCounts, adopts_as_own, note_comparison};
use crate::catalogs::{MessageRules, ReadOptions, TargetForms, Unit, UnitText, check_target};
use crate::error::Failure;
use crate::sync::compare::{ComparedUnit, Comparison, KnownTargets, TargetUnits, compare};
use crate::sync::load::{CatalogPath, LoadedCatalog};
use crate::sync::lock::{LockEntry, TargetAuthor, lock_key};
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
            notes: note_comparison(self.request.project.context()),
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
        let (Some(file), Some(lang)) = (self.request.files.get(at), project.langs().get(number)) else {
            return Ok(None);
        };
        let Some(rule) = project.rules().get(file.rule) else { return Ok(None) };
        let source = self.sources.get(at).and_then(Option::as_ref);
        let dialect = rule.dialect.or(source.and_then(|source| source.loaded.catalog.dialect));
        let options = ReadOptions { dialect, target_lang: Some(lang.tag.clone()) };
        let catalog = CatalogPath { root: project.real_root(), path, kind: file.kind, options: &options };
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
        check_target(&unit.text, text, &self.rules(pair, unit)).err()
    }

    fn rules<'a>(&'a self, pair: &'a TargetPair<'_>, unit: &'a Unit) -> MessageRules<'a> {
        let catalog = &pair.source.loaded.catalog;
        let syntax = unit.syntax.or(pair.file.kind.syntax);
        MessageRules {
            syntax: syntax.unwrap_or_else(|| catalog.dialect.unwrap_or_default().syntax()),
            markup: &unit.markup,
            source_lang: &self.request.project.source_lang().plurals,
            target_lang: &pair.lang.plurals,
            target_forms: &pair.forms,
        }
    }

    fn add_units(&self, pair: &TargetPair<'_>, target: TargetUnits<'_>, found: Comparison, planned: &mut PlannedTarget) {
        let (source, selection) = (&pair.source.units, self.request.selection);
        let own = adopts_as_own(self.request.project, self.request.lock);
        let by_lock_key = self.target_keys(target);
        let places = (FindingPlaces::new(&pair.source.loaded), pair.loaded.as_ref().map(FindingPlaces::new));
        for mut unit in found.units {
            let Some(kept) = source.kept.get(unit.source) else { continue };
            let Some(from) = source.unit(kept.position).filter(|unit| (selection.key)(&unit.key)) else { continue };
            let place = UnitPlace { file: pair.file.lock_name.clone(), key: kept.lock_key.clone() };
            if let Some(moved) = self.moved.origin(&place)
                && let Some(moved) = self.moved_target(pair, target, &by_lock_key, moved, &unit)
            {
                planned.counts.add(UnitState::Current);
                planned.moved.push(moved);
                continue;
            }
            if own && unit.entry.is_none() && matches!(unit.state, UnitState::Edited | UnitState::Same) {
                unit.state = UnitState::Current;
                unit.entry = unit.digests.map(|target| LockEntry {
                    author: TargetAuthor::Tulk,
                    source: kept.digests.text,
                    note: kept.digests.note,
                    target: Some(target.text),
                });
            }
            planned.counts.add(unit.state);
            let by_note = unit.entry.is_some_and(|entry| entry.source == kept.digests.text);
            planned.stale_by_note += u64::from(unit.state == UnitState::Stale && by_note);
            let is_recorded = unit.entry.is_some_and(|entry| entry.target == unit.digests.map(|target| target.text));
            let is_quiet = matches!(unit.state, UnitState::Current | UnitState::Edited) && is_recorded && !own;
            if !is_quiet || (selection.lists)(&unit) {
                planned.units.push(unit);
            }
            if selection.finds && !matches!(unit.state, UnitState::Current | UnitState::Edited) {
                let text = unit.target.and_then(|at| target.units.get(at));
                let problem = text.and_then(|found| self.problem(pair, from, target.text(found)?));
                let needs_review = unit.digests.is_some_and(|target| target.needs_review);
                let said = problem.filter(|_| unit.state == UnitState::Invalid);
                let said = said.unwrap_or_else(|| message(unit.state, needs_review, by_note).to_owned());
                let at = text.filter(|_| unit.digests.is_some()).zip(places.1.as_ref());
                let at = at.map_or_else(|| places.0.origin(from.at), |(found, places)| places.origin(found.at));
                planned.findings.push(Finding { at, key: from.key.clone(), state: unit.state, message: said });
            }
        }
        for unit in found.extra.iter().filter_map(|at| target.units.get(*at)).filter(|unit| (selection.key)(&unit.key)) {
            let lock_key = lock_key(&unit.key);
            if self.moved.is_gone(&UnitPlace { file: pair.file.lock_name.clone(), key: lock_key.clone() }) {
                continue;
            }
            planned.counts.add(UnitState::Extra);
            if let Some(places) = places.1.as_ref().filter(|_| selection.finds) {
                let said = message(UnitState::Extra, false, false).to_owned();
                let at = places.origin(unit.at);
                planned.findings.push(Finding { at, key: unit.key.clone(), state: UnitState::Extra, message: said });
            }
            planned.extra.push(ExtraUnit { key: unit.key.clone(), lock_key });
        }
    }

    /// Returns the units of a target by their keys in the lock, if anything was renamed.
    fn target_keys(&self, target: TargetUnits<'_>) -> HashMap<String, usize> {
        if self.moved.is_empty() {
            return HashMap::new();
        }
        target.units.iter().enumerate().map(|(at, unit)| (lock_key(&unit.key), at)).collect()
    }

    /// Returns the target of a renamed unit, if the file has one under the old key.
    fn moved_target(
        &self,
        pair: &TargetPair<'_>,
        target: TargetUnits<'_>,
        keys: &HashMap<String, usize>,
        from: &UnitPlace,
        unit: &ComparedUnit,
    ) -> Option<MovedTarget> {
        if from.file != pair.file.lock_name {
            return None;
        }
        let old = target.units.get(*keys.get(&from.key)?)?;
        let text = target.text(old)?;
        let digest = crate::sync::digest::TextDigest::of_unit(text, old.needs_review);
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
