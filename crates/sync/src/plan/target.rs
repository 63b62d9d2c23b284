//! Reads a target and compares it with its source.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_base::positions::TextPositions;
use tulk_catalogs::{
    MessageRules, ReadOptions, SkipReason, Syntax, TargetForms, Unit, UnitText, expand, gettext_forms,
};

use super::finding::{Finding, message, moved_message};
use super::moved::Renames;
use super::moved_target::{MovedTargets, OldTargets};
use super::source::SourceReader;
use super::{
    ExtraUnit, MovedTarget, PlanRequest, PlannedSource, PlannedTarget, StateCounts, adopts_as_own, note_comparison,
};
use crate::compare::{ComparedUnit, KnownTargets, TargetUnits, compare};
use crate::digest::TextDigest;
use crate::load::{CatalogPath, LoadedCatalog};
use crate::lock::{TargetAuthor, lock_key, parse_lock_key};
use crate::project::{ProjectFile, ProjectLang};
use crate::rules::{message_rules, problem};
use crate::state::UnitState;

pub struct TargetPlanner<'a> {
    pub request: PlanRequest<'a>,
    pub sources: &'a [Option<Arc<PlannedSource>>],
    pub renames: &'a Renames,
    pub old: OldTargets,
}

pub struct TargetPair<'a> {
    pub file: &'a ProjectFile,
    pub lang: &'a ProjectLang,
    pub source: Arc<PlannedSource>,
    loaded: Option<LoadedCatalog>,
    forms: TargetForms,
}

struct TargetListing<'a> {
    pair: &'a TargetPair<'a>,
    target: TargetUnits<'a>,
    moved: Option<MovedTargets<'a>>,
    source_positions: TextPositions<'a>,
    target_positions: Option<TextPositions<'a>>,
}

