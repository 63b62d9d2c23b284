//! `GET /_sandbox/health`: whether the sandbox answers, for whoever starts it and waits. It needs no key.

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;

use crate::reply;
use crate::sessions::Sessions;

#[derive(Serialize)]
struct HealthReply {
    status: &'static str,
    version: &'static str,
}

/// Returns the route.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/_sandbox/health", get(health))
}

async fn health() -> Response {
    reply::ok(&HealthReply { status: "ok", version: env!("CARGO_PKG_VERSION") })
}
