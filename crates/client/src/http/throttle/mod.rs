//! Decides how many requests may be in flight, how many start per second, when all of them pause, and how long they may wait in total.
//!
//! The number in flight grows additively with answers and shrinks multiplicatively with refusals and overloads (AIMD). [`pace`] learns the
//! rate from refusals.

mod pace;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tulk_base::limits;

use self::pace::Pace;
use crate::Concurrency;

/// Minimum and maximum of the initial number in flight, which is a quarter of a fixed `--concurrency`. `auto` starts at the minimum.
const INITIAL_CONCURRENCY: (f64, f64) = (4.0, 8.0);
/// Increase of the number in flight after each answer, until the number first shrinks. Used for a fixed `--concurrency`.
const FAST_GROWTH: f64 = 3.0;
/// Factor of the number in flight after a refusal or overload.
const SHRINK_FACTOR: f64 = 0.7;
/// A refusal or overload never lowers the number in flight below this.
const MIN_CONCURRENCY: f64 = 2.0;
/// How late a request may start under `--rate` without delaying those after it. Covers the inaccuracy of timers and schedulers.
const RATE_SLACK: Duration = Duration::from_millis(2);
/// Like [`RATE_SLACK`], for a learned rate. Larger, because a learned rate is below the service's limit.
const PACE_SLACK: Duration = Duration::from_millis(200);

/// The limits shared by all requests of a command.
#[derive(Debug)]
pub struct Throttle {
    /// Held by the first request in line. The requests behind it wait in order.
    turn: tokio::sync::Mutex<()>,
    ended: Notify,
    limits: Mutex<Limits>,
    waits: Mutex<TotalWait>,
}

#[derive(Debug)]
struct Limits {
    /// Number of requests that may be in flight, rounded down when it is used. The fraction lets small increases add up.
    concurrency: f64,
    allowed: Concurrency,
    in_flight: u32,
    /// When the concurrency last shrank. Requests sent before that do not shrink it again.
    last_shrunk: Option<Instant>,
    pace: Pace,
    /// Minimum time between two starts under `--rate`.
    interval: Option<Duration>,
    /// The rate allows no request to start before this time.
    next_start: Option<Instant>,
    paused_until: Option<Instant>,
    /// Whether a refusal or overload has changed the limits since the last report.
    has_unreported_change: bool,
}

/// How a request ended, as input for the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendOutcome {
    Answered,
    /// The service answered 429: it allows fewer requests per second.
    Refused,
    Overloaded,
    /// The request failed for a reason that does not depend on the load of the service.
    Inconclusive,
}

/// The limits in force after a refusal or overload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewLimits {
    pub concurrency: usize,
    pub per_second: Option<f64>,
}

/// The total time waited, by one request or by all.
#[derive(Debug, Default)]
pub struct TotalWait {
    /// Total so far. Overlapping waits count once.
    waited: Duration,
    /// End of the last wait counted in `waited`.
    waited_until: Option<Instant>,
}

/// A request in flight. Dropping it ends the request with [`SendOutcome::Inconclusive`].
#[derive(Debug)]
pub struct SendPermit<'a> {
    throttle: &'a Throttle,
    sent: Instant,
    outcome: SendOutcome,
}

