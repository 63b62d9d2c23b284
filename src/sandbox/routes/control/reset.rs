//! `POST /_sandbox/reset`: empties a session between two tests.

use axum::Router;
use axum::http::HeaderMap;
use axum::http::header::ORIGIN;
use axum::response::Response;
use axum::routing::post;

use crate::sandbox::app::App;
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::sessions::Sessions;

/// Returns the route.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/_sandbox/reset", post(reset))
}

/// Empties the sandbox. Refuses browsers: a web page can send this to any address.
async fn reset(app: App, headers: HeaderMap) -> Result<Response, Refusal> {
    if headers.contains_key(ORIGIN) {
        return Err(Refusal::forbidden("Web pages cannot reset the sandbox."));
    }
    app.reset()?;
    Ok(reply::empty())
}
