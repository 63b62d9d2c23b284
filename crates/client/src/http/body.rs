//! Reads the body of an answer, within the limits of what is held in memory.

use bytes::BytesMut;
use futures_util::StreamExt as _;
use tulk_base::error::{Failure, Kind};
use tulk_base::limits::{ANSWER_BYTES, ERROR_BODY_BYTES};

use super::answer::{Answer, BodySink};
use super::attempt_timer::AttemptTimer;
use super::failures;
use super::network_error;
use super::retry::AttemptFailure;
use super::transport::Attempt;

/// Reads the body of an answer into memory, or passes it to `sink` if the answer is a success.
///
/// A body in memory has a limit, which counts the bytes after decompression, and the time-out for all of it. An error is still an error if its body is
/// larger: the rest is not read.
pub async fn read(response: reqwest::Response, timer: &AttemptTimer, sink: Option<&dyn BodySink>) -> Attempt {
    let mut answer = Answer::new(response.status().as_u16(), response.headers().clone(), bytes::Bytes::new());
    let sink = sink.filter(|_| answer.is_success());
    if let Some(Err(failure)) = sink.map(|sink| sink.start(answer.status, &answer.headers)) {
        return Attempt::fatal(failure);
    }
    let limit = if answer.is_success() { ANSWER_BYTES } else { ERROR_BODY_BYTES };
    let mut body = BytesMut::new();
    let mut stream = response.bytes_stream();
    while let Some(chunk) = stream.next().await {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(error) => {
                let what = format!("the response was cut off: {}", network_error::cause(&error));
                let failure = Failure::new(Kind::Network, what).service(failures::identify(&answer));
                return Attempt::Failed { outcome: AttemptFailure::Lost, failure };
            }
        };
        if sink.is_some() {
            timer.bytes_moved();
        }
        match sink.map(|sink| sink.write(&chunk)) {
            Some(Ok(())) => {}
            Some(Err(failure)) => return Attempt::fatal(failure),
            None if body.len() + chunk.len() <= limit => body.extend_from_slice(&chunk),
            None if answer.is_success() => return Attempt::fatal(failures::too_large(&answer)),
            None => {
                body.extend_from_slice(chunk.get(..limit - body.len()).unwrap_or_default());
                break;
            }
        }
    }
    answer.body = body.freeze();
    Attempt::Answered(answer)
}
