//! What there is to do in a project: every unit of every target with its state.
//!
//! Input: the files of a project, the lock and what the user selects. Output: a [`SyncPlan`], which `--check` and `status` list, and
//! which a run carries out. Files are read in parallel; nothing is written and nothing is sent.

mod finding;
mod moved;
mod moved_target;
mod source;
mod target;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_catalogs::{TargetForms, UnitKey, UnitText};

use super::compare::ComparedUnit;
use super::digest::TextDigest;
use super::journal::Journal;
use super::lock::{Lock, LockEntry};
use super::moves::UnitPlace;
use super::parallel::{parallel_map, parallel_map_within};
use super::project::{Adoption, ContextMode, PROJECT_FILE, Project, ProjectFile};
use super::state::{NoteComparison, UnitState};

pub use self::finding::Finding;
use self::moved::Renames;
use self::moved_target::OldTargets;
pub use self::source::PlannedSource;
use self::source::SourceReader;
use self::target::TargetPlanner;

/// Size of the targets that are read at the same time, in bytes. Two are always.
const BYTES_AT_ONCE: usize = 16 << 20;

/// What a plan is made from.
#[derive(Clone, Copy)]
pub struct PlanRequest<'a> {
    /// The project.
    pub project: &'a Project,
    /// Its files.
    pub files: &'a [ProjectFile],
    /// What the lock says.
    pub lock: &'a Lock,
    /// The journal of a run that was killed, if there is one.
    pub journal: Option<&'a Journal>,
    /// What is looked at.
    pub selection: &'a Selection,
}

/// The files, languages and units that a command looks at.
pub struct Selection {
    /// The languages, as positions in `ProjectSettings::langs`.
    pub langs: Vec<usize>,
    /// Which files, by [`ProjectFile::lock_name`].
    pub file: Box<dyn Fn(&str) -> bool + Sync>,
    /// Which units.
    pub key: Box<dyn Fn(&UnitKey) -> bool + Sync>,
    /// Which units are listed in [`PlannedTarget::units`], besides those that have to be looked at.
    pub lists: Box<dyn Fn(&ComparedUnit) -> bool + Sync>,
    /// Whether findings are made of all states. Those of broken units always are.
    pub finds: bool,
}

/// What there is to do.
#[derive(Debug, Default)]
pub struct SyncPlan {
    /// The targets, in the order of the files, then of the languages.
    pub targets: Vec<PlannedTarget>,
    /// Files that cannot be read. Nothing is done about them.
    pub unreadable: Vec<Failure>,
    /// What is noticeable, such as duplicate keys.
    pub warnings: Vec<String>,
    /// Number of files that could be read.
    pub readable: usize,
}

/// A target file in a language, or a language of a file that holds several.
#[derive(Debug)]
pub struct PlannedTarget {
    /// Its file, as a position in [`PlanRequest::files`].
    pub file: usize,
    /// Its language, as a position in `ProjectSettings::langs`.
    pub lang: usize,
    /// Its path, relative to the project.
    pub path: PathBuf,
    /// The source.
    pub source: Arc<PlannedSource>,
    /// Whether the file exists.
    pub exists: bool,
    /// The forms of its plurals.
    pub forms: TargetForms,
    /// The number of units in each state.
    pub counts: StateCounts,
    /// How many are stale because of their note alone.
    pub stale_by_note: u64,
    /// How many are at their old keys still, and need review once they have moved.
    pub moved_outdated: u64,
    /// How many have a translation by the lock, but none in the file.
    pub vanished: u64,
    /// The units that are not simply up to date: those to translate, to report, to record.
    pub units: Vec<ComparedUnit>,
    /// Targets of renamed keys.
    pub moved: Vec<MovedTarget>,
    /// Keys in the lock that are neither in the source nor in the target.
    pub forgotten: Vec<String>,
    /// Keys that the source does not have.
    pub extra: Vec<ExtraUnit>,
    /// What `--check` lists.
    pub findings: Vec<Finding>,
    /// Sources that cannot be translated as they are, each with its place.
    pub warnings: Vec<String>,
}

/// A target that goes to another key.
#[derive(Clone, Debug)]
pub struct MovedTarget {
    /// The unit with the new key, as a position in [`super::compare::SourceUnits::kept`].
    pub unit: usize,
    /// Where it was.
    pub from: UnitPlace,
    /// The unit there; `None` if somebody has moved it already.
    pub old: Option<OldUnit>,
    /// What the lock says about it.
    pub entry: Option<LockEntry>,
    /// What stands at the new key.
    pub before: Option<TextDigest>,
}

impl MovedTarget {
    /// Returns the unit at the old place if its text does not stand at the new key yet.
    pub fn pending(&self) -> Option<&OldUnit> {
        self.old.as_ref().filter(|old| self.before != Some(old.digest))
    }
}

