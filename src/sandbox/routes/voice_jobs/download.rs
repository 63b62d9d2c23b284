//! The download of a result: a file in, a stream of bytes out. A result can be downloaded once.

use std::io;

use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

use super::job_body::{SUBTITLE_TYPE, TEXT_TYPE};
use super::job_signature;
use super::stored_job::{JobStatus, StoredJob};
use crate::sandbox::app::App;
use crate::sandbox::reply::Refusal;

/// Bytes read at a time.
const BLOCK_BYTES: usize = 256 * 1024;

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
    let file = File::open(app.state.file(&result.file)).await?;
    let (name, bytes_left) = (result.file.clone(), result.bytes);
    let download = JobDownload { app, id, number, name, file, bytes_left };
    let body = Body::from_stream(stream::try_unfold(download, JobDownload::next_block));
    Ok((response_headers, body).into_response())
}

/// A result that is being downloaded.
struct JobDownload {
    app: App,
    id: String,
    number: usize,
    /// Name of its file.
    name: String,
    file: File,
    bytes_left: u64,
}

impl JobDownload {
    /// Reads the next block.
    ///
    /// The result is removed before the last block is sent. If there are several downloads at the same time, only one is complete;
    /// a download that is aborted earlier leaves the result in place.
    async fn next_block(mut self) -> io::Result<Option<(Vec<u8>, Self)>> {
        if self.bytes_left == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; usize::try_from(self.bytes_left).unwrap_or(BLOCK_BYTES).min(BLOCK_BYTES)];
        let read = self.file.read(&mut bytes).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.truncate(read);
        self.bytes_left = self.bytes_left.saturating_sub(read as u64);
        if self.bytes_left == 0 {
            let is_first = StoredJob::update(&self.app, &self.id, |job| Ok(job.record_download(self.number)));
            if !is_first.unwrap_or(false) {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            self.app.state.remove_file(&self.name);
        }
        Ok(Some((bytes, self)))
    }
}
