//! `/v2/document`: uploads, their status, and downloads of the results.
//!
//! Uploads and results are streamed to and from files; only documents that the sandbox translates are read into memory, up to
//! the size limit of the service. A document is translated at its upload; its status then depends only on its age and on whether
//! the translation failed. See docs/service.md, "Documents".

mod file_type;
mod json;
mod office;
mod text_files;
mod translation;
mod upload_form;
mod xliff;
mod xml;

use std::io;

use axum::extract::{Multipart, Path, Request};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, RequestExt as _, Router};
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(super) use self::translation::DocumentError;
use self::upload_form::UploadForm;
pub(super) use self::xml::XmlFile;
use crate::app::{App, UploadedFiles};
use crate::auth::Caller;
use crate::body::{BodyReader, FormSchema};
use crate::faults::DocumentFaults;
use crate::quota::{BilledProduct, UNKNOWN_LANGUAGE};
use crate::reply::{self, Refusal};
use crate::routes::quality;
use crate::sessions::Sessions;
use crate::state::kind;
use crate::strict::UnknownFields;
use crate::{clock, ids};

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v2/document", post(upload))
        .route("/v2/document/{document_id}", post(status))
        .route("/v2/document/{document_id}/result", post(result))
}

async fn upload(
    caller: Caller,
    app: App,
    faults: Option<Extension<DocumentFaults>>,
    request: Request,
) -> Result<Response, Refusal> {
    let unknown = UnknownFields::of(&request);
    let multipart: Multipart = request.extract().await.map_err(|_| {
        Refusal::bad_request("Content type is not supported. Send the document as multipart/form-data.")
    })?;
    let id = ids::upper_hex::<16>();
    let (source, result) = (format!("{id}-in"), format!("{id}-out"));
    let mut files = UploadedFiles { app: app.clone(), names: vec![source.clone(), result.clone()] };
    let upload = UploadForm::receive(&app, multipart, &unknown, &source).await?.check(&app)?;
    let paths = (app.state.file_path(&source), app.state.file_path(&result));
    let filename = upload.result_name.clone();
    let uploaded_name = upload.filename.clone();
    let media_type = upload.result_type.media_type().to_owned();
    let languages = [upload.source.unwrap_or(UNKNOWN_LANGUAGE), upload.target].map(str::to_owned);
    let worker = app.clone();
    let translation = tokio::task::spawn_blocking(move || {
        let upload = upload.with_profile_glossaries(&worker, &paths.0)?;
        translation::translate(&worker, &upload, &paths.0, &paths.1)
    });
    let translation = translation.await;
    let mut translated = translation.map_err(|error| Refusal::internal(error.to_string()))??;
    app.quota.check(&caller, BilledProduct::Document, translated.billed_characters)?;
    // The document is billed now, its characters at the download.
    app.quota.charge(&caller, BilledProduct::Upload, 1, None)?;
    if let Some(why) = faults.and_then(|faults| app.faults.document_error(&faults, &uploaded_name)) {
        translated.error = Some(why);
    }
    let (kept, dropped) = if translated.has_result { (result, source) } else { (source, result) };
    let document = StoredDocument {
        key: ids::upper_hex::<32>(),
        filename,
        media_type,
        file: kept,
        bytes: translated.bytes,
        billed_characters: translated.billed_characters,
        languages,
        error: translated.error,
    };
    app.state.put(kind::DOCUMENT, &id, &caller.key, &json!(document))?;
    files.names = vec![dropped];
    let mut handle = json!({ "document_id": id, "document_key": document.key });
    if let Some(segments) = translated.evaluation {
        let result = document.error.as_ref().map_or(Ok(segments), Err);
        handle["quality_evaluation_job_id"] = quality::start_for_document(&app, &caller, result)?.into();
    }
    Ok(reply::ok(&handle))
}

async fn status(_: Caller, app: App, Path(id): Path<String>, body: BodyReader) -> Result<Response, Refusal> {
    let (document, state) = find(&app, &id, &body)?;
    Ok(reply::ok(&match state {
        StoredDocumentState::Queued => json!({ "document_id": id, "status": "queued" }),
        StoredDocumentState::Translating { seconds_remaining } => {
            json!({ "document_id": id, "status": "translating", "seconds_remaining": seconds_remaining })
        }
        StoredDocumentState::Done => {
            json!({ "document_id": id, "status": "done", "billed_characters": document.billed_characters })
        }
        StoredDocumentState::Failed(why) => {
            json!({ "document_id": id, "status": "error", "message": why, "error_message": why })
        }
    }))
}

