//! Bodies of requests: read within a time limit, streamed, or thrown away.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use futures_util::{StreamExt as _, stream};

use super::reply::Refusal;

/// Largest body kept in memory, in bytes: above the largest glossary with all its escapes.
pub(super) const BODY_MAX: usize = 64 * 1024 * 1024;
/// Longest wait for the next part of a body.
const BODY_IDLE_MAX: Duration = Duration::from_secs(30);
/// Longest time that a body is thrown away while its client still sends.
const DISCARD_TIME_MAX: Duration = Duration::from_secs(10);

/// Reads a whole body.
///
/// Refuses one that is too large with 413, one that is broken or cut off with 400, and one that stops arriving with 408.
pub(super) async fn read(body: Body) -> Result<Bytes, Refusal> {
    let announced = body.size_hint().lower();
    if announced > BODY_MAX as u64 {
        discard(body);
        return Err(Refusal::too_large(BODY_MAX));
    }
    let mut parts = body.into_data_stream();
    let Some(first) = next(&mut parts).await? else { return Ok(Bytes::new()) };
    if first.len() as u64 == announced {
        return Ok(first);
    }
    let mut bytes = Vec::from(first);
    while let Some(part) = next(&mut parts).await? {
        if bytes.len() + part.len() > BODY_MAX {
            return Err(Refusal::too_large(BODY_MAX));
        }
        bytes.extend_from_slice(&part);
    }
    Ok(bytes.into())
}

/// Returns a body that fails where reading it in whole would.
pub(super) fn timed(body: Body) -> Body {
    let parts = body.into_data_stream();
    Body::from_stream(stream::try_unfold(parts, |mut parts| async move {
        let part = next(&mut parts).await.map_err(|refusal| refusal.message().to_owned())?;
        Ok::<_, String>(part.map(|part| (part, parts)))
    }))
}

/// Throws a body away in the background, without keeping it: a client that is still sending sees the answer.
pub(super) fn discard(body: Body) {
    if body.is_end_stream() {
        return;
    }
    let mut parts = body.into_data_stream();
    tokio::spawn(async move {
        let all = async { while let Some(Ok(_)) = parts.next().await {} };
        // A client that is not done by then is cut off.
        let _ = tokio::time::timeout(DISCARD_TIME_MAX, all).await;
    });
}

async fn next(parts: &mut BodyDataStream) -> Result<Option<Bytes>, Refusal> {
    match tokio::time::timeout(BODY_IDLE_MAX, parts.next()).await {
        Ok(None) => Ok(None),
        Ok(Some(Ok(part))) => Ok(Some(part)),
        Ok(Some(Err(_))) => Err(Refusal::bad("The request body is broken or incomplete.")),
        Err(_) => Err(Refusal::new(
            408,
            format!("The request body is incomplete: nothing arrived for {} seconds.", BODY_IDLE_MAX.as_secs()),
        )),
    }
}
