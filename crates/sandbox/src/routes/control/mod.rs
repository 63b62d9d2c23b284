//! `/_sandbox/`: the control endpoints of the sandbox, for tests and people. The service does not have them.
//!
//! They list recent requests and counts, show requests live on a page, reset sessions and change their options. Input:
//! a session and filters. Output: JSON, or the page. Faults and limits do not apply to them, and they do not appear in
//! the list of requests. The middleware checks the access with `access` before any route runs.

mod access;
mod options;

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde::Serialize;
use serde_json::json;

use crate::query::QueryParams;
use crate::recent_requests::{KnownKeys, RequestSelection, RequestView};
use crate::reply::{self, Refusal};
use crate::sessions::{SESSION_HEADER, SessionName, Sessions};
use crate::{ids, quota};

pub(crate) use self::access::{check_access, is_control_path, with_isolation_headers};

const PAGE: &str = include_str!("page.html");
/// Placeholder in the page for the CSP nonce, which allows only the page's own style and script.
const NONCE_PLACEHOLDER: &str = "{nonce}";

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/_sandbox", get(|| async { Redirect::permanent("/_sandbox/") }))
        .route("/_sandbox/", get(page))
        .route("/_sandbox/health", get(health))
        .route("/_sandbox/requests", get(requests))
        .route("/_sandbox/state", get(state))
        .route("/_sandbox/reset", post(reset))
        .route("/_sandbox/options", get(options::show).patch(options::change))
}

/// Lets programs that start the sandbox wait until it answers. Needs no key.
async fn health() -> Response {
    reply::ok(&json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// Shows the last requests as they arrive. Contains nothing that the sandbox stores: its script polls `/_sandbox/requests`.
async fn page() -> Response {
    let nonce = ids::upper_hex::<16>();
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8".to_owned()), (CONTENT_SECURITY_POLICY, policy)];
    (headers, PAGE.replace(NONCE_PLACEHOLDER, &nonce)).into_response()
}

#[derive(Serialize)]
struct RecentRequestsReply {
    requests: Vec<RequestView>,
    /// ID of the most recent request in any session.
    last_id: u64,
}

/// Oldest first. Parameters: `session`, `after` (an ID), `limit` (keeps the newest), `id` (a list).
async fn requests(State(sessions): State<Sessions>, parts: Parts) -> Result<Response, Refusal> {
    let query = parameters(&parts, &["session", "after", "limit", "id"])?;
    let ids = |list: &str| {
        let ids = list.split(',').map(|id| id.trim().parse()).collect::<Result<Vec<u64>, _>>();
        ids.map_err(|_| Refusal::bad_request("Value for 'id' not supported."))
    };
    let selection = RequestSelection {
        session: named_session(&parts, &query)?,
        after: number(&query, "after")?.unwrap_or(0),
        ids: query.get("id").map(ids).transpose()?,
        limit: number(&query, "limit")?,
    };
    let (selected, last_id) = sessions.recent.select(&selection);
    let known = known_keys(&sessions)?;
    let requests = selected.iter().map(|request| RequestView::new(request, &known)).collect();
    Ok(reply::ok(&RecentRequestsReply { requests, last_id }))
}

/// Collects the keys given at startup and those that administrators created.
fn known_keys(sessions: &Sessions) -> Result<KnownKeys, Refusal> {
    let options = &sessions.options;
    let mut keys = sessions.developer_keys()?;
    keys.extend(options.keys.iter().chain(&options.admin_keys).cloned());
    Ok(KnownKeys::new(keys))
}

#[derive(Serialize)]
struct SessionCounts {
    /// Empty for requests without a session name.
    session: String,
    objects: BTreeMap<String, i64>,
    /// Usage in the current month by product: characters, milliseconds of speech, or documents.
    usage: BTreeMap<String, u64>,
    requests: usize,
}

#[derive(Serialize)]
struct StateReply {
    #[serde(flatten)]
    session: SessionCounts,
    sessions: Vec<SessionCounts>,
}

async fn state(State(sessions): State<Sessions>, parts: Parts) -> Result<Response, Refusal> {
    let query = parameters(&parts, &["session"])?;
    let session = named_session(&parts, &query)?.unwrap_or_default();
    let session = counts(&sessions, &session)?;
    let mut names = sessions.names()?;
    names.insert(SessionName::default());
    let sessions = names.iter().map(|name| counts(&sessions, name)).collect::<Result<_, _>>()?;
    Ok(reply::ok(&StateReply { session, sessions }))
}

fn counts(sessions: &Sessions, name: &SessionName) -> Result<SessionCounts, Refusal> {
    let (objects, usage) = sessions.state_of(name).with_tables(|tables| {
        let objects = tables.count_objects()?.into_iter().collect();
        Ok::<_, Refusal>((objects, quota::month_totals(tables)?))
    })?;
    Ok(SessionCounts { session: name.as_str().to_owned(), objects, usage, requests: sessions.recent.count(name) })
}

/// Resets a session between two tests, or every session with `all=true`. Clears stored objects, usage, files, the counters
/// of faults and limits, and recent requests; then restores the seed and the options that the sandbox was started with.
/// The session is a parameter or a header.
async fn reset(State(sessions): State<Sessions>, parts: Parts) -> Result<Response, Refusal> {
    let query = parameters(&parts, &["session", "all"])?;
    match query.get("all") {
        Some("true") if query.get("session").is_some() => {
            return Err(Refusal::bad_request("Send either 'session' or 'all', not both."));
        }
        Some("true") => {
            sessions.reset_all()?;
            sessions.recent.forget(None);
            return Ok(reply::no_content());
        }
        None | Some("false") => {}
        Some(_) => return Err(Refusal::bad_request("Value for 'all' not supported.")),
    }
    let session = named_session(&parts, &query)?.unwrap_or_default();
    sessions.reset(&session)?;
    sessions.recent.forget(Some(&session));
    Ok(reply::no_content())
}

/// Reads the query and refuses unknown parameters: a misspelled filter would silently match too much.
fn parameters(parts: &Parts, known: &[&str]) -> Result<QueryParams, Refusal> {
    let query = QueryParams::parse(&parts.uri)?;
    if let Some((name, _)) = query.iter().find(|(name, _)| !known.contains(name)) {
        return Err(Refusal::bad_request(format!("Unknown parameter '{name}'. Parameters: {}.", known.join(", "))));
    }
    Ok(query)
}

/// Returns the session from the parameter `session`, else from the header. An empty parameter selects the unnamed session.
fn named_session(parts: &Parts, query: &QueryParams) -> Result<Option<SessionName>, Refusal> {
    match query.get("session") {
        Some(name) => SessionName::new(name).map(Some),
        None if parts.headers.contains_key(SESSION_HEADER) => SessionName::of_request(&parts.headers).map(Some),
        None => Ok(None),
    }
}

fn number<T: std::str::FromStr>(query: &QueryParams, name: &str) -> Result<Option<T>, Refusal> {
    let parse =
        |text: &str| text.parse().map_err(|_| Refusal::bad_request(format!("Value for '{name}' not supported.")));
    query.get(name).map(parse).transpose()
}
