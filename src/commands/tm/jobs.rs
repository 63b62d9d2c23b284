//! Rows, polling and messages that imports and exports share.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::numbers::counted;
use tulk_base::shell;
use tulk_client::api::tm::jobs::{GetMemoryJob, MemoryJob, MemoryJobState};
use tulk_client::http::client::Client;
use tulk_store::memory_jobs::{LockedMemoryJob, MemoryJobRecord, MemoryJobWork, UploadStage};

use crate::commands::doc::{poll_interval, quoted_relative_path, stopped_hint};
use crate::context::Context;
use crate::output::{Column, ProgressTask, Row, StatusWord};

const STATUSES: &[StatusWord] = &[
    StatusWord::working("uploading"),
    StatusWord::working("uploaded"),
    StatusWord::working("awaiting_input"),
    StatusWord::working("processing"),
    StatusWord::done("completed"),
    StatusWord::done("downloaded"),
    StatusWord::failed("failed"),
    StatusWord::failed("expired"),
];

/// An import or export as a row, without its signed address, which is secret.
#[derive(Serialize, Deserialize, Clone, Debug, Default)]
pub struct MemoryJobRow {
    pub job_id: String,
    /// `import` or `export`.
    pub operation: String,
    /// Status that the service reports. If only the record is known: `uploading`, `uploaded` or, for an export, `processing`.
    pub status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The created or exported memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation_memory_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped_segment_count: Option<u64>,
    /// The imported file, or the file to write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_time: Option<String>,
    /// Why the job failed, or what it waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Row for MemoryJobRow {
    const COLUMNS: &'static [Column] = &[
        Column::id("job_id").header("JOB"),
        Column::text("operation"),
        Column::status("status", STATUSES).rank(0),
        Column::name("display_name").header("NAME"),
        Column::id("translation_memory_id").header("MEMORY"),
        Column::count("skipped_segment_count").header("SKIPPED"),
        Column::path("path").header("FILE"),
        Column::time("creation_time").header("CREATED").rank(5),
        Column::time("updated_time").header("UPDATED").rank(4),
        Column::text("message").rank(2),
    ];
}

impl MemoryJobRow {
    pub fn of_job(job: &MemoryJob, path: Option<String>) -> Self {
        let result = job.result();
        Self {
            job_id: job.job_id.clone(),
            operation: job.operation.clone(),
            status: result.status.clone(),
            display_name: job.display_name().map(str::to_owned),
            translation_memory_id: job.memory_id(),
            skipped_segment_count: result.skipped_segment_count,
            path,
            creation_time: job.created().map(str::to_owned),
            updated_time: job.updated().map(str::to_owned),
            message: job.message(),
        }
    }

    pub fn of_record(record: &MemoryJobRecord) -> Self {
        let row = Self { job_id: record.job_id.clone(), ..Self::default() };
        match &record.work {
            MemoryJobWork::Import { display_name, path, stage, .. } => Self {
                operation: "import".to_owned(),
                status: if *stage == UploadStage::Uploaded { "uploaded" } else { "uploading" }.to_owned(),
                display_name: Some(display_name.clone()),
                path: Some(path.display().to_string()),
                ..row
            },
            MemoryJobWork::Export { translation_memory_id, output, .. } => Self {
                operation: "export".to_owned(),
                status: "processing".to_owned(),
                translation_memory_id: Some(translation_memory_id.clone()),
                path: output.as_ref().map(|path| path.display().to_string()),
                ..row
            },
        }
    }

    pub fn print(self, ctx: &Context) -> Result<(), Failure> {
        ctx.out.object(&WithRaw::from_typed(self)?)
    }
}

/// A locked record, shared by an upload and its progress observer.
#[derive(Clone)]
pub struct SharedJob(Arc<Mutex<LockedMemoryJob>>);

impl SharedJob {
    pub fn new(locked: LockedMemoryJob) -> Self {
        Self(Arc::new(Mutex::new(locked)))
    }

