//! What the sandbox answers: JSON, and refusals that are always JSON with a `message`.
//!
//! Spec: "Errors"; the sandbox never sends an empty error body.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A request the sandbox says no to: a status and `{"message", "detail"?, "code"?}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The status of the answer.
    pub status: u16,
    message: String,
    detail: Option<String>,
    code: Option<String>,
    retry_after: Option<String>,
}

impl Refusal {
    /// A refusal with any status, also the service's own 456 and 529.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), detail: None, code: None, retry_after: None }
    }

    /// 400: a parameter is wrong.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    /// 403: not authorised.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(403, message)
    }

    /// 404: there is no such thing.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(404, message)
    }

    /// 413: the body is larger than `limit` bytes.
    pub fn too_large(limit: usize) -> Self {
        Self::new(413, format!("Request size exceeds the maximum of {limit} bytes."))
    }

    /// 415: neither of the content types taken here.
    pub fn content_type() -> Self {
        Self::new(415, "Content type is not supported.")
    }

    /// 456: the quota, or the limit of this key, is reached.
    pub fn quota(message: impl Into<String>) -> Self {
        Self::new(456, message)
    }

    /// 500: the sandbox itself failed.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(500, message)
    }

    /// Adds what exactly was wrong.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Adds a word that programs can branch on.
    #[must_use]
    pub fn code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// Adds a `Retry-After` header, as given: seconds or a date.
    #[must_use]
    pub fn retry_after(mut self, value: impl Into<String>) -> Self {
        self.retry_after = Some(value.into());
        self
    }

    /// The message, as the caller reads it.
    pub fn message(&self) -> &str {
        &self.message
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
        Self::internal(format!("sandbox state: {error}"))
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Self {
        Self::internal(format!("sandbox files: {error}"))
    }
}

/// An answer with a JSON body.
pub fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        // Only a map with keys that are no strings gets here: a fault of the sandbox, said plainly.
        Err(error) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            [(header::CONTENT_TYPE, "application/json")],
            format!(r#"{{"message":"sandbox answer: {}"}}"#, error.to_string().replace('"', "'")),
        )
            .into_response(),
    }
}

/// 200 with a JSON body.
pub fn ok(body: &impl Serialize) -> Response {
    json(StatusCode::OK, body)
}

/// 201 with a JSON body.
pub fn created(body: &impl Serialize) -> Response {
    json(StatusCode::CREATED, body)
}

/// 204 without a body.
pub fn empty() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
