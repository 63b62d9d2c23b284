//! Standard error: notices, warnings, errors and log lines, as text or as JSON objects, between the bars.
//!
//! Nothing here is a result. Spec: command line, "Streams and formats" and the last lines of "Exit codes".

use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use indicatif::MultiProgress;
use serde::Serialize;

use super::color::Paint;
use super::escape;
use crate::error::{ErrorReport, Kind, ServiceError};
use crate::json;

/// What a line on stderr is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// What is going on.
    Status,
    /// Something that may not be wanted.
    Warning,
    /// What to do next.
    Hint,
    /// A request, a header, a body.
    Log,
}

/// The way to stderr. Writing never fails: there would be nowhere to say so.
pub struct Screen {
    err: Mutex<Box<dyn Write + Send>>,
    /// The bars, if there are any; drawn on the same stream.
    pub bars: MultiProgress,
    /// How many bars stand on the terminal.
    pub shown: AtomicUsize,
    json: bool,
    terminal: bool,
    color: bool,
}

impl Screen {
    /// The screen over a stream; `bars` must draw on the same one.
    pub fn new(err: Box<dyn Write + Send>, bars: MultiProgress, json: bool, terminal: bool, color: bool) -> Self {
        Self { err: Mutex::new(err), bars, shown: AtomicUsize::new(0), json, terminal, color }
    }

    /// Does something on the terminal that bars must not be in the way of.
    pub fn aside<R>(&self, act: impl FnOnce() -> R) -> R {
        if self.shown.load(Ordering::SeqCst) > 0 { self.bars.suspend(act) } else { act() }
    }

    /// Writes a line.
    pub fn say(&self, line: Line, text: &str) {
        if self.json {
            let object = match line {
                Line::Warning => serde_json::json!({ "warning": text }),
                Line::Hint => serde_json::json!({ "log": format!("hint: {text}") }),
                Line::Status | Line::Log => serde_json::json!({ "log": text }),
            };
            self.put(&object.to_string());
            return;
        }
        let shown = self.safe(text);
        let text = match line {
            Line::Status => shown,
            Line::Warning => format!("{} {shown}", Paint::Yellow.on("warning:", self.color)),
            Line::Hint => format!("{} {shown}", Paint::Cyan.on("hint:", self.color)),
            Line::Log => shown.lines().map(|l| Paint::Dim.on(l, self.color)).collect::<Vec<_>>().join("\n"),
        };
        self.put(&text);
    }

    /// Writes an error: what happened, what the service said of it, what to do next.
    pub fn error(&self, report: &ErrorReport) {
        if report.failure.kind == Kind::PipeClosed || report.message.is_empty() {
            return;
        }
        if self.json {
            self.put(&error_object(report));
            return;
        }
        let mut text = format!("{} {}", Paint::Red.on("error:", self.color), self.safe(&report.message));
        if let Some(service) =
            report.failure.service.as_deref().and_then(|service| service_words(service, &report.message))
        {
            text.push_str("\nservice: ");
            text.push_str(&self.safe(&service));
        }
        if let Some(hint) = &report.failure.hint {
            let _ = write!(text, "\n{} {}", Paint::Cyan.on("hint:", self.color), self.safe(hint));
        }
        self.put(&text);
    }

    /// Writes a question, without a line end. Only inside [`Screen::aside`], whose lock is not taken again.
    pub fn ask(&self, question: &str) {
        self.write(&format!("{} [y/N] ", self.safe(question)));
    }

    fn safe(&self, text: &str) -> String {
        if self.terminal { escape::terminal(text).into_owned() } else { text.to_owned() }
    }

    fn put(&self, line: &str) {
        let line = if self.json { json::compact(line, self.terminal) } else { line.to_owned() };
        self.aside(|| self.write(&(line + "\n")));
    }

    fn write(&self, text: &str) {
        let mut err = self.err.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
    }
}

#[derive(Serialize)]
struct ErrorLine<'a> {
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

/// An error as one JSON object; what is not known is `null`.
pub(super) fn error_object(report: &ErrorReport) -> String {
    let service = report.failure.service.as_deref();
    let error = ErrorFields {
        kind: report.failure.kind.word(),
        message: &report.message,
        status: service.and_then(|s| s.status),
        code: service.and_then(|s| s.code.as_deref()),
        trace_id: service.and_then(|s| s.trace_id.as_deref()),
        hint: report.failure.hint.as_deref(),
    };
    serde_json::to_string(&ErrorLine { error }).unwrap_or_else(|_| r#"{"error":{"kind":"internal"}}"#.to_owned())
}

/// What the service said and the message does not say already.
fn service_words(service: &ServiceError, message: &str) -> Option<String> {
    let news = |text: &Option<String>| text.clone().filter(|t| !t.is_empty() && !message.contains(t.as_str()));
    let mut words = news(&service.message).map(|text| format!("\"{text}\"")).unwrap_or_default();
    if let Some(detail) = news(&service.detail).filter(|detail| service.message.as_ref() != Some(detail)) {
        if !words.is_empty() {
            words.push_str(", ");
        }
        let _ = write!(words, "\"{detail}\"");
    }
    let status = service.status.map(|s| s.to_string());
    let facts: Vec<String> =
        [("status", news(&status)), ("code", news(&service.code)), ("trace", news(&service.trace_id))]
            .into_iter()
            .filter_map(|(name, value)| value.map(|value| format!("{name} {value}")))
            .collect();
    match (words.is_empty(), facts.is_empty()) {
        (true, true) => None,
        (false, true) => Some(words),
        (true, false) => Some(facts.join(", ")),
        (false, false) => Some(format!("{words} ({})", facts.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Failure;

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
        let words = |message| service_words(&service(), message);
        assert_eq!(
            words("not authorised").as_deref(),
            Some("\"Forbidden\", \"no such key\" (status 403, code c7, trace 12ab)")
        );
        assert_eq!(words("403: Forbidden, no such key").as_deref(), Some("code c7, trace 12ab"));
        assert_eq!(words("403 Forbidden, no such key, c7, 12ab"), None);
        assert_eq!(service_words(&ServiceError::default(), "x"), None);
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
