//! Removes secrets from headers, addresses and bodies before they are logged or printed.

use std::borrow::Cow;

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;
use tulk_base::secrets;

use super::answer::Answer;
use super::encoding::decode_pairs;
use super::request::{Method, Request, RequestBody};
use crate::KeyKind;

/// Replacement for a secret.
pub const REDACTED: &str = secrets::REDACTED;

const SECRET_FIELDS: [&str; 9] = [
    "document_key",
    "token",
    "signature",
    "auth_key",
    "api_key",
    "key_id",
    "streaming_url",
    "upload_url",
    "download_url",
];

/// Returns whether a field contains a secret.
pub fn is_secret_field(name: &str) -> bool {
    SECRET_FIELDS.iter().any(|f| name.eq_ignore_ascii_case(f))
}

/// Words in the name of a header that suggest a secret. Users may send headers that tulk does not know.
const SECRET_WORDS: [&str; 7] = ["auth", "cookie", "key", "token", "secret", "signature", "password"];

/// Characters that end an address within the value of a header such as `link`.
const ADDRESS_ENDS: [char; 5] = [' ', '\t', '>', '"', '\''];

fn is_secret_header(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// Returns the value of a header, redacted completely if it is a secret. In other headers, the queries of addresses are redacted.
pub fn header<'a>(name: &HeaderName, value: &'a HeaderValue) -> Cow<'a, str> {
    if is_secret_header(name.as_str()) {
        return Cow::Borrowed(REDACTED);
    }
    value.to_str().map_or(Cow::Borrowed("<bytes>"), addresses)
}

/// Redacts user info and all query values of the addresses in a text. Another server may use any name for a secret, such as the signature
/// of a signed address.
pub fn addresses(text: &str) -> Cow<'_, str> {
    if !text.contains(['?', '#', '@']) {
        return Cow::Borrowed(text);
    }
    let mut redacted = String::new();
    for part in text.split_inclusive(ADDRESS_ENDS) {
        let (address, end) = match part.char_indices().next_back() {
            Some((at, last)) if ADDRESS_ENDS.contains(&last) => part.split_at(at),
            _ => (part, ""),
        };
        redacted.push_str(&without_values(address));
        redacted.push_str(end);
    }
    Cow::Owned(redacted)
}

fn without_values(address: &str) -> String {
    let (base, query) = match address.find(['?', '#']) {
        Some(at) => address.split_at(at),
        None => (address, ""),
    };
    let base = match base.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?))) {
        Some((scheme, (_, host))) => format!("{scheme}://{REDACTED}@{host}"),
        None => base.to_owned(),
    };
    let fields = query.split_inclusive(['?', '#', '&', ';']).map(|field| {
        let pair = field.trim_end_matches(['?', '#', '&', ';']);
        let end = field.get(pair.len()..).unwrap_or_default();
        match pair.split_once('=') {
            Some((name, _)) => format!("{name}={REDACTED}{end}"),
            None if pair.is_empty() => end.to_owned(),
            None => format!("{REDACTED}{end}"),
        }
    });
    base + &fields.collect::<String>()
}

/// Returns a body without its secrets. A body that is not text is replaced by its size. If a body is neither JSON nor a form but contains
/// the name of a secret field, as in truncated JSON, it is also replaced, because the end of the secret is unknown.
pub fn body(bytes: &[u8]) -> Cow<'_, str> {
    let size = || Cow::Owned(format!("<{} bytes>", bytes.len()));
    let Ok(text) = std::str::from_utf8(bytes) else { return size() };
    let lower = text.to_ascii_lowercase();
    if !SECRET_FIELDS.iter().any(|f| lower.contains(f)) {
        return redact_escaped(text).map_or(Cow::Borrowed(text), Cow::Owned);
    }
    match serde_json::from_str::<Value>(text) {
        Ok(mut value) => {
            redact_json(&mut value);
            Cow::Owned(value.to_string())
        }
        Err(_) if is_form(text) => Cow::Owned(pairs(text)),
        Err(_) => size(),
    }
}

/// Returns JSON without its secrets if a secret field is written with escapes, such as `\u0074oken`.
fn redact_escaped(text: &str) -> Option<String> {
    memchr::memmem::find(text.as_bytes(), b"\\u00")?;
    let value: Value = serde_json::from_str(text).ok()?;
    let mut redacted = value.clone();
    redact_json(&mut redacted);
    (redacted != value).then(|| redacted.to_string())
}

/// Returns whether a text has the form `name=value&name=value`, with special characters percent-encoded.
fn is_form(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~%+*[]".contains(c);
    text.split('&').all(|pair| {
        pair.split_once('=')
            .is_some_and(|(name, value)| !name.is_empty() && name.chars().chain(value.chars()).all(is_plain))
    })
}

/// Registers the secrets that a request sends, because the service may repeat them in any answer.
pub fn register_secrets(request: &Request) {
    for (name, value) in &request.headers {
        if is_secret_header(name.as_str())
            && let Ok(value) = value.to_str()
        {
            // The scheme before a key, as in `Bearer KEY`, is not secret.
            secrets::register(value.rsplit(' ').next().unwrap_or(value));
        }
    }
    let query = request.path.as_str().split_once('?').map(|(_, query)| decode_pairs(query)).unwrap_or_default();
    register_pairs(query.iter().chain(&request.query));
    match &request.body {
        RequestBody::Json(bytes) => {
            // Texts to translate can be large, so JSON is parsed only if it contains the name of a secret field.
            let is_named = |field: &&str| memchr::memmem::find(bytes, format!("\"{field}\"").as_bytes()).is_some();
            if SECRET_FIELDS.iter().any(is_named)
                && let Ok(value) = serde_json::from_slice(bytes)
            {
                register_json(&value);
            }
        }
        RequestBody::Form(text) => register_pairs(&decode_pairs(text)),
        RequestBody::Multipart { fields, .. } => register_pairs(fields),
        RequestBody::Empty | RequestBody::Bytes(..) | RequestBody::File(..) => {}
    }
}

