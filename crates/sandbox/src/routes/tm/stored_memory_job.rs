//! Stored imports and exports, and their status, which advances with each poll.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::import_body::ImportRequest;
use crate::app::App;
use crate::clock::{self, DAY_MS};
use crate::ids;
use crate::memories::{MemoryTime, StoredMemory};
use crate::reply::Refusal;
use crate::state::{StateTables, kind};

/// How long a file can be uploaded after its job was created, or downloaded after the job was completed, in
/// milliseconds.
const ADDRESS_VALID_MS: i64 = 60 * 60 * 1000;
/// Age at which a job expires.
const EXPIRY_AGE_MS: i64 = DAY_MS;
/// Age at which a job is removed.
const REMOVAL_AGE_MS: i64 = 2 * DAY_MS;
/// How long a running export blocks another export of the same memory, in milliseconds.
const EXPORT_BLOCK_MS: i64 = 60 * 1000;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct StoredMemoryJob {
    pub(super) work: MemoryWork,
    pub(super) token: String,
    /// Creation time, in milliseconds since 1970.
    pub(super) created: i64,
    pub(super) updated: i64,
    /// Number of polls since the work began.
    polls: u64,
    /// Time when the result became visible.
    pub(super) ready: Option<i64>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MemoryWork {
    Import {
        request: ImportRequest,
        /// Reason why the import fails after its upload, if a fault was requested.
        fault: Option<String>,
        /// Set by the upload.
        outcome: Option<ImportOutcome>,
    },
    Export {
        memory_id: String,
        memory_updated: Option<MemoryTime>,
        file: String,
        bytes: u64,
        /// Reason why the export fails, if a fault was requested.
        fault: Option<String>,
    },
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ImportOutcome {
    Memory { id: String, skipped: u64 },
    Failed(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MemoryJobStatus {
    AwaitingInput,
    Processing,
    Completed,
    Failed,
    Expired,
}

impl StoredMemoryJob {
    pub(super) fn new(app: &App, work: MemoryWork) -> Self {
        let now = clock::now_ms();
        let token = ids::upper_hex::<24>();
        let mut job = Self { work, token, created: now, updated: now, polls: 0, ready: None };
        job.complete_after_polls(app);
        job
    }

    /// Stores a new job. Removes old jobs with their files.
    pub(super) fn store_new(&self, app: &App, tables: &StateTables<'_>, id: &str, owner: &str) -> Result<(), Refusal> {
        let oldest = clock::now_ms() - REMOVAL_AGE_MS;
        for (old_id, _) in tables.list_ids(kind::MEMORY_JOB)?.into_iter().filter(|(_, created)| *created < oldest) {
            if let Some(Self { work: MemoryWork::Export { file, .. }, .. }) = Self::get(tables, &old_id)? {
                app.state.remove_file(&file);
            }
            tables.delete(kind::MEMORY_JOB, &old_id)?;
        }
        Ok(tables.put(kind::MEMORY_JOB, id, owner, &json!(self))?)
    }

    /// Changes a job in one transaction. Refuses an unknown job with 404.
    pub(super) fn update<T>(
        app: &App,
        id: &str,
        change: impl FnOnce(&StateTables<'_>, &mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        app.state.in_transaction(|tables| {
            let mut job = Self::get(tables, id)?.ok_or_else(unknown_job)?;
            let result = change(tables, &mut job)?;
            // The empty owner is ignored: an existing object keeps its owner.
            tables.put(kind::MEMORY_JOB, id, "", &json!(job))?;
            Ok(result)
        })
    }

    /// Returns the job if `token` matches the one in its file's address, else 404.
    pub(super) fn find_by_token(app: &App, id: &str, token: &str) -> Result<Self, Refusal> {
        let job = app.state.with_tables(|tables| Self::get(tables, id))?.filter(|job| job.token == token);
        job.ok_or_else(|| Refusal::not_found("There is no such file."))
    }

    /// Returns the ID of the latest export of a memory that is running or reusable, and whether it is running.
    pub(super) fn find_export(
        app: &App,
        tables: &StateTables<'_>,
        memory: &StoredMemory,
    ) -> Result<Option<(String, bool)>, Refusal> {
        let now = clock::now_ms();
        for object in tables.list(kind::MEMORY_JOB)?.into_iter().rev() {
            let job = Self::read(&object.id, object.body)?;
            let MemoryWork::Export { memory_id, memory_updated, fault, .. } = &job.work else { continue };
            if *memory_id != memory.translation_memory_id {
                continue;
            }
            let is_same = *memory_updated == memory.updated_time && fault.is_none();
            match job.status(app) {
                MemoryJobStatus::Completed if is_same && now < job.file_expiry_ms() => {
                    return Ok(Some((object.id, false)));
                }
                MemoryJobStatus::Processing if now < job.created + EXPORT_BLOCK_MS => {
                    return Ok(Some((object.id, true)));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Counts a poll and returns the status before it.
    pub(super) fn poll(&mut self, app: &App) -> MemoryJobStatus {
        self.complete_after_polls(app);
        let status = self.status(app);
        if self.has_begun() {
            self.polls += 1;
        }
        self.complete_after_polls(app);
        status
    }

    pub(super) fn set_outcome(&mut self, app: &App, new: ImportOutcome) {
        if let MemoryWork::Import { outcome, .. } = &mut self.work {
            *outcome = Some(new);
            self.updated = clock::now_ms();
            self.complete_after_polls(app);
        }
    }

    /// Makes the result visible after enough polls.
    fn complete_after_polls(&mut self, app: &App) {
        let states = if matches!(self.work, MemoryWork::Import { .. }) { 2 } else { 1 };
        let enough = app.options.memory_job_polls.saturating_mul(states);
        if self.ready.is_none() && self.has_begun() && self.polls >= enough {
            self.updated = clock::now_ms();
            self.ready = Some(self.updated);
        }
    }

    /// Returns whether the work has begun: immediately for an export, after the upload for an import.
    const fn has_begun(&self) -> bool {
        !matches!(self.work, MemoryWork::Import { outcome: None, .. })
    }

    pub(super) fn status(&self, app: &App) -> MemoryJobStatus {
        let is_waiting = self.polls < app.options.memory_job_polls;
        match &self.work {
            _ if self.created + EXPIRY_AGE_MS < clock::now_ms() => MemoryJobStatus::Expired,
            MemoryWork::Import { outcome: None, .. } => MemoryJobStatus::AwaitingInput,
            MemoryWork::Import { .. } if self.ready.is_none() && is_waiting => MemoryJobStatus::AwaitingInput,
            _ if self.ready.is_none() => MemoryJobStatus::Processing,
            MemoryWork::Import { outcome: Some(ImportOutcome::Failed(_)), .. }
            | MemoryWork::Export { fault: Some(_), .. } => MemoryJobStatus::Failed,
            _ => MemoryJobStatus::Completed,
        }
    }

    /// In milliseconds since 1970.
    pub(super) fn file_expiry_ms(&self) -> i64 {
        self.ready.unwrap_or(self.created) + ADDRESS_VALID_MS
    }

    fn get(tables: &StateTables<'_>, id: &str) -> Result<Option<Self>, Refusal> {
        tables.get(kind::MEMORY_JOB, id)?.map(|object| Self::read(id, object.body)).transpose()
    }

    fn read(id: &str, body: serde_json::Value) -> Result<Self, Refusal> {
        serde_json::from_value(body).map_err(|error| Refusal::internal(format!("stored job {id}: {error}")))
    }
}

fn unknown_job() -> Refusal {
    Refusal::not_found("The job was not found.")
}
