//! The files of a job: the upload, which produces the results, and the downloads, each possible once. The addresses
//! need a signature: in the header, or in the query of a signed address.

use std::io;
use std::path::Path as FilePath;

use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};

use super::job_body::{FILE_BYTES_MAX, JobTarget, SUBTITLE_TYPE, TEXT_TYPE};
use super::stored_job::{JobError, JobStatus, StoredJob};
use super::{audio_file, job_results};
use crate::app::{App, UploadedFiles};
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::quota::{BilledProduct, UNKNOWN_LANGUAGE};
use crate::reply::{self, Refusal};
use crate::routes::file_addresses;
use crate::{clock, ids};

/// Maximum playing time, in microseconds: 3 hours.
const PLAYING_TIME_MAX: u64 = 3 * 3600 * 1_000_000;
/// Speech is billed by the minute.
const MINUTE_MICROS: u64 = 60_000_000;
const MINUTE_MS: u64 = 60_000;

pub(super) async fn put_source(app: App, Path(job): Path<String>, request: Request) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    let id = file_addresses::job_id(&job);
    match check_upload(&app, id, &parts.headers, &parts.uri) {
        Ok(job) => receive_upload(app, id, job, body).await,
        Err(refusal) => {
            file_addresses::discard_upload(&parts.headers, body);
            Err(refusal)
        }
    }
}

fn check_upload(app: &App, id: &str, headers: &HeaderMap, uri: &Uri) -> Result<StoredJob, Refusal> {
    let (_, job) = StoredJob::find(app, id)?;
    check_signature(headers, uri, &job.signature)?;
    let is_binary = headers.get(header::CONTENT_TYPE).is_none_or(|value| value == "application/octet-stream");
    if !is_binary {
        return Err(Refusal::new(415, "Send the file as application/octet-stream."));
    }
    if file_addresses::announced_bytes(headers).is_some_and(|length| length > FILE_BYTES_MAX) {
        return Err(file_addresses::too_large(FILE_BYTES_MAX));
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

/// Writes the results, then records the upload. If writing fails, the client can repeat the upload.
async fn receive_upload(app: App, id: &str, mut job: StoredJob, body: Body) -> Result<Response, Refusal> {
    let source = format!("job-{}", ids::uuid());
    // Two concurrent uploads must write different files.
    job.results.iter_mut().for_each(|result| result.file = format!("job-{}", ids::uuid()));
    let names = job.results.iter().map(|result| result.file.clone()).chain([source.clone()]).collect();
    let mut files = UploadedFiles { app: app.clone(), names };
    let announced = job.request.source_file.content_length;
    job.source_bytes = file_addresses::write_body(&app, &source, body, announced, FILE_BYTES_MAX).await?;
    let (worker, path, unfinished) = (app.clone(), app.state.file_path(&source), job);
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
        // `make_results` checked the quota; a limit reached since then must not stop the upload.
        let _ = app.quota.charge(caller, product, n, None);
        let source = job.request.parameters.source_language.as_deref().unwrap_or(UNKNOWN_LANGUAGE);
        let is_billed = |target: &&JobTarget| product == BilledProduct::Speech || target.is_speech();
        let targets = job.request.targets.iter().filter(is_billed);
        app.quota.count_pairs(caller, product, targets.map(|target| (source, &*target.language, n)))
    })?;
    Ok(reply::no_content())
}

/// Writes the results, or records why they failed. Returns the job and the playing time in microseconds.
fn make_results(app: &App, mut job: StoredJob, path: &FilePath) -> Result<(StoredJob, u64), Refusal> {
    let (micros, transcript) = match measure(&job, path)? {
        Ok(micros) => (micros, job_results::transcript(micros)),
        Err(error) => return Ok((job.with_error(&error), 0)),
    };
    if transcript.is_empty() {
        return Ok((job.with_error(&JobError::new("no_speech", "No speech was found in the file.")), 0));
    }
    let checked = bill(&job, micros, |caller, product, n| app.quota.check(caller, product, n));
    if let Err(refusal) = checked {
        return Ok((job.with_error(&JobError::new("quota_exceeded", refusal.message)), 0));
    }
    job_results::write(app, &job.request, &transcript, &mut job.results)?;
    Ok((job, micros))
}

/// Returns the playing time of the file in microseconds, or the error of the job.
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

/// Calls `charge` with the costs of a job: each started minute is billed as speech, and also as speech to speech if a target is
/// speech.
fn bill(
    job: &StoredJob,
    micros: u64,
    charge: impl Fn(&Caller, BilledProduct, u64) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let (caller, ms) = (&job.caller, micros.div_ceil(MINUTE_MICROS) * MINUTE_MS);
    if ms == 0 {
        return Ok(());
    }
    charge(caller, BilledProduct::Speech, ms)?;
    if job.request.targets.iter().any(JobTarget::is_speech) {
        charge(caller, BilledProduct::SpeechToSpeech, ms)?;
    }
    Ok(())
}

pub(super) async fn get_result(
    app: App,
    Path((job, number)): Path<(String, String)>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    let (id, job) = StoredJob::find(&app, file_addresses::job_id(&job))?;
    let unknown = || Refusal::not_found("There is no such result.");
    let number: usize = number.parse().map_err(|_| unknown())?;
    let (result, target) = job.results.get(number).zip(job.request.targets.get(number)).ok_or_else(unknown)?;
    check_signature(&headers, &uri, &result.signature)?;
    match job.status(&app, result) {
        JobStatus::Complete => {}
        JobStatus::Downloaded => return Err(Refusal::not_found("The result was downloaded before.")),
        JobStatus::Failed => return Err(Refusal::not_found("This target failed and has no result.")),
        _ => return Err(Refusal::not_found("The result is not complete yet.")),
    }
    let content_type = match target.content_type.as_str() {
        text @ (TEXT_TYPE | SUBTITLE_TYPE) => format!("{text}; charset=utf-8"),
        speech => speech.to_owned(),
    };
    let response_headers = [(header::CONTENT_TYPE, content_type), (header::CONTENT_LENGTH, result.bytes.to_string())];
    let (path, bytes, name) = (app.state.file_path(&result.file), result.bytes, result.file.clone());
    let finish = move || {
        let is_first = StoredJob::update(&app, &id, |job| Ok(job.record_download(number)));
        if !is_first.unwrap_or(false) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        app.state.remove_file(&name);
        Ok(())
    };
    Ok((response_headers, reply::file_body(&path, bytes, finish).await?).into_response())
}

/// Schemes of the `Authorization` header. Case-insensitive.
const SIGNATURE_SCHEMES: [&str; 2] = ["DeepL-Signature", "Service-Signature"];

/// Refuses a request without the signature of its file: 401 if it is missing, 403 if it is wrong.
fn check_signature(headers: &HeaderMap, uri: &Uri, signature: &str) -> Result<(), Refusal> {
    let query = QueryParams::parse(uri)?;
    // An API key in `Authorization` does not count as a signature.
    let given = signature_of(headers).or_else(|| query.get("signature")).filter(|given| !given.is_empty());
    match given {
        Some(given) if given == signature => Ok(()),
        Some(_) => Err(Refusal::forbidden("The signature does not belong to this file.")),
        None => Err(Refusal::new(
            401,
            "A signature is needed: send 'Authorization: Service-Signature <signature>' or 'DeepL-Signature <signature>'.",
        )),
    }
}

fn signature_of(headers: &HeaderMap) -> Option<&str> {
    let (scheme, signature) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim().split_once(' ')?;
    SIGNATURE_SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)).then(|| signature.trim())
}