/// Each result can be downloaded only once.
async fn result(caller: Caller, app: App, Path(id): Path<String>, body: BodyReader) -> Result<Response, Refusal> {
    let (document, state) = find(&app, &id, &body)?;
    match state {
        StoredDocumentState::Queued | StoredDocumentState::Translating { .. } => {
            return Err(Refusal::new(503, "translation still running"));
        }
        StoredDocumentState::Failed(why) => {
            return Err(Refusal::bad_request("The document could not be translated.").detail(why));
        }
        StoredDocumentState::Done => {}
    }
    app.quota.check(&caller, BilledProduct::Document, document.billed_characters)?;
    let response_headers = [
        (header::CONTENT_TYPE, document.media_type.clone()),
        (header::CONTENT_LENGTH, document.bytes.to_string()),
        (header::CONTENT_DISPOSITION, document.content_disposition()),
    ];
    let (path, bytes) = (app.state.file_path(&document.file), document.bytes);
    let finish = move || {
        if app.state.take(kind::DOCUMENT, &id).map_err(io::Error::other)?.is_none() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        app.state.remove_file(&document.file);
        // The download already started, so a limit reached in the meantime must not stop it.
        let _ = app.quota.charge(&caller, BilledProduct::Document, document.billed_characters, None);
        let [source, target] = &document.languages;
        let pair = (&**source, &**target, document.billed_characters);
        let _ = app.quota.count_pairs(&caller, BilledProduct::Document, [pair]);
        Ok(())
    };
    Ok((response_headers, reply::file_body(&path, bytes, finish).await?).into_response())
}

#[derive(Serialize, Deserialize)]
struct StoredDocument {
    /// Key that every request for the document must send.
    key: String,
    /// File name of the result.
    filename: String,
    media_type: String,
    /// Name of the state file with the result.
    file: String,
    bytes: u64,
    billed_characters: u64,
    /// Source and target language, for the report per language pair.
    #[serde(default)]
    languages: [String; 2],
    /// Reason why the translation fails; shown once the translation time has passed.
    error: Option<String>,
}

enum StoredDocumentState {
    Queued,
    Translating { seconds_remaining: i64 },
    Done,
    Failed(String),
}

#[derive(Deserialize)]
struct DocumentKeyBody {
    document_key: String,
}

/// Refuses a wrong key like an unknown document.
fn find(app: &App, id: &str, body: &BodyReader) -> Result<(StoredDocument, StoredDocumentState), Refusal> {
    let schema = FormSchema { lists: &[], booleans: &[], integers: &[] };
    let request: DocumentKeyBody = body.json_or_form(&schema)?;
    let unknown = || Refusal::not_found("Document not found.");
    let object = app.state.with_tables(|store| store.get(kind::DOCUMENT, id))?.ok_or_else(unknown)?;
    let document: StoredDocument = serde_json::from_value(object.body)
        .map_err(|error| Refusal::internal(format!("stored document {id}: {error}")))?;
    if document.key != request.document_key {
        return Err(unknown());
    }
    let state = document.state(app, object.created);
    Ok((document, state))
}

impl StoredDocument {
    /// `created` is in milliseconds since 1970.
    fn state(&self, app: &App, created: i64) -> StoredDocumentState {
        let age = clock::now_ms().saturating_sub(created);
        let (queued, ready) = app.options.document_times();
        match &self.error {
            _ if age < queued => StoredDocumentState::Queued,
            _ if age < ready => StoredDocumentState::Translating { seconds_remaining: (ready - age + 999) / 1000 },
            Some(why) => StoredDocumentState::Failed(why.clone()),
            None => StoredDocumentState::Done,
        }
    }

    fn content_disposition(&self) -> String {
        let quoted: String = self.filename.chars().filter(|c| !c.is_control() && !"\"\\".contains(*c)).collect();
        format!("attachment; filename=\"{}\"", if quoted.is_ascii() { &quoted } else { "result" })
    }
}
