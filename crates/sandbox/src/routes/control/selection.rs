//! The parameters of the control endpoints, which refuse the ones that they do not know: a misspelled filter finds too much.

use axum::http::request::Parts;

use crate::query::QueryParams;
use crate::reply::Refusal;
use crate::session_name::{SESSION_HEADER, SessionName};

/// Reads the query. Refuses parameters other than `known`.
pub(super) fn parameters(parts: &Parts, known: &[&str]) -> Result<QueryParams, Refusal> {
    let query = QueryParams::parse(&parts.uri)?;
    if let Some((name, _)) = query.iter().find(|(name, _)| !known.contains(name)) {
        return Err(Refusal::bad(format!("Unknown parameter '{name}'. Parameters: {}.", known.join(", "))));
    }
    Ok(query)
}

/// Returns the session that the parameter `session` names, or else the header. An empty parameter names the session of requests
/// without a name.
pub(super) fn named_session(parts: &Parts, query: &QueryParams) -> Result<Option<SessionName>, Refusal> {
    match query.get("session") {
        Some(name) => SessionName::new(name).map(Some),
        None if parts.headers.contains_key(SESSION_HEADER) => SessionName::of_request(&parts.headers).map(Some),
        None => Ok(None),
    }
}

/// Reads a parameter that is a number.
pub(super) fn number<T: std::str::FromStr>(query: &QueryParams, name: &str) -> Result<Option<T>, Refusal> {
    let parse = |text: &str| text.parse().map_err(|_| Refusal::bad(format!("Value for '{name}' not supported.")));
    query.get(name).map(parse).transpose()
}
