//! `GET /_sandbox/`: a page that shows the last requests as they arrive.
//!
//! The page is a file in the program. It contains nothing of what the sandbox stores: its script asks `/_sandbox/requests`.

use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::ids;
use crate::sessions::Sessions;

const PAGE: &str = include_str!("page.html");
/// Stands in the page for the word that permits its own style and script, and no other.
const NONCE: &str = "{nonce}";

/// Returns the routes.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/_sandbox", get(|| async { Redirect::permanent("/_sandbox/") })).route("/_sandbox/", get(page))
}

async fn page() -> Response {
    let nonce = ids::upper_hex::<16>();
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8".to_owned()), (CONTENT_SECURITY_POLICY, policy)];
    (headers, PAGE.replace(NONCE, &nonce)).into_response()
}
