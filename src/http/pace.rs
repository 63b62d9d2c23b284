//! How many requests are in flight, how fast they start, and when all of them pause.

use std::sync::Mutex;
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// Shared by all requests of a command.
#[derive(Debug)]
pub struct Throttle {
    slots: Semaphore,
    gap: Option<Duration>,
    state: Mutex<ThrottleState>,
}

#[derive(Debug, Default)]
struct ThrottleState {
    /// No request starts before this: the service asked for patience.
    paused_until: Option<Instant>,
    /// When the next request may start under `--rate`.
    next_start: Option<Instant>,
    /// All waiting so far, overlapping waits counted once.
    waited: Duration,
    /// Up to where `waited` is counted.
    waited_until: Option<Instant>,
}

impl Throttle {
    /// At most `concurrency` requests in flight, at most `rate` a second.
    pub fn new(concurrency: usize, rate: Option<f64>) -> Self {
        let gap = rate.map(|r| Duration::from_secs_f64(1.0 / r));
        Self { slots: Semaphore::new(concurrency.max(1)), gap, state: Mutex::default() }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, ThrottleState> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Waits for a place among the requests in flight.
    pub async fn slot(&self) -> Option<SemaphorePermit<'_>> {
        self.slots.acquire().await.ok()
    }

    /// Waits until a request may start: after a shared pause, and at the rate's next moment.
    pub async fn start(&self) {
        while let Some(until) = self.next_look() {
            tokio::time::sleep_until(until).await;
        }
    }

    /// When to look again; `None` lets the request start now.
    fn next_look(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut state = self.state();
        if let Some(until) = state.paused_until.filter(|t| *t > now) {
            return Some(until);
        }
        let gap = self.gap?;
        let start = state.next_start.filter(|t| *t > now);
        if start.is_none() {
            state.next_start = Some(now + gap);
        }
        start
    }

    /// Holds back every request for `wait` from now.
    pub fn pause(&self, wait: Duration) {
        let until = Instant::now() + wait;
        let mut state = self.state();
        if state.paused_until.is_none_or(|t| t < until) {
            state.paused_until = Some(until);
        }
    }

    /// Books a wait against `bound`; false when it would pass it, and then nothing is booked.
    pub fn book(&self, wait: Duration, bound: Duration) -> bool {
        let now = Instant::now();
        let until = now + wait;
        let mut state = self.state();
        let from = state.waited_until.map_or(now, |t| t.max(now));
        let more = until.saturating_duration_since(from);
        if state.waited + more > bound {
            return false;
        }
        state.waited += more;
        state.waited_until = Some(state.waited_until.map_or(until, |t| t.max(until)));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn waits_that_overlap_count_once() {
        let pace = Throttle::new(4, None);
        let bound = Duration::from_secs(11);
        assert!(pace.book(Duration::from_secs(6), bound));
        assert!(pace.book(Duration::from_secs(6), bound), "the same six seconds");
        assert!(pace.book(Duration::from_secs(10), bound), "four more");
        assert!(!pace.book(Duration::from_secs(12), bound));
    }

    // Lower bounds only: a slow machine cannot break them.
    #[tokio::test]
    async fn one_pause_holds_back_all() {
        let pace = Throttle::new(4, None);
        let began = Instant::now();
        pace.pause(Duration::from_millis(30));
        tokio::join!(pace.start(), pace.start());
        assert!(began.elapsed().as_millis() >= 30);
    }

    #[tokio::test]
    async fn the_rate_spaces_starts() {
        let pace = Throttle::new(4, Some(100.0));
        let began = Instant::now();
        for _ in 0..5 {
            pace.start().await;
        }
        assert!(began.elapsed().as_millis() >= 40);
    }
}
