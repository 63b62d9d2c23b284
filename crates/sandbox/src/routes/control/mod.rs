//! What tests and people ask of the sandbox itself: requests so far, counts, a fresh start, a page that shows them.
//!
//! The paths begin with `/_sandbox/`; the service has none of them. They have no faults and no limits, and are not listed among the
//! requests. The middleware asks `access` who may use them before any route runs. One file per endpoint.

use axum::Router;

use crate::sessions::Sessions;

mod access;
mod health;
mod options;
mod page;
mod requests;
mod reset;
mod selection;
mod state;

pub(crate) use access::{check_access, is_control, sealed};

/// Returns the routes of the sandbox itself.
pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .merge(health::routes())
        .merge(options::routes())
        .merge(page::routes())
        .merge(requests::routes())
        .merge(reset::routes())
        .merge(state::routes())
}
