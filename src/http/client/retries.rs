//! The attempts of one request, and the waits between them. When to retry is decided by [`retry`].

use std::time::Duration;

use super::Client;
use crate::config::ApiKey;
use crate::error::{Failure, Kind};
use crate::http::answer::{Answer, BodySink};
use crate::http::request::{Method, Repeat, Request, RequestBody};
use crate::http::retry::{self, AttemptFailure};
use crate::http::throttle::{SendOutcome, TotalWait};
use crate::http::transport::Attempt;
use crate::http::{failures, log, redact};
use crate::limits;
use crate::stop::Stop;

impl Client {
    /// Sends a request until it has an answer that is final or may not be repeated.
    pub(super) async fn send_with_retries(
        &self,
        request: &Request,
        sink: Option<&dyn BodySink>,
    ) -> Result<Answer, Failure> {
        let key = request.key.map(|kind| self.key(kind)).transpose()?.cloned();
        if request.method != Method::GET {
            self.options.observer.changing();
        }
        self.check_headers(request, key.as_ref())?;
        redact::register_secrets(request);
        let is_456_temporary = failures::is_456_temporary(request.path.as_str());
        let mut maybe_arrived = false;
        let mut own_wait = TotalWait::default();
        let mut number = 0;
        loop {
            number += 1;
            let mut attempt = self.attempt(request, key.as_ref(), number, sink).await?;
            if let Attempt::Answered(answer) = &mut attempt {
                (answer.retries, answer.maybe_repeated) = (number - 1, maybe_arrived);
            }
            let (outcome, retry_after) = match attempt {
                Attempt::Answered(answer) if answer.status < 400 => return Ok(answer),
                Attempt::Answered(answer) if maybe_arrived && is_missing_delete(request, &answer) => {
                    return Ok(Answer { status: 204, body: bytes::Bytes::new(), ..answer });
                }
                Attempt::Answered(ref answer) => (AttemptFailure::Status(answer.status), retry::retry_after(answer)),
                Attempt::Failed { outcome, .. } => (outcome, None),
            };
            let is_last = number > self.options.retries || sink.is_some_and(|sink| !sink.can_restart());
            if is_last || !retry::may_repeat(outcome, request.repeat, is_456_temporary) {
                return give_up(attempt, request, number);
            }
            maybe_arrived |= outcome.may_have_arrived();
            let wait = retry::backoff(number, retry_after, fastrand::f64());
            if let Err(limit) = self.throttle.reserve_retry(wait, self.options.max_wait, &mut own_wait) {
                return Err(self.give_up_waiting(&attempt, request, wait, limit));
            }
            self.wait_to_retry(&attempt, request, wait).await?;
        }
    }

    /// Sends a request once, as the throttle allows, unless a signal or an earlier refusal prevents it.
    async fn attempt(
        &self,
        request: &Request,
        key: Option<&ApiKey>,
        number: u32,
        sink: Option<&dyn BodySink>,
    ) -> Result<Attempt, Failure> {
        let permit = tokio::select! {
            permit = self.throttle.start() => permit,
            kind = self.options.stop.wait() => return Err(Stop::failure(kind, None)),
        };
        if let Some(kind) = self.options.stop.raised() {
            return Err(Stop::failure(kind, None));
        }
        if let Some(failure) = self.closed_by.get() {
            return Err(failure.clone());
        }
        log::sent(&*self.options.observer, request, self.service());
        let stopped = async {
            let kind = self.options.stop.wait().await;
            tokio::time::sleep(limits::STOP_PATIENCE).await;
            kind
        };
        let attempt = tokio::select! {
            biased;
            attempt = self.transport.send(request, key, sink) => attempt,
            kind = stopped => return Err(Stop::failure(kind, None)),
        };
        let duration = permit.elapsed();
        permit.end(send_outcome(request, &attempt, duration));
        log::received(&*self.options.observer, request, &attempt, number, duration);
        if let Some(limits) = self.throttle.take_change() {
            log::limits(&*self.options.observer, limits);
        }
        Ok(attempt)
    }

