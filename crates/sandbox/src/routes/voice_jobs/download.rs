//! The download of a result: a file in, a stream of bytes out. A result can be downloaded once.

use std::io;

use axum::extract::Path;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};

use super::job_body::{SUBTITLE_TYPE, TEXT_TYPE};
use super::job_signature;
use super::stored_job::{JobStatus, StoredJob};
use crate::app::App;
use crate::reply;
use crate::reply::Refusal;

/// `GET` of a result at its download address. See docs/service.md, "Voice jobs".
pub(super) async fn get_result(
    app: App,
    Path((job, number)): Path<(String, String)>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Refusal> {
    let (id, job) = StoredJob::find(&app, super::job_id(&job))?;
    let unknown = || Refusal::not_found("There is no such result.");
    let number: usize = number.parse().map_err(|_| unknown())?;
    let (result, target) = job.results.get(number).zip(job.request.targets.get(number)).ok_or_else(unknown)?;
    job_signature::check(&headers, &uri, &result.signature)?;
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
    let (path, bytes, name) = (app.state.file(&result.file), result.bytes, result.file.clone());
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
