//! The middleware around every route: checks the key and the limits, reads the body, applies latency and faults, adds
//! the trace ID and writes the logs.
//!
//! It reads the key before the body, but each handler decides which callers it accepts (see `auth.rs`). See
//! docs/service.md, "Errors" and "Limits".

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HOST};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, Uri, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::app::App;
use super::auth::Identity;
use super::body::{self, BODY_MAX, BodyEncoding, body_encoding};
use super::connection::KillSwitch;
use super::faults::{self, FaultDecision, FaultKind, FaultRule, hash_of};
use super::query::{QueryParams, parse_pairs};
use super::recent_requests::RequestRecord;
use super::reply::Refusal;
use super::request_log::RequestLogEntry;
use super::routes::{control, session_of_file};
use super::sessions::{SessionName, Sessions};
use super::{ids, strict};

const FAULT_HEADER: &str = "x-tulk-sandbox-fault";
const TRACE_HEADER: HeaderName = HeaderName::from_static("x-trace-id");
/// Maximum size of all header names and values of a request, in bytes.
const HEADERS_MAX: usize = 16 * 1024;
/// Maximum size of the path and query of a request, in bytes.
const URL_MAX: usize = 8 * 1024;

pub(super) async fn handle_request(State(sessions): State<Sessions>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    if control::is_control_path(parts.uri.path()) {
        let response = match control::check_access(&parts, &sessions) {
            Ok(()) => next.run(Request::from_parts(parts, body)).await,
            Err(refusal) => refusal.into_response(),
        };
        return control::with_isolation_headers(finish_response(response).await);
    }
    let session = session_of(&parts);
    let record = sessions.recent.add(session.clone().unwrap_or_default(), &parts);
    let app = match session.and_then(|name| app_of(&sessions, &name, &parts)) {
        Ok(app) => app,
        Err(refusal) => return record.record_answer(finish_response(refusal.into_response()).await).await,
    };
    parts.extensions.insert(app.clone());
    let received = match receive(&app, sessions.request_log.is_some(), &record, &mut parts, body).await {
        Ok(received) => received,
        Err(refusal) => return record.record_answer(finish_response(refusal.into_response()).await).await,
    };
    let mut entry = RequestLogEntry::new(sessions.request_log.as_ref(), &parts, &received.bytes);
    let switch = parts.extensions.get::<KillSwitch>().cloned();
    let response = match decide_faults(&app, &parts, &received.bytes) {
        Ok(decision) => run_with_faults(&app, parts, received, next, &decision, switch).await,
        Err(refusal) => Some(refusal.into_response()),
    };
    let Some(response) = response else {
        // The connection is cut off, so this response is never sent.
        return Response::default();
    };
    let response = finish_response(response).await;
    if let Some(entry) = &mut entry {
        entry.set_status(response.status().as_u16());
    }
    record.record_answer(response).await
}

/// Returns the session that a request names: in the URL of a file, in a header, or in a token of the query.
fn session_of(parts: &Parts) -> Result<SessionName, Refusal> {
    if let Some(session) = session_of_file(parts.uri.path()) {
        return Ok(session);
    }
    let name = SessionName::of_request(&parts.headers)?;
    if name.is_unnamed() && parts.uri.query().is_some_and(|query| query.contains("token=")) {
        let query = QueryParams::parse(&parts.uri).ok();
        let token = query.as_ref().and_then(|query| query.get("token"));
        return Ok(token.map(SessionName::of_token).unwrap_or_default());
    }
    Ok(name)
}

/// Returns the services of a session. Only a request with an accepted key creates a session, because a new session may
/// replace an old one. Without such a key, a request for a session that does not exist gets the unnamed one.
fn app_of(sessions: &Sessions, name: &SessionName, parts: &Parts) -> Result<App, Refusal> {
    let unnamed = sessions.unnamed();
    let may_use = name.is_unnamed() || sessions.exists(name)? || Identity::read(parts, &unnamed).0.is_ok();
    if may_use { sessions.get(name) } else { Ok(unnamed) }
}

