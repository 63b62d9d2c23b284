//! Authentication by the key in the `Authorization` header, as an axum extractor.
//!
//! A handler that takes a [`Caller`] is for users; one that takes an [`Admin`] is for administrators. It must be the
//! first extractor, so that a wrong key is reported before a wrong parameter.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header;
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::app::App;
use super::query::QueryParams;
use super::reply::Refusal;
use super::sessions::Sessions;
use super::state::kind;

/// A key that even `--any-key` refuses, so that tests can send a wrong one. Tests of other clients use this word too.
const WRONG_KEY: &str = "invalid";

/// The user whose key was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    pub key: String,
    /// Whether the key is accepted for administration.
    pub admin: bool,
    /// Whether an administrator created the key: it may then have its own limits.
    pub developer: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admin(pub Caller);

#[derive(Clone, Debug)]
pub(super) struct Identity(pub(super) Result<Caller, Refusal>);

impl Identity {
    /// Returns the identity of a request that is refused because its key is outside the `Authorization` header.
    pub(super) fn refused_key_position() -> Self {
        Self(Err(Refusal::forbidden(
            "Legacy authentication is no longer supported. Send the key in the Authorization header.",
        )))
    }

    /// Looks up the key of a request, in the options first and then in the stored developer keys.
    pub(super) fn read(parts: &Parts, app: &App) -> Self {
        if QueryParams::parse(&parts.uri).is_ok_and(|query| query.get("auth_key").is_some()) {
            return Self::refused_key_position();
        }
        Self(identify(parts, app))
    }

    /// Returns the identity that the middleware read, or reads it.
    fn of(parts: &Parts, app: &App) -> Result<Caller, Refusal> {
        match parts.extensions.get() {
            Some(Self(identity)) => identity.clone(),
            None => Self::read(parts, app).0,
        }
    }
}

impl FromRequestParts<Sessions> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, sessions: &Sessions) -> Result<Self, Refusal> {
        let Ok(app) = App::from_request_parts(parts, sessions).await;
        let caller = Identity::of(parts, &app)?;
        if caller.admin && !app.options.admin_keys.is_empty() {
            return Err(Refusal::forbidden("Authorization failure: this key is for administration only."));
        }
        Ok(caller)
    }
}

impl OptionalFromRequestParts<Sessions> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, sessions: &Sessions) -> Result<Option<Self>, Infallible> {
        Ok(<Self as FromRequestParts<Sessions>>::from_request_parts(parts, sessions).await.ok())
    }
}

impl FromRequestParts<Sessions> for Admin {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, sessions: &Sessions) -> Result<Self, Refusal> {
        let Ok(app) = App::from_request_parts(parts, sessions).await;
        let caller = Identity::of(parts, &app)?;
        if !caller.admin {
            return Err(Refusal::forbidden("Authorization failure: an admin key is needed."));
        }
        Ok(Self(caller))
    }
}

fn identify(parts: &Parts, app: &App) -> Result<Caller, Refusal> {
    let Some(value) = parts.headers.get(header::AUTHORIZATION) else {
        return Err(Refusal::forbidden(
            "Authorization header is missing. Keys in the query or in the body are no longer supported.",
        ));
    };
    let key = value.to_str().ok().and_then(key_in_header).ok_or_else(|| {
        Refusal::forbidden("Authorization header must be 'Service-Auth-Key <key>' or 'DeepL-Auth-Key <key>'.")
    })?;
    let separate = !app.options.admin_keys.is_empty();
    if app.options.admin_keys.iter().any(|known| known == key) {
        return Ok(Caller { key: key.to_owned(), admin: true, developer: false });
    }
    if app.options.keys.iter().any(|known| known == key) {
        return Ok(Caller { key: key.to_owned(), admin: !separate, developer: false });
    }
    match app.state.get(kind::DEVELOPER_KEY, key)? {
        None if app.options.any_key && key != WRONG_KEY => {
            Ok(Caller { key: key.to_owned(), admin: !separate, developer: false })
        }
        None => Err(Refusal::forbidden("Authorization failure: the key is not known.")),
        Some(body) if body.get("is_deactivated").and_then(Value::as_bool) == Some(true) => {
            Err(Refusal::forbidden("Authorization failure: the key is deactivated."))
        }
        Some(_) => Ok(Caller { key: key.to_owned(), admin: false, developer: true }),
    }
}

/// Returns whether an HTTP client can send this key. Header values exclude some characters, and lose surrounding spaces.
pub(super) fn can_be_sent(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Extracts the key from a header value with either scheme. Ignores the case of the scheme.
fn key_in_header(value: &str) -> Option<&str> {
    let (scheme, key) = value.trim().split_once(' ')?;
    let known = ["Service-Auth-Key", "DeepL-Auth-Key"].iter().any(|name| scheme.eq_ignore_ascii_case(name));
    let key = key.trim();
    (known && !key.is_empty()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_both_schemes_in_any_case_and_no_other() {
        assert_eq!(key_in_header("Service-Auth-Key abc"), Some("abc"));
        assert_eq!(key_in_header("deepl-auth-key a:b"), Some("a:b"));
        for bad in ["Bearer abc", "abc", "Service-Auth-Key ", ""] {
            assert_eq!(key_in_header(bad), None, "{bad}");
        }
    }
}
