//! The time-out of one attempt: for the complete attempt, or since the last byte.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::request::TimeLimit;

/// Interval between two checks. The time since the previous check never counts as more than this.
const TICK: Duration = Duration::from_millis(100);

/// Counts ticks instead of comparing clocks. No ticks are counted while the process is suspended, so an answer that arrived in the
/// meantime is read before the time-out expires.
pub struct AttemptTimer {
    limit: TimeLimit,
    moved: AtomicU64,
}

impl AttemptTimer {
    /// Creates a timer. It starts when [`Self::expired`] is awaited.
    pub fn new(limit: TimeLimit) -> Self {
        Self { limit, moved: AtomicU64::new(0) }
    }

    /// Restarts an idle time-out: bytes were sent or received.
    pub fn bytes_moved(&self) {
        self.moved.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits until `timeout` has passed. Never returns if it is zero.
    pub async fn expired(&self, timeout: Duration) {
        if timeout.is_zero() {
            return std::future::pending().await;
        }
        let (mut left, mut seen) = (timeout, 0);
        while !left.is_zero() {
            let step = left.min(TICK);
            tokio::time::sleep(step).await;
            left -= step;
            let moved = self.moved.load(Ordering::Relaxed);
            if self.limit == TimeLimit::Idle && moved != seen {
                (left, seen) = (timeout, moved);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_byte_does_not_extend_the_limit_of_a_whole_attempt() {
        let (timer, start) = (AttemptTimer::new(TimeLimit::Whole), Instant::now());
        let bytes = async {
            loop {
                tokio::time::sleep(Duration::from_millis(300)).await;
                timer.bytes_moved();
            }
        };
        tokio::select! {
            () = timer.expired(Duration::from_millis(1050)) => {}
            () = bytes => {}
        }
        assert!((1050..1100).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn each_byte_restarts_the_idle_limit() {
        let (timer, start) = (AttemptTimer::new(TimeLimit::Idle), Instant::now());
        let bytes = async {
            for _ in 0..10 {
                tokio::time::sleep(Duration::from_millis(300)).await;
                timer.bytes_moved();
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = timer.expired(Duration::from_secs(1)) => {}
            () = bytes => {}
        }
        assert!((4000..4300).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_zero_timeout_never_expires() {
        let timer = AttemptTimer::new(TimeLimit::Whole);
        let waited = tokio::time::timeout(Duration::from_secs(86_400), timer.expired(Duration::ZERO)).await;
        assert!(waited.is_err());
    }
}
