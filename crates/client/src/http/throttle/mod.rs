//! Limits requests: how many at once, how many per second, when all of them pause, and how long to wait in total.
//!
//! Input: starts and ends of requests, and pauses that the service asks for. Output: when the next request may start. The
//! limits adapt to what the service accepts, see [`concurrency`] and [`pace`]; what is retried is decided elsewhere.

mod accepted;
mod concurrency;
mod latency;
mod pace;
mod sending;
#[cfg(test)]
mod simulation;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tulk_base::limits;

pub use self::sending::{NewLimits, SendOutcome};
use self::sending::{NextStart, Sending};
use crate::Concurrency;

/// The limits that all requests of a command share.
#[derive(Debug)]
pub struct Throttle {
    /// Held by the first request that waits for its start. Those behind it wait in order.
    turn: tokio::sync::Mutex<()>,
    /// Told when a request has ended.
    ended: Notify,
    sending: Mutex<Sending>,
    waits: Mutex<TotalWait>,
}

/// The time waited so far, by one request or by all.
#[derive(Debug, Default)]
pub struct TotalWait {
    /// Total time waited so far. Waits that overlap count once.
    waited: Duration,
    /// The time up to which `waited` counts.
    waited_until: Option<Instant>,
}

/// A request in flight. Dropping it ends the request without a statement about the service.
#[derive(Debug)]
pub struct SendPermit<'a> {
    throttle: &'a Throttle,
    sent: Instant,
    outcome: SendOutcome,
}

