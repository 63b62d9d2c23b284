//! The log lines of requests and answers under `-v` and `-vv`. Secrets are redacted.

use std::time::Duration;

use super::describe;
use super::options::ClientObserver;
use super::redact;
use super::request::Request;
use super::throttle::NewLimits;
use super::transport::Attempt;
use crate::Service;

/// Logs a request before it is sent, under `-vv`.
pub fn sent(observer: &dyn ClientObserver, request: &Request, service: &Service) {
    if observer.verbosity() >= 2 {
        observer.log(&format!("> {}", describe::sent_line(request, service)));
    }
}

/// Logs how an attempt ended; under `-vv` with headers and body.
pub fn received(observer: &dyn ClientObserver, request: &Request, attempt: &Attempt, number: u32, duration: Duration) {
    if observer.verbosity() == 0 {
        return;
    }
    let path = redact::address(request.path.as_str());
    let (status, trace) = match attempt {
        Attempt::Answered(answer) => (answer.status.to_string(), answer.trace_id().unwrap_or("-")),
        Attempt::Failed { failure, .. } => (failure.what.clone(), "-"),
    };
    let ms = duration.as_millis();
    observer.log(&format!("{} {path} {status} {ms} ms attempt {number} trace {trace}", request.method));
    if observer.verbosity() >= 2
        && let Attempt::Answered(answer) = attempt
    {
        for (name, value) in &answer.headers {
            observer.log(&format!("< {name}: {}", redact::header(name, value)));
        }
        observer.log(&format!("< {}", redact::answer(request, answer)));
    }
}

/// Logs the limits in force after a refusal has changed them.
pub fn limits(observer: &dyn ClientObserver, limits: NewLimits) {
    if observer.verbosity() == 0 {
        return;
    }
    let NewLimits { concurrency, per_second } = limits;
    let requests = if concurrency == 1 { "request" } else { "requests" };
    let rate = per_second.map_or(String::new(), |rate| format!(" and {rate:.1} a second"));
    observer.log(&format!("sending at most {concurrency} {requests} at once{rate}"));
}
