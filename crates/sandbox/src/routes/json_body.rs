//! Extractor of JSON bodies: returns a typed value or a refusal.

use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

use crate::body::BodyReader;
use crate::sessions::Sessions;

/// A JSON body. Handlers take it last, so that a wrong key is reported before a wrong body.
pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Sessions> for JsonBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, sessions: &Sessions) -> Result<Self, Response> {
        let body = BodyReader::from_request(request, sessions).await?;
        body.json().map(Self).map_err(IntoResponse::into_response)
    }
}
