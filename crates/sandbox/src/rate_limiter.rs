//! The request rate above which the sandbox answers 429.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A token bucket that refills at a steady rate and holds one second's worth of requests, at least one.
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

    /// Fills the bucket.
    pub(super) fn reset(&self) {
        *self.bucket.lock().unwrap_or_else(PoisonError::into_inner) = Bucket::full(self.per_second);
    }

    /// Takes one token, or returns the number of seconds to wait for the next.
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
}
