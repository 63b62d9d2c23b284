//! The attempts of one request, and the waits between them. When to retry is decided by [`retry`].

use std::time::Duration;

use tulk_base::error::{Failure, Kind};
use tulk_base::limits;
use tulk_base::stop::Stop;

use super::Client;
use crate::ApiKey;
use crate::http::answer::{Answer, BodySink};
use crate::http::request::{Method, Repeat, Request, RequestBody};
use crate::http::retry::{self, AttemptFailure};
use crate::http::throttle::{SendOutcome, TotalWait};
use crate::http::transport::Attempt;
use crate::http::{failures, log, redact};

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
                return give_up(attempt, request, number, self.service().shown_address());
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
            if !request.is_free() {
                tokio::time::sleep(limits::STOP_PATIENCE).await;
            }
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
fn give_up(attempt: Attempt, request: &Request, number: u32, address: &str) -> Result<Answer, Failure> {
    match attempt {
        Attempt::Answered(answer) => Ok(answer),
        Attempt::Failed { outcome, mut failure } => {
            if number > 1 {
                failure.what = format!("{} (after {number} attempts)", failure.what);
            }
            if outcome.may_have_arrived() && failure.hint.is_none() {
                let hint = match request.repeat {
                    Repeat::Always if address.starts_with("http://") => {
                        "check the network and the proxy, and try again; if the port expects https, begin the address with https://"
                    }
                    Repeat::Always => "check the network and the proxy, and try again",
                    _ => "the service may have received the request: check before you send it again",
                };
                failure.hint = Some(hint.to_owned());
            }
            Err(failure)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::path::Path;

    fn request(method: Method, path: &str, repeat: Repeat) -> Request {
        Request { repeat, ..Request::new(method, Path::parse(path).unwrap()) }
    }

    fn answered(status: u16) -> Attempt {
        Attempt::Answered(Answer::new(status, reqwest::header::HeaderMap::new(), bytes::Bytes::new()))
    }

    fn failed(outcome: AttemptFailure) -> Attempt {
        Attempt::Failed { outcome, failure: Failure::new(Kind::Network, "no answer") }
    }

    #[test]
    fn only_a_delete_that_finds_nothing_may_be_done_already() {
        let is_missing = |method, status| {
            let Attempt::Answered(answer) = answered(status) else { unreachable!() };
            is_missing_delete(&request(method, "/v3/glossaries/G", Repeat::Always), &answer)
        };
        assert!(is_missing(Method::DELETE, 404));
        assert!(!is_missing(Method::DELETE, 403));
        assert!(!is_missing(Method::GET, 404));
        assert!(!is_missing(Method::PATCH, 410));
    }

    #[test]
    fn messages_round_waits_up_to_whole_seconds() {
        let table = [(0, 0), (1, 1), (1_000, 1), (1_001, 2), (7_999, 8), (8_000, 8)];
        for (milliseconds, shown) in table {
            assert_eq!(seconds(Duration::from_millis(milliseconds)), shown, "{milliseconds} ms");
        }
        assert_eq!(seconds(Duration::MAX), u64::MAX);
    }

    #[test]
    fn a_lost_request_has_a_hint_that_depends_on_whether_it_may_be_repeated() {
        let give_up = |outcome, repeat, number| {
            let request = request(Method::POST, "/v3/glossaries", repeat);
            give_up(failed(outcome), &request, number, "https://x").unwrap_err()
        };
        let failure = give_up(AttemptFailure::Lost, Repeat::Always, 3);
        assert_eq!(failure.what, "no answer (after 3 attempts)");
        assert_eq!(failure.hint.as_deref(), Some("check the network and the proxy, and try again"));
        let in_doubt = "the service may have received the request: check before you send it again";
        for repeat in [Repeat::UntilArrived, Repeat::Never] {
            let failure = give_up(AttemptFailure::Lost, repeat, 1);
            assert_eq!((failure.what.as_str(), failure.hint.as_deref()), ("no answer", Some(in_doubt)));
        }
        assert_eq!(give_up(AttemptFailure::NotSent, Repeat::UntilArrived, 2).hint, None);
        let get = request(Method::GET, "/v2/usage", Repeat::Always);
        let failure = super::give_up(failed(AttemptFailure::Lost), &get, 1, "http://x").unwrap_err();
        assert!(failure.hint.unwrap().ends_with("if the port expects https, begin the address with https://"));
        let mut own = failed(AttemptFailure::Lost);
        if let Attempt::Failed { failure, .. } = &mut own {
            failure.hint = Some("raise --timeout".to_owned());
        }
        assert_eq!(super::give_up(own, &get, 1, "https://x").unwrap_err().hint.as_deref(), Some("raise --timeout"));
        assert_eq!(super::give_up(answered(503), &get, 4, "https://x").unwrap().status, 503);
    }

    #[test]
    fn the_end_of_an_attempt_says_how_busy_the_service_is() {
        let time = Duration::from_millis(5);
        let text =
            Request { body: RequestBody::Json("{}".into()), ..request(Method::POST, "/v2/translate", Repeat::Always) };
        let outcome = |attempt| send_outcome(&text, &attempt, time);
        assert_eq!(outcome(answered(200)), SendOutcome::Answered(Some(time)));
        assert_eq!(outcome(answered(299)), SendOutcome::Answered(Some(time)));
        for status in [300, 400, 404, 456, 500, 502] {
            assert_eq!(outcome(answered(status)), SendOutcome::Answered(None), "{status}");
        }
        assert_eq!(outcome(answered(429)), SendOutcome::Refused);
        for attempt in [answered(503), answered(504), answered(529), failed(AttemptFailure::NotSent)] {
            assert_eq!(outcome(attempt), SendOutcome::Overloaded);
        }
        assert_eq!(outcome(failed(AttemptFailure::Lost)), SendOutcome::Overloaded);
        assert_eq!(outcome(failed(AttemptFailure::Final)), SendOutcome::Nothing);
    }

    #[test]
    fn only_requests_of_texts_are_compared_by_their_time_and_a_result_that_is_not_ready_says_nothing() {
        let time = Duration::from_millis(5);
        let usage = request(Method::GET, "/v2/usage", Repeat::Always);
        assert_eq!(send_outcome(&usage, &answered(200), time), SendOutcome::Answered(None));
        let form = request(Method::POST, "/v2/translate", Repeat::Always);
        assert_eq!(send_outcome(&form, &answered(200), time), SendOutcome::Answered(None));
        let body = RequestBody::Json("{}".into());
        let json = Request { body, ..request(Method::POST, "/v3/glossaries", Repeat::Always) };
        assert_eq!(send_outcome(&json, &answered(200), time), SendOutcome::Answered(None));
        let result = request(Method::POST, "/v2/document/D/result", Repeat::Never);
        assert_eq!(send_outcome(&result, &answered(503), time), SendOutcome::Answered(None));
        assert_eq!(send_outcome(&result, &failed(AttemptFailure::Lost), time), SendOutcome::Nothing);
        assert_eq!(send_outcome(&result, &answered(429), time), SendOutcome::Refused);
    }
}
