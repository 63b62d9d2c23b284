//! Keeps the most recent requests of all sessions, for `/_sandbox/requests`.
//!
//! A request is copied when it arrives and its answer when it is sent, so no connection buffer is kept alive.
//! `request_view` creates the JSON only on demand. Memory is limited: the oldest bodies are dropped first.

mod redaction;
mod request_view;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use futures_util::{StreamExt as _, stream};

use super::clock;
use super::sessions::SessionName;

pub(super) use self::redaction::KnownKeys;
pub(super) use self::request_view::RequestView;

const REQUESTS_MAX: usize = 1000;
/// Maximum memory of all requests, in bytes.
const MEMORY_MAX: usize = 16 * 1024 * 1024;
/// Maximum size of a path and query to keep, in bytes. The middleware refuses longer ones.
const TARGET_KEPT_MAX: usize = 8 * 1024;
/// Maximum size of the headers to keep, in bytes. The middleware refuses larger ones.
const HEADERS_KEPT_MAX: usize = 16 * 1024;

#[derive(Default)]
pub struct RecentRequests(Mutex<RequestRing>);

#[derive(Default)]
struct RequestRing {
    /// Ordered by ID.
    requests: VecDeque<RecentRequest>,
    last_id: u64,
    bytes: usize,
    /// ID of the last request whose bodies were dropped to save memory.
    emptied_to: u64,
}

/// A request, and its answer once there is one.
#[derive(Clone)]
pub(super) struct RecentRequest {
    id: u64,
    session: SessionName,
    received_ms: i64,
    /// The line `POST /v2/translate` (method, path and query), then a line `name:value` for each header.
    head: Bytes,
    body: BodyCopy,
    answer: Option<RecentAnswer>,
    /// Time until the answer, or until the client gave up.
    elapsed: Option<Duration>,
}

#[derive(Clone)]
struct RecentAnswer {
    status: u16,
    headers: Bytes,
    body: BodyCopy,
}

#[derive(Debug, Default)]
pub(super) struct RequestSelection {
    pub(super) session: Option<SessionName>,
    /// Only requests with a greater ID.
    pub(super) after: u64,
    pub(super) ids: Option<Vec<u64>>,
    /// Maximum number; the most recent requests are selected.
    pub(super) limit: Option<usize>,
}

impl RecentRequests {
    pub(super) fn add(self: &Arc<Self>, session: SessionName, parts: &Parts) -> RequestRecord {
        let request = RecentRequest {
            id: 0,
            session,
            received_ms: clock::now_ms(),
            head: request_head(parts),
            body: BodyCopy::not_kept(content_length(&parts.headers)),
            answer: None,
            elapsed: None,
        };
        let id = self.ring().add(request);
        RequestRecord { recent: Arc::clone(self), id, started: Instant::now(), is_answered: false }
    }

    /// Returns the selected requests, oldest first, and the ID of the most recent request of all.
    pub(super) fn select(&self, selection: &RequestSelection) -> (Vec<RecentRequest>, u64) {
        let ring = self.ring();
        let matches = |request: &&RecentRequest| {
            request.id > selection.after
                && selection.session.as_ref().is_none_or(|session| request.session == *session)
                && selection.ids.as_ref().is_none_or(|ids| ids.contains(&request.id))
        };
        let newest_first = ring.requests.iter().rev().filter(matches).take(selection.limit.unwrap_or(REQUESTS_MAX));
        let mut selected: Vec<RecentRequest> = newest_first.cloned().collect();
        selected.reverse();
        (selected, ring.last_id)
    }

    pub(super) fn count(&self, session: &SessionName) -> usize {
        self.ring().requests.iter().filter(|request| request.session == *session).count()
    }

    /// Forgets the requests of a session, or all requests if `session` is `None`.
    pub(super) fn forget(&self, session: Option<&SessionName>) {
        let mut ring = self.ring();
        ring.requests.retain(|request| session.is_some_and(|session| request.session != *session));
        ring.bytes = ring.requests.iter().map(RecentRequest::memory_bytes).sum();
    }

    fn change(&self, id: u64, change: impl FnOnce(&mut RecentRequest)) {
        self.ring().change(id, change);
    }

