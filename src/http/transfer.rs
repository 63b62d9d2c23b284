//! Downloads: an answer's body goes to the command as it comes, never whole into memory.
//!
//! Not for uploads, which are requests with a multipart body (`attempt.rs`). Spec: "Documents", result.

use super::attempt::Receive;
use super::client::Client;
use super::request::{Answer, Request};
use crate::error::Failure;

impl Client {
    /// Sends a request and hands the body of a successful answer to `receive`, piece by piece.
    ///
    /// The answer comes whatever its status, without the body that `receive` took. How often it is tried is the
    /// request's own `repeat`; a receiver that may be called for a second attempt starts over in `Receive::begin`.
    pub async fn download(&self, request: &Request, receive: &impl Receive) -> Result<Answer, Failure> {
        self.repeat(request, receive).await
    }
}
