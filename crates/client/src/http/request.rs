//! A request as a value, which [`super::client`] sends, logs, or prints for `--dry-run`.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use reqwest::header::HeaderMap;
use tulk_base::limits;

use super::path::Path;
use super::redact;
use crate::KeyKind;

pub use reqwest::Method;

/// Whether a request may be sent again after a failed attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// Sending it twice does no harm.
    #[default]
    Always,
    /// Only if the service did not act on it: no connection, 429, 503, 529, and 456 for v3 glossaries.
    UntilArrived,
    /// Never by the client. The command decides, for example after it has requested the current state from the service.
    Never,
}

/// Scope of `--timeout` within an attempt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeLimit {
    /// The complete attempt, from the first byte to the last.
    #[default]
    Whole,
    /// The time since the last byte. For file transfers, whose duration depends on the size of the file.
    Idle,
}

/// Observer of an upload. Called from the event loop, so its methods must return quickly.
pub trait UploadObserver: Send + Sync {
    /// Receives the number of bytes passed to the connection in this attempt; 0 when an attempt starts.
    fn progress(&self, bytes: u64) -> std::io::Result<()>;
    /// Called before the last bytes are sent. From then on the service may act on the request. An error cancels it.
    fn completing(&self) -> std::io::Result<()>;
}

/// A file to upload, streamed from disk.
#[derive(Clone)]
pub struct Upload {
    /// Path of the file.
    pub path: PathBuf,
    /// File name sent to the service.
    pub filename: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Name of the form field, `file` for documents.
    pub field: String,
    /// Observer of the progress.
    pub observer: Option<Arc<dyn UploadObserver>>,
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, filename, bytes, field, observer: _ } = self;
        write!(f, "Upload {{ path: {path:?}, filename: {filename:?}, bytes: {bytes}, field: {field:?} }}")
    }
}

/// The body of a request.
#[derive(Clone, Debug, Default)]
pub enum RequestBody {
    /// No body.
    #[default]
    Empty,
    /// Encoded JSON.
    Json(Bytes),
    /// An encoded form.
    Form(String),
    /// Bytes with a media type.
    Bytes(String, Bytes),
    /// A file with a media type, streamed from disk.
    File(String, Upload),
    /// A multipart form: fields, then files.
    Multipart {
        /// Text fields in order.
        fields: Vec<(String, String)>,
        /// Files in order.
        files: Vec<Upload>,
    },
}

/// One request to the service.
#[derive(Clone, Debug)]
pub struct Request {
    /// HTTP method.
    pub method: Method,
    /// Path below the base address.
    pub path: Path,
    /// Query parameters in order.
    pub query: Vec<(String, String)>,
    /// Headers, except those that the client adds.
    pub headers: HeaderMap,
    /// Body.
    pub body: RequestBody,
    /// Kind of key to send; `None` sends no key.
    pub key: Option<KeyKind>,
    /// Whether the request may be sent again.
    pub repeat: Repeat,
    /// Scope of the time-out.
    pub time_limit: TimeLimit,
    /// Maximum size in bytes of an answer that is held in memory, if it differs from the usual one.
    pub answer_bytes: Option<usize>,
    /// Whether the request goes to a signed address. Messages and logs then show only the host.
    pub is_signed: bool,
}

impl Request {
    /// Creates a request that may always be repeated, without query, headers or body. Admin paths use the admin key.
    pub fn new(method: Method, path: Path) -> Self {
        let key = if path.is_admin() { KeyKind::Admin } else { KeyKind::Account };
        Self {
            method,
            path,
            query: Vec::new(),
            headers: HeaderMap::new(),
            body: RequestBody::Empty,
            key: Some(key),
            repeat: Repeat::Always,
            time_limit: TimeLimit::Whole,
            answer_bytes: None,
            is_signed: false,
        }
    }

    /// Returns the path for messages and logs, without secrets.
    pub fn shown_path(&self) -> Cow<'_, str> {
        if self.is_signed { Cow::Borrowed("/…") } else { redact::address(self.path.as_str()) }
    }

    /// Returns the maximum size in bytes of a successful answer that is held in memory. Except
    /// for GET, it grows with the size of the body sent.
    pub fn answer_limit(&self) -> usize {
        let sent = match &self.body {
            RequestBody::Json(bytes) | RequestBody::Bytes(_, bytes) => bytes.len(),
            RequestBody::Form(text) => text.len(),
            RequestBody::Empty | RequestBody::File(..) | RequestBody::Multipart { .. } => 0,
        };
        let usual = match self.method {
            Method::GET => limits::ANSWER_BYTES,
            _ => limits::ANSWER_BYTES.min(limits::SENT_ANSWER_BYTES + sent.saturating_mul(limits::ANSWER_FACTOR)),
        };
        self.answer_bytes.unwrap_or(usual)
    }

    /// Returns whether the answer may be lost without harm: the request only reads, and costs nothing.
    pub fn is_free(&self) -> bool {
        self.method == Method::GET && self.repeat == Repeat::Always
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maximum_size_of_an_answer_grows_with_the_body_sent() {
        let path = Path::parse("/v2/translate").unwrap();
        let limit = |method, body| Request { body, ..Request::new(method, path.clone()) }.answer_limit();
        let json = |len| RequestBody::Json(Bytes::from(vec![b' '; len]));
        assert_eq!(limit(Method::GET, RequestBody::Empty), limits::ANSWER_BYTES);
        assert_eq!(limit(Method::POST, RequestBody::Empty), limits::SENT_ANSWER_BYTES);
        assert_eq!(limit(Method::POST, json(limits::TRANSLATE_BODY_BYTES)), 3 * limits::SENT_ANSWER_BYTES);
        assert_eq!(limit(Method::POST, json(limits::DICTIONARY_BYTES)), limits::ANSWER_BYTES);
    }
}
