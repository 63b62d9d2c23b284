//! The upload of a job's file: a stream in, the results of the job out.

use std::io::Write as _;
use std::path::Path as FilePath;

use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, Uri, header};
use axum::response::Response;
use futures_util::StreamExt as _;

use super::job_body::{FILE_BYTES_MAX, JobTarget};
use super::stored_job::{JobError, StoredJob, StoredJobResult};
use super::{audio_file, job_results, job_signature};
use crate::app::App;
use crate::auth::Caller;
use crate::body;
use crate::clock;
use crate::ids;
use crate::quota::BilledProduct;
use crate::reply::{self, Refusal};

/// Maximum playing time, in microseconds: 3 hours.
const PLAYING_TIME_MAX: u64 = 3 * 3600 * 1_000_000;
/// Playing time that is billed at once, in microseconds and in milliseconds: a minute.
const MINUTE_MICROS: u64 = 60_000_000;
const MINUTE_MS: u64 = 60_000;

/// `PUT` of a file at the upload address of its job. See docs/service.md, "Voice jobs".
pub(super) async fn put_source(app: App, Path(job): Path<String>, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    let id = super::job_id(&job);
    match check(&app, id, &parts.headers, &parts.uri) {
        Ok(job) => receive(app, id, job, body).await,
        Err(refusal) => {
            // Who expects to be told to go on has not sent the body yet.
            if !parts.headers.contains_key(header::EXPECT) {
                body::discard(body);
            }
            Err(refusal)
        }
    }
}

fn check(app: &App, id: &str, headers: &HeaderMap, uri: &Uri) -> Result<StoredJob, Refusal> {
    let (_, job) = StoredJob::find(app, id)?;
    job_signature::check(headers, uri, &job.signature)?;
    let is_binary = headers.get(header::CONTENT_TYPE).is_none_or(|value| value == "application/octet-stream");
    if !is_binary {
        return Err(Refusal::new(415, "Send the file as application/octet-stream."));
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > FILE_BYTES_MAX) {
        return Err(too_large());
    }
    refuse_second_upload(&job)?;
    Ok(job)
}

fn refuse_second_upload(job: &StoredJob) -> Result<(), Refusal> {
    match job.uploaded {
        Some(_) => Err(Refusal::new(409, "The file of this job was uploaded before.")),
        None => Ok(()),
    }
}

fn too_large() -> Refusal {
    Refusal::new(413, format!("The file exceeds the maximum of {FILE_BYTES_MAX} bytes."))
}

/// Files that are removed when dropped.
struct UploadedFiles {
    app: App,
    names: Vec<String>,
}

impl Drop for UploadedFiles {
    fn drop(&mut self) {
        self.names.iter().for_each(|name| self.app.state.remove_file(name));
    }
}

/// Receives the file, makes the results, and only then records the upload: whatever happens before, it can be repeated.
async fn receive(app: App, id: &str, mut job: StoredJob, body: Body) -> Result<Response, Refusal> {
    let source = format!("job-{}", ids::uuid());
    // Two uploads at the same time write different files.
    job.results.iter_mut().for_each(|result| result.file = format!("job-{}", ids::uuid()));
    let names = job.results.iter().map(|result| result.file.clone()).chain([source.clone()]).collect();
    let mut files = UploadedFiles { app: app.clone(), names };
    let announced = job.request.source_file.content_length;
    job.source_bytes = write_body(&app, &source, body, announced).await?;
    let (worker, path, unfinished) = (app.clone(), app.state.file(&source), job);
    let made = tokio::task::spawn_blocking(move || make_results(&worker, unfinished, &path)).await;
    let (job, micros) = made.map_err(|error| Refusal::internal(error.to_string()))??;
    StoredJob::update(&app, id, |stored| {
        refuse_second_upload(stored)?;
        stored.uploaded = Some(clock::now_ms());
        stored.source_bytes = job.source_bytes;
        stored.results.clone_from(&job.results);
        Ok(())
    })?;
    files.names = vec![source];
    bill(&job, micros, |caller, product, n| {
        // The quota was sufficient before; reaching a limit since then does not stop it.
        let _ = app.quota.charge(caller, product, n, None);
        Ok(())
    })?;
    Ok(reply::empty())
}

/// Writes the body to a file. Returns its size; what exceeds the announced size is counted only.
async fn write_body(app: &App, file: &str, body: Body, announced: u64) -> Result<u64, Refusal> {
    let mut into = app.state.create_file(file)?;
    let mut parts = body.into_data_stream();
    let mut bytes = 0_u64;
    while let Some(part) = parts.next().await {
        let part = part.map_err(|_| Refusal::bad("The request body is broken or incomplete."))?;
        let left = usize::try_from(announced.saturating_sub(bytes)).unwrap_or(usize::MAX);
        into.write_all(part.get(..left).unwrap_or(&part))?;
        bytes += part.len() as u64;
        if bytes > FILE_BYTES_MAX {
            return Err(too_large());
        }
    }
    Ok(bytes)
}

/// Writes the results, or records why there are none. Returns the job and the playing time in microseconds.
fn make_results(app: &App, mut job: StoredJob, path: &FilePath) -> Result<(StoredJob, u64), Refusal> {
    let (micros, transcript) = match measure(&job, path)? {
        Ok(micros) => (micros, job_results::transcript(micros)),
        Err(error) => return Ok((job.failed(&error), 0)),
    };
    if transcript.is_empty() {
        return Ok((job.failed(&JobError::new("no_speech", "No speech was found in the file.")), 0));
    }
    let checked = bill(&job, micros, |caller, product, n| app.quota.check(caller, product, n));
    if let Err(refusal) = checked {
        return Ok((job.failed(&JobError::new("quota_exceeded", refusal.message())), 0));
    }
    job_results::write(app, &job.request, &transcript, &mut job.results)?;
    Ok((job, micros))
}

/// Returns the playing time of the file in microseconds, or why the job fails.
fn measure(job: &StoredJob, path: &FilePath) -> Result<Result<u64, JobError>, Refusal> {
    let file = &job.request.source_file;
    if let Some(message) = &job.fault {
        return Ok(Err(JobError::new("sandbox_fault", message.clone())));
    }
    if job.source_bytes != file.content_length {
        let message = format!("The file has {} bytes, not {}.", job.source_bytes, file.content_length);
        return Ok(Err(JobError::new("invalid_content_length", message)));
    }
    Ok(match audio_file::playing_time(path, &file.content_type)? {
        None => Err(JobError::new("invalid_content_type", format!("The file is not {}.", file.content_type))),
        Some(micros) if micros > PLAYING_TIME_MAX => {
            Err(JobError::new("audio_too_long", "The audio is longer than 3 hours."))
        }
        Some(micros) => Ok(micros),
    })
}

/// Calls `charge` with what a job costs: each started minute, and again if it has speech.
fn bill(
    job: &StoredJob,
    micros: u64,
    charge: impl Fn(&Caller, BilledProduct, u64) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let (caller, ms) = (job.caller(), micros.div_ceil(MINUTE_MICROS) * MINUTE_MS);
    if ms == 0 {
        return Ok(());
    }
    charge(&caller, BilledProduct::Speech, ms)?;
    if job.request.targets.iter().any(JobTarget::is_speech) {
        charge(&caller, BilledProduct::SpeechToSpeech, ms)?;
    }
    Ok(())
}

impl StoredJob {
    /// Returns the job with this error as the result of each target.
    fn failed(mut self, error: &JobError) -> Self {
        let fail = |result: &mut StoredJobResult| result.error = Some(error.clone());
        self.results.iter_mut().for_each(fail);
        self
    }
}
