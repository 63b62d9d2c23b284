//! Strikes secrets out of what is logged or printed: headers, addresses, bodies.

use std::borrow::Cow;

use serde_json::Value;

use super::request::{Answer, Method, Request};
use crate::config::KeyKind;

/// What stands in a secret's place.
pub const STRUCK: &str = "***";

/// JSON fields, form fields and query fields that hold a secret.
const SECRET_FIELDS: [&str; 7] =
    ["document_key", "token", "signature", "auth_key", "api_key", "key_id", "streaming_url"];

/// Whether a field holds a secret.
pub fn is_secret_field(name: &str) -> bool {
    SECRET_FIELDS.iter().any(|f| name.eq_ignore_ascii_case(f))
}

/// Words in a header's name that speak of a secret; people may send headers that are not known here.
const SECRET_WORDS: [&str; 7] = ["auth", "cookie", "key", "token", "secret", "signature", "password"];

/// Whether a header holds a secret.
pub fn is_secret_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// A body for people: secrets struck, anything that is not text named by its size.
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
            strike(&mut value);
            Cow::Owned(value.to_string())
        }
        Err(_) => Cow::Owned(pairs(text)),
    }
}

/// Fields of a new key's answer that stay readable.
///
/// The reference leaves open under what name the usable key comes, so every other field may hold it.
const OPEN_FIELDS_OF_A_NEW_KEY: [&str; 8] =
    ["label", "creation_time", "deactivated_time", "is_deactivated", "usage_limits", "message", "detail", "code"];

/// The body of an answer for people; that of a new key without anything that could be the key.
pub fn answer<'a>(request: &Request, answer: &'a Answer) -> Cow<'a, str> {
    let makes_key = request.method == Method::POST && request.key == KeyKind::Admin;
    if makes_key { Cow::Owned(new_key(&answer.body)) } else { body(&answer.body) }
}

fn new_key(bytes: &[u8]) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(bytes) else {
        return format!("<{} bytes>", bytes.len());
    };
    for (name, value) in &mut fields {
        if !OPEN_FIELDS_OF_A_NEW_KEY.contains(&name.as_str()) {
            *value = Value::String(STRUCK.to_owned());
        }
    }
    Value::Object(fields).to_string()
}

/// Strikes secret fields in a JSON value, at any depth.
pub fn strike(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (name, value) in object.iter_mut() {
                if is_secret_field(name) && !value.is_null() {
                    *value = Value::String(STRUCK.to_owned());
                } else {
                    strike(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(strike),
        _ => {}
    }
}

/// A path with its query, secrets struck.
pub fn address(path: &str) -> Cow<'_, str> {
    match path.split_once('?') {
        Some((path, query)) => Cow::Owned(format!("{path}?{}", pairs(query))),
        None => Cow::Borrowed(path),
    }
}

fn pairs(text: &str) -> String {
    let struck = text.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret_field(name.rsplit(['{', '"', ' ']).next().unwrap_or(name)) => {
            format!("{name}={STRUCK}")
        }
        None if SECRET_FIELDS.iter().any(|f| pair.contains(f)) => STRUCK.to_owned(),
        Some(_) | None => pair.to_owned(),
    });
    struck.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strikes_secrets_at_any_depth() {
        let text = br#"{"a":[{"document_key":"K1"}],"token":"K2","n":1}"#;
        assert_eq!(body(text), r#"{"a":[{"document_key":"***"}],"n":1,"token":"***"}"#);
    }

    #[test]
    fn leaves_other_bodies_as_they_are() {
        let text = br#"{"n":12345678901234567890,"x":1.10}"#;
        assert_eq!(body(text).as_bytes(), text);
    }

    #[test]
    fn strikes_forms_and_queries() {
        assert_eq!(body(b"document_key=K&x=1"), "document_key=***&x=1");
        assert_eq!(address("/v3/voice/realtime?token=K&x=1"), "/v3/voice/realtime?token=***&x=1");
    }

    #[test]
    fn strikes_whatever_may_be_a_new_key() {
        let made =
            br#"{"key_id":"a","label":"ci","usable":"S1","more":{"label":"S2"},"usage_limits":{"characters":5}}"#;
        assert_eq!(
            new_key(made),
            r#"{"key_id":"***","label":"ci","more":"***","usable":"***","usage_limits":{"characters":5}}"#
        );
        assert_eq!(new_key(b"S3"), "<2 bytes>");
        assert_eq!(new_key(br#"["S3"]"#), "<6 bytes>");
    }

    #[test]
    fn strikes_broken_json() {
        assert!(!body(br#"{"token":"K2""#).contains("K2"));
    }
}
