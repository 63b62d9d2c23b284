//! Stored voice jobs, and their state at a given time.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::job_body::JobRequest;
use crate::app::App;
use crate::auth::Caller;
use crate::clock;
use crate::ids;
use crate::reply::Refusal;
use crate::state::{StateTables, kind};

/// How long a file can be uploaded after its job was created, in milliseconds.
const UPLOAD_PERIOD_MS: i64 = 5 * 60 * 1000;
/// How long results can be downloaded after the upload, in milliseconds.
const DOWNLOAD_PERIOD_MS: i64 = 60 * 60 * 1000;
const JOBS_MAX: usize = 10;
/// Maximum number of unfinished jobs with large files.
const LARGE_JOBS_MAX: usize = 2;
/// Size above which a file is large, in bytes.
const LARGE_FILE_BYTES: u64 = 100_000_000;

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct StoredJob {
    pub(super) request: JobRequest,
    /// Signature for the upload.
    pub(super) signature: String,
    /// The caller to bill.
    pub(super) caller: Caller,
    /// Reason why the job fails after any upload, if a fault was requested.
    pub(super) fault: Option<String>,
    /// Creation time, in milliseconds since 1970.
    pub(super) created: i64,
    pub(super) uploaded: Option<i64>,
    downloaded: Option<i64>,
    pub(super) source_bytes: u64,
    /// Results in the order of the targets.
    pub(super) results: Vec<StoredJobResult>,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct StoredJobResult {
    pub(super) file: String,
    /// Signature for the download.
    pub(super) signature: String,
    pub(super) bytes: u64,
    /// Reason why the result is missing.
    pub(super) error: Option<JobError>,
    is_downloaded: bool,
}

/// Reason why a result failed, as answers contain it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JobError {
    message: String,
    code: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum JobStatus {
    Pending,
    Uploaded,
    Processing,
    Complete,
    Downloaded,
    Failed,
}

impl JobError {
    pub(super) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { message: message.into(), code: code.to_owned() }
    }
}

impl StoredJobResult {
    fn new() -> Self {
        Self { file: format!("job-{}", ids::uuid()), signature: ids::upper_hex::<24>(), ..Self::default() }
    }
}

impl StoredJob {
    pub(super) fn new(request: JobRequest, caller: Caller, fault: Option<String>) -> Self {
        let results = request.targets.iter().map(|_| StoredJobResult::new()).collect();
        Self {
            request,
            signature: ids::upper_hex::<24>(),
            caller,
            fault,
            created: clock::now_ms(),
            uploaded: None,
            downloaded: None,
            source_bytes: 0,
            results,
        }
    }

    /// Stores a new job. Refuses it with 429 if too many jobs are unfinished.
    pub(super) fn store_new(&self, app: &App, id: &str) -> Result<(), Refusal> {
        let old = app.state.in_transaction(|tables| {
            let (mut unfinished, mut large, mut old) = (0, 0, Vec::new());
            for object in tables.list(kind::VOICE_JOB)? {
                let job = Self::read(&object.id, object.body)?;
                if job.is_gone() {
                    tables.delete(kind::VOICE_JOB, &object.id)?;
                    old.push(job);
                } else if job.results.iter().any(|result| job.status(app, result) < JobStatus::Complete) {
                    unfinished += 1;
                    large += usize::from(job.is_large());
                }
            }
            if unfinished >= JOBS_MAX {
                return Err(too_many_jobs(format!("at most {JOBS_MAX} jobs can be in progress")));
            }
            if self.is_large() && large >= LARGE_JOBS_MAX {
                let detail = format!("at most {LARGE_JOBS_MAX} jobs with files above 100 MB can be in progress");
                return Err(too_many_jobs(detail));
            }
            self.put(tables, id)?;
            Ok(old)
        })?;
        for job in &old {
            job.remove_files(app);
        }
        Ok(())
    }