    fn ring(&self) -> MutexGuard<'_, RequestRing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RequestRing {
    fn add(&mut self, mut request: RecentRequest) -> u64 {
        self.last_id += 1;
        request.id = self.last_id;
        self.bytes += request.memory_bytes();
        if self.requests.len() >= REQUESTS_MAX {
            self.remove_first();
        }
        self.requests.push_back(request);
        self.shrink();
        self.last_id
    }

    /// Changes a request, unless it has been removed.
    fn change(&mut self, id: u64, change: impl FnOnce(&mut RecentRequest)) {
        let Ok(at) = self.requests.binary_search_by_key(&id, |request| request.id) else { return };
        let Some(request) = self.requests.get_mut(at) else { return };
        let before = request.memory_bytes();
        change(request);
        if id <= self.emptied_to {
            request.drop_bodies();
        }
        self.bytes = self.bytes - before + request.memory_bytes();
        self.shrink();
    }

    /// Drops the oldest bodies until the memory is below its limit. If that is not enough, drops the oldest requests.
    fn shrink(&mut self) {
        while self.bytes > MEMORY_MAX {
            let at = self.requests.partition_point(|request| request.id <= self.emptied_to);
            let Some(request) = self.requests.get_mut(at) else {
                self.remove_first();
                continue;
            };
            let before = request.memory_bytes();
            request.drop_bodies();
            self.emptied_to = request.id;
            self.bytes = self.bytes - before + request.memory_bytes();
        }
    }

    fn remove_first(&mut self) {
        let removed = self.requests.pop_front();
        self.bytes = removed.map_or(0, |request| self.bytes - request.memory_bytes());
    }
}

impl RecentRequest {
    fn memory_bytes(&self) -> usize {
        let answer = self.answer.as_ref().map_or(0, |answer| answer.headers.len() + answer.body.bytes.len());
        size_of::<Self>() + self.head.len() + self.body.bytes.len() + answer
    }

    fn drop_bodies(&mut self) {
        self.body.bytes = Bytes::new();
        if let Some(answer) = &mut self.answer {
            answer.body.bytes = Bytes::new();
        }
    }
}

/// A request that is being answered. Dropping it before `record_answer` records that the request had no answer.
pub(super) struct RequestRecord {
    recent: Arc<RecentRequests>,
    id: u64,
    started: Instant,
    is_answered: bool,
}

impl RequestRecord {
    pub(super) fn set_body(&self, body: &Bytes) {
        if !body.is_empty() {
            let copy = BodyCopy::copied(body);
            self.recent.change(self.id, |request| request.body = copy);
        }
    }

    /// Keeps a copy of the start of a body while its handler reads it.
    pub(super) fn copy_stream(&self, body: Body) -> Body {
        let (recent, id) = (Arc::clone(&self.recent), self.id);
        copy_stream(body, move |copy| recent.change(id, |request| request.body = copy))
    }

    /// Keeps a copy of an answer in memory; only the size if the answer is streamed.
    pub(super) async fn record_answer(mut self, response: Response) -> Response {
        let (parts, body) = response.into_parts();
        let (body, copy) = copy_answer(body, &parts.headers).await;
        let answer = RecentAnswer {
            status: parts.status.as_u16(),
            headers: header_lines(Vec::new(), &parts.headers),
            body: copy,
        };
        let elapsed = self.started.elapsed();
        self.is_answered = true;
        self.recent.change(self.id, |request| {
            request.answer = Some(answer);
            request.elapsed = Some(elapsed);
        });
        Response::from_parts(parts, body)
    }
}

impl Drop for RequestRecord {
    fn drop(&mut self) {
        if !self.is_answered {
            let elapsed = self.started.elapsed();
            self.recent.change(self.id, |request| request.elapsed = Some(elapsed));
        }
    }
}

/// Returns the body unchanged, and a copy of it. A body of known size is usually in memory in one chunk.
async fn copy_answer(body: Body, headers: &HeaderMap) -> (Body, BodyCopy) {
    let Some(size) = body.size_hint().exact() else { return (body, BodyCopy::not_kept(content_length(headers))) };
    if size == 0 {
        return (body, BodyCopy::default());
    }
    let mut stream = body.into_data_stream();
    match stream.next().await {
        Some(Ok(bytes)) if bytes.len() as u64 == size => {
            let copy = BodyCopy::shared(&bytes);
            (Body::from(bytes), copy)
        }
        first => {
            let first = futures_util::stream::iter(first);
            (Body::from_stream(first.chain(stream)), BodyCopy::not_kept(Some(size)))
        }
    }
}

fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH).map_or(Some(0), |length| length.to_str().ok()?.parse().ok())
}

fn request_head(parts: &Parts) -> Bytes {
    let target = parts.uri.path_and_query().map_or("/", |target| target.as_str()).as_bytes();
    let mut head = Vec::with_capacity(512);
    head.extend_from_slice(parts.method.as_str().as_bytes());
    head.push(b' ');
    head.extend_from_slice(target.get(..TARGET_KEPT_MAX).unwrap_or(target));
    head.push(b'\n');
    header_lines(head, &parts.headers)
}

/// Adds a line for each header. Header values cannot contain a line feed.
fn header_lines(mut text: Vec<u8>, headers: &HeaderMap<HeaderValue>) -> Bytes {
    let start = text.len();
    for (name, value) in headers {
        if text.len() - start + name.as_str().len() + value.len() > HEADERS_KEPT_MAX {
            break;
        }
        text.extend_from_slice(name.as_str().as_bytes());
        text.push(b':');
        text.extend_from_slice(value.as_bytes());
        text.push(b'\n');
    }
    text.shrink_to_fit();
    text.into()
}

/// How much of a body to keep, in bytes.
const BODY_KEPT_MAX: usize = 64 * 1024;

/// The start of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BodyCopy {
    /// At most [`BODY_KEPT_MAX`] bytes; empty if the body was not kept.
    bytes: Bytes,
    /// Size of the complete body, if known.
    size: Option<u64>,
}

impl Default for BodyCopy {
    fn default() -> Self {
        Self { bytes: Bytes::new(), size: Some(0) }
    }
}

impl BodyCopy {
    const fn not_kept(size: Option<u64>) -> Self {
        Self { bytes: Bytes::new(), size }
    }

    /// Copies a body that is part of a larger buffer.
    fn copied(body: &Bytes) -> Self {
        let kept = body.get(..BODY_KEPT_MAX).unwrap_or(body);
        Self { bytes: Bytes::copy_from_slice(kept), size: Some(body.len() as u64) }
    }

    /// Shares the buffer of a small body, which must not be part of a larger buffer; copies the start of a large body.
    fn shared(body: &Bytes) -> Self {
        if body.len() > BODY_KEPT_MAX {
            Self::copied(body)
        } else {
            Self { bytes: body.clone(), size: Some(body.len() as u64) }
        }
    }

    fn is_cut(&self) -> bool {
        self.size != Some(self.bytes.len() as u64)
    }
}

/// Keeps the start of a body while it is read, and calls `report` with it at the end or when reading stops.
fn copy_stream(body: Body, report: impl FnOnce(BodyCopy) + Send + 'static) -> Body {
    let copying = StreamCopy { kept: Vec::new(), size: 0, is_whole: false, report: Some(Box::new(report)) };
    let parts = body.into_data_stream();
    Body::from_stream(stream::unfold((parts, copying), |(mut parts, mut copying)| async move {
        let part = parts.next().await;
        match &part {
            Some(Ok(bytes)) => copying.add(bytes),
            Some(Err(_)) => {}
            None => copying.is_whole = true,
        }
        part.map(|part| (part, (parts, copying)))
    }))
}

/// The copy of a body that is being read. Calls `report` when it is dropped.
struct StreamCopy {
    kept: Vec<u8>,
    size: u64,
    is_whole: bool,
    report: Option<Box<dyn FnOnce(BodyCopy) + Send>>,
}

impl StreamCopy {
    fn add(&mut self, part: &[u8]) {
        self.size += part.len() as u64;
        let free = BODY_KEPT_MAX - self.kept.len();
        self.kept.extend_from_slice(part.get(..free).unwrap_or(part));
    }
}

impl Drop for StreamCopy {
    fn drop(&mut self) {
        // The size is unknown unless the body was read to its end.
        let size = self.is_whole.then_some(self.size);
        if let Some(report) = self.report.take() {
            report(BodyCopy { bytes: std::mem::take(&mut self.kept).into(), size });
        }
    }
}

#[cfg(test)]
mod tests;
