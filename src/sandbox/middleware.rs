//! What every request passes before and after its route: size, latency, faults, rate, trace id, record.
//!
//! Authentication is not here: each handler names who it is for (`auth.rs`).
//! Spec: "Errors" (always JSON, `X-Trace-ID`), "Limits" (headers, rate).

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde_json::Value;

use super::App;
use super::auth::KeyInBody;
use super::body::{BodyEncoding, encoding};
use super::faults::{FaultDecision, FaultKind, FaultRule, identity_of};
use super::ids;
use super::kill_switch::KillSwitch;
use super::reply::Refusal;
use super::request_log::RequestLogEntry;

/// The header by which one request asks for a fault.
pub const FAULT_HEADER: &str = "x-tulk-sandbox-fault";
/// The header that names each answer.
const TRACE_HEADER: &str = "x-trace-id";
/// All header names and values of a request, in bytes.
const HEADERS_MAX: usize = 16 * 1024;
/// The address of a request, in bytes.
const ADDRESS_MAX: usize = 8 * 1024;
/// A body that is held in memory, in bytes: above the largest glossary with all its escapes.
const BODY_MAX: usize = 64 * 1024 * 1024;

/// Left in the upload of a document that must fail.
#[derive(Clone, Copy, Debug)]
pub struct DocumentFails;

/// Passes one request.
pub(super) async fn gate(State(app): State<App>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    // Uploads stream past, unless they are wanted on record.
    let streams = encoding(&parts.headers) == BodyEncoding::Multipart && app.request_log.is_none();
    let read = if streams { Ok((Bytes::new(), Some(body))) } else { read(body).await.map(|bytes| (bytes, None)) };
    let (bytes, streamed) = match read {
        Ok(read) => read,
        Err(refusal) => return finish(refusal.into_response()).await,
    };
    let mut entry = RequestLogEntry::new(app.request_log.as_ref(), &parts, &bytes);
    let switch = parts.extensions.get::<ConnectInfo<KillSwitch>>().map(|info| info.0.clone());
    let response = match verdict(&app, &parts, &bytes) {
        Ok(verdict) => pass(&app, parts, bytes, streamed, next, &verdict, switch).await,
        Err(refusal) => Some(refusal.into_response()),
    };
    let Some(response) = response else {
        // The answer is lost: whatever is returned does not leave.
        return Response::default();
    };
    let response = finish(response).await;
    if let Some(entry) = &mut entry {
        entry.answered(response.status().as_u16());
    }
    response
}

async fn read(body: Body) -> Result<Bytes, Refusal> {
    if body.size_hint().lower() > BODY_MAX as u64 {
        return Err(Refusal::too_large(BODY_MAX));
    }
    axum::body::to_bytes(body, BODY_MAX).await.map_err(|_| Refusal::too_large(BODY_MAX))
}

fn verdict(app: &App, parts: &Parts, body: &[u8]) -> Result<FaultDecision, Refusal> {
    let mut own = Vec::new();
    for value in parts.headers.get_all(FAULT_HEADER) {
        let rule: FaultRule = value
            .to_str()
            .map_err(|_| "not ASCII".to_owned())
            .and_then(str::parse)
            .map_err(|error| Refusal::bad(format!("{FAULT_HEADER}: {error}")))?;
        own.push(rule);
    }
    if own.is_empty() && app.faults.is_calm() {
        return Ok(FaultDecision::default());
    }
    let path = parts.uri.path();
    Ok(app.faults.decide(path, identity_of(&(parts.method.as_str(), path, parts.uri.query(), body)), &own))
}

/// Carries the request out, with its faults; `None` when the answer is lost.
async fn pass(
    app: &App,
    mut parts: Parts,
    bytes: Bytes,
    streamed: Option<Body>,
    next: Next,
    verdict: &FaultDecision,
    switch: Option<KillSwitch>,
) -> Option<Response> {
    wait(app, verdict).await;
    if let Some(early) = instead(verdict) {
        return Some(early);
    }
    if let Err(refusal) = admit(app, &parts) {
        return Some(refusal.into_response());
    }
    if has_key(&parts, &bytes) {
        parts.extensions.insert(KeyInBody);
    }
    if verdict.faults.iter().any(|(fault, _)| *fault == FaultKind::Document) {
        parts.extensions.insert(DocumentFails);
    }
    let body = streamed.unwrap_or_else(|| Body::from(bytes));
    let mut response = next.run(Request::from_parts(parts, body)).await;
    for (fault, _) in &verdict.faults {
        response = match fault {
            FaultKind::Drop => {
                switch?.throw();
                return None;
            }
            FaultKind::Cut => cut(response).await,
            FaultKind::Short => short(response).await,
            FaultKind::Garbage => {
                ([(CONTENT_TYPE, "text/html")], "<html><body>It works!</body></html>").into_response()
            }
            _ => response,
        };
    }
    Some(response)
}

