//! One request as a value: what is sent, what `--dry-run` prints, what `-v` logs.
//!
//! Nothing here sends; see [`super::client`].

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use reqwest::header::HeaderMap;

use crate::config::KeyKind;
use crate::error::Failure;

pub use reqwest::Method;

/// A path below the base address, each part escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(String);

impl Path {
    /// Joins parts, escaping each. Refuses empty parts, `.` and `..`, which an id from outside could smuggle in.
    pub fn of<P: AsRef<str>>(parts: impl IntoIterator<Item = P>) -> Result<Self, Failure> {
        let mut path = String::new();
        for part in parts {
            let part = part.as_ref();
            if part.is_empty() || part == "." || part == ".." {
                return Err(Failure::usage(format!("`{part}` is no usable id")));
            }
            path.push('/');
            escape_into(&mut path, part);
        }
        Ok(Self(path))
    }

    /// A path written by the user (`tulk api`), which may hold a query; it must start with `/`.
    pub fn raw(path: &str) -> Result<Self, Failure> {
        let bare = path.split('?').next().unwrap_or_default();
        if bare.contains("://") || bare.starts_with("//") {
            return Err(Failure::usage("the path is a full address")
                .hint("give a path such as /v2/usage; --server picks the server"));
        }
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        if path.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(Failure::usage("the path holds a blank or a control character").hint("write %20 for a blank"));
        }
        let decoded = plain_path(&path);
        // What an address parser would rewrite could end at another operation, with the wrong key.
        if decoded.contains('\\') || path.contains('#') || decoded.split('/').any(|part| part == "." || part == "..") {
            return Err(Failure::usage("the path holds `.` or `..` as a part, a backslash or a `#`")
                .hint("write the path as the service documents it; %23 stands for #"));
        }
        Ok(Self(path))
    }

    /// The path as text, from its first `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is an administration operation, which takes the admin key.
    pub fn is_admin(&self) -> bool {
        let decoded = plain_path(&self.0).to_ascii_lowercase();
        let mut parts = decoded.split('/').filter(|part| !part.is_empty());
        parts.next() == Some("v2") && parts.next() == Some("admin")
    }
}

/// A path without its query, escapes undone as a server may do it.
fn plain_path(path: &str) -> String {
    let bytes = path.split(['?', '#']).next().unwrap_or_default().as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        if let (b'%', Some(high), Some(low)) = (byte, digit(at + 1), digit(at + 2)) {
            plain.push(u8::try_from(high * 16 + low).unwrap_or(b'%'));
            at += 3;
        } else {
            plain.push(*byte);
            at += 1;
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Escapes one path part: all but unreserved characters and `:`.
fn escape_into(path: &mut String, part: &str) {
    use std::fmt::Write as _;
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte) {
            path.push(char::from(byte));
        } else {
            let _ = write!(path, "%{byte:02X}");
        }
    }
}

/// Whether a request may be repeated after its answer was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// A repetition does no harm.
    #[default]
    Always,
    /// Only when the service surely did not act on it: a refused connect, 429, 503, 529.
    UntilArrived,
    /// Never: the command decides, after asking for the state.
    Never,
}

/// Is told how an upload goes. Called on the loop: must be short.
pub trait UploadObserver: Send + Sync {
    /// Bytes of the file handed to the connection in this attempt; 0 when an attempt begins.
    fn progress(&self, bytes: u64) -> std::io::Result<()>;
    /// The last bytes are about to leave: from here on the service may act on the request. An error keeps them back.
    fn completing(&self) -> std::io::Result<()>;
}

/// A file to upload: streamed from disk, its size known.
#[derive(Clone)]
pub struct Upload {
    /// Where the bytes are.
    pub path: PathBuf,
    /// File name told to the service.
    pub filename: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Form field's name, `file` for documents.
    pub field: String,
    /// Is told how it goes.
    pub observer: Option<Arc<dyn UploadObserver>>,
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, filename, bytes, field, observer: _ } = self;
        write!(f, "Upload {{ path: {path:?}, filename: {filename:?}, bytes: {bytes}, field: {field:?} }}")
    }
}