/// The body of a request: complete, or streamed to the handler of an upload.
struct ReceivedBody {
    /// The complete body; empty if it is streamed.
    bytes: Bytes,
    streamed: Option<Body>,
}

/// Checks the key of a request, then receives its body. Without an accepted key, the body is discarded: the route
/// refuses the request without looking at it.
async fn receive(
    app: &App,
    is_logged: bool,
    record: &RequestRecord,
    parts: &mut Parts,
    body: Body,
) -> Result<ReceivedBody, Refusal> {
    check_host(parts)?;
    if session_of_file(parts.uri.path()).is_some() {
        // The handler checks the signature or token of the file.
        return Ok(ReceivedBody { bytes: Bytes::new(), streamed: Some(body::with_time_limit(body)) });
    }
    let identity = Identity::read(parts, app);
    let is_accepted = identity.0.is_ok();
    parts.extensions.insert(identity);
    if !is_accepted {
        // A client that sent `Expect: 100-continue` has not sent its body yet.
        if !parts.headers.contains_key(EXPECT) {
            body::discard(body);
        }
        return Ok(ReceivedBody { bytes: Bytes::new(), streamed: None });
    }
    let form = body_encoding(&parts.headers);
    if form == BodyEncoding::Multipart && !is_logged {
        let streamed = Some(record.copy_stream(body::with_time_limit(body)));
        return Ok(ReceivedBody { bytes: Bytes::new(), streamed });
    }
    let bytes = body::read(body).await?;
    record.set_body(&bytes);
    if has_key(parts, &bytes) {
        parts.extensions.insert(Identity::refused_key_position());
    }
    if parts.method == Method::GET && form == BodyEncoding::Form && !bytes.is_empty() {
        parts.uri = with_parameters(&parts.uri, &bytes)?;
    }
    Ok(ReceivedBody { bytes, streamed: None })
}

/// Refuses an HTTP/1.1 request that does not have exactly one Host header.
fn check_host(parts: &Parts) -> Result<(), Refusal> {
    if parts.version != Version::HTTP_11 || parts.headers.get_all(HOST).iter().count() == 1 {
        return Ok(());
    }
    Err(Refusal::bad_request("A request must have one Host header."))
}

/// Adds the fields of a form to the query of a URI: some clients send the parameters of a GET in the body.
fn with_parameters(uri: &Uri, form: &[u8]) -> Result<Uri, Refusal> {
    let parameters = form_urlencoded::Serializer::new(String::new()).extend_pairs(parse_pairs(form)?).finish();
    let query = [uri.query().unwrap_or_default(), &parameters].join("&");
    let address = format!("{}?{}", uri.path(), query.trim_start_matches('&'));
    if address.len() > URL_MAX {
        return Err(address_too_long());
    }
    address.parse().map_err(|_| Refusal::bad_request("The parameters in the body cannot be read."))
}

/// Decides which faults apply to a request: from the rules of the options, then from those in its headers.
fn decide_faults(app: &App, parts: &Parts, body: &[u8]) -> Result<FaultDecision, Refusal> {
    let mut header_rules = Vec::new();
    for value in parts.headers.get_all(FAULT_HEADER) {
        let rule = value
            .to_str()
            .map_err(|_| "not ASCII".to_owned())
            .and_then(|text| text.parse::<FaultRule>().map_err(String::from))
            .map_err(|error| Refusal::bad_request(format!("{FAULT_HEADER}: {error}")))?;
        header_rules.push(rule);
    }
    if header_rules.is_empty() && app.faults.is_empty() {
        return Ok(FaultDecision::default());
    }
    let path = parts.uri.path();
    // A retry has the same values for all of these. The length represents the body of a streamed upload.
    let header = |name| parts.headers.get(name).map(HeaderValue::as_bytes);
    let client = header(AUTHORIZATION);
    let request = hash_of(&(parts.method.as_str(), path, parts.uri.query(), body, header(CONTENT_LENGTH), client));
    Ok(app.faults.decide(path, request, &header_rules))
}

