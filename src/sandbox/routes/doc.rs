//! `POST /v2/document`, `/v2/document/{document_id}`, `/v2/document/{document_id}/result`.
//!
//! Uploads go to a file as they come, results come from one; only formats with a structure are held in memory, up to
//! the size the reference gives. A document's status is computed from when it came. Spec: "Documents"; C7, C9, C11.

mod docx;
mod kinds;
mod params;
mod subtitles;
mod text;
mod xliff;

use std::io::Write as _;
use std::path::PathBuf;

use axum::body::{Body, Bytes};
use axum::extract::{Multipart, Path, Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, RequestExt as _, Router};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::io::AsyncReadExt as _;

use crate::sandbox::app::App;
use crate::sandbox::body::{self, FormSchema};
use crate::sandbox::caller::Caller;
use crate::sandbox::clock;
use crate::sandbox::ids;
use crate::sandbox::middleware::DocumentFails;
use crate::sandbox::quota::BilledProduct;
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::state::{StoredObject, kind};

use kinds::Kind;
use params::{Fields, Order};

/// Bytes of a result read at a time.
const STEP: usize = 256 * 1024;
/// Bytes of a form field that is not the file.
const FIELD_MAX: usize = 64 * 1024;

/// This resource's routes.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/v2/document", post(upload))
        .route("/v2/document/{document_id}", post(status))
        .route("/v2/document/{document_id}/result", post(result))
}

/// A document as it is kept.
#[derive(Serialize, Deserialize)]
struct Document {
    key: String,
    /// Name of the result, for the content disposition.
    filename: String,
    media_type: String,
    /// Under which name its bytes are kept, and how many there are.
    file: String,
    bytes: u64,
    billed_characters: u64,
    /// Why it fails, when its time has come.
    error: Option<String>,
}

/// Files of an upload; removed unless it ends well.
struct Files<'a> {
    app: &'a App,
    names: Vec<String>,
}

impl Drop for Files<'_> {
    fn drop(&mut self) {
        self.names.iter().for_each(|name| self.app.state.remove_file(name));
    }
}

async fn upload(
    caller: Caller,
    State(app): State<App>,
    fails: Option<Extension<DocumentFails>>,
    request: Request,
) -> Result<Response, Refusal> {
    let multipart: Multipart = request
        .extract()
        .await
        .map_err(|_| Refusal::new(415, "Content type is not supported. Send the document as multipart/form-data."))?;
    let id = ids::upper_hex::<16>();
    let (source, result) = (format!("{id}-in"), format!("{id}-out"));
    let mut files = Files { app: &app, names: vec![source.clone(), result.clone()] };
    let (fields, bytes) = receive(&app, multipart, &source).await?;
    let order = fields.check(&app, bytes)?;
    let paths = (app.state.file(&source), app.state.file(&result));
    let filename = order.result_name.clone();
    let media_type = order.result_kind.media_type().to_owned();
    let worker = app.clone();
    let made = tokio::task::spawn_blocking(move || make(&worker, &order, &paths.0, &paths.1)).await;
    let mut made = made.map_err(|error| Refusal::internal(error.to_string()))??;
    if fails.is_some() {
        made.error = Some("This fault was asked for.".to_owned());
    }
    app.quota.check(&caller, BilledProduct::Document, made.billed)?;
    let (kept, dropped) = if made.is_new { (result, source) } else { (source, result) };
    let document = Document {
        key: ids::upper_hex::<32>(),
        filename,
        media_type,
        file: kept,
        bytes: made.bytes,
        billed_characters: made.billed,
        error: made.error,
    };
    let body = serde_json::to_value(&document).map_err(|error| Refusal::internal(error.to_string()))?;
    app.state.put(kind::DOCUMENT, &id, &caller.key, &body)?;
    files.names = vec![dropped];
    Ok(reply::ok(&json!({ "document_id": id, "document_key": document.key })))
}