/// What a request carries.
#[derive(Clone, Debug, Default)]
pub enum RequestBody {
    /// Nothing.
    #[default]
    Empty,
    /// Encoded JSON.
    Json(Bytes),
    /// Encoded form.
    Form(String),
    /// Bytes of a media type.
    Bytes(String, Bytes),
    /// Form fields, then files.
    Multipart {
        /// Text fields in order.
        fields: Vec<(String, String)>,
        /// Files in order.
        files: Vec<Upload>,
    },
}

/// One request of the service.
#[derive(Clone, Debug)]
pub struct Request {
    /// HTTP method.
    pub method: Method,
    /// Path below the base address.
    pub path: Path,
    /// Query in order.
    pub query: Vec<(String, String)>,
    /// Headers besides those the client adds.
    pub headers: HeaderMap,
    /// What it carries.
    pub body: RequestBody,
    /// Which key it takes.
    pub key: KeyKind,
    /// Whether it may be repeated.
    pub repeat: Repeat,
}

impl Request {
    /// A request without query, headers or body, safe to repeat.
    pub fn new(method: Method, path: Path) -> Self {
        let key = if path.is_admin() { KeyKind::Admin } else { KeyKind::Account };
        Self {
            method,
            path,
            query: Vec::new(),
            headers: HeaderMap::new(),
            body: RequestBody::Empty,
            key,
            repeat: Repeat::Always,
        }
    }
}

/// A received answer, whole.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body, decompressed.
    pub body: Bytes,
    /// How many attempts it took after the first.
    pub retries: u32,
    /// Whether an earlier attempt may have been executed (and billed) though its answer was lost.
    pub maybe_repeated: bool,
}

/// The header by which the service names an exchange.
pub const TRACE_ID: &str = "x-trace-id";

impl Answer {
    /// Creates the answer to a first attempt.
    pub fn new(status: u16, headers: HeaderMap, body: Bytes) -> Self {
        Self { status, headers, body, retries: 0, maybe_repeated: false }
    }

    /// Returns the empty answer that replaces the service's under `--dry-run`.
    pub fn planned() -> Self {
        Self::new(200, HeaderMap::new(), Bytes::new())
    }

    /// The `X-Trace-ID` header, if it came.
    pub fn trace_id(&self) -> Option<&str> {
        self.headers.get(TRACE_ID).and_then(|v| v.to_str().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_each_part() {
        let path = Path::of(["v3", "glossaries", "a/b c?d"]).unwrap();
        assert_eq!(path.as_str(), "/v3/glossaries/a%2Fb%20c%3Fd");
    }

    #[test]
    fn refuses_parts_that_climb() {
        for part in ["", ".", ".."] {
            assert!(Path::of(["v3", part]).is_err(), "{part:?}");
        }
    }

    #[test]
    fn knows_admin_paths() {
        assert!(Path::raw("/v2/admin/developer-keys?x=1").unwrap().is_admin());
        assert!(!Path::raw("/v2/administrators").unwrap().is_admin());
        for path in ["/v2//admin/x", "/V2/Admin", "v2/%61dmin/developer-keys"] {
            assert!(Path::raw(path).unwrap().is_admin(), "{path}");
        }
    }

    #[test]
    fn refuses_what_an_address_parser_would_rewrite() {
        for path in ["/v3/../v2/admin", "/v2/%2e%2E/x", "/v2/./x", "/a\\b", "/v2/usage#x", "/a b"] {
            assert!(Path::raw(path).is_err(), "{path}");
        }
        assert_eq!(Path::raw("v2/x?back=http://a/../b").unwrap().as_str(), "/v2/x?back=http://a/../b");
    }

    #[test]
    fn refuses_a_full_address() {
        assert!(Path::raw("https://example.org/v2/usage").is_err());
    }
}
