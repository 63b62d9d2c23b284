//! HTTP answers: status, headers and body, and the trait that receives a body without keeping it in memory.

use bytes::Bytes;
use reqwest::header::HeaderMap;

use tulk_base::error::Failure;

/// Header with the ID of an exchange. The support team of the service can look it up.
const TRACE_ID: &str = "x-trace-id";

/// A complete answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body, decompressed; empty if a [`BodySink`] received it.
    pub body: Bytes,
    /// Number of attempts after the first.
    pub retries: u32,
    /// Whether the service may have executed (and billed) an earlier attempt whose answer was lost.
    pub maybe_repeated: bool,
}

impl Answer {
    /// Creates an answer to a first attempt.
    pub fn new(status: u16, headers: HeaderMap, body: Bytes) -> Self {
        Self { status, headers, body, retries: 0, maybe_repeated: false }
    }

    /// Creates the empty answer that `--dry-run` uses in place of the service's.
    pub fn planned() -> Self {
        Self::new(200, HeaderMap::new(), Bytes::new())
    }

    /// Returns whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns the `X-Trace-ID` header.
    pub fn trace_id(&self) -> Option<&str> {
        trace_id(&self.headers)
    }
}

/// Returns the `X-Trace-ID` header.
pub fn trace_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(TRACE_ID).and_then(|v| v.to_str().ok())
}

/// Receives the body of a successful answer in chunks, for example to write it to a file.
pub trait BodySink {
    /// Receives status and headers before the first byte of each attempt. An error ends the request.
    fn start(&self, _: u16, _: &HeaderMap) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns whether the request may be sent again. False after bytes were written that cannot be taken back.
    fn can_restart(&self) -> bool {
        true
    }

    /// Receives the next bytes, in order. An error ends the request.
    fn write(&self, bytes: &Bytes) -> Result<(), Failure>;
}
