//! `GET /_sandbox/state`: what a session stores and has used, and the same of all sessions.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;

use super::selection;
use crate::quota;
use crate::reply::{self, Refusal};
use crate::session_name::SessionName;
use crate::sessions::Sessions;

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

/// Returns the route.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/_sandbox/state", get(state))
}

async fn state(State(sessions): State<Sessions>, parts: Parts) -> Result<Response, Refusal> {
    let query = selection::parameters(&parts, &["session"])?;
    let session = selection::named_session(&parts, &query)?.unwrap_or_default();
    sessions.flush().map_err(|failure| Refusal::internal(failure.to_string()))?;
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
