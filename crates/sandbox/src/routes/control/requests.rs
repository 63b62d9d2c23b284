//! `GET /_sandbox/requests`: the last requests, oldest first.
//!
//! Parameters: `session`, `after` (an ID), `limit` (the last ones), `id` (a list).

use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;

use super::selection;
use crate::recent_requests::{KnownKeys, RequestSelection, RequestView};
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;

#[derive(Serialize)]
struct RecentRequestsReply {
    requests: Vec<RequestView>,
    /// ID of the last request so far, of any session.
    last_id: u64,
}

/// Returns the route.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/_sandbox/requests", get(requests))
}

async fn requests(State(sessions): State<Sessions>, parts: Parts) -> Result<Response, Refusal> {
    let query = selection::parameters(&parts, &["session", "after", "limit", "id"])?;
    let ids = |list: &str| {
        let ids = list.split(',').map(|id| id.trim().parse()).collect::<Result<Vec<u64>, _>>();
        ids.map_err(|_| Refusal::bad("Value for 'id' not supported."))
    };
    let selection = RequestSelection {
        session: selection::named_session(&parts, &query)?,
        after: selection::number(&query, "after")?.unwrap_or(0),
        ids: query.get("id").map(ids).transpose()?,
        limit: selection::number(&query, "limit")?,
    };
    let (selected, last_id) = sessions.recent.select(&selection);
    let known = known_keys(&sessions)?;
    let requests = selected.iter().map(|request| RequestView::new(request, &known)).collect();
    Ok(reply::ok(&RecentRequestsReply { requests, last_id }))
}

/// Collects the keys of the options and those that administrators created.
fn known_keys(sessions: &Sessions) -> Result<KnownKeys, Refusal> {
    let options = &sessions.options;
    let mut keys = sessions.developer_keys()?;
    keys.extend(options.keys.iter().chain(&options.admin_keys).cloned());
    Ok(KnownKeys::new(keys))
}