impl SendPermit<'_> {
    pub fn elapsed(&self) -> Duration {
        self.sent.elapsed()
    }

    pub fn end(mut self, outcome: SendOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for SendPermit<'_> {
    fn drop(&mut self) {
        lock(&self.throttle.limits).end(Instant::now(), self.sent, self.outcome);
        self.throttle.ended.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Throttle {
    /// Creates a throttle that allows `concurrency` requests in flight and `rate` requests per second.
    pub fn new(concurrency: Concurrency, rate: Option<f64>) -> Self {
        Self {
            turn: tokio::sync::Mutex::new(()),
            ended: Notify::new(),
            limits: Mutex::new(Limits::new(concurrency, rate)),
            waits: Mutex::default(),
        }
    }

    pub fn concurrency(&self) -> usize {
        lock(&self.limits).concurrency()
    }

    /// Waits until all limits allow a request to start. Requests start in the order of their calls.
    pub async fn start(&self) -> SendPermit<'_> {
        let _turn = self.turn.lock().await;
        loop {
            let now = Instant::now();
            let started = lock(&self.limits).start(now);
            match started {
                Ok(()) => return SendPermit { throttle: self, sent: now, outcome: SendOutcome::Inconclusive },
                Err(Some(time)) => tokio::time::sleep_until(time).await,
                Err(None) => self.ended.notified().await,
            }
        }
    }

    pub fn pause(&self, wait: Duration) {
        let Some(until) = Instant::now().checked_add(wait) else { return };
        let mut limits = lock(&self.limits);
        limits.paused_until = limits.paused_until.max(Some(until));
    }

    /// Returns the limits in force if a refusal or overload has changed them since the last call.
    pub fn take_change(&self) -> Option<NewLimits> {
        let mut limits = lock(&self.limits);
        let per_second = limits.pace.per_second(Instant::now());
        std::mem::take(&mut limits.has_unreported_change)
            .then(|| NewLimits { concurrency: limits.concurrency(), per_second })
    }

    /// Reserves time in the total wait of all requests. See [`TotalWait::reserve`].
    pub fn reserve_wait(&self, wait: Duration, limit: Duration) -> bool {
        lock(&self.waits).reserve(wait, limit)
    }

    /// Reserves time for the wait of a request before a retry. Fails with the limit that would be exceeded. `max_wait` limits all requests
    /// together. Without it, each request has its own limit. A shared limit would be reached after some hours, because a service with a
    /// rate limit keeps asking for short pauses.
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

impl Limits {
    fn new(allowed: Concurrency, rate: Option<f64>) -> Self {
        let max = f64::from(allowed.max().max(1));
        let start = if allowed == Concurrency::Auto {
            INITIAL_CONCURRENCY.0
        } else {
            (max / 4.0).clamp(INITIAL_CONCURRENCY.0, INITIAL_CONCURRENCY.1).min(max)
        };
        Self {
            concurrency: start,
            allowed,
            in_flight: 0,
            last_shrunk: None,
            pace: Pace::default(),
            interval: rate.map(|rate| Duration::from_secs_f64(1.0 / rate)),
            next_start: None,
            paused_until: None,
            has_unreported_change: false,
        }
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 1 and 256
    fn concurrency(&self) -> usize {
        self.concurrency as usize
    }

    /// Starts a request if the limits allow it. Otherwise returns when to try again; `None` means when another request ends.
    fn start(&mut self, now: Instant) -> Result<(), Option<Instant>> {
        if let Some(until) = self.paused_until.filter(|until| *until > now) {
            return Err(Some(until));
        }
        if self.pace.settle(self.paused_until) {
            self.next_start = None;
            self.has_unreported_change = true;
        }
        if self.in_flight as usize >= self.concurrency() {
            return Err(None);
        }
        if let Some(next) = self.next_start.filter(|next| *next > now) {
            return Err(Some(next));
        }
        if let Some(interval) = self.interval.max(self.pace.interval(now)) {
            let slack = if self.interval.is_some() { RATE_SLACK } else { PACE_SLACK };
            let due = self.next_start.map_or(now, |next| next.max(now.checked_sub(slack).unwrap_or(now)));
            self.next_start = due.checked_add(interval);
        }
        self.pace.record_start(now);
        self.in_flight += 1;
        Ok(())
    }

    fn end(&mut self, now: Instant, sent: Instant, outcome: SendOutcome) {
        match outcome {
            SendOutcome::Answered => {
                self.pace.record_accepted(sent);
                self.grow(now.saturating_duration_since(sent));
            }
            SendOutcome::Refused => {
                self.pace.record_refused(now, sent, self.in_flight);
                self.shrink(now, sent);
            }
            SendOutcome::Overloaded => self.shrink(now, sent),
            SendOutcome::Inconclusive => {}
        }
        self.in_flight -= 1;
    }

    fn grow(&mut self, latency: Duration) {
        let step = match self.allowed {
            _ if self.last_shrunk.is_some() => 1.0 / self.concurrency,
            // Each answer adds its latency in seconds. So the number in flight grows by a factor of e per second, whatever the latency.
            Concurrency::Auto => latency.as_secs_f64().min(1.0),
            Concurrency::AtMost(_) => FAST_GROWTH,
        };
        self.concurrency = (self.concurrency + step).min(f64::from(self.allowed.max().max(1)));
    }

    fn shrink(&mut self, now: Instant, sent: Instant) {
        if self.last_shrunk.is_none_or(|last_shrunk| sent >= last_shrunk) {
            self.concurrency = (self.concurrency * SHRINK_FACTOR).max(MIN_CONCURRENCY).min(self.concurrency);
            self.last_shrunk = Some(now);
            self.has_unreported_change = true;
        }
    }
}

impl TotalWait {
    /// Reserves time for a wait that starts now. Returns false and reserves nothing if the total would exceed `limit`.
    pub fn reserve(&mut self, wait: Duration, limit: Duration) -> bool {
        let now = Instant::now();
        // The clock cannot express this time, so it exceeds every limit.
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
