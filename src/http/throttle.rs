//! Limits requests: how many at once, how many per second, when all of them pause, and how long to wait in total.

use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// The limits that all requests of a command share.
#[derive(Debug)]
pub struct Throttle {
    slots: Semaphore,
    interval: Option<Duration>,
    state: Mutex<ThrottleState>,
}

#[derive(Debug, Default)]
struct ThrottleState {
    /// No request starts before this time: the service asked for a pause.
    paused_until: Option<Instant>,
    /// When the next request may start under `--rate`.
    next_start: Option<Instant>,
    /// Total time waited so far. Waits that overlap count once.
    waited: Duration,
    /// The time up to which `waited` counts.
    waited_until: Option<Instant>,
}

impl Throttle {
    /// Allows `concurrency` requests at once, and `rate` requests per second.
    pub fn new(concurrency: usize, rate: Option<f64>) -> Self {
        let interval = rate.map(|rate| Duration::from_secs_f64(1.0 / rate));
        Self { slots: Semaphore::new(concurrency.max(1)), interval, state: Mutex::default() }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, ThrottleState> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Waits until fewer than `concurrency` requests are running.
    pub async fn slot(&self) -> Option<SemaphorePermit<'_>> {
        self.slots.acquire().await.ok()
    }

    /// Waits until a request may start: after a shared pause, and as the rate allows.
    pub async fn ready(&self) {
        while let Some(until) = self.next_check() {
            tokio::time::sleep_until(until).await;
        }
    }

    /// Returns when to check again; `None` if a request may start now.
    fn next_check(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut state = self.state();
        if let Some(until) = state.paused_until.filter(|t| *t > now) {
            return Some(until);
        }
        let interval = self.interval?;
        let start = state.next_start.filter(|t| *t > now);
        if start.is_none() {
            state.next_start = Some(now + interval);
        }
        start
    }

    /// Delays all requests until `wait` has passed.
    pub fn pause(&self, wait: Duration) {
        let Some(until) = Instant::now().checked_add(wait) else { return };
        let mut state = self.state();
        if state.paused_until.is_none_or(|t| t < until) {
            state.paused_until = Some(until);
        }
    }

    /// Reserves time for a wait that starts now. Returns false, and reserves nothing, if the total would exceed `limit`.
    pub fn reserve_wait(&self, wait: Duration, limit: Duration) -> bool {
        let now = Instant::now();
        // A time that the clock cannot express is past every limit.
        let Some(until) = now.checked_add(wait) else { return false };
        let mut state = self.state();
        let from = state.waited_until.map_or(now, |t| t.max(now));
        let added = until.saturating_duration_since(from);
        let waited = state.waited.saturating_add(added);
        if waited > limit {
            return false;
        }
        state.waited = waited;
        state.waited_until = Some(state.waited_until.map_or(until, |t| t.max(until)));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn waits_that_overlap_count_once() {
        let throttle = Throttle::new(4, None);
        let limit = Duration::from_secs(11);
        assert!(throttle.reserve_wait(Duration::from_secs(6), limit));
        assert!(throttle.reserve_wait(Duration::from_secs(6), limit), "the same six seconds");
        assert!(throttle.reserve_wait(Duration::from_secs(10), limit), "four more");
        assert!(!throttle.reserve_wait(Duration::from_secs(12), limit));
    }

    #[tokio::test]
    async fn a_wait_beyond_the_clock_is_past_every_limit() {
        let throttle = Throttle::new(4, None);
        for wait in [Duration::MAX, Duration::from_secs(i64::MAX.unsigned_abs())] {
            assert!(!throttle.reserve_wait(wait, Duration::MAX), "{wait:?}");
            throttle.pause(wait);
        }
        throttle.ready().await;
        assert!(throttle.reserve_wait(Duration::from_secs(1), Duration::MAX));
    }

    // Lower bounds only: a slow machine cannot break them.
    #[tokio::test]
    async fn one_pause_delays_all_requests() {
        let throttle = Throttle::new(4, None);
        let start = Instant::now();
        throttle.pause(Duration::from_millis(30));
        tokio::join!(throttle.ready(), throttle.ready());
        assert!(start.elapsed().as_millis() >= 30);
    }

    #[tokio::test]
    async fn the_rate_spaces_requests_evenly() {
        let throttle = Throttle::new(4, Some(100.0));
        let start = Instant::now();
        for _ in 0..5 {
            throttle.ready().await;
        }
        assert!(start.elapsed().as_millis() >= 40);
    }
}
