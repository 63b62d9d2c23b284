//! `POST /_sandbox/reset`: empties a session between two tests.

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::ORIGIN;
use axum::response::Response;
use axum::routing::post;

use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::session_name::SessionName;
use crate::sandbox::sessions::Sessions;

/// Returns the route.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/_sandbox/reset", post(reset))
}

/// Empties the sandbox. Refuses browsers: a web page can send this to any address.
async fn reset(State(sessions): State<Sessions>, headers: HeaderMap) -> Result<Response, Refusal> {
    if headers.contains_key(ORIGIN) {
        return Err(Refusal::forbidden("Web pages cannot reset the sandbox."));
    }
    sessions.reset(&SessionName::of_request(&headers)?)?;
    Ok(reply::empty())
}
