//! The effects of faults on answers: another status, an incomplete body or a slow one.

use std::future::ready;
use std::num::NonZeroU64;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;

use super::injector::FaultDecision;
use super::rule::{DEFAULT_MESSAGE, FaultKind, RetryAfter};
use crate::connection::KillSwitch;
use crate::reply::Refusal;

/// Chunks per second of a slow body.
const CHUNKS_PER_SECOND: u64 = 20;

/// Returns the answer if a fault replaces the execution of the request.
pub fn answer_instead(decision: &FaultDecision) -> Option<Response> {
    decision.faults.iter().find_map(|rule| match &rule.fault {
        FaultKind::Status(status) => {
            let message = rule.message.as_deref().unwrap_or(DEFAULT_MESSAGE);
            let refusal = Refusal::new(*status, message).code("sandbox_fault");
            let after = rule.retry_after.as_ref().map(RetryAfter::header);
            Some(after.map_or(refusal.clone(), |value| refusal.retry_after(value)).into_response())
        }
        FaultKind::Redirect(address) => {
            let address = HeaderValue::from_str(address).ok()?;
            Some((StatusCode::TEMPORARY_REDIRECT, [(LOCATION, address)]).into_response())
        }
        _ => None,
    })
}

/// Applies faults to the answer of an executed request. Returns `None` if the client must not get an answer.
pub async fn change_answer(
    mut response: Response,
    decision: &FaultDecision,
    switch: Option<&KillSwitch>,
) -> Option<Response> {
    for rule in &decision.faults {
        response = match rule.fault {
            FaultKind::Drop => {
                switch?.cut();
                return None;
            }
            FaultKind::Cut => cut_in_half(response).await,
            FaultKind::Short => remove_last_item(response).await,
            FaultKind::Garbage => {
                ([(CONTENT_TYPE, "text/html")], "<html><body>It works!</body></html>").into_response()
            }
            FaultKind::Slow(rate) => limit_rate(response, rate),
            _ => response,
        };
    }
    Some(response)
}

/// Announces the full length but sends only the first half of the body. The second half is still read, because reading
/// to the end can have effects, such as removing a downloaded file.
async fn cut_in_half(response: Response) -> Response {
    let (mut parts, mut body) = response.into_parts();
    let announced = parts.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let length: u64 = if let Some(length) = announced.or(body.size_hint().exact()) {
        length
    } else {
        let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
            return StatusCode::BAD_GATEWAY.into_response();
        };
        body = Body::from(bytes.clone());
        bytes.len() as u64
    };
    parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    let mut left = usize::try_from(length / 2).unwrap_or(usize::MAX);
    let half = body.into_data_stream().try_filter_map(move |mut block| {
        block.truncate(left);
        left -= block.len();
        ready(Ok((!block.is_empty()).then_some(block)))
    });
    let failure = async {
        // The first half must be sent before the connection breaks.
        tokio::time::sleep(Duration::from_millis(20)).await;
        Err(axum::Error::new(std::io::Error::from(std::io::ErrorKind::ConnectionAborted)))
    };
    Response::from_parts(parts, Body::from_stream(half.chain(stream::once(failure))))
}

/// Removes the last item of the first list in a JSON object.
async fn remove_last_item(response: Response) -> Response {
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

/// Limits the body of an answer to a number of bytes per second.
fn limit_rate(response: Response, rate: NonZeroU64) -> Response {
    let (mut parts, body) = response.into_parts();
    match body.size_hint().exact() {
        Some(0) => return Response::from_parts(parts, body),
        Some(length) if !parts.headers.contains_key(CONTENT_LENGTH) => {
            parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        _ => {}
    }
    let max_chunk_bytes = usize::try_from(rate.get() / CHUNKS_PER_SECOND).unwrap_or(usize::MAX).max(1);
    let chunks = body
        .into_data_stream()
        .map_ok(move |block| stream::iter(chunks_of(block, max_chunk_bytes).map(Ok::<_, axum::Error>)));
    let slowed = chunks.try_flatten().and_then(move |chunk| async move {
        tokio::time::sleep(Duration::from_micros((chunk.len() as u64).saturating_mul(1_000_000) / rate)).await;
        Ok(chunk)
    });
    Response::from_parts(parts, Body::from_stream(slowed))
}

fn chunks_of(mut bytes: Bytes, max_chunk_bytes: usize) -> impl Iterator<Item = Bytes> {
    std::iter::from_fn(move || {
        let length = max_chunk_bytes.min(bytes.len());
        (length > 0).then(|| bytes.split_to(length))
    })
}
