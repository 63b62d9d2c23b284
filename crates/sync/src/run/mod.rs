//! Carries out a plan: requests translations and writes the targets.
//!
//! Input: a plan, and a pipeline job for each language and set of options. Output: the target files, the lock, and a
//! [`SyncOutcome`]. All groups share the limit of requests in flight; earlier groups go first. An answer goes to the
//! journal first, then to the target, then to the lock.

mod collected_changes;
mod groups;
mod lock_file;
mod moved_away;
mod observer;
mod prepare;
mod records;
mod rows;
mod send;
mod shared_call;
#[cfg(test)]
#[allow(clippy::string_slice, clippy::needless_pass_by_value)] // a wrong position fails the test
mod tests;
mod unwritable_units;
mod write;

use std::sync::Arc;

use tulk_base::error::{Failure, Origin};
use tulk_catalogs::UnitKey;
use tulk_pipeline::{Job, Protector};

use super::plan::SyncPlan;
use super::project::{Project, ProjectFile};

pub use self::groups::{Retranslate, SyncGroup, groups, is_translated};
pub use self::lock_file::LockFile;
pub use self::prepare::known_entries;
pub use self::rows::{RowState, SyncRows, count_requests};
pub use self::send::{SyncProgress, run};
pub(crate) use self::unwritable_units::{TargetSettings, apply_usable};

/// Input of a run.
pub struct SyncRun {
    /// The project.
    pub project: Project,
    /// The files of the project.
    pub files: Vec<ProjectFile>,
    /// The work to do.
    pub plan: SyncPlan,
    /// Data that all answers of the run depend on, such as the server.
    pub identity: String,
    /// Whether to remove units that only targets have.
    pub prune: bool,
    /// Whether the plan covers all files, languages and keys of the project.
    pub is_whole: bool,
    /// Whether to write pseudo-translations, which are not recorded in the lock.
    pub is_pseudo: bool,
}

/// The request for a group.
#[derive(Clone)]
pub struct GroupJob {
    /// The pipeline job.
    pub job: Job,
    /// Protects text in addition to the placeholders of the format.
    pub protector: Arc<Protector>,
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct SyncOutcome {
    /// Completed work, by file, language and state.
    pub rows: SyncRows,
    /// Answered requests and their characters, by the rows of the plan.
    pub sent: SyncRows,
    /// Units without a usable result.
    pub failed: Vec<FailedUnit>,
    /// Errors of languages and targets. Other languages and targets are complete.
    pub failures: Vec<Failure>,
    /// Units that were edited during the run and therefore not overwritten.
    pub kept: Vec<FailedUnit>,
    /// Number of units written to targets.
    pub written: u64,
    /// Why the run stopped early, such as a signal, the key or the quota.
    pub ended_by: Option<Failure>,
    /// Pipeline reports, for statistics.
    pub reports: Vec<tulk_pipeline::PipelineReport>,
}

/// A unit that was not written.
#[derive(Clone, Debug)]
pub struct FailedUnit {
    /// Location of its source, or of the target file.
    pub at: Origin,
    /// Key of the unit.
    pub key: UnitKey,
    /// Target language.
    pub lang: String,
    /// The reason, as a message for the user.
    pub why: String,
}
