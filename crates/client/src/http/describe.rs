//! Requests as one JSON object, for `--dry-run`, and the log lines of requests and answers for `-v` and `-vv`, all without secrets.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::encoding::encode_pairs;
use super::options::ClientObserver;
use super::redact;
use super::request::{Request, RequestBody};
use super::throttle::NewLimits;
use super::transport::Attempt;
use crate::{ApiKey, Service};

pub const USER_AGENT: &str = concat!("tulk/", env!("CARGO_PKG_VERSION"));

/// Approximate size of the other headers: user agent, accepted types and encodings, length of the body.
const FIXED_HEADER_BYTES: usize = 100;

/// Returns the request as a line of JSON with `method`, `url`, `headers` and `body`. A JSON body appears exactly as it is sent; a file
/// appears as its name and size.
pub fn request_line(request: &Request, service: &Service) -> String {
    line(request, service, Vec::new())
}

/// Like [`request_line`], but includes the headers that the client adds. Shows only the scheme of `Authorization`, not the key.
pub fn sent_line(request: &Request, service: &Service) -> String {
    let mut added = vec![("accept", "*/*".to_owned()), ("user-agent", USER_AGENT.to_owned())];
    if request.key.is_some() {
        added.push(("authorization", format!("{} {}", service.auth_scheme, redact::REDACTED)));
    }
    line(request, service, added)
}

fn line(request: &Request, service: &Service, added: Vec<(&str, String)>) -> String {
    // With `tulk api --no-auth`, the address may be on another server, so any value in it may be a secret.
    let is_elsewhere = request.key.is_none() && !request.is_signed;
    let path = if is_elsewhere { redact::addresses(request.path.as_str()) } else { request.shown_path() };
    // Under --dry-run, IDs from earlier replies are placeholders such as `<document_id>`. Real IDs contain no `<`.
    let path = path.replace("%3C", "<").replace("%3E", ">");
    let mut url = format!("{}{path}", service.shown_address());
    if !request.query.is_empty() {
        let query: Vec<_> =
            request.query.iter().map(|(name, value)| (name.clone(), redacted_value(name, value))).collect();
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(&encode_pairs(&query));
    }
    let mut line = format!("{{\"method\":{},\"url\":{}", json!(request.method.as_str()), json!(url));
    let mut headers = serde_json::Map::new();
    for (name, value) in &request.headers {
        headers.insert(name.as_str().to_owned(), json!(redact::header(name, value)));
    }
    for (name, value) in added {
        headers.entry(name).or_insert_with(|| json!(value));
    }
    if let Some(media_type) = media_type(&request.body)
        && !headers.contains_key("content-type")
    {
        headers.insert("content-type".to_owned(), json!(media_type));
    }
    let _ = write!(line, ",\"headers\":{}", Value::Object(headers));
    if let Some(body) = body(&request.body) {
        let _ = write!(line, ",\"body\":{body}");
    }
    line.push('}');
    line
}

/// Returns the size of the headers in bytes, including those that the client adds. `key` is the key that will be sent.
pub fn header_bytes(request: &Request, service: &Service, key: Option<&ApiKey>) -> usize {
    let line = |name: usize, value: usize| name + ": ".len() + value + "\r\n".len();
    let own: usize = request.headers.iter().map(|(name, value)| line(name.as_str().len(), value.len())).sum();
    let key = key.map_or(0, |key| line("authorization".len(), service.auth_scheme.len() + 1 + key.expose().len()));
    let host = line("host".len(), service.base_url.split_once("://").map_or(0, |(_, host)| host.len()));
    let media_type = media_type(&request.body).map_or(0, |name| line("content-type".len(), name.len()));
    own + key + host + media_type + FIXED_HEADER_BYTES
}

/// Returns the value of a field, redacted if the field is a secret.
fn redacted_value(name: &str, value: &str) -> String {
    if redact::is_secret_field(name) { redact::REDACTED } else { value }.to_owned()
}

fn media_type(body: &RequestBody) -> Option<&str> {
    match body {
        RequestBody::Empty => None,
        RequestBody::Json(_) => Some("application/json"),
        RequestBody::Form(_) => Some("application/x-www-form-urlencoded"),
        RequestBody::Bytes(media_type, _) | RequestBody::File(media_type, _) => Some(media_type),
        RequestBody::Multipart { .. } => Some("multipart/form-data"),
    }
}

fn body(body: &RequestBody) -> Option<String> {
    match body {
        RequestBody::Empty => None,
        RequestBody::Json(bytes) => Some(redact::body(bytes).into_owned()),
        RequestBody::Form(text) => Some(json!(redact::body(text.as_bytes())).to_string()),
        RequestBody::Bytes(_, bytes) => Some(json!({ "bytes": bytes.len() }).to_string()),
        RequestBody::File(_, file) => Some(json!({ "file": file.filename, "bytes": file.bytes }).to_string()),
        RequestBody::Multipart { fields, files } => {
            let mut object = serde_json::Map::new();
            for (name, value) in fields {
                let value = json!(redacted_value(name, value));
                match object.get_mut(name) {
                    None => drop(object.insert(name.clone(), value)),
                    Some(Value::Array(values)) => values.push(value),
                    Some(first) => *first = json!([first.take(), value]),
                }
            }
            for file in files {
                object.insert(file.field.clone(), json!({ "file": file.filename, "bytes": file.bytes }));
            }
            Some(Value::Object(object).to_string())
        }
    }
}

/// Logs a request before it is sent, under `-vv`.
pub fn log_sent(observer: &dyn ClientObserver, request: &Request, service: &Service) {
    if observer.verbosity() >= 2 {
        observer.log(&format!("> {}", sent_line(request, service)));
    }
}

/// Logs how an attempt ended. Under `-vv`, also the headers and body of the answer.
pub fn log_received(
    observer: &dyn ClientObserver,
    request: &Request,
    attempt: &Attempt,
    number: u32,
    duration: Duration,
) {
    if observer.verbosity() == 0 {
        return;
    }
    let path = request.shown_path();
    let (status, trace) = match attempt {
        Attempt::Answered(answer) => (answer.status.to_string(), answer.trace_id().unwrap_or("-")),
        Attempt::Failed { failure, .. } => (failure.what.clone(), "-"),
    };
    let ms = duration.as_millis();
    observer.log(&format!("{} {path} {status} {ms} ms attempt {number} trace {trace}", request.method));
    if observer.verbosity() >= 2
        && let Attempt::Answered(answer) = attempt
    {
        // The storage server may repeat the signed address in any header.
        for (name, value) in answer.headers.iter().filter(|_| !request.is_signed) {
            observer.log(&format!("< {name}: {}", redact::header(name, value)));
        }
        observer.log(&format!("< {}", redact::answer(request, answer)));
    }
}

pub fn log_limits(observer: &dyn ClientObserver, limits: NewLimits) {
    if observer.verbosity() == 0 {
        return;
    }
    let NewLimits { concurrency, per_second } = limits;
    let requests = if concurrency == 1 { "request" } else { "requests" };
    let rate = per_second.map_or(String::new(), |rate| format!(" and {rate:.1} a second"));
    observer.log(&format!("sending at most {concurrency} {requests} at once{rate}"));
}