    pub fn update<T>(&self, update: impl FnOnce(&mut LockedMemoryJob) -> T) -> T {
        update(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn record(&self) -> Option<MemoryJobRecord> {
        self.update(|locked| locked.record.clone())
    }
}

pub async fn get(client: &Client, job_id: &str) -> Result<MemoryJob, Failure> {
    client.send(&GetMemoryJob { job_id: job_id.to_owned() }).await.map_err(|failure| match failure.kind {
        Kind::NotFound => {
            Failure { what: format!("the service does not have job {job_id}: {}", failure.cause()), ..failure }
                .hint("it keeps jobs for a limited time; `tulk tm job` lists the jobs of this machine")
        }
        _ => failure,
    })
}

/// Waits until a job ends or fails. Without `--max-wait`, waits up to `limit`.
pub async fn wait(
    client: &Client,
    job_id: &str,
    task: &ProgressTask,
    limit: Option<Duration>,
) -> Result<MemoryJob, Failure> {
    let command = format!("tulk tm job {job_id} --wait");
    let mut requests = 0;
    loop {
        let job = get(client, job_id).await.map_err(|failure| match failure.kind {
            Kind::Network | Kind::Busy if requests > 0 => {
                failure.hint(format!("the service continues; wait for it with `{command}`"))
            }
            _ => stopped_hint(failure, &command),
        })?;
        if job.is_final() {
            return Ok(job);
        }
        let status = job.result().status;
        task.phase(&status.replace('_', " "));
        client.pause_for(poll_interval(requests, None), limit).await.map_err(|failure| match failure.kind {
            Kind::Unfinished => {
                let why = match job.state() {
                    MemoryJobState::AwaitingInput => "the service has not noticed the file yet",
                    _ => "the service continues",
                };
                Failure { what: format!("job {job_id} is not finished: {status}"), ..failure }
                    .hint(format!("{why}; wait for it with `{command}`"))
            }
            _ => stopped_hint(failure, &command),
        })?;
        requests += 1;
    }
}

pub fn no_file_failure(job_id: &str) -> Failure {
    Failure::usage(format!("job {job_id} has no file to download")).hint("only an export has a file")
}

/// Returns the command that repeats the work of a record with a new job.
pub fn start_again_command(work: &MemoryJobWork) -> String {
    match work {
        MemoryJobWork::Import { path, display_name, .. } => {
            format!("tulk tm import {} --name {}", quoted_relative_path(path), shell::quote(display_name))
        }
        MemoryJobWork::Export { translation_memory_id, output, .. } => {
            let output = output.as_ref().map_or_else(|| "-".to_owned(), |path| quoted_relative_path(path));
            format!("tulk tm export {translation_memory_id} -o {output}")
        }
    }
}

/// `what` is the failed task in the message, such as `import pumps.tmx`.
pub fn check_completed(job: &MemoryJob, what: &str) -> Result<(), Failure> {
    let reason = match job.state() {
        MemoryJobState::Completed => return Ok(()),
        MemoryJobState::Failed => job.message().unwrap_or_else(|| "no reason given".to_owned()),
        MemoryJobState::Downloaded => format!("job {} has already been downloaded", job.job_id),
        MemoryJobState::Expired | MemoryJobState::AwaitingInput | MemoryJobState::Working => {
            format!("job {} has expired", job.job_id)
        }
    };
    let failure = Failure::new(Kind::Refused, format!("the service could not {what}: {reason}"));
    Err(match (job.state(), job.memory_id()) {
        (MemoryJobState::Failed, _) => failure,
        (_, Some(memory)) => failure.hint(format!("start a new export with `tulk tm export {memory}`")),
        (_, None) => failure.hint("import the file again"),
    })
}

pub fn note_skipped(ctx: &Context, job: &MemoryJob) {
    if let Some(skipped @ 1..) = job.result().skipped_segment_count {
        ctx.out.status(&format!("the service left out {}, such as duplicates", counted(skipped, "segment")));
    }
}
