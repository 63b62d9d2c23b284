//! Answers: JSON bodies, refusals (always JSON with a `message`), and downloads of stored files.
//!
//! See docs/service.md, "Errors".

use std::io;
use std::path::Path;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

/// The answer to a refused request: a status and `{"message", "detail"?, "code"?}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub status: u16,
    pub message: String,
    detail: Option<String>,
    code: Option<String>,
    retry_after: Option<String>,
}

impl Refusal {
    /// Creates a refusal with any status, including the non-standard 456 and 529.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), detail: None, code: None, retry_after: None }
    }

    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(403, message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(404, message)
    }

    pub fn too_large(limit: usize) -> Self {
        Self::new(413, format!("Request size exceeds the maximum of {limit} bytes."))
    }

    pub fn unsupported_content_type() -> Self {
        Self::new(415, "Unsupported Content-Type")
    }

    pub fn quota_exceeded(message: impl Into<String>) -> Self {
        Self::new(456, message)
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(500, message)
    }

    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    #[must_use]
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// The value is a number of seconds or a date.
    #[must_use]
    pub fn retry_after(mut self, value: impl Into<String>) -> Self {
        self.retry_after = Some(value.into());
        self
    }

    pub fn text(&self) -> String {
        let message = self.message.trim_end_matches('.');
        self.detail.as_ref().map_or_else(|| message.to_owned(), |detail| format!("{message}: {detail}"))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct ErrorBody<'a> {
            message: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            detail: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            code: Option<&'a str>,
        }
        let body = ErrorBody { message: &self.message, detail: self.detail.as_deref(), code: self.code.as_deref() };
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = json(status, &body);
        if let Some(value) = self.retry_after.and_then(|value| HeaderValue::from_str(&value).ok()) {
            response.headers_mut().insert(header::RETRY_AFTER, value);
        }
        response
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::internal(format!("cannot use the state of the sandbox: {error}"))
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        Self::internal(format!("cannot use the files of the sandbox: {error}"))
    }
}

pub fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        // This fails only for a map whose keys are not strings, which is a bug in the sandbox.
        Err(error) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            [(header::CONTENT_TYPE, "application/json")],
            format!(r#"{{"message":"sandbox answer: {}"}}"#, error.to_string().replace('"', "'")),
        )
            .into_response(),
    }
}

pub fn ok(body: &impl Serialize) -> Response {
    json(StatusCode::OK, body)
}

pub fn created(body: &impl Serialize) -> Response {
    json(StatusCode::CREATED, body)
}

pub fn no_content() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

const BLOCK_BYTES: usize = 256 * 1024;

/// Returns the first `bytes` bytes of a file as the body of an answer. `finish` is called before the last block is sent; if
/// it fails, the download is aborted.
///
/// If `finish` makes the file unavailable to other downloads, only one of several concurrent downloads completes. `finish` is not
/// called if a download is aborted before its last block.
pub async fn file_body(
    path: &Path,
    bytes: u64,
    finish: impl FnOnce() -> io::Result<()> + Send + 'static,
) -> io::Result<Body> {
    let download = FileDownload { file: File::open(path).await?, bytes_left: bytes, finish: Some(finish) };
    Ok(Body::from_stream(stream::try_unfold(download, FileDownload::next_block)))
}

struct FileDownload<F> {
    file: File,
    bytes_left: u64,
    finish: Option<F>,
}

impl<F: FnOnce() -> io::Result<()>> FileDownload<F> {
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
        if self.bytes_left == 0
            && let Some(finish) = self.finish.take()
        {
            finish()?;
        }
        Ok(Some((bytes, self)))
    }
}