/// Reads the form: the file to disk, everything else into memory.
async fn receive(app: &App, mut multipart: Multipart, file: &str) -> Result<(Fields, u64), Refusal> {
    let broken = |_| Refusal::bad("The multipart form is broken or incomplete.");
    let mut fields = Fields::default();
    let mut bytes = 0;
    while let Some(mut field) = multipart.next_field().await.map_err(broken)? {
        let name = field.name().unwrap_or_default().to_owned();
        if name == "file" {
            if fields.has_file {
                return Err(Refusal::bad("Parameter 'file' was given twice."));
            }
            fields.has_file = true;
            fields.part_name = field.file_name().filter(|name| !name.is_empty()).map(str::to_owned);
            let mut into = app.state.create_file(file)?;
            while let Some(chunk) = field.chunk().await.map_err(broken)? {
                into.write_all(&chunk)?;
                bytes += chunk.len() as u64;
            }
            continue;
        }
        let mut value = Vec::new();
        while let Some(chunk) = field.chunk().await.map_err(broken)? {
            value.extend_from_slice(&chunk);
            if value.len() > FIELD_MAX {
                return Err(Refusal::too_large(FIELD_MAX));
            }
        }
        let value = String::from_utf8(value).map_err(|_| Refusal::bad("Request parameters are not valid UTF-8."))?;
        fields.add(&name, value);
    }
    Ok((fields, bytes))
}

/// What an upload was made into.
struct Made {
    /// Whether the result has a file of its own.
    is_new: bool,
    bytes: u64,
    billed: u64,
    error: Option<String>,
}

/// Translates a document. Blocking: runs on a thread of its own.
fn make(app: &App, order: &Order, source: &PathBuf, result: &PathBuf) -> Result<Made, Refusal> {
    let bytes = std::fs::metadata(source)?.len();
    let mut made = Made { is_new: false, bytes, billed: 0, error: None };
    if bytes == 0 {
        made.error = Some("The file is empty.".to_owned());
        return Ok(made);
    }
    let outcome = match order.kind {
        Kind::Txt => text::plain(app, order, source, result),
        Kind::Html => text::html(app, order, source, result),
        Kind::Srt => subtitles::srt(app, order, source, result),
        Kind::Xliff => xliff::xliff(app, order, source, result),
        _ if order.result_kind == Kind::Docx && order.kind != Kind::Docx => {
            std::fs::write(result, docx::small(&format!("Translated by the sandbox from {}", order.filename)))?;
            Ok(Some(0))
        }
        _ => Ok(None),
    };
    match outcome {
        Ok(None) => {}
        Ok(Some(characters)) => {
            made.is_new = true;
            made.billed = characters;
            made.bytes = std::fs::metadata(result)?.len();
        }
        Err(Trouble::Document(why)) => made.error = Some(why),
        Err(Trouble::Sandbox(refusal)) => return Err(refusal),
    }
    if order.kind.is_office() {
        // What is in there is not looked at: a count of bytes stands in, with the minimum of these types.
        made.billed = (bytes / 10).max(50_000);
    }
    if order.is_free {
        made.billed = 0;
    }
    if made.billed > 1_000_000 && !order.kind.is_office() && made.error.is_none() {
        made.error = Some("The document has more than 1000000 characters.".to_owned());
    }
    Ok(made)
}

/// Why a document was not translated.
enum Trouble {
    /// The document's own fault: its status will be `error`.
    Document(String),
    /// The sandbox's.
    Sandbox(Refusal),
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::Sandbox(error.into())
    }
}

impl Trouble {
    fn document(why: impl Into<String>) -> Self {
        Self::Document(why.into())
    }
}

/// A document's status now.
enum Now {
    Queued,
    Translating(i64),
    Done,
    Failed(String),
}

fn now(app: &App, created: i64, error: Option<&String>) -> Now {
    let age = clock::now_ms().saturating_sub(created);
    let ms = |time: std::time::Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let queued = ms(app.options.document_queue_time);
    let ready = queued.saturating_add(ms(app.options.document_translate_time));
    match error {
        _ if age < queued => Now::Queued,
        _ if age < ready => Now::Translating((ready - age + 999) / 1000),
        Some(why) => Now::Failed(why.clone()),
        None => Now::Done,
    }
}