fn register_pairs<'a>(pairs: impl IntoIterator<Item = &'a (String, String)>) {
    pairs.into_iter().filter(|(name, _)| is_secret_field(name)).for_each(|(_, value)| secrets::register(value));
}

fn register_json(value: &Value) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                match value {
                    Value::String(text) if is_secret_field(name) => secrets::register(text),
                    _ => register_json(value),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(register_json),
        _ => {}
    }
}

/// Fields that stay readable in an answer that contains a new key. The service does not document which field contains the key, so all
/// other fields are redacted.
const PUBLIC_KEY_FIELDS: [&str; 8] =
    ["label", "creation_time", "deactivated_time", "is_deactivated", "usage_limits", "message", "detail", "code"];

/// Returns the body of an answer without its secrets. If it contains a new key, only known fields stay. For a signed address, only the
/// size is shown: the storage server may repeat the signature in any form.
pub fn answer<'a>(request: &Request, answer: &'a Answer) -> Cow<'a, str> {
    let creates_key = request.method == Method::POST && request.key == Some(KeyKind::Admin);
    if request.is_signed {
        return Cow::Owned(format!("<{} bytes>", answer.body.len()));
    }
    if creates_key { Cow::Owned(redact_new_key(&answer.body)) } else { body(&answer.body) }
}

fn redact_new_key(bytes: &[u8]) -> String {
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

/// Returns a path without the secrets in its query.
pub fn address(path: &str) -> Cow<'_, str> {
    match path.split_once('?') {
        Some((path, query)) => Cow::Owned(format!("{path}?{}", pairs(query))),
        None => Cow::Borrowed(path),
    }
}

fn pairs(text: &str) -> String {
    let redacted = text.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret_field(name) => format!("{name}={REDACTED}"),
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
    fn redacts_secrets_whose_names_are_written_with_escapes() {
        assert_eq!(body(br#"{"a":{"\u0074o\u006ben":"K1"},"n":1.10}"#), r#"{"a":{"token":"***"},"n":1.1}"#);
        assert_eq!(body(br#"{"a":{"\u0074ext":"K1"},"n":1.10}"#), r#"{"a":{"\u0074ext":"K1"},"n":1.10}"#);
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
    fn redacts_every_field_that_may_be_a_new_key() {
        let created =
            br#"{"key_id":"a","label":"ci","usable":"S1","more":{"label":"S2"},"usage_limits":{"characters":5}}"#;
        assert_eq!(
            redact_new_key(created),
            r#"{"key_id":"***","label":"ci","more":"***","usable":"***","usage_limits":{"characters":5}}"#
        );
        assert_eq!(redact_new_key(b"S3"), "<2 bytes>");
        assert_eq!(redact_new_key(br#"["S3"]"#), "<6 bytes>");
    }

    #[test]
    fn redacts_broken_json() {
        assert_eq!(body(br#"{"token":"K2""#), "<13 bytes>");
        assert_eq!(body(br#"[{"token":"K1=K2&x=K3"#), "<21 bytes>");
        assert_eq!(body(b"your token=K2 is used up"), "<24 bytes>");
        assert_eq!(body(b"token: K2"), "<9 bytes>");
    }

    #[test]
    fn redacts_every_value_in_the_query_of_an_address() {
        for (text, redacted) in [
            ("https://h/p", "https://h/p"),
            ("https://h/p?token=K1&page=2", "https://h/p?token=***&page=***"),
            ("https://u:K1@h:8/p?K2#K3=K4", "https://***@h:8/p?***#K3=***"),
            (
                "<https://h/a?t=K1>; rel=\"next\", <https://h/b?t=K2>",
                "<https://h/a?t=***>; rel=\"next\", <https://h/b?t=***>",
            ),
            ("/p?sig=K1;x=K2", "/p?sig=***;x=***"),
            ("mailto:a@h", "mailto:a@h"),
        ] {
            assert_eq!(addresses(text), redacted, "{text}");
        }
        let name = HeaderName::from_static("location");
        assert_eq!(header(&name, &HeaderValue::from_static("http://h/?auth=K1")), "http://h/?auth=***");
        assert_eq!(header(&HeaderName::from_static("x-goog-signature"), &HeaderValue::from_static("K1")), "***");
    }

    #[test]
    fn registers_the_secrets_of_a_request() {
        let mut request =
            Request::new(Method::POST, super::super::path::Path::parse("/v2/x?token=sent-secret-1").unwrap());
        request.headers.insert("x-session-token", HeaderValue::from_static("Bearer sent-secret-2"));
        request.body =
            RequestBody::Json(br#"{"a":[{"document_key":"sent-secret-3"}],"text":"plain-text-4"}"#[..].into());
        register_secrets(&request);
        request.body = RequestBody::Form("document_key=sent%2Dsecret-5&text=plain-text-6".to_owned());
        register_secrets(&request);
        let text = "sent-secret-1 sent-secret-2 sent-secret-3 plain-text-4 sent-secret-5 plain-text-6";
        assert_eq!(secrets::redact(text), "*** *** *** plain-text-4 *** plain-text-6");
    }
}