async fn wait(app: &App, verdict: &FaultDecision) {
    let delays = verdict.faults.iter().map(|(fault, _)| match fault {
        FaultKind::Delay(time) => *time,
        _ => Duration::ZERO,
    });
    let time = app.faults.latency() + delays.sum::<Duration>();
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}

/// The answer that comes instead of carrying the request out.
fn instead(verdict: &FaultDecision) -> Option<Response> {
    verdict.faults.iter().find_map(|(fault, retry_after)| match fault {
        FaultKind::Status(status) => {
            let mut refusal = Refusal::new(*status, "This fault was asked for.").code("sandbox_fault");
            if let Some(value) = retry_after {
                refusal = refusal.retry_after(value);
            }
            Some(refusal.into_response())
        }
        FaultKind::Redirect(address) => {
            let address = HeaderValue::from_str(address).ok()?;
            Some((StatusCode::TEMPORARY_REDIRECT, [(LOCATION, address)]).into_response())
        }
        _ => None,
    })
}

fn admit(app: &App, parts: &Parts) -> Result<(), Refusal> {
    if parts.uri.path_and_query().is_some_and(|text| text.as_str().len() > ADDRESS_MAX) {
        return Err(Refusal::new(414, format!("The address exceeds the maximum of {ADDRESS_MAX} bytes.")));
    }
    let size: usize = parts.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if size > HEADERS_MAX {
        return Err(Refusal::new(431, format!("The request headers exceed the maximum of {HEADERS_MAX} bytes.")));
    }
    match app.rate.as_ref().and_then(RateLimiter::take) {
        None => Ok(()),
        Some(wait) => Err(Refusal::new(429, "Too many requests.").retry_after(wait.to_string())),
    }
}

/// Whether a body field is a key: looked for first, so that no other body is read twice.
fn has_key(parts: &Parts, body: &[u8]) -> bool {
    if memchr::memmem::find(body, b"auth_key").is_none() {
        return false;
    }
    match encoding(&parts.headers) {
        BodyEncoding::Form => body.split(|&byte| byte == b'&').any(|pair| pair.starts_with(b"auth_key=")),
        _ => serde_json::from_slice::<Value>(body).is_ok_and(|value| value.get("auth_key").is_some()),
    }
}

/// Keeps the length, loses the second half.
async fn cut(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    let half = bytes.slice(..bytes.len() / 2);
    let lost = async {
        // The first half must be on its way before the connection breaks.
        tokio::time::sleep(Duration::from_millis(20)).await;
        Err(std::io::Error::from(std::io::ErrorKind::ConnectionAborted))
    };
    Response::from_parts(parts, Body::from_stream(stream::iter([Ok(half)]).chain(stream::once(lost))))
}

/// Takes the last element off the first list of the answer.
async fn short(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    if let Some(list) = value.as_object_mut().and_then(|fields| fields.values_mut().find_map(Value::as_array_mut)) {
        list.pop();
    }
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(value.to_string()))
}

/// Makes sure of the trace id, and of a JSON body where the framework refused by itself.
async fn finish(response: Response) -> Response {
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
    if let Ok(value) = HeaderValue::from_str(&ids::trace()) {
        response.headers_mut().insert(TRACE_HEADER, value);
    }
    response
}

/// A bucket of requests that fills at a steady rate, one second's worth deep.
pub(super) struct RateLimiter {
    per_second: f64,
    bucket: Mutex<(f64, Instant)>,
}

impl RateLimiter {
    pub(super) fn new(per_second: f64) -> Self {
        Self { per_second, bucket: Mutex::new((per_second.max(1.0), Instant::now())) }
    }

    /// Takes one request out; the seconds to wait when there is none.
    fn take(&self) -> Option<u64> {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let filled = bucket.0 + now.duration_since(bucket.1).as_secs_f64() * self.per_second;
        *bucket = (filled.min(self.per_second.max(1.0)), now);
        if bucket.0 >= 1.0 {
            bucket.0 -= 1.0;
            return None;
        }
        let wait = (1.0 - bucket.0) / self.per_second;
        Some(Duration::try_from_secs_f64(wait.ceil().max(1.0)).map_or(u64::MAX, |wait| wait.as_secs()))
    }
}
