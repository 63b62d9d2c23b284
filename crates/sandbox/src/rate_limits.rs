//! Limits the number of requests per second, and for some operations the number of calls per minute with one key. A
//! request over a limit is answered with 429.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::reply::Refusal;

/// A token bucket that refills at a steady rate and holds the tokens of one second, but at least one.
pub(super) struct RateLimiter {
    per_second: f64,
    bucket: Mutex<Bucket>,
}

struct Bucket {
    tokens: f64,
    refilled: Instant,
}

impl Bucket {
    fn full(per_second: f64) -> Self {
        Self { tokens: per_second.max(1.0), refilled: Instant::now() }
    }
}

impl RateLimiter {
    /// Creates a full bucket. The rate must be greater than 0.
    pub(super) fn new(per_second: f64) -> Self {
        Self { per_second, bucket: Mutex::new(Bucket::full(per_second)) }
    }

    pub(super) fn reset(&self) {
        *self.bucket.lock().unwrap_or_else(PoisonError::into_inner) = Bucket::full(self.per_second);
    }

    /// Takes one token, or returns the number of seconds until the next.
    pub(super) fn acquire(&self) -> Result<(), u64> {
        self.acquire_at(Instant::now())
    }

    fn acquire_at(&self, now: Instant) -> Result<(), u64> {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let refill = now.saturating_duration_since(bucket.refilled).as_secs_f64() * self.per_second;
        bucket.tokens = (bucket.tokens + refill).min(self.per_second.max(1.0));
        bucket.refilled = now;
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        let wait = (1.0 - bucket.tokens) / self.per_second;
        Err(Duration::try_from_secs_f64(wait.ceil().max(1.0)).map_or(u64::MAX, |wait| wait.as_secs()))
    }
}

/// Period in which calls are counted. It starts with the first call.
const PERIOD: Duration = Duration::from_secs(60);
/// Number of keys above which keys without recent calls are removed.
const KEYS_MAX: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallLimit {
    pub operation: &'static str,
    /// For each key.
    pub per_minute: u32,
}

/// Counts the calls of each operation and key.
#[derive(Default)]
pub struct CallCounter(Mutex<HashMap<(&'static str, String), CallCount>>);

struct CallCount {
    start: Instant,
    calls: u32,
}

impl CallCounter {
    /// Counts a call. Refuses one over the limit with 429 and the time until the next call is possible.
    pub fn count(&self, limit: CallLimit, key: &str) -> Result<(), Refusal> {
        self.count_at(limit, key, Instant::now()).map_err(|seconds| {
            Refusal::new(429, format!("Too many requests: the maximum is {} per minute.", limit.per_minute))
                .retry_after(seconds.to_string())
        })
    }

    pub(super) fn reset(&self) {
        self.counts().clear();
    }

    fn count_at(&self, limit: CallLimit, key: &str, now: Instant) -> Result<(), u64> {
        let mut counts = self.counts();
        let age = |count: &CallCount| now.saturating_duration_since(count.start);
        if counts.len() >= KEYS_MAX {
            counts.retain(|_, count| age(count) < PERIOD);
        }
        let new = CallCount { start: now, calls: 0 };
        let count = counts.entry((limit.operation, key.to_owned())).or_insert(new);
        if age(count) >= PERIOD {
            *count = CallCount { start: now, calls: 0 };
        }
        if count.calls >= limit.per_minute {
            return Err(PERIOD.saturating_sub(age(count)).as_secs() + 1);
        }
        count.calls += 1;
        Ok(())
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<(&'static str, String), CallCount>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allows_one_second_of_requests_and_refills() {
        let limiter = RateLimiter::new(2.0);
        let start = Instant::now();
        let acquire = |ms| limiter.acquire_at(start + Duration::from_millis(ms));
        assert_eq!([acquire(100), acquire(100), acquire(100)], [Ok(()), Ok(()), Err(1)]);
        assert_eq!([acquire(700), acquire(700)], [Ok(()), Err(1)]);
        assert_eq!([acquire(9000), acquire(9000), acquire(9000)], [Ok(()), Ok(()), Err(1)]);
    }

    #[test]
    fn a_rate_below_one_allows_one_request_at_a_time() {
        let limiter = RateLimiter::new(0.1);
        let start = Instant::now();
        let acquire = |s| limiter.acquire_at(start + Duration::from_secs(s));
        assert_eq!([acquire(1), acquire(1), acquire(4), acquire(12)], [Ok(()), Err(10), Err(7), Ok(())]);
    }

    #[test]
    fn counts_each_key_and_operation_for_a_minute() {
        let limits = CallCounter::default();
        let start = Instant::now();
        let (one, two) = (CallLimit { operation: "one", per_minute: 2 }, CallLimit { operation: "two", per_minute: 1 });
        let count = |limit, key, seconds| limits.count_at(limit, key, start + Duration::from_secs(seconds));
        assert_eq!([count(one, "a", 0), count(one, "a", 10), count(one, "a", 20)], [Ok(()), Ok(()), Err(41)]);
        assert_eq!([count(one, "b", 20), count(two, "a", 20), count(two, "a", 59)], [Ok(()), Ok(()), Err(22)]);
        assert_eq!([count(one, "a", 59), count(one, "a", 60), count(one, "a", 61)], [Err(2), Ok(()), Ok(())]);
    }

    #[test]
    fn keys_without_recent_calls_are_forgotten() {
        let limits = CallCounter::default();
        let start = Instant::now();
        let limit = CallLimit { operation: "one", per_minute: 1 };
        for n in 0..5000 {
            limits.count_at(limit, &n.to_string(), start + Duration::from_secs(n)).unwrap();
        }
        assert!(limits.counts().len() <= KEYS_MAX);
    }
}
