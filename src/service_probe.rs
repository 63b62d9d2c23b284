//! The free request that tells whether a key works, and the check that its response comes from the service.
//!
//! A proxy, the login page of a public network or any other server may also respond with success.

use tulk_base::error::{Failure, Kind};

use tulk_client::KeyKind;
use tulk_client::api::admin::DeveloperKey;
use tulk_client::api::usage::Usage;
use tulk_client::http::answer::Answer;
use tulk_client::http::failures::identify;
use tulk_client::http::path::Path;
use tulk_client::http::request::{Method, Request};

/// Returns a free request that succeeds if a key works.
pub fn probe_request(kind: KeyKind) -> Result<Request, Failure> {
    let path = match kind {
        KeyKind::Account => Path::fill("/v2/usage", &[])?,
        KeyKind::Admin => Path::fill("/v2/admin/developer-keys", &[])?,
    };
    Ok(Request::new(Method::GET, path))
}

/// Fails if a successful response to [`probe_request`] does not come from the service. `address` is the server.
pub fn check_probe_answer(kind: KeyKind, answer: &Answer, address: &str) -> Result<(), Failure> {
    let is_known = match kind {
        KeyKind::Account => is_usage(&answer.body),
        KeyKind::Admin => serde_json::from_slice::<Vec<DeveloperKey>>(&answer.body).is_ok(),
    };
    if is_known {
        return Ok(());
    }
    let why = described(answer, kind);
    Err(Failure::new(Kind::Network, format!("{address} does not answer like the service: {why}"))
        .hint("check the server address; a proxy or a login page of the network may have answered instead")
        .service(identify(answer)))
}

/// Returns whether a body is the usage of an account. All fields are optional, but an object that has only unknown fields is refused.
fn is_usage(body: &[u8]) -> bool {
    let Ok(fields) = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(body) else { return false };
    let is_known = |usage: Usage| fields.is_empty() || usage != Usage::default();
    serde_json::from_slice(body).is_ok_and(is_known)
}

fn described(answer: &Answer, kind: KeyKind) -> String {
    let what = if kind == KeyKind::Admin { "a list of keys" } else { "usage data" };
    if answer.body.iter().all(u8::is_ascii_whitespace) {
        return "the response is empty".to_owned();
    }
    if serde_json::from_slice::<serde::de::IgnoredAny>(&answer.body).is_ok() {
        return format!("the response is JSON without {what}");
    }
    let media_type = answer.headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    match media_type.split(';').next().unwrap_or_default().trim() {
        "" | "application/json" => "the response is not JSON".to_owned(),
        media_type => format!("the response is {}", tulk_client::http::failures::quotable(media_type)),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use reqwest::header::HeaderMap;

    use super::*;

    fn fault(kind: KeyKind, media_type: &str, body: &'static str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", media_type.parse().unwrap());
        let answer = Answer::new(200, headers, Bytes::from(body));
        check_probe_answer(kind, &answer, "http://x").err().map(|failure| failure.what)
    }

    #[test]
    fn accepts_only_usage_data_for_an_account_key() {
        let fault = |media_type, body| fault(KeyKind::Account, media_type, body);
        for body in ["{}", r#"{"character_count":1}"#, r#"{"products":[]}"#, r#"{"character_limit":5,"x":1}"#] {
            assert_eq!(fault("application/json", body), None, "{body}");
        }
        let start = "http://x does not answer like the service: the response is";
        for (media_type, body, what) in [
            ("text/html; charset=utf-8", "<html>", "text/html"),
            ("application/json", "<html>", "not JSON"),
            ("application/json", " ", "empty"),
            ("application/json", "[1,2]", "JSON without usage data"),
            ("application/json", r#"{"status":"ok"}"#, "JSON without usage data"),
            ("application/json", r#"{"character_count":"many"}"#, "JSON without usage data"),
        ] {
            assert_eq!(fault(media_type, body), Some(format!("{start} {what}")), "{body}");
        }
    }

    #[test]
    fn accepts_only_a_list_of_keys_for_an_admin_key() {
        assert_eq!(fault(KeyKind::Admin, "application/json", "[]"), None);
        let what = "http://x does not answer like the service: the response is JSON without a list of keys";
        assert_eq!(fault(KeyKind::Admin, "application/json", "{}").as_deref(), Some(what));
    }
}