#[derive(Deserialize)]
struct Keyed {
    document_key: String,
}

/// The document, if id and key are right.
fn find(app: &App, id: &str, headers: &HeaderMap, body: &[u8]) -> Result<(StoredObject, Document), Refusal> {
    let shape = FormSchema { lists: &[], booleans: &[], integers: &[] };
    let keyed: Keyed = body::json_or_form(headers, body, &shape)?;
    let unknown = || Refusal::not_found("Document not found.");
    let object = app.state.with(|store| store.get(kind::DOCUMENT, id))?.ok_or_else(unknown)?;
    let document: Document = serde_json::from_value(object.body.clone())
        .map_err(|error| Refusal::internal(format!("stored document {id}: {error}")))?;
    if document.key == keyed.document_key { Ok((object, document)) } else { Err(unknown()) }
}

async fn status(
    _: Caller,
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let (object, document) = find(&app, &id, &headers, &body)?;
    Ok(reply::ok(&match now(&app, object.created, document.error.as_ref()) {
        Now::Queued => json!({ "document_id": id, "status": "queued" }),
        Now::Translating(seconds) => {
            json!({ "document_id": id, "status": "translating", "seconds_remaining": seconds })
        }
        Now::Done => {
            json!({ "document_id": id, "status": "done", "billed_characters": document.billed_characters })
        }
        Now::Failed(why) => json!({ "document_id": id, "status": "error", "message": why, "error_message": why }),
    }))
}

async fn result(
    caller: Caller,
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let (object, document) = find(&app, &id, &headers, &body)?;
    match now(&app, object.created, document.error.as_ref()) {
        Now::Queued | Now::Translating(_) => return Err(Refusal::new(503, "translation still running")),
        Now::Failed(why) => return Err(Refusal::bad("The document could not be translated.").detail(why)),
        Now::Done => {}
    }
    app.quota.check(&caller, BilledProduct::Document, document.billed_characters)?;
    let file = tokio::fs::File::open(app.state.file(&document.file)).await?;
    let quoted: String = document.filename.chars().filter(|c| !c.is_control() && !"\"\\".contains(*c)).collect();
    let disposition = format!("attachment; filename=\"{}\"", if quoted.is_ascii() { &quoted } else { "result" });
    let response_headers = [
        (header::CONTENT_TYPE, document.media_type.clone()),
        (header::CONTENT_LENGTH, document.bytes.to_string()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    let delivery = Delivery { app, caller, id, left: document.bytes, document, file };
    Ok((response_headers, Body::from_stream(stream::try_unfold(delivery, Delivery::step))).into_response())
}

/// A result on its way out.
struct Delivery {
    app: App,
    caller: Caller,
    id: String,
    document: Document,
    file: tokio::fs::File,
    left: u64,
}

impl Delivery {
    /// The next bytes. Before the last ones leave, the document goes: of several downloads at once one is whole, and one
    /// that is given up in the middle leaves the document where it is.
    async fn step(mut self) -> std::io::Result<Option<(Vec<u8>, Self)>> {
        if self.left == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; usize::try_from(self.left).unwrap_or(STEP).min(STEP)];
        let read = self.file.read(&mut bytes).await?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.truncate(read);
        self.left = self.left.saturating_sub(read as u64);
        if self.left == 0 {
            let taken = self.app.state.take(kind::DOCUMENT, &self.id).map_err(std::io::Error::other)?;
            if taken.is_none() {
                return Err(std::io::ErrorKind::ConnectionAborted.into());
            }
            self.app.state.remove_file(&self.document.file);
            // The bill was found to be covered before; a limit reached since then does not hold back what is done.
            let _ = self.app.quota.charge(&self.caller, BilledProduct::Document, self.document.billed_characters, None);
        }
        Ok(Some((bytes, self)))
    }
}
