//! Carries out a plan: sends what has to be translated and writes the targets.
//!
//! Input: a plan, and a job of the pipeline for each language and set of options. Output: the target files, the lock, and a
//! [`SyncOutcome`]. All languages share the requests in flight, the first ones first. What is paid for is in the journal before
//! anything else happens with it; then targets are written, then the lock.

mod groups;
mod lock_file;
mod moved_away;
mod observer;
mod prepare;
mod records;
mod rehearsal;
mod rows;
mod send;
mod shared_call;
mod target_texts;
#[cfg(test)]
#[allow(clippy::string_slice, clippy::needless_pass_by_value)] // a wrong position fails the test
mod tests;
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
pub(crate) use self::rehearsal::{TargetSettings, apply_usable};
pub use self::rows::{RowState, SyncRows, count_requests};
pub use self::send::{SyncProgress, run};

/// What a run needs to know.
pub struct SyncRun {
    /// The project.
    pub project: Project,
    /// Its files.
    pub files: Vec<ProjectFile>,
    /// What there is to do.
    pub plan: SyncPlan,
    /// The server and everything else that answers depend on besides path, options, context and text.
    pub identity: String,
    /// Whether units that only targets have are removed.
    pub prune: bool,
    /// Whether all files, languages and keys of the project are looked at.
    pub is_whole: bool,
    /// Whether the lock is left alone: the targets are pseudo-translations.
    pub is_pseudo: bool,
}

/// How the texts of a group are requested.
#[derive(Clone)]
pub struct GroupJob {
    /// The request without texts.
    pub job: Job,
    /// What is protected besides the placeholders of the format.
    pub protector: Arc<Protector>,
}

/// What a run did.
#[derive(Debug, Default)]
pub struct SyncOutcome {
    /// What was done, by file, language and state.
    pub rows: SyncRows,
    /// The characters and requests that the service has answered, by the rows of the plan.
    pub sent: SyncRows,
    /// Units without a usable result.
    pub failed: Vec<FailedUnit>,
    /// Targets that could not be written.
    pub failures: Vec<Failure>,
    /// Units that somebody has changed in the meantime, which were kept.
    pub kept: Vec<FailedUnit>,
    /// Number of units that were written.
    pub written: u64,
    /// What ended the run before its end: a signal, the key, the quota.
    pub ended_by: Option<Failure>,
    /// The reports of the pipeline, for statistics.
    pub reports: Vec<tulk_pipeline::PipelineReport>,
}

/// A unit that was not written, and why.
#[derive(Clone, Debug)]
pub struct FailedUnit {
    /// Where its source is.
    pub at: Origin,
    /// Its key.
    pub key: UnitKey,
    /// The language.
    pub lang: String,
    /// Why.
    pub why: String,
}