    /// Returns the failure of a request if there is no time for the wait before a retry.
    fn give_up_waiting(&self, attempt: &Attempt, request: &Request, wait: Duration, limit: Duration) -> Failure {
        let mut failure = match attempt {
            Attempt::Answered(answer) => self.refused(request, answer),
            Attempt::Failed { failure, .. } => failure.clone(),
        };
        let (next, limit) = (seconds(wait), seconds(limit));
        failure.what =
            format!("{}; retrying in {next} s would exceed the maximum total wait of {limit} s", failure.what);
        failure.kind = Kind::Unfinished;
        failure.hint("run the command again later, or raise --max-wait")
    }

    /// Waits before a retry. A 429 or another refusal pauses all requests.
    async fn wait_to_retry(&self, attempt: &Attempt, request: &Request, wait: Duration) -> Result<(), Failure> {
        let why = match attempt {
            Attempt::Answered(answer) => {
                self.throttle.pause(wait);
                format!("{} {}", answer.status, failures::reason_phrase(answer.status))
            }
            Attempt::Failed { failure, .. } => failure.what.clone(),
        };
        let path = redact::address(request.path.as_str());
        self.options.observer.waiting(&format!("{path}: {why}; retrying in {} s", seconds(wait)));
        self.sleep(wait).await
    }

    /// Waits for something other than a retry, such as a document's status, within `--max-wait`, else within `limit`.
    ///
    /// Fails with `Kind::Unfinished` if the total wait would exceed the limit, and on a signal.
    pub async fn pause_for(&self, wait: Duration, limit: Option<Duration>) -> Result<(), Failure> {
        if let Some(limit) = self.options.max_wait.or(limit)
            && !self.throttle.reserve_wait(wait, limit)
        {
            let what = format!("timed out after --max-wait ({} s)", seconds(limit));
            return Err(Failure::new(Kind::Unfinished, what));
        }
        self.sleep(wait).await
    }

    async fn sleep(&self, wait: Duration) -> Result<(), Failure> {
        tokio::select! {
            () = tokio::time::sleep(wait) => Ok(()),
            kind = self.options.stop.wait() => Err(Stop::failure(kind, None)),
        }
    }
}

/// Returns what the end of an attempt says about the service. A result that is not ready is no overload, though it has status 503.
fn send_outcome(request: &Request, attempt: &Attempt, duration: Duration) -> SendOutcome {
    let is_judged = request.repeat != Repeat::Never;
    let outcome = match attempt {
        Attempt::Answered(answer) => AttemptFailure::Status(answer.status),
        Attempt::Failed { outcome, .. } => *outcome,
    };
    match outcome {
        AttemptFailure::Status(429) => SendOutcome::Refused,
        AttemptFailure::Status(503 | 504 | 529) | AttemptFailure::NotSent | AttemptFailure::Lost if is_judged => {
            SendOutcome::Overloaded
        }
        AttemptFailure::Status(status) => {
            let is_text = matches!(request.body, RequestBody::Json(_)) && request.path.is_text();
            SendOutcome::Answered((is_text && status < 300).then_some(duration))
        }
        AttemptFailure::NotSent | AttemptFailure::Lost | AttemptFailure::Final => SendOutcome::Nothing,
    }
}

/// Returns whether a DELETE found nothing, which is success if an earlier attempt may have deleted it.
fn is_missing_delete(request: &Request, answer: &Answer) -> bool {
    request.method == Method::DELETE && answer.status == 404
}

/// Returns a time in whole seconds, rounded up, for messages.
fn seconds(wait: Duration) -> u64 {
    wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0))
}

/// Turns the last attempt into the result of the request.
fn give_up(attempt: Attempt, request: &Request, number: u32) -> Result<Answer, Failure> {
    match attempt {
        Attempt::Answered(answer) => Ok(answer),
        Attempt::Failed { outcome, mut failure } => {
            if number > 1 {
                failure.what = format!("{} (after {number} attempts)", failure.what);
            }
            if outcome.may_have_arrived() && failure.hint.is_none() {
                let hint = match request.repeat {
                    Repeat::Always => "check the network and the proxy, and try again",
                    _ => "the service may have received the request: check before you send it again",
                };
                failure.hint = Some(hint.to_owned());
            }
            Err(failure)
        }
    }
}
