//! Downloads: an answer's body goes to the command as it comes, never whole into memory.
//!
//! Not for uploads, which are requests with a multipart body (`attempt.rs`). Spec: "Documents", result.

use super::attempt::BodySink;
use super::client::Client;
use super::request::{Answer, Request};
use crate::error::Failure;

impl Client {
    /// Sends a request and hands the body of a successful answer to `sink`, piece by piece.
    ///
    /// The answer comes whatever its status, without the body that `sink` took. How often it is tried is the
    /// request's own `repeat`; a receiver that may be called for a second attempt starts over in `BodySink::start`.
    pub async fn download(&self, request: &Request, sink: &dyn BodySink) -> Result<Answer, Failure> {
        self.repeat(request, Some(sink)).await
    }
}
