//! Addresses of job files, and uploads to them.
//!
//! The addresses point to the sandbox itself. They contain the job and its session and need no API key; the routes of
//! the jobs check the signature or token.

use std::io::Write as _;

use axum::body::Body;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt as _;

use crate::app::App;
use crate::body;
use crate::reply::Refusal;
use crate::sessions::SessionName;

/// Start of the paths of a voice job's files. The next path segment has the job and its session.
pub(super) const VOICE_FILES: &str = "/v1/jobs/files/";
pub(super) const MEMORY_FILES: &str = "/v3/translation_memories/files/";

/// Returns `None` unless the path belongs to a job file. Requests for job files need no key and no session header, and their
/// bodies are streamed.
pub(crate) fn session_of_file(path: &str) -> Option<SessionName> {
    let rest = [VOICE_FILES, MEMORY_FILES].iter().find_map(|start| path.strip_prefix(start))?;
    Some(SessionName::of_token(rest.split('/').next().unwrap_or_default()))
}

/// Cuts off the token of a memory file's address, because the token grants access like a key. `None` for any other
/// text.
pub(crate) fn without_token(address: &str) -> Option<&str> {
    let (start, rest) = address.split_once(MEMORY_FILES)?;
    let is_address = start.is_empty() || start.starts_with("http");
    let job = rest.split_once('/').filter(|_| is_address)?.0;
    address.get(..start.len() + MEMORY_FILES.len() + job.len() + 1)
}

/// Returns the job ID from the job segment of a file's path.
pub(super) fn job_id(job: &str) -> &str {
    job.split('.').next().unwrap_or_default()
}

pub(super) fn announced_bytes(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Discards the body of an upload that was answered early. A client that sent `Expect: 100-continue` has not sent its
/// body yet.
pub(super) fn discard_upload(headers: &HeaderMap, body: Body) {
    if !headers.contains_key(header::EXPECT) {
        body::discard(body);
    }
}

pub(super) fn too_large(max: u64) -> Refusal {
    Refusal::new(413, format!("The file exceeds the maximum of {max} bytes."))
}

/// Writes the body to a file and returns the size of the body. Bytes after the `declared` size are only counted, up to
/// `max`.
pub(super) async fn write_body(app: &App, file: &str, body: Body, declared: u64, max: u64) -> Result<u64, Refusal> {
    let mut into = app.state.create_file(file)?;
    let mut parts = body.into_data_stream();
    let mut bytes = 0_u64;
    while let Some(part) = parts.next().await {
        let part = part.map_err(|_| Refusal::bad_request("The request body is broken or incomplete."))?;
        let left = usize::try_from(declared.saturating_sub(bytes)).unwrap_or(usize::MAX);
        into.write_all(part.get(..left).unwrap_or(&part))?;
        bytes += part.len() as u64;
        if bytes > max {
            return Err(too_large(max));
        }
    }
    Ok(bytes)
}
