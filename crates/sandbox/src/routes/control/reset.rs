//! `POST /_sandbox/reset`: empties a session between two tests, or all of them with `all=true`.
//!
//! Input: the session, as a parameter or a header. Output: 204; stored objects, counts, files, the counters of faults and
//! limits, and the session's recent requests are gone.

use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::post;

use super::selection;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;

/// Returns the route.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/_sandbox/reset", post(reset))
}

async fn reset(State(sessions): State<Sessions>, parts: Parts) -> Result<Response, Refusal> {
    let query = selection::parameters(&parts, &["session", "all"])?;
    match query.get("all") {
        Some("true") if query.get("session").is_some() => {
            return Err(Refusal::bad("Send either 'session' or 'all', not both."));
        }
        Some("true") => {
            sessions.reset_all()?;
            sessions.recent.forget(None);
            return Ok(reply::empty());
        }
        None | Some("false") => {}
        Some(_) => return Err(Refusal::bad("Value for 'all' not supported.")),
    }
    let session = selection::named_session(&parts, &query)?.unwrap_or_default();
    sessions.reset(&session)?;
    sessions.recent.forget(Some(&session));
    Ok(reply::empty())
}
