//! The pipeline's way to the service: the client, or the printer of `--dry-run`.

use bytes::Bytes;
use reqwest::header::HeaderMap;

use crate::error::Failure;
use crate::http::client::Client;
use crate::http::request::{Answer, Request};
use crate::pipeline::Call;

/// Sends the pipeline's requests through a client.
pub struct Via<'a>(pub &'a Client);

impl Call for Via<'_> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        if self.0.is_dry_run() {
            self.0.plan(&request)?;
            return Ok(Answer {
                status: 200,
                headers: HeaderMap::new(),
                body: Bytes::new(),
                retries: 0,
                maybe_repeated: false,
            });
        }
        self.0.call(request).await
    }

    fn concurrency(&self) -> usize {
        self.0.concurrency()
    }
}