/// A unit of a target whose key was renamed.
#[derive(Clone, Debug)]
pub struct OldUnit {
    /// The key.
    pub key: UnitKey,
    /// The text.
    pub text: UnitText,
    /// Its digest.
    pub digest: TextDigest,
    /// The file that it was in, if it was another one.
    pub path: Option<PathBuf>,
    /// Whether the key goes: nothing else takes it.
    pub is_removed: bool,
}

/// A unit that only the target has.
#[derive(Clone, Debug)]
pub struct ExtraUnit {
    /// Its key.
    pub key: UnitKey,
    /// Its key in the lock.
    pub lock_key: String,
    /// Its text.
    pub digest: TextDigest,
}

/// The number of units in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateCounts {
    counts: [u64; UnitState::ALL.len()],
    /// Units that are not kept complete.
    pub skipped: u64,
}

impl StateCounts {
    fn add(&mut self, state: UnitState) {
        if let Some(count) = self.counts.get_mut(state as usize) {
            *count += 1;
        }
    }

    /// Returns the number of units in a state.
    pub fn of(&self, state: UnitState) -> u64 {
        self.counts.get(state as usize).copied().unwrap_or_default()
    }

    /// Returns the number of units of the source.
    pub fn units(&self) -> u64 {
        self.counts.iter().sum::<u64>() - self.of(UnitState::Extra)
    }
}

impl SyncPlan {
    /// Makes a plan. Fails only if the plan as a whole makes no sense; files that cannot be read are in it.
    pub fn new(request: PlanRequest<'_>) -> Self {
        let mut plan = Self::default();
        let selected: Vec<usize> = (0..request.files.len())
            .filter(|at| request.files.get(*at).is_some_and(|file| (request.selection.file)(&file.lock_name)))
            .collect();
        let reader = SourceReader { request };
        // All sources are read, or a key that moved to a file that is not selected would look gone.
        let mut sources: Vec<Option<Arc<PlannedSource>>> = Vec::with_capacity(request.files.len());
        for read in parallel_map((0..request.files.len()).collect(), |at| reader.read(at)) {
            sources.push(match read {
                Ok(source) => source.map(Arc::new),
                Err(failure) => {
                    plan.unreadable.push(with_way_out(failure));
                    None
                }
            });
        }
        let renames = Renames::find(request, &sources, !plan.unreadable.is_empty());
        let jobs: Vec<(usize, usize, PathBuf)> = selected
            .iter()
            .filter_map(|at| Some((*at, request.files.get(*at)?)))
            .flat_map(|(at, file)| file.targets.iter().map(move |(lang, path)| (at, *lang, path.clone())))
            .filter(|(_, lang, _)| request.selection.langs.contains(lang))
            .collect();
        let planner = TargetPlanner { request, sources: &sources, renames: &renames, old: OldTargets::default() };
        for planned in parallel_map_within(threads_for(&sources, request, &jobs), jobs, |job| planner.plan(job)) {
            match planned {
                Ok(Some(target)) => plan.targets.push(target),
                Ok(None) => {}
                Err(failure) => plan.unreadable.push(with_way_out(failure)),
            }
        }
        for (source, file) in sources.iter().zip(request.files) {
            plan.warnings.extend(source.iter().flat_map(|source| source.warnings(file.kind.format.first_counts())));
        }
        let not_valid: BTreeSet<String> =
            plan.targets.iter().flat_map(|target| target.warnings.iter().cloned()).collect();
        plan.warnings.extend(not_valid);
        plan.readable = sources.iter().flatten().count().max(plan.targets.len());
        plan
    }
}

/// Adds to the failure of a file how to go on without it.
fn with_way_out(failure: Failure) -> Failure {
    match failure.at.as_ref().filter(|_| failure.hint.is_none()).map(|at| at.source.to_string()) {
        Some(path) => failure.hint(format!(
            "correct the file, or leave it out: `exclude = [{}]` in its [[sync.files]] of {PROJECT_FILE}",
            toml::Value::from(path)
        )),
        None => failure,
    }
}

/// Returns on how many threads targets are read: a target takes about ten times its size in memory, and all at once not more than
/// if they were small.
fn threads_for(
    sources: &[Option<Arc<PlannedSource>>],
    request: PlanRequest<'_>,
    jobs: &[(usize, usize, PathBuf)],
) -> usize {
    let root = request.project.root.real();
    let size = |(at, _, path): &(usize, usize, PathBuf)| match sources.get(*at) {
        Some(Some(source)) => source.loaded.file.text.len(),
        _ => root.join(path).metadata().map_or(0, |data| usize::try_from(data.len()).unwrap_or(usize::MAX)),
    };
    let largest = jobs.iter().map(size).max().unwrap_or_default();
    (BYTES_AT_ONCE / largest.max(1)).max(2)
}

/// Returns whether notes are compared in a project.
pub fn note_comparison(context: ContextMode) -> NoteComparison {
    if context == ContextMode::None { NoteComparison::Ignored } else { NoteComparison::Compared }
}

/// Returns what an unrecorded target is taken for when there is no lock.
pub fn adopts_as_own(project: &Project, lock: &Lock) -> bool {
    !lock.exists && project.settings.adopt == Adoption::Tulk
}
