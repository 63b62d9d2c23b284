//! `POST /_sandbox/reset`: empties the sandbox, for the tests of other programs.
//!
//! Input: nothing, and no key. Output: 204; stored objects, counts, files and the counters of faults are gone. The routes
//! of the service do not include this one.

use axum::Router;
use axum::http::HeaderMap;
use axum::http::header::ORIGIN;
use axum::response::Response;
use axum::routing::post;

use crate::sandbox::app::App;
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::sessions::Sessions;

/// Returns the routes of the sandbox itself.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/_sandbox/reset", post(reset))
}

/// `POST /_sandbox/reset`: empties the sandbox. Refuses browsers: a web page can send this to any address.
async fn reset(app: App, headers: HeaderMap) -> Result<Response, Refusal> {
    if headers.contains_key(ORIGIN) {
        return Err(Refusal::forbidden("Web pages cannot reset the sandbox."));
    }
    app.reset()?;
    Ok(reply::empty())
}
