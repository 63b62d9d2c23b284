//! Rules for retries, as pure functions: whether to send a request again, and how long to wait. Only the client sleeps.

use std::time::{Duration, SystemTime};

use tulk_base::limits::{BACKOFF_CAP, BACKOFF_FIRST};

use super::answer::Answer;
use super::request::Repeat;

/// How an attempt failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptFailure {
    /// The service answered with this status. The attempt failed only if it is 400 or above.
    Status(u16),
    /// No connection: the service did not receive the request.
    NotSent,
    /// The request was sent, but no complete answer was received.
    Lost,
    /// Another attempt would fail the same way, for example because of an untrusted certificate.
    Permanent,
}

impl AttemptFailure {
    /// Returns whether the service may have acted on the request.
    pub const fn may_have_arrived(self) -> bool {
        matches!(self, Self::Lost | Self::Status(500 | 502 | 504))
    }
}

/// Returns whether a request may be sent again. With `is_456_temporary`, 456 means too many requests rather than an exhausted quota, as
/// for v3 glossaries.
pub const fn may_repeat(failure: AttemptFailure, repeat: Repeat, is_456_temporary: bool) -> bool {
    let not_executed = match failure {
        AttemptFailure::Status(429 | 503 | 529) | AttemptFailure::NotSent => true,
        AttemptFailure::Status(456) => is_456_temporary,
        _ => false,
    };
    match repeat {
        Repeat::Always => not_executed || matches!(failure, AttemptFailure::Lost | AttemptFailure::Status(500..=599)),
        Repeat::UntilArrived => not_executed,
        Repeat::Never => false,
    }
}

/// Returns how long to wait after attempt number `attempt`, counted from 1. `Retry-After` is obeyed. Without it, the wait is random ("full
/// jitter") between zero and a limit that doubles from one second to two minutes. `random` is in `0.0..1.0`.
pub fn backoff(attempt: u32, retry_after: Option<Duration>, random: f64) -> Duration {
    if let Some(wait) = retry_after {
        return wait;
    }
    let limit = BACKOFF_FIRST.saturating_mul(2u32.saturating_pow(attempt.saturating_sub(1).min(16))).min(BACKOFF_CAP);
    limit.mul_f64(random)
}

/// Returns the wait that the service requests before the next attempt. A date is compared with the `Date` of the answer, so a wrong clock
/// on this machine does not matter.
pub fn retry_after(answer: &Answer) -> Option<Duration> {
    if !matches!(answer.status, 202 | 429 | 503 | 529 | 456) {
        return None;
    }
    let value = answer.headers.get("retry-after")?.to_str().ok()?;
    let date = answer.headers.get("date").and_then(|value| httpdate::parse_http_date(value.to_str().ok()?).ok());
    parse_retry_after(value, date.unwrap_or_else(SystemTime::now))
}

/// Parses `Retry-After`: seconds, or an HTTP date that is compared with `now`. An invalid value is ignored.
fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        let is_valid = seconds.is_finite() && seconds >= 0.0;
        return is_valid.then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_depend_on_the_failure_and_the_repeat_rule() {
        use AttemptFailure::{Lost, NotSent, Permanent, Status};
        // failure, then Always, UntilArrived, Never
        let table = [
            (Status(429), true, true, false),
            (Status(503), true, true, false),
            (Status(529), true, true, false),
            (NotSent, true, true, false),
            (Status(500), true, false, false),
            (Status(502), true, false, false),
            (Status(504), true, false, false),
            (Lost, true, false, false),
            (Status(400), false, false, false),
            (Status(401), false, false, false),
            (Status(403), false, false, false),
            (Status(404), false, false, false),
            (Status(413), false, false, false),
            (Status(456), false, false, false),
            (Permanent, false, false, false),
        ];
        for (outcome, always, until, never) in table {
            assert_eq!(may_repeat(outcome, Repeat::Always, false), always, "{outcome:?}");
            assert_eq!(may_repeat(outcome, Repeat::UntilArrived, false), until, "{outcome:?}");
            assert_eq!(may_repeat(outcome, Repeat::Never, false), never, "{outcome:?}");
        }
        assert!(may_repeat(Status(456), Repeat::UntilArrived, true), "v3 glossaries");
    }

    #[test]
    fn only_lost_requests_and_500_502_504_may_have_arrived() {
        use AttemptFailure::{Lost, NotSent, Permanent, Status};
        for failure in [Lost, Status(500), Status(502), Status(504)] {
            assert!(failure.may_have_arrived(), "{failure:?}");
        }
        for failure in
            [NotSent, Permanent, Status(400), Status(404), Status(429), Status(456), Status(503), Status(529)]
        {
            assert!(!failure.may_have_arrived(), "{failure:?}");
        }
    }

    #[test]
    fn obeys_retry_after_for_five_statuses() {
        let wait = |status| {
            let headers = [("retry-after", "3")].map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
            retry_after(&Answer::new(status, headers.into_iter().collect(), bytes::Bytes::new()))
        };
        for status in [202, 429, 456, 503, 529] {
            assert_eq!(wait(status), Some(Duration::from_secs(3)), "{status}");
        }
        for status in [200, 400, 404, 500, 502, 504] {
            assert_eq!(wait(status), None, "{status}");
        }
    }

    #[test]
    fn waits_grow_to_two_minutes_with_full_jitter() {
        assert_eq!(backoff(1, None, 1.0), Duration::from_secs(1));
        assert_eq!(backoff(4, None, 1.0), Duration::from_secs(8));
        assert_eq!(backoff(4, None, 0.5), Duration::from_secs(4));
        assert_eq!(backoff(4, None, 0.0), Duration::ZERO);
        assert_eq!(backoff(40, None, 1.0), Duration::from_secs(120));
        assert_eq!(backoff(1, Some(Duration::from_secs(7)), 0.1), Duration::from_secs(7));
    }

    #[test]
    fn parses_retry_after_as_seconds_or_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        assert_eq!(parse_retry_after("3", now), Some(Duration::from_secs(3)));
        assert_eq!(parse_retry_after("Sun, 06 Nov 1994 08:49:47 GMT", now), Some(Duration::from_secs(10)));
        assert_eq!(parse_retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(parse_retry_after("soon", now), None);
        for text in ["-5", "NaN", "inf", ""] {
            assert_eq!(parse_retry_after(text, now), None, "{text}");
        }
        for text in ["9223372036854775807", "99999999999999999999999999"] {
            assert!(parse_retry_after(text, now).unwrap() > Duration::from_secs(1 << 62), "{text}");
        }
    }
}
