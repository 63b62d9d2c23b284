//! Removes secrets from what is logged or printed: headers, addresses and bodies.

use std::borrow::Cow;

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;

use super::answer::Answer;
use super::request::{Method, Request};
use crate::config::KeyKind;

/// What replaces a secret.
pub const REDACTED: &str = "***";

/// Names of JSON, form and query fields that contain a secret.
const SECRET_FIELDS: [&str; 7] =
    ["document_key", "token", "signature", "auth_key", "api_key", "key_id", "streaming_url"];

/// Returns whether a field contains a secret.
pub fn is_secret_field(name: &str) -> bool {
    SECRET_FIELDS.iter().any(|f| name.eq_ignore_ascii_case(f))
}

/// Words that suggest a secret in the name of a header. Users may send headers that tulk does not know.
const SECRET_WORDS: [&str; 7] = ["auth", "cookie", "key", "token", "secret", "signature", "password"];

/// Returns whether a header contains a secret.
fn is_secret_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// Returns the value of a header, unless it is a secret.
pub fn header<'a>(name: &HeaderName, value: &'a HeaderValue) -> &'a str {
    if is_secret_header(name.as_str()) { REDACTED } else { value.to_str().unwrap_or("<bytes>") }
}

/// Returns a body without its secrets. A body that is not text is replaced with its size.
pub fn body(bytes: &[u8]) -> Cow<'_, str> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Cow::Owned(format!("<{} bytes>", bytes.len()));
    };
    let lower = text.to_ascii_lowercase();
    if !SECRET_FIELDS.iter().any(|f| lower.contains(f)) {
        return Cow::Borrowed(text);
    }
    match serde_json::from_str::<Value>(text) {
        Ok(mut value) => {
            redact_json(&mut value);
            Cow::Owned(value.to_string())
        }
        Err(_) => Cow::Owned(pairs(text)),
    }
}

/// Fields that stay readable in the answer that contains a new key.
///
/// The service does not document which field contains the key, so every other field is redacted.
const PUBLIC_KEY_FIELDS: [&str; 8] =
    ["label", "creation_time", "deactivated_time", "is_deactivated", "usage_limits", "message", "detail", "code"];

/// Returns the body of an answer without its secrets. If it contains a new key, only known fields stay.
pub fn answer<'a>(request: &Request, answer: &'a Answer) -> Cow<'a, str> {
    let creates_key = request.method == Method::POST && request.key == KeyKind::Admin;
    if creates_key { Cow::Owned(new_key(&answer.body)) } else { body(&answer.body) }
}

fn new_key(bytes: &[u8]) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(bytes) else {
        return format!("<{} bytes>", bytes.len());
    };
    for (name, value) in &mut fields {
        if !PUBLIC_KEY_FIELDS.contains(&name.as_str()) {
            *value = Value::String(REDACTED.to_owned());
        }
    }
    Value::Object(fields).to_string()
}

/// Redacts the secret fields of a JSON value, at any depth.
fn redact_json(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (name, value) in object.iter_mut() {
                if is_secret_field(name) && !value.is_null() {
                    *value = Value::String(REDACTED.to_owned());
                } else {
                    redact_json(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact_json),
        _ => {}
    }
}

/// Returns a path without the secrets of its query.
pub fn address(path: &str) -> Cow<'_, str> {
    match path.split_once('?') {
        Some((path, query)) => Cow::Owned(format!("{path}?{}", pairs(query))),
        None => Cow::Borrowed(path),
    }
}

fn pairs(text: &str) -> String {
    let redacted = text.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret_field(name.rsplit(['{', '"', ' ']).next().unwrap_or(name)) => {
            format!("{name}={REDACTED}")
        }
        None if SECRET_FIELDS.iter().any(|f| pair.contains(f)) => REDACTED.to_owned(),
        Some(_) | None => pair.to_owned(),
    });
    redacted.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redacts_secrets_at_any_depth() {
        let text = br#"{"a":[{"document_key":"K1"}],"token":"K2","n":1}"#;
        assert_eq!(body(text), r#"{"a":[{"document_key":"***"}],"n":1,"token":"***"}"#);
    }

    #[test]
    fn keeps_other_bodies_unchanged() {
        let text = br#"{"n":12345678901234567890,"x":1.10}"#;
        assert_eq!(body(text).as_bytes(), text);
    }

    #[test]
    fn redacts_forms_and_queries() {
        assert_eq!(body(b"document_key=K&x=1"), "document_key=***&x=1");
        assert_eq!(address("/v3/voice/realtime?token=K&x=1"), "/v3/voice/realtime?token=***&x=1");
    }

    #[test]
    fn redacts_whatever_may_be_a_new_key() {
        let created =
            br#"{"key_id":"a","label":"ci","usable":"S1","more":{"label":"S2"},"usage_limits":{"characters":5}}"#;
        assert_eq!(
            new_key(created),
            r#"{"key_id":"***","label":"ci","more":"***","usable":"***","usage_limits":{"characters":5}}"#
        );
        assert_eq!(new_key(b"S3"), "<2 bytes>");
        assert_eq!(new_key(br#"["S3"]"#), "<6 bytes>");
    }

    #[test]
    fn redacts_broken_json() {
        assert!(!body(br#"{"token":"K2""#).contains("K2"));
    }
}
