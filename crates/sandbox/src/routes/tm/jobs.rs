//! Imports and exports of memories: creates the jobs and returns their state. See docs/service.md, "Translation
//! memories".

use axum::Extension;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use super::import_body::ImportBody;
use super::stored_memory_job::{ImportOutcome, MemoryJobStatus, MemoryWork, StoredMemoryJob};
use crate::addresses::PublicAddress;
use crate::app::{App, UploadedFiles};
use crate::auth::Caller;
use crate::faults::DocumentFaults;
use crate::reply::{self, Refusal};
use crate::routes::file_addresses::MEMORY_FILES;
use crate::routes::json_body::JsonBody;
use crate::{clock, ids, tmx};

/// Creates an import, which then waits for the upload of its file.
pub(super) async fn import(
    caller: Caller,
    app: App,
    address: PublicAddress,
    faults: Option<Extension<DocumentFaults>>,
    JsonBody(body): JsonBody<ImportBody>,
) -> Result<Response, Refusal> {
    let request = body.check()?;
    app.memories.check_memory_limit()?;
    let fault = faults.and_then(|Extension(faults)| app.faults.document_error(&faults, &request.file_name));
    let job = StoredMemoryJob::new(&app, MemoryWork::Import { request, fault, outcome: None });
    let id = ids::uuid();
    app.state.in_transaction(|tables| job.store_new(&app, tables, &id, &caller.key))?;
    let created = json!({
        "job_id": id,
        "upload_url": file_address(&app, &address, &id, &job),
        "expires_at": clock::iso(job.file_expiry_ms()),
    });
    Ok(reply::json(StatusCode::ACCEPTED, &created))
}

fn file_address(app: &App, address: &PublicAddress, id: &str, job: &StoredMemoryJob) -> String {
    address.http_url(&format!("{MEMORY_FILES}{}/{}", app.session.add_to_token(id.to_owned()), job.token))
}

/// Returns an export from the last hour if nothing has changed since, otherwise a new one. Refuses with 409 while an export is
/// running.
pub(super) async fn export(
    caller: Caller,
    app: App,
    faults: Option<Extension<DocumentFaults>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let memory = app.memories.find(&id)?;
    let answer = |status: StatusCode, job: &str| {
        let parameters = json!({ "translation_memory_id": memory.translation_memory_id });
        reply::json(status, &json!({ "job_id": job, "parameters": parameters }))
    };
    let earlier = app.state.with_tables(|tables| StoredMemoryJob::find_export(&app, tables, &memory))?;
    if let Some((job, is_running)) = earlier {
        return if is_running { Err(export_is_running()) } else { Ok(answer(StatusCode::OK, &job)) };
    }
    let fault = faults.and_then(|Extension(faults)| app.faults.document_error(&faults, &memory.name));
    let file = format!("memory-{}", ids::uuid());
    let mut files = UploadedFiles { app: app.clone(), names: vec![file.clone()] };
    let (worker, written, name) = (app.clone(), memory.clone(), file.clone());
    let bytes = tokio::task::spawn_blocking(move || {
        let mut out = std::io::BufWriter::new(worker.state.create_file(&name)?);
        tmx::write(&written, &mut out)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.metadata().map(|file| file.len())
    });
    let bytes = bytes.await.map_err(|error| Refusal::internal(error.to_string()))??;
    let work = MemoryWork::Export {
        memory_id: memory.translation_memory_id.clone(),
        memory_updated: memory.updated_time,
        file,
        bytes,
        fault,
    };
    let (job, job_id) = (StoredMemoryJob::new(&app, work), ids::uuid());
    app.state.in_transaction(|tables| {
        // Another request may have stored an export in the meantime.
        match StoredMemoryJob::find_export(&app, tables, &memory)? {
            Some(_) => Err(export_is_running()),
            None => job.store_new(&app, tables, &job_id, &caller.key),
        }
    })?;
    files.names.clear();
    Ok(answer(StatusCode::ACCEPTED, &job_id))
}

fn export_is_running() -> Refusal {
    Refusal::new(409, "An export of this translation memory is running.")
}

pub(super) async fn status(
    _: Caller,
    app: App,
    address: PublicAddress,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let id = id.to_ascii_lowercase();
    let (status, job) = StoredMemoryJob::update(&app, &id, |_, job| Ok((job.poll(&app), job.clone())))?;
    let mut result = json!({ "status": status });
    match (status, &job.work) {
        (MemoryJobStatus::AwaitingInput, _) => {
            result["status_metadata"] = json!({ "required_action": "Upload the file to the upload_url." });
        }
        (MemoryJobStatus::Completed, MemoryWork::Export { .. }) => {
            result["download_url"] = file_address(&app, &address, &id, &job).into();
            result["expires_at"] = clock::iso(job.file_expiry_ms()).into();
        }
        (_, MemoryWork::Import { outcome: Some(ImportOutcome::Memory { id, skipped }), .. })
            if status == MemoryJobStatus::Completed =>
        {
            result["translation_memory_id"] = id.as_str().into();
            result["skipped_segment_count"] = (*skipped).into();
        }
        (MemoryJobStatus::Failed, work) => result["error"] = json!({ "message": failure_reason(work) }),
        _ => {}
    }
    let mut answer = json!({
        "job_id": id,
        "product": "translation_memory",
        "operation": "export",
        "creation_time": clock::iso(job.created),
        "updated_time": clock::iso(job.updated),
        "results": [result],
    });
    match &job.work {
        MemoryWork::Import { request, .. } => {
            answer["operation"] = "import".into();
            answer["source_file"] =
                json!({ "content_type": request.content_type, "content_length": request.content_length });
            answer["parameters"] = json!({ "display_name": request.display_name });
        }
        MemoryWork::Export { memory_id, .. } => answer["parameters"] = json!({ "translation_memory_id": memory_id }),
    }
    Ok(reply::ok(&answer))
}

fn failure_reason(work: &MemoryWork) -> Value {
    match work {
        MemoryWork::Import { outcome: Some(ImportOutcome::Failed(why)), .. }
        | MemoryWork::Export { fault: Some(why), .. } => json!(why),
        _ => Value::Null,
    }
}
