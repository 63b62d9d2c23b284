//! What tests ask of the sandbox itself: requests so far, counts, options, a fresh start.
//!
//! The paths begin with `/_sandbox`, and the service has none of them: they have no faults, no limits and no trace of
//! their own among the requests. One file per endpoint.

use axum::Router;

use crate::sandbox::sessions::Sessions;

mod options;
mod reset;

/// Returns the routes of the sandbox itself.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().merge(options::routes()).merge(reset::routes())
}