/// Executes the request with its faults. Returns `None` if the client must not get an answer.
async fn run_with_faults(
    app: &App,
    mut parts: Parts,
    received: ReceivedBody,
    next: Next,
    decision: &FaultDecision,
    switch: Option<KillSwitch>,
) -> Option<Response> {
    delay(app, decision).await;
    if decision.has_fault(&FaultKind::Never) {
        // The server drops this future when the connection closes.
        std::future::pending::<()>().await;
    }
    if let Some(answer) = faults::answer_instead(decision) {
        return Some(answer);
    }
    if let Err(refusal) = check_limits(app, &parts) {
        return Some(refusal.into_response());
    }
    if let Some(documents) = &decision.documents {
        parts.extensions.insert(documents.clone());
    }
    if app.options.strict
        && parts.extensions.get::<Identity>().is_some_and(|identity| identity.0.is_ok())
        && let Err(refusal) = strict::check_query(&parts)
    {
        return Some(refusal.into_response());
    }
    let body = received.streamed.unwrap_or_else(|| Body::from(received.bytes));
    let response = next.run(Request::from_parts(parts, body)).await;
    faults::change_answer(response, decision, switch.as_ref()).await
}

async fn delay(app: &App, decision: &FaultDecision) {
    let delays = decision.faults.iter().map(|rule| match &rule.fault {
        FaultKind::Delay(time) => *time,
        _ => Duration::ZERO,
    });
    let time = app.faults.latency() + delays.sum::<Duration>();
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}

fn check_limits(app: &App, parts: &Parts) -> Result<(), Refusal> {
    if parts.uri.path_and_query().is_some_and(|text| text.as_str().len() > URL_MAX) {
        return Err(address_too_long());
    }
    let size: usize = parts.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if size > HEADERS_MAX {
        return Err(Refusal::new(431, format!("The request headers exceed the maximum of {HEADERS_MAX} bytes.")));
    }
    match &app.rate_limiter {
        Some(limiter) => limiter
            .acquire()
            .map_err(|seconds| Refusal::new(429, "Too many requests.").retry_after(seconds.to_string())),
        None => Ok(()),
    }
}

fn address_too_long() -> Refusal {
    Refusal::new(414, format!("The address exceeds the maximum of {URL_MAX} bytes."))
}

/// Returns whether the body contains a key. Searches for the field name first, to avoid parsing most bodies twice.
fn has_key(parts: &Parts, body: &[u8]) -> bool {
    if memchr::memmem::find(body, b"auth_key").is_none() {
        return false;
    }
    match body_encoding(&parts.headers) {
        BodyEncoding::Form => body.split(|&byte| byte == b'&').any(|pair| pair.starts_with(b"auth_key=")),
        _ => serde_json::from_slice::<Value>(body).is_ok_and(|value| value.get("auth_key").is_some()),
    }
}

/// Adds the trace ID, and converts errors of the web framework to JSON.
async fn finish_response(response: Response) -> Response {
    let status = response.status();
    let is_json = response.headers().get(CONTENT_TYPE).is_some_and(|value| value == "application/json");
    let mut response = if status.as_u16() >= 400 && !is_json {
        let body = axum::body::to_bytes(response.into_body(), BODY_MAX).await.unwrap_or_default();
        let text = String::from_utf8_lossy(&body);
        let text = if text.trim().is_empty() { status.canonical_reason().unwrap_or("Error") } else { text.trim() };
        Refusal::new(status.as_u16(), text).into_response()
    } else {
        response
    };
    if let Ok(value) = HeaderValue::from_str(&ids::trace_id()) {
        response.headers_mut().insert(TRACE_HEADER, value);
    }
    response
}
