//! The limits of sending as a state machine without a clock: what happens goes in with its time, and it says what may start.

use std::time::Duration;

use tokio::time::Instant;

use super::concurrency::ConcurrencyLimit;
use super::pace::Pace;
use crate::Concurrency;

/// How late a start under `--rate` may be without delaying the ones after it: what timers and schedulers need.
const RATE_SLACK: Duration = Duration::from_millis(2);
/// The same for a learned rate, which is below what the service allows.
const PACE_SLACK: Duration = Duration::from_millis(200);

/// Whether the next request may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStart {
    /// It starts now.
    Now,
    /// Not before this time.
    At(Instant),
    /// Not before another one has ended.
    AfterAnother,
}

/// How a request ended, as far as it matters for the ones after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendOutcome {
    /// With an answer. With the latency if it can be compared with that of others.
    Answered(Option<Duration>),
    /// The service allows fewer requests per second.
    Refused,
    /// The service is overloaded, or the connection was lost.
    Overloaded,
    /// Without a statement about the service.
    Nothing,
}

/// What the limits in force are after they have changed because of a refusal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewLimits {
    /// Requests in flight.
    pub concurrency: u32,
    /// Requests per second.
    pub per_second: Option<f64>,
}

/// All limits of sending.
#[derive(Debug)]
pub struct Sending {
    concurrency: ConcurrencyLimit,
    pace: Pace,
    paced: Spacing,
    /// The interval that `--rate` demands.
    interval: Option<Duration>,
    spaced: Spacing,
    /// No request starts before this time: the service asked for a pause.
    paused_until: Option<Instant>,
    in_flight: u32,
    /// Whether a request has waited for its start since the last one.
    has_waited: bool,
    /// Whether the limit has shrunk, or the rate was learned, since that was last reported.
    changed: bool,
}

impl Sending {
    /// Allows `concurrency` requests at once, and `rate` requests per second.
    pub fn new(concurrency: Concurrency, rate: Option<f64>) -> Self {
        Self {
            concurrency: ConcurrencyLimit::new(concurrency),
            pace: Pace::default(),
            paced: Spacing::default(),
            interval: rate.map(|rate| Duration::from_secs_f64(1.0 / rate)),
            spaced: Spacing::default(),
            paused_until: None,
            in_flight: 0,
            has_waited: false,
            changed: false,
        }
    }

    /// Returns how many requests may be in flight.
    pub fn concurrency(&self) -> u32 {
        self.concurrency.get()
    }

    /// Starts a request if it may start.
    pub fn start(&mut self, now: Instant) -> NextStart {
        let next = self.next(now);
        if next != NextStart::Now {
            self.has_waited = true;
            return next;
        }
        self.pace.started(now, self.in_flight == 0 && !self.has_waited);
        if let Some(interval) = self.interval {
            self.spaced.start(now, interval, RATE_SLACK);
        }
        if let Some(interval) = self.pace.interval(now) {
            self.paced.start(now, interval, PACE_SLACK);
        }
        self.has_waited = false;
        self.in_flight += 1;
        self.concurrency.started(self.in_flight);
        NextStart::Now
    }

    fn next(&mut self, now: Instant) -> NextStart {
        if let Some(until) = self.paused_until.filter(|until| *until > now) {
            return NextStart::At(until);
        }
        if self.pace.settle(now) {
            self.paced.reset();
            self.changed = true;
        }
        if self.in_flight >= self.concurrency.get() {
            return NextStart::AfterAnother;
        }
        match self.spaced.wait_until(now).max(self.paced.wait_until(now)) {
            Some(until) => NextStart::At(until),
            None => NextStart::Now,
        }
    }

    /// Ends a request that started at `sent`.
    pub fn end(&mut self, now: Instant, sent: Instant, outcome: SendOutcome) {
        let in_flight = self.in_flight;
        self.in_flight = in_flight.saturating_sub(1);
        match outcome {
            SendOutcome::Answered(latency) => {
                self.pace.accepted(now, sent);
                self.concurrency.answered(now, sent, self.in_flight, latency);
            }
            SendOutcome::Refused => {
                self.pace.refused(now, sent, in_flight);
                self.changed |= self.concurrency.congested(now, sent);
            }
            SendOutcome::Overloaded => self.changed |= self.concurrency.congested(now, sent),
            SendOutcome::Nothing => {}
        }
    }

    /// Delays all requests until `wait` has passed.
    pub fn pause(&mut self, now: Instant, wait: Duration) {
        let Some(until) = now.checked_add(wait) else { return };
        self.pace.paused(wait);
        if self.paused_until.is_none_or(|paused| paused < until) {
            self.paused_until = Some(until);
        }
    }

    /// Returns the limits in force, once after each change because of a refusal.
    pub fn take_change(&mut self, now: Instant) -> Option<NewLimits> {
        std::mem::take(&mut self.changed)
            .then(|| NewLimits { concurrency: self.concurrency.get(), per_second: self.pace.per_second(now) })
    }
}

/// When the next request may start, so that requests are an interval apart.
#[derive(Debug, Default)]
pub struct Spacing {
    next: Option<Instant>,
}

impl Spacing {
    /// Returns when the next request may start; `None` if it may start now.
    pub fn wait_until(&self, now: Instant) -> Option<Instant> {
        self.next.filter(|next| *next > now)
    }

    /// Records that a request starts now. The next may start an `interval` later.
    ///
    /// A start that was late by up to `slack`, as timers are, does not delay the ones after it.
    pub fn start(&mut self, now: Instant, interval: Duration, slack: Duration) {
        let due = self.next.map_or(now, |next| next.max(now.checked_sub(slack).unwrap_or(now)));
        self.next = due.checked_add(interval);
    }

    /// Starts over: the next request may start at any time.
    pub fn reset(&mut self) {
        self.next = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_late_start_within_the_slack_does_not_delay_the_next() {
        let start = Instant::now();
        let mut spacing = Spacing::default();
        assert_eq!(spacing.wait_until(start), None);
        spacing.start(start, 10 * MS, 2 * MS);
        assert_eq!(spacing.wait_until(start), Some(start + 10 * MS));
        spacing.start(start + 11 * MS, 10 * MS, 2 * MS);
        assert_eq!(spacing.wait_until(start + 11 * MS), Some(start + 20 * MS));
        spacing.start(start + 100 * MS, 10 * MS, 2 * MS);
        assert_eq!(spacing.wait_until(start + 100 * MS), Some(start + 108 * MS));
    }
}
