//! The plan of a run: every unit of every target, with its state.
//!
//! Input: the files of a project, the lock and the user's selection. Output: a [`SyncPlan`], which `--check` and
//! `status` list and a run carries out. Planning reads files in parallel, writes nothing and sends nothing.

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
use super::moves::UnitLocation;
use super::parallel::{parallel_map, parallel_map_within};
use super::project::{Adoption, ContextMode, PROJECT_FILE, Project, ProjectFile};
use super::state::{NoteComparison, UnitState};

pub use self::finding::Finding;
use self::moved::Renames;
use self::moved_target::OldTargets;
pub use self::source::PlannedSource;
use self::source::SourceReader;
use self::target::TargetPlanner;

/// Maximum total size of targets that are read in parallel, in bytes. Two targets are always read in parallel.
const MAX_PARALLEL_BYTES: usize = 16 << 20;

/// Input of a plan.
#[derive(Clone, Copy)]
pub struct PlanRequest<'a> {
    /// The project to plan.
    pub project: &'a Project,
    /// The files of the project.
    pub files: &'a [ProjectFile],
    /// The lock as read.
    pub lock: &'a Lock,
    /// The journal of an interrupted run.
    pub journal: Option<&'a Journal>,
    /// Files, languages and units to include.
    pub selection: &'a Selection,
}

/// The files, languages and units of a command.
pub struct Selection {
    /// Languages, as positions in `ProjectSettings::langs`.
    pub langs: Vec<usize>,
    /// Selects files by [`ProjectFile::lock_name`].
    pub has_file: Box<dyn Fn(&str) -> bool + Sync>,
    /// Selects units.
    pub has_key: Box<dyn Fn(&UnitKey) -> bool + Sync>,
    /// Selects units to list in [`PlannedTarget::units`] even if nothing is to be done for them.
    pub is_listed: Box<dyn Fn(&ComparedUnit) -> bool + Sync>,
    /// Whether to report findings for all states. Broken units are always reported.
    pub reports_all_states: bool,
}

/// The work to do in a project.
#[derive(Debug, Default)]
pub struct SyncPlan {
    /// Targets, ordered by file, then by language.
    pub targets: Vec<PlannedTarget>,
    /// Errors of unreadable files, which are left alone.
    pub unreadable: Vec<Failure>,
    /// Warnings, such as duplicate keys.
    pub warnings: Vec<String>,
    /// Number of readable sources or of planned targets, whichever is larger.
    pub readable: usize,
}

/// A target file in a language, or one language of a file with several.
#[derive(Debug)]
pub struct PlannedTarget {
    /// Position in [`PlanRequest::files`].
    pub file: usize,
    /// Position in `ProjectSettings::langs`.
    pub lang: usize,
    /// Path relative to the project.
    pub path: PathBuf,
    /// The source catalogue.
    pub source: Arc<PlannedSource>,
    /// Whether the target file exists.
    pub exists: bool,
    /// Plural forms of the target.
    pub forms: TargetForms,
    /// Number of units in each state.
    pub counts: StateCounts,
    /// Number of stale units whose note has changed and whose text has not.
    pub stale_by_note: u64,
    /// Number of units that are still under their old keys and need review after the move.
    pub moved_outdated: u64,
    /// Number of units with a translation in the lock but not in the file.
    pub vanished: u64,
    /// Units that need work: to translate, to report or to record in the lock.
    pub units: Vec<ComparedUnit>,
    /// Targets of renamed units.
    pub moved: Vec<MovedTarget>,
    /// Keys in the lock that neither source nor target has.
    pub forgotten: Vec<String>,
    /// Units that the source does not have.
    pub extra: Vec<ExtraUnit>,
    /// Findings of `--check`.
    pub findings: Vec<Finding>,
    /// Locations and reasons of sources that cannot be translated, and a warning about a guessed encoding.
    pub warnings: Vec<String>,
}

/// A target that moves to another key.
#[derive(Clone, Debug)]
pub struct MovedTarget {
    /// The unit with the new key, as a position in [`super::compare::SourceUnits::kept`].
    pub unit: usize,
    /// Old location.
    pub from: UnitLocation,
    /// The unit at the old location. `None` if it is no longer there, or if a person has already moved the target and the
    /// unit at the old location is to stay.
    pub old: Option<OldUnit>,
    /// Its entry in the lock.
    pub entry: Option<LockEntry>,
    /// Digest of the target at the new key; `None` if it has no text.
    pub digest_at_new_key: Option<TextDigest>,
}

