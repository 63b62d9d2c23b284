//! Groups the units of a plan by language and options, ready for requests.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, OnceLock};

use tulk_base::error::Origin;
use tulk_catalogs::{Expansion, SkipReason, Unit, UnitKeyPart, expand};

use super::rows::{RowState, SyncRows};
use crate::compare::ComparedUnit;
use crate::parallel::parallel_map;
use crate::plan::{PlannedSource, PlannedTarget, SyncPlan};
use crate::project::{ContextMode, Project, ProjectFile, ProjectOptions};
use crate::rules::message_rules;
use crate::state::UnitState;
use crate::work::LanguageWork;

/// Maximum size of source texts sent as context, in bytes.
const SECTION_BYTES: usize = 4 * 1024;

/// Values of `--retranslate`: translated units to translate again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retranslate {
    /// Everything that tulk translated.
    All,
    /// Units marked for review.
    Review,
    /// Up-to-date or broken units that a person wrote.
    Edited,
    /// Units whose last translation failed a check.
    Failed,
    /// Units whose translation equals the source text.
    Same,
    /// Units that a person wrote and that break a rule.
    Broken,
}

/// Units of a language that share their options.
#[derive(Debug)]
pub struct SyncGroup {
    /// Position of the language in the project.
    pub lang: usize,
    /// Translation options of all units.
    pub options: ProjectOptions,
    /// Whether contexts are notes. Entries with different notes can share a request.
    pub has_notes: bool,
    /// The units, and the sentences to send.
    pub work: LanguageWork,
    /// Positions of the targets in the plan.
    pub targets: Vec<usize>,
    /// Location of the source of each unit in `work`.
    pub origins: Vec<Origin>,
}

/// Returns whether a run translates this unit.
pub fn is_translated(unit: &ComparedUnit, choices: &[Retranslate]) -> bool {
    let chosen = |choice| choices.contains(&choice);
    match unit.state {
        UnitState::Missing | UnitState::Stale => true,
        UnitState::Broken if unit.can_overwrite() => true,
        UnitState::Review => chosen(Retranslate::Review),
        UnitState::Failed => chosen(Retranslate::Failed),
        UnitState::Same => chosen(Retranslate::Same),
        UnitState::Edited => chosen(Retranslate::Edited),
        UnitState::Broken => chosen(Retranslate::Broken) || chosen(Retranslate::Edited),
        // `Current` targets are tulk's; those by people are `Edited`.
        UnitState::Current => chosen(Retranslate::All),
        UnitState::Extra => false,
    }
}

