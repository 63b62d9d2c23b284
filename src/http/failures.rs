//! From a status and a body to a failure.

use reqwest::header::HeaderMap;
use serde_json::Value;

use super::request::{Answer, Request, TRACE_ID};
use crate::error::{Failure, Kind, ServiceError};

/// What the service said in an error body: keys read without regard to case, any shape survived.
pub fn service(answer: &Answer) -> ServiceError {
    let mut service = ServiceError {
        status: Some(answer.status),
        trace_id: answer.trace_id().map(str::to_owned),
        ..ServiceError::default()
    };
    match serde_json::from_slice::<Value>(&answer.body) {
        Ok(Value::Object(object)) => {
            for (key, value) in object {
                let text = match value {
                    Value::String(text) => text,
                    Value::Null => continue,
                    Value::Object(inner) => match inner.get("message").and_then(Value::as_str) {
                        Some(text) => text.to_owned(),
                        None => Value::Object(inner).to_string(),
                    },
                    other => other.to_string(),
                };
                match key.to_ascii_lowercase().as_str() {
                    "message" => service.message = Some(text),
                    "error" | "error_message" if service.message.is_none() => service.message = Some(text),
                    "detail" => service.detail = Some(text),
                    "code" => service.code = Some(text),
                    _ => {}
                }
            }
        }
        _ => service.message = plain_body(&answer.body),
    }
    service
}

/// The first words of a body that is text but not JSON.
fn plain_body(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?.trim();
    let line: String = text.lines().next().unwrap_or_default().chars().take(200).collect();
    (!line.is_empty() && !line.starts_with('<')).then_some(line)
}

/// Whether 456 on this path means too many calls instead of an exhausted quota.
pub fn is_456_about_calls(path: &str) -> bool {
    path.starts_with("/v3/glossaries")
}

/// The kind of a status on a path.
pub fn kind(status: u16, path: &str) -> Kind {
    match status {
        401 | 403 => Kind::Key,
        404 => Kind::NotFound,
        456 if is_456_about_calls(path) => Kind::Busy,
        456 => Kind::Quota,
        429 | 500..=599 => Kind::Busy,
        300..=399 => Kind::Network,
        _ => Kind::Refused,
    }
}

/// The failure of an answer whose status is no success.
pub fn refused(request: &Request, answer: &Answer, base: &str) -> Failure {
    let service = service(answer);
    let path = request.path.as_str();
    if (300..400).contains(&answer.status) {
        let target = answer.headers.get("location").and_then(|v| v.to_str().ok()).unwrap_or("an unnamed place");
        return Failure::new(
            Kind::Network,
            format!("the server redirects to {}, which is not followed", super::redact::address(target)),
        )
        .hint("set the address it names with --server if you trust it")
        .service(service);
    }
    let kind = kind(answer.status, path);
    let what = match (kind, &service.message) {
        (_, Some(message)) => message.clone(),
        (_, None) => format!("the service answered {} {}", answer.status, reason_phrase(answer.status)),
    };
    let mut what = what.trim_end_matches('.').to_owned();
    if let Some(detail) = &service.detail {
        what = format!("{what}: {}", detail.trim_end_matches('.'));
    }
    let mut failure = Failure::new(kind, what);
    failure.hint = hint(answer.status, path, base);
    failure.service(service)
}

fn hint(status: u16, path: &str, base: &str) -> Option<String> {
    Some(match status {
        401 | 403 if path.starts_with("/v2/admin") => {
            "administration takes an admin key: TULK_ADMIN_KEY, or `tulk auth login --admin`".to_owned()
        }
        401 | 403 => format!(
            "the server {base} refused the key; `tulk auth status` shows which one is used and where it comes from"
        ),
        404 if path.starts_with("/v3/glossaries") || path.starts_with("/v3/style_rules") => {
            "glossaries and style rule lists are kept per data centre: another endpoint has its own".to_owned()
        }
        404 if path.starts_with("/v2/admin/developer-keys") => "`tulk admin keys list` shows all keys".to_owned(),
        404 if path.starts_with("/v2/admin/analytics") => {
            "the reports are not served by regional endpoints; the paid one has them".to_owned()
        }
        413 => "the request is too large for the service; send less text at once".to_owned(),
        429 | 529 => "too many requests: wait, lower --concurrency, or set --rate".to_owned(),
        456 if is_456_about_calls(path) => "too many glossary calls lately: wait and try again".to_owned(),
        456 => "the quota is used up until the next period; `tulk usage` shows it".to_owned(),
        500..=599 => "the service is in trouble: try again later".to_owned(),
        _ => return None,
    })
}

/// A status's own name.
pub fn reason_phrase(status: u16) -> &'static str {
    match status {
        456 => "Quota Exceeded",
        529 => "Overloaded",
        _ => reqwest::StatusCode::from_u16(status).ok().and_then(|s| s.canonical_reason()).unwrap_or("Unknown"),
    }
}

/// The failure of an answer with a good status that cannot be used.
pub fn unusable(answer: &Answer, why: &str) -> Failure {
    Failure::new(Kind::Network, format!("the service's answer is unusable: {why}"))
        .hint("check that the server address is right: --server, or `tulk auth status`")
        .service(received(answer.status, &answer.headers))
}

/// What names an answer to the service's support when its body says nothing.
pub fn received(status: u16, headers: &HeaderMap) -> ServiceError {
    let trace_id = headers.get(TRACE_ID).and_then(|v| v.to_str().ok()).map(str::to_owned);
    ServiceError { status: Some(status), trace_id, ..ServiceError::default() }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::super::request::{Method, Path};
    use super::*;

    fn answer(status: u16, body: &'static str) -> Answer {
        let mut headers = HeaderMap::new();
        headers.insert("x-trace-id", "0123456789abcdef0123456789abcdef".parse().unwrap());
        Answer::new(status, headers, Bytes::from(body))
    }

    #[test]
    fn reads_message_whatever_its_case_and_detail_and_code() {
        let service = service(&answer(400, r#"{"Message":"bad","detail":"entry 3","code":"x"}"#));
        assert_eq!(service.message.as_deref(), Some("bad"));
        assert_eq!(service.detail.as_deref(), Some("entry 3"));
        assert_eq!(service.code.as_deref(), Some("x"));
        assert_eq!(service.trace_id.as_deref(), Some("0123456789abcdef0123456789abcdef"));
    }

    #[test]
    fn an_empty_or_html_body_gives_the_status_its_name() {
        let request = Request::new(Method::POST, Path::raw("/v2/translate").unwrap());
        for body in ["", "<html>oops</html>"] {
            assert_eq!(
                refused(&request, &answer(503, body), "http://x").what,
                "the service answered 503 Service Unavailable"
            );
        }
    }

    #[test]
    fn kinds_follow_the_table() {
        let table = [
            (400, Kind::Refused),
            (401, Kind::Key),
            (403, Kind::Key),
            (404, Kind::NotFound),
            (413, Kind::Refused),
            (415, Kind::Refused),
            (429, Kind::Busy),
            (456, Kind::Quota),
            (500, Kind::Busy),
            (529, Kind::Busy),
            (302, Kind::Network),
        ];
        for (status, expected) in table {
            assert_eq!(kind(status, "/v2/translate"), expected, "{status}");
        }
        assert_eq!(kind(456, "/v3/glossaries/x"), Kind::Busy);
    }
}