impl MovedTarget {
    /// Returns the old unit unless its text is already at the new key.
    pub fn pending(&self) -> Option<&OldUnit> {
        self.old.as_ref().filter(|old| self.digest_at_new_key != Some(old.digest))
    }
}

/// A target unit under its old key.
#[derive(Clone, Debug)]
pub struct OldUnit {
    /// The old key.
    pub key: UnitKey,
    /// The translation.
    pub text: UnitText,
    /// Digest of the translation.
    pub digest: TextDigest,
    /// The file that contains it. `None` means the target file. If a person has already moved the translation to its new
    /// key, the path is always set.
    pub path: Option<PathBuf>,
    /// Whether to remove the old key: no other unit has moved there and, for a move within a file, the source lacks the key.
    pub is_removed: bool,
}

/// A unit that only the target has.
#[derive(Clone, Debug)]
pub struct ExtraUnit {
    /// Key in the target.
    pub key: UnitKey,
    /// Key in the lock.
    pub lock_key: String,
    /// Digest of its text.
    pub digest: TextDigest,
}

/// Number of units in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateCounts {
    counts: [u64; UnitState::ALL.len()],
    /// Units that need no translation.
    pub skipped: u64,
}

impl StateCounts {
    fn add(&mut self, state: UnitState) {
        if let Some(count) = self.counts.get_mut(state as usize) {
            *count += 1;
        }
    }

    /// Returns the number of units in one state.
    pub fn of(&self, state: UnitState) -> u64 {
        self.counts.get(state as usize).copied().unwrap_or_default()
    }

    /// Returns the number of source units.
    pub fn units(&self) -> u64 {
        self.counts.iter().sum::<u64>() - self.of(UnitState::Extra)
    }
}

impl SyncPlan {
    /// Reads the sources of all files, and the selected targets. Errors of single files are in [`Self::unreadable`].
    pub fn new(request: PlanRequest<'_>) -> Self {
        let mut plan = Self::default();
        let selected: Vec<usize> = (0..request.files.len())
            .filter(|at| request.files.get(*at).is_some_and(|file| (request.selection.has_file)(&file.lock_name)))
            .collect();
        let reader = SourceReader { request };
        // Read even files that are not selected: otherwise, a key that moved there would look gone.
        let mut sources: Vec<Option<Arc<PlannedSource>>> = Vec::with_capacity(request.files.len());
        for read in parallel_map((0..request.files.len()).collect(), |at| reader.read(at)) {
            sources.push(match read {
                Ok(source) => source.map(Arc::new),
                Err(failure) => {
                    plan.unreadable.push(with_exclude_hint(failure));
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
        for planned in parallel_map_within(max_threads(&sources, request, &jobs), jobs, |job| planner.plan(job)) {
            match planned {
                Ok(Some(target)) => plan.targets.push(target),
                Ok(None) => {}
                Err(failure) => plan.unreadable.push(with_exclude_hint(failure)),
            }
        }
        for (source, file) in sources.iter().zip(request.files) {
            plan.warnings
                .extend(source.iter().flat_map(|source| source.warnings(file.kind.format.first_duplicate_wins())));
        }
        let not_valid: BTreeSet<String> =
            plan.targets.iter().flat_map(|target| target.warnings.iter().cloned()).collect();
        plan.warnings.extend(not_valid);
        plan.readable = sources.iter().flatten().count().max(plan.targets.len());
        plan
    }
}

fn with_exclude_hint(failure: Failure) -> Failure {
    match failure.at.as_ref().filter(|_| failure.hint.is_none()).map(|at| at.source.to_string()) {
        Some(path) => failure.hint(format!(
            "fix the file, or exclude it: add `exclude = [{}]` to its [[sync.files]] in {PROJECT_FILE}",
            toml::Value::from(path)
        )),
        None => failure,
    }
}

/// Limits the threads that read targets, because each target takes about ten times its size in memory. Assumes that all
/// are as large as the largest.
fn max_threads(
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
    (MAX_PARALLEL_BYTES / largest.max(1)).max(2)
}

/// Returns whether changed notes make units stale in a project.
pub fn note_comparison(context: ContextMode) -> NoteComparison {
    if context == ContextMode::None { NoteComparison::Ignored } else { NoteComparison::Compared }
}

/// Returns whether targets that are not in the lock count as tulk's, which is possible only without a lock file.
pub fn adopts_as_own(project: &Project, lock: &Lock) -> bool {
    !lock.exists && project.settings.adopt == Adoption::Tulk
}