    /// Returns a job and its ID in lower case. Refuses with 404 a job that is unknown, expired or completely downloaded.
    pub(super) fn find(app: &App, id: &str) -> Result<(String, Self), Refusal> {
        let id = id.to_ascii_lowercase();
        let job = app.state.with_tables(|tables| Self::get(tables, &id))?;
        Ok((id, job))
    }

    /// Changes a job in one transaction; `change` gets its current state.
    pub(super) fn update<T>(
        app: &App,
        id: &str,
        change: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        app.state.in_transaction(|tables| {
            let mut job = Self::get(tables, id)?;
            let result = change(&mut job)?;
            if job.is_gone() {
                tables.delete(kind::VOICE_JOB, id)?;
            } else {
                job.put(tables, id)?;
            }
            Ok(result)
        })
    }

    /// Records the download of a result. Returns false if it was already downloaded.
    pub(super) fn record_download(&mut self, number: usize) -> bool {
        self.downloaded = Some(clock::now_ms());
        let result = self.results.get_mut(number);
        result.is_some_and(|result| !std::mem::replace(&mut result.is_downloaded, true))
    }

    pub(super) fn status(&self, app: &App, result: &StoredJobResult) -> JobStatus {
        let Some(uploaded) = self.uploaded else { return JobStatus::Pending };
        let age = clock::now_ms().saturating_sub(uploaded);
        let (queued, ready) = app.options.document_times();
        match &result.error {
            _ if result.is_downloaded => JobStatus::Downloaded,
            _ if age < queued => JobStatus::Uploaded,
            _ if age < ready => JobStatus::Processing,
            Some(_) => JobStatus::Failed,
            None => JobStatus::Complete,
        }
    }

    /// Returns the time in milliseconds since 1970.
    pub(super) fn last_change(&self, app: &App) -> i64 {
        let Some(uploaded) = self.uploaded else { return self.created };
        let (queued, ready) = app.options.document_times();
        let changes = [uploaded, uploaded.saturating_add(queued), uploaded.saturating_add(ready)];
        let changes = changes.into_iter().chain(self.downloaded).filter(|time| *time <= clock::now_ms());
        changes.max().unwrap_or(uploaded)
    }

    /// Returns the total size of the uploaded file and the remaining results.
    pub(super) fn stored_bytes(&self) -> u64 {
        self.source_bytes + self.results.iter().filter(|result| !result.is_downloaded).map(|r| r.bytes).sum::<u64>()
    }

    fn remove_files(&self, app: &App) {
        self.results.iter().for_each(|result| app.state.remove_file(&result.file));
    }

    const fn is_large(&self) -> bool {
        self.request.source_file.content_length > LARGE_FILE_BYTES
    }

    fn is_gone(&self) -> bool {
        let end = self.uploaded.map_or(self.created + UPLOAD_PERIOD_MS, |uploaded| uploaded + DOWNLOAD_PERIOD_MS);
        end < clock::now_ms() || self.results.iter().all(|result| result.is_downloaded)
    }

    fn get(tables: &StateTables<'_>, id: &str) -> Result<Self, Refusal> {
        let object = tables.get(kind::VOICE_JOB, id)?;
        let job = object.map(|object| Self::read(id, object.body)).transpose()?;
        job.filter(|job| !job.is_gone()).ok_or_else(|| Refusal::not_found("The job was not found, or it has expired."))
    }

    fn read(id: &str, body: serde_json::Value) -> Result<Self, Refusal> {
        serde_json::from_value(body).map_err(|error| Refusal::internal(format!("stored job {id}: {error}")))
    }

    fn put(&self, tables: &StateTables<'_>, id: &str) -> Result<(), Refusal> {
        Ok(tables.put(kind::VOICE_JOB, id, &self.caller.key, &json!(self))?)
    }

    /// Sets `error` as the result of each target.
    pub(super) fn with_error(mut self, error: &JobError) -> Self {
        let fail = |result: &mut StoredJobResult| result.error = Some(error.clone());
        self.results.iter_mut().for_each(fail);
        self
    }
}

fn too_many_jobs(detail: String) -> Refusal {
    Refusal::new(429, "Too many jobs.").detail(detail).code("too_many_jobs")
}