/// Returns the groups of a plan, and the number of units in each row.
pub fn groups(
    project: &Project,
    files: &[ProjectFile],
    plan: &SyncPlan,
    choices: &[Retranslate],
) -> (Vec<SyncGroup>, SyncRows) {
    let mut groups: Vec<SyncGroup> = Vec::new();
    let mut by_options: HashMap<(usize, String), usize> = HashMap::new();
    for (number, target) in plan.targets.iter().enumerate() {
        let Some(file) = files.get(target.file) else { continue };
        let options = project.options(file.rule, target.lang);
        let key = (target.lang, serde_json::to_string(&options).unwrap_or_default());
        let group = *by_options.entry(key).or_insert_with(|| {
            let work = LanguageWork::default();
            let has_notes = project.settings.context == ContextMode::Notes;
            let (targets, origins) = (Vec::new(), Vec::new());
            groups.push(SyncGroup { lang: target.lang, options, has_notes, work, targets, origins });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(group) {
            group.targets.push(number);
        }
    }
    let expansions = SharedExpansions::new(&plan.targets);
    let filled = parallel_map(groups, |mut group| {
        let mut rows = SyncRows::default();
        let mut contexts = Contexts::new(project.settings.context);
        for number in group.targets.clone() {
            let target = plan.targets.get(number);
            let Some((target, file)) = target.and_then(|target| Some((target, files.get(target.file)?))) else {
                continue;
            };
            let shared = (&expansions, &mut contexts);
            add_target(project, file, (number, target), choices, &mut group, &mut rows, shared);
        }
        group.work.sort(group.has_notes);
        (group, rows)
    });
    let mut rows = SyncRows::default();
    let mut groups = Vec::with_capacity(filled.len());
    for (group, own) in filled {
        rows.add(&own);
        groups.push(group);
    }
    (groups, rows)
}

fn add_target(
    project: &Project,
    file: &ProjectFile,
    (number, target): (usize, &PlannedTarget),
    choices: &[Retranslate],
    group: &mut SyncGroup,
    rows: &mut SyncRows,
    (expansions, contexts): (&SharedExpansions<'_>, &mut Contexts),
) {
    let mut count = |state: RowState, units: u64| {
        if units > 0 {
            rows.row((target.file, target.lang, state)).units += units;
        }
    };
    count(RowState::Moved, target.moved.len() as u64);
    let (mut skipped, mut by_state) = (target.counts.skipped, [0; UnitState::ALL.len()]);
    let source = &target.source;
    let lang = project.settings.langs.get(target.lang);
    let positions = source.loaded.positions();
    group.work.reserve(target.units.len());
    group.origins.reserve(target.units.len());
    for (at, compared) in target.units.iter().enumerate().filter(|(_, unit)| is_translated(unit, choices)) {
        let kept = source.units.kept.get(compared.source);
        let Some(unit) = kept.and_then(|kept| source.units.unit(kept.position)) else { continue };
        let rules = message_rules(project, file.kind, source, lang, &target.forms, unit);
        let Some(expansion) = expansions.of(target, compared.source, || expand(&unit.text, &rules)) else {
            skipped += 1;
            continue;
        };
        if let Some(counted) = by_state.get_mut(compared.state as usize) {
            *counted += 1;
        }
        let context = contexts.of(source, unit);
        group.work.add(number, at, expansion, context.as_ref());
        group.origins.push(positions.origin(unit.at));
    }
    count(RowState::Skipped, skipped);
    for (state, units) in UnitState::ALL.into_iter().zip(by_state) {
        count(RowState::Unit(state), units);
    }
}

/// Equal contexts share their memory.
struct Contexts {
    mode: ContextMode,
    known: HashMap<String, Arc<str>>,
    /// Source texts of units with the same parent, by source and parent key.
    sections: HashMap<(*const PlannedSource, Vec<UnitKeyPart>), String>,
}

impl Contexts {
    fn new(mode: ContextMode) -> Self {
        Self { mode, known: HashMap::new(), sections: HashMap::new() }
    }

    fn of(&mut self, source: &Arc<PlannedSource>, unit: &Unit) -> Option<Arc<str>> {
        let note = unit.note_to_send().unwrap_or_default();
        let text = match self.mode {
            ContextMode::None => return None,
            ContextMode::Notes => note.into_owned(),
            ContextMode::Section => {
                let section = self.section(source, unit);
                [&*note, section].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
            }
        };
        if text.is_empty() {
            return None;
        }
        Some(match self.known.entry(text) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => {
                let context: Arc<str> = place.key().as_str().into();
                place.insert(context).clone()
            }
        })
    }

    fn section(&mut self, source: &Arc<PlannedSource>, unit: &Unit) -> &str {
        let key = (Arc::as_ptr(source), unit.key.parent().to_vec());
        if !self.sections.contains_key(&key) {
            // Compute all sections of the file in one pass over its units.
            for unit in &source.units.units {
                let section = self.sections.entry((key.0, unit.key.parent().to_vec())).or_default();
                for text in unit.text.texts().map(str::trim).filter(|text| !text.is_empty()) {
                    if section.len() + text.len() < SECTION_BYTES {
                        section.push_str(if section.is_empty() { "" } else { "\n" });
                        section.extend(text.chars().map(|c| if c == '\n' { ' ' } else { c }));
                    }
                }
            }
        }
        self.sections.get(&key).map(String::as_str).unwrap_or_default()
    }
}

/// Expansions that are the same for every language, computed once for all groups.
pub struct SharedExpansions<'a>(HashMap<usize, SourceExpansions<'a>>);

struct SourceExpansions<'a> {
    source: &'a Arc<PlannedSource>,
    units: Vec<OnceLock<Arc<Expansion>>>,
}

impl<'a> SharedExpansions<'a> {
    /// Adds an empty entry for the source of each target.
    pub fn new(targets: &'a [PlannedTarget]) -> Self {
        let mut by_file = HashMap::new();
        for PlannedTarget { file, source, .. } in targets {
            by_file.entry(*file).or_insert_with(|| {
                let units = source.units.kept.iter().map(|_| OnceLock::new()).collect();
                SourceExpansions { source, units }
            });
        }
        Self(by_file)
    }

    /// Returns the shared expansion, or else calls `expand`. `None` if the unit cannot be translated.
    pub fn of(
        &self,
        target: &PlannedTarget,
        kept: usize,
        expand: impl FnOnce() -> Result<Expansion, SkipReason>,
    ) -> Option<Arc<Expansion>> {
        // Bilingual files have a separate source for each language.
        let own = self.0.get(&target.file).filter(|own| Arc::ptr_eq(own.source, &target.source));
        let place = own.and_then(|own| own.units.get(kept));
        if let Some(known) = place.and_then(OnceLock::get) {
            return Some(known.clone());
        }
        let expansion = Arc::new(expand().ok()?);
        if let Some(place) = place.filter(|_| expansion.is_for_all_languages()) {
            let _ = place.set(expansion.clone());
        }
        Some(expansion)
    }
}
