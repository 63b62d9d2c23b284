//! Formats an error as a JSON object or as text, with the service's message and the facts that identify its response.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::Serialize;

use tulk_base::error::{ErrorReport, ServiceError};

#[derive(Serialize)]
struct ErrorObject<'a> {
    error: ErrorFields<'a>,
}

#[derive(Serialize)]
struct ErrorFields<'a> {
    kind: &'static str,
    message: Cow<'a, str>,
    status: Option<u16>,
    code: Option<&'a str>,
    trace_id: Option<&'a str>,
    hint: Option<&'a str>,
}

/// Returns an error as one JSON object. Unknown fields are `null`.
pub fn error_object(report: &ErrorReport) -> String {
    let service = report.failure.service.as_deref();
    let error = ErrorFields {
        kind: report.failure.kind.word(),
        message: match service.and_then(|service| service.request.as_ref()) {
            Some(request) => format!("{} ({request})", report.message).into(),
            None => report.message.as_str().into(),
        },
        status: service.and_then(|s| s.status),
        code: service.and_then(|s| s.code.as_deref()),
        trace_id: service.and_then(|s| s.trace_id.as_deref()),
        hint: report.failure.hint.as_deref(),
    };
    serde_json::to_string(&ErrorObject { error }).unwrap_or_else(|_| r#"{"error":{"kind":"internal"}}"#.to_owned())
}

/// Returns the text after `error:`: the message, the service's own text unless the message quotes it, and in parentheses the facts
/// that identify the response, such as `(400, trace 12ab)`.
pub fn error_text(report: &ErrorReport) -> String {
    let mut text = report.message.clone();
    let Some(service) = report.failure.service.as_deref() else { return text };
    if let Some(words) = service.words().filter(|words| !text.contains(words)) {
        let _ = write!(text, ": {words}");
    }
    let last = service.detail.as_ref().or(service.message.as_ref()).map(|words| words.trim_end());
    // Restore the full stop at the end of the service's last sentence.
    if last.is_some_and(|words| words.ends_with('.') && text.ends_with(words.trim_end_matches('.'))) {
        text.push('.');
    }
    let facts = facts(service, &text);
    if !facts.is_empty() {
        let _ = write!(text, " ({})", facts.join(", "));
    }
    text
}

/// Returns the facts that identify the response and are not in `text` yet: status, request, code and trace ID.
fn facts(service: &ServiceError, text: &str) -> Vec<String> {
    let status = service.status.filter(|status| !text.contains(&format!("the service returned {status} ")));
    let new = |value: &Option<String>| value.clone().filter(|value| !value.is_empty() && !text.contains(value));
    let request = new(&service.request);
    let code = new(&service.code).map(|code| format!("code {code}"));
    let trace = new(&service.trace_id).map(|trace| format!("trace {trace}"));
    status.map(|status| status.to_string()).into_iter().chain([request, code, trace].into_iter().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use tulk_base::error::{Failure, Kind};

    use super::*;

    fn report(message: &str, service: ServiceError) -> ErrorReport {
        let failure = Failure::new(Kind::Key, message).service(service).hint("check the key");
        ErrorReport { failure, message: message.to_owned() }
    }

    fn service() -> ServiceError {
        ServiceError {
            quoted: Vec::new(),
            status: Some(403),
            message: Some("Forbidden".into()),
            detail: Some("no such key".into()),
            code: Some("c7".into()),
            trace_id: Some("12ab".into()),
            request: None,
        }
    }

    fn text(message: &str, service: ServiceError) -> String {
        error_text(&report(message, service))
    }

    #[test]
    fn quotes_the_service_once() {
        assert_eq!(
            text("not authorised", service()),
            "not authorised: Forbidden: no such key (403, code c7, trace 12ab)"
        );
        assert_eq!(
            text("refused: Forbidden: no such key", service()),
            "refused: Forbidden: no such key (403, code c7, trace 12ab)"
        );
        assert_eq!(
            text("the service returned 403 Forbidden: no such key, c7", service()),
            "the service returned 403 Forbidden: no such key, c7 (trace 12ab)"
        );
        assert_eq!(text("x", ServiceError::default()), "x");
        let same =
            ServiceError { message: Some("No such key".into()), detail: Some("key".into()), ..ServiceError::default() };
        assert_eq!(text("refused: No such key", same), "refused: No such key");
    }

    #[test]
    fn keeps_the_full_stop_of_the_service_if_no_text_follows() {
        let service = || ServiceError {
            status: Some(404),
            message: Some("Not found.".into()),
            request: Some("GET http://x/y".into()),
            ..ServiceError::default()
        };
        assert_eq!(text("refused: Not found", service()), "refused: Not found. (404, GET http://x/y)");
        assert_eq!(
            text("refused: Not found; 3 entries were written", service()),
            "refused: Not found; 3 entries were written (404, GET http://x/y)"
        );
        // A number in the message need not be the status.
        assert_eq!(text("entry 404: Not found", service()), "entry 404: Not found. (404, GET http://x/y)");
    }

    #[test]
    fn an_error_object_has_all_its_fields() {
        assert_eq!(
            error_object(&report("not authorised", service())),
            r#"{"error":{"kind":"key","message":"not authorised","status":403,"code":"c7","trace_id":"12ab","hint":"check the key"}}"#
        );
        let asked = ServiceError { request: Some("GET http://x/y".into()), ..service() };
        let object = error_object(&report("not authorised", asked));
        assert!(
            object.starts_with(r#"{"error":{"kind":"key","message":"not authorised (GET http://x/y)","#),
            "{object}"
        );
        let plain = ErrorReport { failure: Failure::usage("x"), message: "x".into() };
        assert_eq!(
            error_object(&plain),
            r#"{"error":{"kind":"usage","message":"x","status":null,"code":null,"trace_id":null,"hint":null}}"#
        );
    }
}