impl SendPermit<'_> {
    /// Returns how long ago the request started.
    pub fn elapsed(&self) -> Duration {
        self.sent.elapsed()
    }

    /// Ends the request.
    pub fn end(mut self, outcome: SendOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for SendPermit<'_> {
    fn drop(&mut self) {
        lock(&self.throttle.sending).end(Instant::now(), self.sent, self.outcome);
        self.throttle.ended.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Throttle {
    /// Allows `concurrency` requests at once, and `rate` requests per second.
    pub fn new(concurrency: Concurrency, rate: Option<f64>) -> Self {
        Self {
            turn: tokio::sync::Mutex::new(()),
            ended: Notify::new(),
            sending: Mutex::new(Sending::new(concurrency, rate)),
            waits: Mutex::default(),
        }
    }

    /// Returns how many requests may be in flight now.
    pub fn concurrency(&self) -> usize {
        usize::try_from(lock(&self.sending).concurrency()).unwrap_or(usize::MAX)
    }

    /// Waits until a request may start: after those that waited before it, and after a shared pause, as all limits allow.
    pub async fn start(&self) -> SendPermit<'_> {
        let _turn = self.turn.lock().await;
        loop {
            let now = Instant::now();
            let next = lock(&self.sending).start(now);
            match next {
                NextStart::Now => return SendPermit { throttle: self, sent: now, outcome: SendOutcome::Nothing },
                NextStart::At(time) => tokio::time::sleep_until(time).await,
                NextStart::AfterAnother => self.ended.notified().await,
            }
        }
    }

    /// Delays all requests until `wait` has passed.
    pub fn pause(&self, wait: Duration) {
        lock(&self.sending).pause(Instant::now(), wait);
    }

    /// Returns the limits in force, once after each change because of a refusal.
    pub fn take_change(&self) -> Option<NewLimits> {
        lock(&self.sending).take_change(Instant::now())
    }

    /// Reserves time for a wait of all requests that starts now, see [`TotalWait::reserve`].
    pub fn reserve_wait(&self, wait: Duration, limit: Duration) -> bool {
        lock(&self.waits).reserve(wait, limit)
    }

    /// Reserves time for the wait of a request before a retry. Fails with the limit that it would exceed.
    ///
    /// `max_wait` holds for all requests together. Without it, each request has a limit of its own: a service with a rate
    /// limit asks for a short pause again and again, and in a run of some hours they add up.
    pub fn reserve_retry(
        &self,
        wait: Duration,
        max_wait: Option<Duration>,
        own: &mut TotalWait,
    ) -> Result<(), Duration> {
        let (is_reserved, limit) = match max_wait {
            Some(limit) => (self.reserve_wait(wait, limit), limit),
            None => (own.reserve(wait, limits::RETRY_WAIT), limits::RETRY_WAIT),
        };
        if is_reserved { Ok(()) } else { Err(limit) }
    }
}

impl TotalWait {
    /// Reserves time for a wait that starts now. Returns false, and reserves nothing, if the total would exceed `limit`.
    pub fn reserve(&mut self, wait: Duration, limit: Duration) -> bool {
        let now = Instant::now();
        // A time that the clock cannot express is past every limit.
        let Some(until) = now.checked_add(wait) else { return false };
        let from = self.waited_until.map_or(now, |t| t.max(now));
        let added = until.saturating_duration_since(from);
        let waited = self.waited.saturating_add(added);
        if waited > limit {
            return false;
        }
        self.waited = waited;
        self.waited_until = Some(self.waited_until.map_or(until, |t| t.max(until)));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle(rate: Option<f64>) -> Throttle {
        Throttle::new(Concurrency::AtMost(4), rate)
    }

    #[tokio::test]
    async fn waits_that_overlap_count_once() {
        let throttle = throttle(None);
        let limit = Duration::from_secs(11);
        assert!(throttle.reserve_wait(Duration::from_secs(6), limit));
        assert!(throttle.reserve_wait(Duration::from_secs(6), limit), "the same six seconds");
        assert!(throttle.reserve_wait(Duration::from_secs(10), limit), "four more");
        assert!(!throttle.reserve_wait(Duration::from_secs(12), limit));
    }

    #[tokio::test(start_paused = true)]
    async fn short_pauses_of_many_requests_end_no_run_unless_the_user_says_so() {
        let throttle = throttle(None);
        let second = Duration::from_secs(1);
        let limit = Duration::from_secs(300);
        for number in 0..1000 {
            assert_eq!(throttle.reserve_retry(second, None, &mut TotalWait::default()), Ok(()), "{number}");
            tokio::time::advance(20 * second).await;
        }
        let mut own = TotalWait::default();
        assert_eq!(throttle.reserve_retry(200 * second, None, &mut own), Ok(()));
        tokio::time::advance(200 * second).await;
        assert_eq!(throttle.reserve_retry(101 * second, None, &mut own), Err(limit));
        for number in 0..1000 {
            let reserved = throttle.reserve_retry(second, Some(limit), &mut TotalWait::default());
            assert_eq!(reserved, if number < 300 { Ok(()) } else { Err(limit) }, "{number}");
            tokio::time::advance(20 * second).await;
        }
    }

    #[tokio::test]
    async fn a_wait_beyond_the_clock_is_past_every_limit() {
        let throttle = throttle(None);
        for wait in [Duration::MAX, Duration::from_secs(i64::MAX.unsigned_abs())] {
            assert!(!throttle.reserve_wait(wait, Duration::MAX), "{wait:?}");
            throttle.pause(wait);
        }
        throttle.start().await;
        assert!(throttle.reserve_wait(Duration::from_secs(1), Duration::MAX));
    }

    #[tokio::test(start_paused = true)]
    async fn one_pause_delays_all_requests() {
        let throttle = throttle(None);
        let start = Instant::now();
        throttle.pause(Duration::from_millis(30));
        tokio::join!(throttle.start(), throttle.start());
        assert!((30..35).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn the_rate_spaces_requests_evenly() {
        let throttle = throttle(Some(100.0));
        let start = Instant::now();
        for n in 0..50 {
            throttle.start().await;
            let ms = start.elapsed().as_millis();
            assert!((n * 10..=n * 10 + 2).contains(&ms), "request {n} after {ms} ms");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn requests_start_in_the_order_in_which_they_came() {
        let throttle = throttle(None);
        let mut permits = Vec::new();
        for _ in 0..4 {
            permits.push(throttle.start().await);
        }
        let started = Mutex::new(Vec::new());
        let request = async |n: u32| {
            let permit = throttle.start().await;
            lock(&started).push(n);
            tokio::time::sleep(Duration::from_millis(5)).await;
            drop(permit);
        };
        let end = async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            assert!(lock(&started).is_empty());
            permits.clear();
        };
        tokio::join!(request(1), request(2), request(3), request(4), request(5), request(6), end);
        assert_eq!(*lock(&started), [1, 2, 3, 4, 5, 6]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_gave_up_its_turn_holds_up_nobody() {
        let throttle = throttle(None);
        let mut permits = Vec::new();
        for _ in 0..4 {
            permits.push(throttle.start().await);
        }
        let given_up = tokio::time::timeout(Duration::from_millis(5), throttle.start()).await;
        assert!(given_up.is_err());
        permits.pop();
        let started = tokio::time::timeout(Duration::from_millis(5), throttle.start()).await;
        assert!(started.is_ok());
    }
}
