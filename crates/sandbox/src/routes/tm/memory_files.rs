//! The files of imports and exports: uploads of TMX files, which become memories, and downloads. Their addresses
//! contain a random token, expire, and ignore `Authorization`.

use std::path::Path as FilePath;

use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::import_body::ImportRequest;
use super::stored_memory_job::{ImportOutcome, MemoryJobStatus, MemoryWork, StoredMemoryJob};
use crate::app::{App, UploadedFiles};
use crate::memories::{MemoryTime, StoredMemory, group_by_source};
use crate::options::FILE_LIMIT;
use crate::reply::{self, Refusal};
use crate::routes::doc::{DocumentError, XmlFile};
use crate::routes::file_addresses;
use crate::{clock, ids, tmx};

pub(super) async fn put_file(
    app: App,
    Path((job, token)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    let id = file_addresses::job_id(&job);
    let checked = check_upload(&app, id, &token, &parts.headers);
    match checked {
        Ok(Some((request, fault))) => receive_upload(app, id, request, fault, body).await,
        Ok(None) => {
            file_addresses::discard_upload(&parts.headers, body);
            Ok(StatusCode::OK.into_response())
        }
        Err(refusal) => {
            file_addresses::discard_upload(&parts.headers, body);
            Err(refusal)
        }
    }
}

/// Returns the request and the requested fault of the import; `None` if the file was already uploaded, so that a client
/// that lost the answer can repeat the upload.
fn check_upload(
    app: &App,
    id: &str,
    token: &str,
    headers: &HeaderMap,
) -> Result<Option<(ImportRequest, Option<String>)>, Refusal> {
    let job = StoredMemoryJob::find_by_token(app, id, token)?;
    refuse_expired(&job)?;
    let MemoryWork::Import { request, fault, outcome } = job.work else {
        return Err(Refusal::new(405, "This address is for a download."));
    };
    if headers.get(header::CONTENT_TYPE).is_none_or(|value| value.as_bytes() != request.content_type.as_bytes()) {
        let detail = format!("declared: {}", request.content_type);
        return Err(Refusal::forbidden("The Content-Type is not the declared one.").detail(detail));
    }
    if file_addresses::announced_bytes(headers).is_some_and(|bytes| bytes != request.content_length) {
        return Err(wrong_length(&request));
    }
    if request.content_length > FILE_LIMIT.bytes {
        return Err(file_addresses::too_large(FILE_LIMIT.bytes));
    }
    Ok(if outcome.is_some() { None } else { Some((request, fault)) })
}

fn refuse_expired(job: &StoredMemoryJob) -> Result<(), Refusal> {
    if clock::now_ms() < job.file_expiry_ms() { Ok(()) } else { Err(Refusal::forbidden("The address has expired.")) }
}

fn wrong_length(request: &ImportRequest) -> Refusal {
    Refusal::bad_request(format!("The file must have {} bytes, as declared.", request.content_length))
}

/// Receives the file and stores its memory. If this fails, the upload can be repeated.
async fn receive_upload(
    app: App,
    id: &str,
    request: ImportRequest,
    fault: Option<String>,
    body: Body,
) -> Result<Response, Refusal> {
    let file = format!("memory-{}", ids::uuid());
    let _files = UploadedFiles { app: app.clone(), names: vec![file.clone()] };
    let declared = request.content_length;
    if file_addresses::write_body(&app, &file, body, declared, FILE_LIMIT.bytes).await? != declared {
        return Err(wrong_length(&request));
    }
    let path = app.state.file_path(&file);
    let read = tokio::task::spawn_blocking(move || read_memory(&path, request.display_name)).await;
    let read = read.map_err(|error| Refusal::internal(error.to_string()))?;
    let mut outcome = match (fault, read) {
        (Some(why), _) | (None, Err(DocumentError::Document(why))) => Err(why),
        (None, Err(DocumentError::Sandbox(refusal))) => return Err(refusal),
        (None, Ok(read)) => Ok(read),
    };
    if let Err(refusal) = app.memories.check_memory_limit() {
        outcome = Err(refusal.message);
    }
    StoredMemoryJob::update(&app, id, |tables, job| {
        // Another upload may have finished in the meantime.
        if matches!(job.work, MemoryWork::Import { outcome: Some(_), .. }) {
            return Ok(());
        }
        let outcome = match outcome {
            Ok((memory, skipped)) => {
                memory.store(tables, "")?;
                ImportOutcome::Memory { id: memory.translation_memory_id, skipped }
            }
            Err(why) => ImportOutcome::Failed(why),
        };
        job.set_outcome(&app, outcome);
        Ok(())
    })?;
    Ok(StatusCode::OK.into_response())
}

/// Returns the memory and the number of skipped items.
fn read_memory(path: &FilePath, name: String) -> Result<(StoredMemory, u64), DocumentError> {
    let file = XmlFile::read(path)?;
    let content = tmx::read(&file.text).map_err(DocumentError::Document)?;
    let now = Some(MemoryTime { ms: clock::now_ms() });
    let memory = StoredMemory {
        translation_memory_id: ids::uuid(),
        name,
        source_language: content.source_language,
        target_languages: content.target_languages,
        segments: group_by_source(content.pairs),
        segment_count: 0,
        creation_time: now,
        updated_time: now,
    };
    Ok((memory, content.skipped))
}

pub(super) async fn get_file(app: App, Path((job, token)): Path<(String, String)>) -> Result<Response, Refusal> {
    let job = StoredMemoryJob::find_by_token(&app, file_addresses::job_id(&job), &token)?;
    refuse_expired(&job)?;
    let is_complete = job.status(&app) == MemoryJobStatus::Completed;
    let MemoryWork::Export { file, bytes, .. } = job.work else {
        return Err(Refusal::new(405, "This address is for an upload."));
    };
    if !is_complete {
        return Err(Refusal::not_found("The file is not complete."));
    }
    let headers = [(header::CONTENT_TYPE, "application/xml".to_owned()), (header::CONTENT_LENGTH, bytes.to_string())];
    Ok((headers, reply::file_body(&app.state.file_path(&file), bytes, || Ok(())).await?).into_response())
}
