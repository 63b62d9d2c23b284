//! How an error is worded: as a JSON object, and what to add from the service's own error message.

use std::fmt::Write as _;

use serde::Serialize;

use crate::error::{ErrorReport, ServiceError};

#[derive(Serialize)]
struct ErrorObject<'a> {
    error: ErrorFields<'a>,
}

#[derive(Serialize)]
struct ErrorFields<'a> {
    kind: &'static str,
    message: &'a str,
    status: Option<u16>,
    code: Option<&'a str>,
    trace_id: Option<&'a str>,
    hint: Option<&'a str>,
}

/// Returns an error as one JSON object; unknown fields are `null`.
pub fn error_object(report: &ErrorReport) -> String {
    let service = report.failure.service.as_deref();
    let error = ErrorFields {
        kind: report.failure.kind.word(),
        message: &report.message,
        status: service.and_then(|s| s.status),
        code: service.and_then(|s| s.code.as_deref()),
        trace_id: service.and_then(|s| s.trace_id.as_deref()),
        hint: report.failure.hint.as_deref(),
    };
    serde_json::to_string(&ErrorObject { error }).unwrap_or_else(|_| r#"{"error":{"kind":"internal"}}"#.to_owned())
}

/// Returns what the service reported and `message` does not contain yet.
pub fn service_error_text(service: &ServiceError, message: &str) -> Option<String> {
    // A message quotes the service's words without their full stop.
    let is_new = |text: &String| !text.is_empty() && !message.contains(text.trim().trim_end_matches('.'));
    let new = |text: &Option<String>| text.clone().filter(is_new);
    let mut quotes = new(&service.message).map(|text| format!("\"{text}\"")).unwrap_or_default();
    if let Some(detail) = new(&service.detail).filter(|detail| service.message.as_ref() != Some(detail)) {
        if !quotes.is_empty() {
            quotes.push_str(", ");
        }
        let _ = write!(quotes, "\"{detail}\"");
    }
    let status = service.status.map(|s| s.to_string());
    let facts: Vec<String> =
        [("status", new(&status)), ("code", new(&service.code)), ("trace", new(&service.trace_id))]
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| format!("{name} {value}")))
            .collect();
    match (quotes.is_empty(), facts.is_empty()) {
        (true, true) => None,
        (false, true) => Some(quotes),
        (true, false) => Some(facts.join(", ")),
        (false, false) => Some(format!("{quotes} ({})", facts.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Failure, Kind};

    fn report(message: &str, service: ServiceError) -> ErrorReport {
        let failure = Failure::new(Kind::Key, message).service(service).hint("check the key");
        ErrorReport { failure, message: message.to_owned() }
    }

    fn service() -> ServiceError {
        ServiceError {
            status: Some(403),
            message: Some("Forbidden".into()),
            detail: Some("no such key".into()),
            code: Some("c7".into()),
            trace_id: Some("12ab".into()),
        }
    }

    #[test]
    fn quotes_the_service_once() {
        let text = |message| service_error_text(&service(), message);
        assert_eq!(
            text("not authorised").as_deref(),
            Some("\"Forbidden\", \"no such key\" (status 403, code c7, trace 12ab)")
        );
        assert_eq!(text("403: Forbidden, no such key").as_deref(), Some("code c7, trace 12ab"));
        assert_eq!(text("403 Forbidden, no such key, c7, 12ab"), None);
        let stopped = ServiceError { message: Some("Not found.".into()), ..ServiceError::default() };
        assert_eq!(service_error_text(&stopped, "out.txt: Not found (GET http://x/y)"), None);
        assert_eq!(service_error_text(&ServiceError::default(), "x"), None);
    }

    #[test]
    fn an_error_object_has_all_its_fields() {
        assert_eq!(
            error_object(&report("not authorised", service())),
            r#"{"error":{"kind":"key","message":"not authorised","status":403,"code":"c7","trace_id":"12ab","hint":"check the key"}}"#
        );
        let plain = ErrorReport { failure: Failure::usage("x"), message: "x".into() };
        assert_eq!(
            error_object(&plain),
            r#"{"error":{"kind":"usage","message":"x","status":null,"code":null,"trace_id":null,"hint":null}}"#
        );
    }
}
