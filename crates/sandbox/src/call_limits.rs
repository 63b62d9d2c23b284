//! Limits on the calls that a key may make in a minute, for operations that have such limits.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::reply::Refusal;

/// Time in which calls are counted. It starts with the first call.
const PERIOD: Duration = Duration::from_secs(60);
/// Number of keys from which those without recent calls are removed.
const KEYS_MAX: usize = 1024;

/// A limit on an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallLimit {
    /// What is counted.
    pub operation: &'static str,
    /// Calls of a key in a minute.
    pub per_minute: u32,
}

/// Counts the calls of each key.
#[derive(Default)]
pub struct CallLimits(Mutex<HashMap<(&'static str, String), CallCount>>);

struct CallCount {
    start: Instant,
    calls: u32,
}

impl CallLimits {
    /// Counts a call. Refuses it with 429 if it is one too many, with the time until the next is possible.
    pub fn count(&self, limit: CallLimit, key: &str) -> Result<(), Refusal> {
        self.count_at(limit, key, Instant::now()).map_err(|seconds| {
            Refusal::new(429, format!("Too many requests: the maximum is {} per minute.", limit.per_minute))
                .retry_after(seconds.to_string())
        })
    }

    /// Forgets all calls.
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
    fn counts_each_key_and_operation_for_a_minute() {
        let limits = CallLimits::default();
        let start = Instant::now();
        let (one, two) = (CallLimit { operation: "one", per_minute: 2 }, CallLimit { operation: "two", per_minute: 1 });
        let count = |limit, key, seconds| limits.count_at(limit, key, start + Duration::from_secs(seconds));
        assert_eq!([count(one, "a", 0), count(one, "a", 10), count(one, "a", 20)], [Ok(()), Ok(()), Err(41)]);
        assert_eq!([count(one, "b", 20), count(two, "a", 20), count(two, "a", 59)], [Ok(()), Ok(()), Err(22)]);
        assert_eq!([count(one, "a", 59), count(one, "a", 60), count(one, "a", 61)], [Err(2), Ok(()), Ok(())]);
    }

    #[test]
    fn keys_without_recent_calls_are_forgotten() {
        let limits = CallLimits::default();
        let start = Instant::now();
        let limit = CallLimit { operation: "one", per_minute: 1 };
        for n in 0..5000 {
            limits.count_at(limit, &n.to_string(), start + Duration::from_secs(n)).unwrap();
        }
        assert!(limits.counts().len() <= KEYS_MAX);
    }
}
