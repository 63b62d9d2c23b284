//! What tests and people ask of the sandbox itself: requests so far, counts, a fresh start, options, a page that shows the
//! requests.
//!
//! The paths begin with `/_sandbox/`; the service has none of them. They have no faults and no limits, and are not listed among the
//! requests. The middleware asks `access` who may use them before any route runs.

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

pub(crate) use self::access::{check_access, is_control, sealed};

const PAGE: &str = include_str!("page.html");
/// Stands in the page for the word that permits its own style and script, and no other.
const NONCE: &str = "{nonce}";

/// Returns the routes of the sandbox itself.
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

/// `GET /_sandbox/health`: whether the sandbox answers, for programs that start it and wait. It needs no key.
async fn health() -> Response {
    reply::ok(&json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// `GET /_sandbox/`: a page that shows the last requests as they arrive.
///
/// It contains nothing of what the sandbox stores: its script asks `/_sandbox/requests`.
async fn page() -> Response {
    let nonce = ids::upper_hex::<16>();
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; img-src data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8".to_owned()), (CONTENT_SECURITY_POLICY, policy)];
    (headers, PAGE.replace(NONCE, &nonce)).into_response()
}

#[derive(Serialize)]
struct RecentRequestsReply {
    requests: Vec<RequestView>,
    /// ID of the last request so far, of any session.
    last_id: u64,
}

/// `GET /_sandbox/requests`: the last requests, oldest first.
///
/// Parameters: `session`, `after` (an ID), `limit` (the last ones), `id` (a list).
async fn requests(State(sessions): State<Sessions>, parts: Parts) -> Result<Response, Refusal> {
    let query = parameters(&parts, &["session", "after", "limit", "id"])?;
    let ids = |list: &str| {
        let ids = list.split(',').map(|id| id.trim().parse()).collect::<Result<Vec<u64>, _>>();
        ids.map_err(|_| Refusal::bad("Value for 'id' not supported."))
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

/// Collects the keys of the options and those that administrators created.
fn known_keys(sessions: &Sessions) -> Result<KnownKeys, Refusal> {
    let options = &sessions.options;
    let mut keys = sessions.developer_keys()?;
    keys.extend(options.keys.iter().chain(&options.admin_keys).cloned());
    Ok(KnownKeys::new(keys))
}

/// Counts of one session.
#[derive(Serialize)]
struct SessionCounts {
    /// Name; empty for requests without one.
    session: String,
    /// Number of objects by kind.
    objects: BTreeMap<String, i64>,
    /// Usage of the current month by product: characters, milliseconds of speech, or documents.
    usage: BTreeMap<String, u64>,
    /// Number of recent requests.
    requests: usize,
}

#[derive(Serialize)]
struct StateReply {
    #[serde(flatten)]
    session: SessionCounts,
    sessions: Vec<SessionCounts>,
}

/// `GET /_sandbox/state`: what a session stores and has used, and the same of all sessions.
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
    let (objects, usage) = sessions.state_of(name).with(|tables| {
        let objects = tables.count_objects()?.into_iter().collect();
        Ok::<_, Refusal>((objects, quota::month_totals(tables)?))
    })?;
    Ok(SessionCounts { session: name.as_str().to_owned(), objects, usage, requests: sessions.recent.count(name) })
}

/// `POST /_sandbox/reset`: empties a session between two tests, or all of them with `all=true`.
///
/// The session is a parameter or a header. Stored objects, counts, files, the counters of faults and limits, and the session's
/// recent requests are removed.
async fn reset(State(sessions): State<Sessions>, parts: Parts) -> Result<Response, Refusal> {
    let query = parameters(&parts, &["session", "all"])?;
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
    let session = named_session(&parts, &query)?.unwrap_or_default();
    sessions.reset(&session)?;
    sessions.recent.forget(Some(&session));
    Ok(reply::empty())
}

/// Reads the query. Refuses parameters other than `known`: a misspelled filter would find too much.
fn parameters(parts: &Parts, known: &[&str]) -> Result<QueryParams, Refusal> {
    let query = QueryParams::parse(&parts.uri)?;
    if let Some((name, _)) = query.iter().find(|(name, _)| !known.contains(name)) {
        return Err(Refusal::bad(format!("Unknown parameter '{name}'. Parameters: {}.", known.join(", "))));
    }
    Ok(query)
}

/// Returns the session that the parameter `session` names, or else the header. An empty parameter names the session of requests
/// without a name.
fn named_session(parts: &Parts, query: &QueryParams) -> Result<Option<SessionName>, Refusal> {
    match query.get("session") {
        Some(name) => SessionName::new(name).map(Some),
        None if parts.headers.contains_key(SESSION_HEADER) => SessionName::of_request(&parts.headers).map(Some),
        None => Ok(None),
    }
}

/// Reads a parameter that is a number.
fn number<T: std::str::FromStr>(query: &QueryParams, name: &str) -> Result<Option<T>, Refusal> {
    let parse = |text: &str| text.parse().map_err(|_| Refusal::bad(format!("Value for '{name}' not supported.")));
    query.get(name).map(parse).transpose()
}