impl TargetPlanner<'_> {
    /// Returns `None` if the source is unreadable, which is reported elsewhere.
    pub fn plan(&self, (at, number, path): (usize, usize, PathBuf)) -> Result<Option<PlannedTarget>, Failure> {
        let Some(pair) = self.read(at, number, &path)? else { return Ok(None) };
        let units = pair.loaded.as_ref().map(|loaded| loaded.catalog.units.as_slice()).unwrap_or_default();
        let target = TargetUnits { units, is_bilingual: pair.file.kind.is_bilingual };
        let mut planned = PlannedTarget {
            file: at,
            lang: number,
            path,
            source: pair.source.clone(),
            exists: pair.loaded.is_some(),
            forms: pair.forms.clone(),
            counts: StateCounts { skipped: pair.source.units.skipped, ..StateCounts::default() },
            stale_by_note: 0,
            moved_outdated: 0,
            vanished: 0,
            units: Vec::new(),
            moved: Vec::new(),
            forgotten: Vec::new(),
            extra: Vec::new(),
            findings: Vec::new(),
            warnings: pair.loaded.iter().filter_map(LoadedCatalog::encoding_warning).collect(),
        };
        self.add_units(&pair, target, &mut planned);
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
        let source_plurals = source.and_then(|source| source.plurals.clone());
        let options = ReadOptions {
            dialect,
            target_lang: Some(lang.tag.clone()),
            source_plurals,
            encoding: rule.encoding,
            skips_broken: false,
        };
        let catalog = CatalogPath { root: project.root.real(), path, kind: file.kind, options: &options };
        let loaded = catalog.read()?;
        let planned =
            |loaded| Arc::new(SourceReader { request: self.request }.plan_source(rule, &file.lock_name, loaded));
        let source = match (source, &loaded) {
            (Some(source), _) => source.clone(),
            (None, Some(loaded)) if file.source.is_none() || file.kind.name == "xcstrings" => planned(loaded.clone()),
            _ => {
                let template = file.template.as_ref().map(|path| CatalogPath { path, ..catalog }.read());
                let Some(template) = template.transpose()?.flatten() else { return Ok(None) };
                planned(template)
            }
        };
        let header = loaded.as_ref().and_then(|loaded| loaded.catalog.plural_forms.clone());
        let of_language = || (file.kind.name == "po").then(|| gettext_forms(&lang.tag).to_owned());
        let forms = header.or_else(of_language).map_or(TargetForms::OfLanguage, TargetForms::Gettext);
        Ok(Some(TargetPair { file, lang, source, loaded, forms }))
    }

    /// Reason why a unit cannot be translated, such as a message with too many branches.
    fn skip_reason(&self, pair: &TargetPair<'_>, unit: &Unit) -> Option<SkipReason> {
        let rules = self.rules(pair, unit);
        let has_messages = matches!(rules.syntax, Syntax::Icu | Syntax::MessageFormat | Syntax::Fluent)
            || rules.syntax.may_have_choices();
        let has_any = has_messages && unit.text.texts().any(|text| text.contains(['{', '}']));
        if has_any { expand(&unit.text, &rules).err() } else { None }
    }

    fn rules<'a>(&'a self, pair: &'a TargetPair<'_>, unit: &'a Unit) -> MessageRules<'a> {
        message_rules(self.request.project, pair.file.kind, &pair.source, Some(pair.lang), &pair.forms, unit)
    }

    fn add_units(&self, pair: &TargetPair<'_>, target: TargetUnits<'_>, planned: &mut PlannedTarget) {
        let listing = TargetListing {
            pair,
            target,
            moved: self
                .renames
                .of(planned.lang)
                .map(|moved| MovedTargets::new(self.request, (pair, planned.lang), target, moved, &self.old)),
            source_positions: pair.source.loaded.positions(),
            target_positions: pair.loaded.as_ref().map(LoadedCatalog::positions),
        };
        let selection = self.request.selection;
        let known = KnownTargets {
            lock: self.request.lock,
            locked: &pair.source.locked,
            journal: self.request.journal,
            file: &pair.file.lock_name,
            lang: &pair.lang.tag,
            notes: note_comparison(self.request.project.settings.context),
            adopts: adopts_as_own(self.request.project, self.request.lock),
        };
        let problem = |unit: &Unit, text: &UnitText, author| problem(unit, text, &self.rules(pair, unit), author);
        let extra = compare(&pair.source.units, target, known, problem, |unit| self.add_unit(&listing, unit, planned));
        for unit in extra.iter().filter_map(|at| target.units.get(*at)).filter(|unit| (selection.has_key)(&unit.key)) {
            let lock_key = lock_key(&unit.key);
            if listing.moved.as_ref().is_some_and(|moved| moved.has_moved_away(&lock_key)) {
                continue;
            }
            planned.counts.add(UnitState::Extra);
            if let Some(positions) = listing.target_positions.as_ref().filter(|_| selection.reports_all_states) {
                let said = message(UnitState::Extra, false, false).to_owned();
                let at = positions.origin(unit.at);
                planned.findings.push(Finding {
                    at,
                    key: unit.key.clone(),
                    state: UnitState::Extra,
                    can_overwrite: false,
                    message: said,
                });
            }
            let Some(text) = target.text(unit) else { continue };
            let digest = TextDigest::of_unit(text, unit.needs_review);
            planned.extra.push(ExtraUnit { key: unit.key.clone(), lock_key, digest });
        }
        self.add_forgotten(&listing, planned);
    }

    fn add_unit(&self, listing: &TargetListing<'_>, mut unit: ComparedUnit, planned: &mut PlannedTarget) {
        let (pair, selection) = (listing.pair, self.request.selection);
        let Some(kept) = pair.source.units.kept.get(unit.source) else { return };
        let from = pair.source.units.unit(kept.position);
        let Some(from) = from.filter(|unit| (selection.has_key)(&unit.key)) else { return };
        if unit.state == UnitState::Same && !self.rules(pair, from).has_words(&from.text) {
            // A text without words is the same in all languages.
            unit.state = UnitState::Edited;
        }
        if let Some(moved) = &listing.moved {
            if let Some(moved) = moved.moved_target(&unit) {
                let is_outdated = moved.entry.is_some_and(|entry| entry.source != kept.digests.text);
                return self.add_moved(listing, (&unit, from), (moved, is_outdated), planned);
            }
            if moved.has_moved_away(&kept.lock_key) && unit.digests.is_some() {
                // The text here belongs to another list item, which has moved away.
                unit.state = UnitState::Stale;
            }
        }
        if let Some(reason) =
            Some(from).filter(|_| unit.state == UnitState::Missing).and_then(|from| self.skip_reason(pair, from))
        {
            planned.counts.skipped += 1;
            if reason == SkipReason::InvalidMessage {
                let at = listing.source_positions.origin(from.at);
                planned.warnings.push(format!("{at}: {} is not a valid message, and is not translated", from.key));
            }
            return;
        }
        planned.vanished += u64::from(unit.state == UnitState::Missing && self.has_locked_target(pair, &kept.lock_key));
        planned.counts.add(unit.state);
        let by_note = unit.entry.is_some_and(|entry| entry.source == kept.digests.text);
        let is_marked = unit.digests.is_some_and(|target| target.needs_review);
        planned.stale_by_note += u64::from(unit.state == UnitState::Stale && by_note && !is_marked);
        let is_done = matches!(unit.state, UnitState::Current | UnitState::Edited);
        if selection.reports_all_states && !is_done || unit.state == UnitState::Broken {
            planned.findings.push(self.finding(listing, &unit, from, by_note));
        }
        let fits = unit.entry.is_some_and(|entry| entry.target == unit.digests.map(|target| target.text));
        if !is_done || !fits || !unit.is_locked || (selection.is_listed)(&unit) {
            planned.units.push(unit);
        }
    }

    /// Counts a renamed unit. It is missing until its target is at the new key.
    fn add_moved(
        &self,
        listing: &TargetListing<'_>,
        (unit, from): (&ComparedUnit, &Unit),
        (moved, is_outdated): (MovedTarget, bool),
        planned: &mut PlannedTarget,
    ) {
        let state = match (moved.pending(), is_outdated) {
            (Some(_), _) => UnitState::Missing,
            (None, true) => UnitState::Review,
            (None, false) => UnitState::Current,
        };
        planned.counts.add(state);
        planned.moved_outdated += u64::from(is_outdated && state == UnitState::Missing);
        if self.request.selection.reports_all_states && state != UnitState::Current {
            let unit = ComparedUnit { state, ..*unit };
            let found = match moved.pending() {
                Some(old) => Finding {
                    at: listing.source_positions.origin(from.at),
                    key: from.key.clone(),
                    state,
                    can_overwrite: true,
                    message: moved_message(old),
                },
                None => self.finding(listing, &unit, from, false),
            };
            planned.findings.push(found);
        }
        planned.moved.push(moved);
    }

    fn add_forgotten(&self, listing: &TargetListing<'_>, planned: &mut PlannedTarget) {
        let (pair, lock) = (listing.pair, self.request.lock);
        let file = &pair.file.lock_name;
        let own;
        let gone = match self.renames.gone.get(file) {
            Some(gone) => gone,
            // Without a source file, the units of the target are also the source.
            None if pair.file.source.is_none() => {
                own = lock.keys(file).map(str::to_owned).collect();
                &own
            }
            None => return,
        };
        let Some(language) = lock.language_number(&pair.lang.tag) else { return };
        let kept: HashSet<String> = listing.target.units.iter().map(|unit| lock_key(&unit.key)).collect();
        let forgotten = gone.iter().filter(|key| {
            let is_known = lock.unit(file, key).is_some_and(|unit| unit.count(language) > 0);
            let is_moved = listing.moved.as_ref().is_some_and(|moved| moved.has_moved_away(key));
            is_known && !is_moved && !kept.contains(*key) && (self.request.selection.has_key)(&parse_lock_key(key))
        });
        planned.forgotten = forgotten.cloned().collect();
    }

    fn has_locked_target(&self, pair: &TargetPair<'_>, key: &str) -> bool {
        let language = self.request.lock.language_number(&pair.lang.tag);
        let unit = self.request.lock.unit(&pair.file.lock_name, key);
        let entry = unit.zip(language).and_then(|(unit, language)| unit.entry(language, None, None));
        entry.is_some_and(|entry| entry.target.is_some())
    }

    fn finding(&self, listing: &TargetListing<'_>, unit: &ComparedUnit, from: &Unit, by_note: bool) -> Finding {
        let found = unit.target.and_then(|at| listing.target.units.get(at)).filter(|_| unit.digests.is_some());
        let can_overwrite = unit.can_overwrite();
        let problem = found.filter(|_| unit.state == UnitState::Broken).and_then(|found| {
            let text = listing.target.text(found)?;
            let what = problem(from, text, &self.rules(listing.pair, from), TargetAuthor::Person)?;
            Some(if can_overwrite { format!("{what}; `tulk sync` translates it again") } else { what })
        });
        let needs_review = unit.digests.is_some_and(|target| target.needs_review);
        let message = problem.unwrap_or_else(|| message(unit.state, needs_review, by_note).to_owned());
        let at = match found.zip(listing.target_positions.as_ref()) {
            Some((found, positions)) => positions.origin(found.at),
            None => listing.source_positions.origin(from.at),
        };
        Finding { at, key: from.key.clone(), state: unit.state, can_overwrite, message }
    }
}
