//! How many requests may be in flight: slow start, then additive increase and multiplicative decrease (AIMD), as in TCP.
//!
//! A refusal or an overload shrinks the limit, at most once for the requests of one round trip. So does a service that
//! answers more slowly, see [`LatencyWatch`]. The limit grows only while it is used.

use std::time::Duration;

use tokio::time::Instant;

use super::latency::{LatencyRound, LatencyWatch};
use crate::Concurrency;

/// Where the limit starts, and the lowest start of a fixed number.
const START: f64 = 4.0;
/// The highest start of a fixed number.
const MAX_START: f64 = 8.0;
/// A run that starts with [`MAX_START`] requests grows to this many in its first round trip, see [`QUICK_STEP`].
const QUICK_UNTIL: f64 = 32.0;
/// What an answer of that round trip adds.
const QUICK_STEP: f64 = 3.0;
/// The share of the limit that is left after a refusal.
const SHRINK: f64 = 0.7;
/// The limit never shrinks below this.
const FLOOR: f64 = 2.0;
/// Above this `auto` grows by time and not by answers, so that few requests are refused when a burst is used up.
const FAST_AUTO: f64 = 8.0;
/// The share by which `auto` grows in a second.
const GROWTH_PER_SECOND: f64 = 1.0;

/// The number of requests that may be in flight.
#[derive(Debug)]
pub struct ConcurrencyLimit {
    limit: f64,
    cap: f64,
    /// What each answer adds during slow start, up to `fast_until`.
    step: f64,
    /// Up to this limit it adds [`QUICK_STEP`].
    quick_until: f64,
    fast_until: f64,
    grown: Option<Instant>,
    /// Slow start ends here.
    threshold: f64,
    /// When the limit last shrank. Requests sent earlier do not shrink it again.
    shrunk: Option<Instant>,
    /// When the current round trip began: it ends with the answer to a request that was sent later.
    round: Option<Instant>,
    /// The most requests in flight in this round trip and in the one before.
    peaks: [u32; 2],
    latency: LatencyWatch,
}

impl ConcurrencyLimit {
    /// Returns a limit that starts low and grows to what `concurrency` allows.
    pub fn new(concurrency: Concurrency) -> Self {
        let cap = f64::from(concurrency.max().max(1));
        let (start, fast_until) = match concurrency {
            Concurrency::AtMost(_) => ((cap / 4.0).clamp(START, MAX_START), cap),
            Concurrency::Auto => (START, FAST_AUTO),
        };
        Self {
            limit: start.min(cap),
            cap,
            step: start / MAX_START,
            quick_until: if start < MAX_START { 0.0 } else { QUICK_UNTIL },
            fast_until,
            grown: None,
            threshold: cap,
            shrunk: None,
            round: None,
            peaks: [0; 2],
            latency: LatencyWatch::default(),
        }
    }

    /// Returns how many requests may be in flight.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn get(&self) -> u32 {
        // Between 1 and 256.
        self.limit as u32
    }

    /// Records that a request starts, which makes `in_flight` of them.
    pub fn started(&mut self, in_flight: u32) {
        self.peaks[0] = self.peaks[0].max(in_flight);
    }

    /// Records an answer. `latency` is that of a request that can be compared with others.
    pub fn answered(&mut self, now: Instant, sent: Instant, in_flight: u32, latency: Option<Duration>) {
        if let Some(latency) = latency.filter(|_| self.shrunk.is_none_or(|shrunk| sent >= shrunk)) {
            self.latency.add(latency);
        }
        self.grow(now);
        if self.round.is_none_or(|start| sent >= start) {
            let is_used = self.peaks[0].max(self.peaks[1]) + 1 >= self.get();
            self.round = Some(now);
            self.peaks = [in_flight, self.peaks[0]];
            match self.latency.end_round(self.limit, is_used) {
                LatencyRound::Continue => {}
                LatencyRound::Shrink(share) => self.shrink(now, share),
                LatencyRound::Restore(limit) => self.threshold = limit.min(self.cap),
            }
        }
    }

    /// Records that a request was refused, or lost its connection. Returns whether the limit shrank.
    pub fn congested(&mut self, now: Instant, sent: Instant) -> bool {
        if self.shrunk.is_some_and(|shrunk| sent < shrunk) {
            return false;
        }
        self.latency.reset();
        self.shrink(now, SHRINK);
        true
    }

    fn grow(&mut self, now: Instant) {
        let since = self.grown.replace(now).map_or(0.0, |grown| now.saturating_duration_since(grown).as_secs_f64());
        let peak = self.peaks[0].max(self.peaks[1]);
        let is_slow_start = self.limit < self.threshold;
        let is_quick = is_slow_start && self.limit < self.quick_until;
        // During slow start the limit grows with each answer, so the requests in flight lag behind it.
        let is_used = match (is_quick, is_slow_start) {
            (true, _) => 4 * peak > self.get(),
            (false, true) => 2 * peak > self.get(),
            (false, false) => peak + 1 >= self.get(),
        };
        if !is_used || !self.latency.allows_growth(is_slow_start) {
            return;
        }
        let step = match is_slow_start {
            true if is_quick => QUICK_STEP.min(self.quick_until - self.limit),
            true if self.limit < self.fast_until => self.step,
            true => self.limit * GROWTH_PER_SECOND * since.min(1.0),
            false => 1.0 / self.limit,
        };
        self.limit = (self.limit + step).min(self.cap);
    }

    fn shrink(&mut self, now: Instant, share: f64) {
        self.limit = (self.limit * share).max(FLOOR).min(self.limit);
        self.threshold = self.limit;
        self.shrunk = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers `rounds` round trips of as many requests as the limit allows.
    fn answer_rounds(limit: &mut ConcurrencyLimit, now: &mut Instant, rounds: usize) {
        for _ in 0..rounds {
            let (sent, count) = (*now, limit.get());
            (1..=count).for_each(|n| limit.started(n));
            *now += Duration::from_millis(50);
            (0..count).rev().for_each(|left| limit.answered(*now, sent, left, None));
        }
    }

    #[test]
    fn grows_to_the_cap_and_no_further() {
        let mut now = Instant::now();
        let mut limit = ConcurrencyLimit::new(Concurrency::AtMost(8));
        assert_eq!(limit.get(), 4);
        answer_rounds(&mut limit, &mut now, 1);
        assert_eq!(limit.get(), 6);
        answer_rounds(&mut limit, &mut now, 1);
        assert_eq!(limit.get(), 8);
        answer_rounds(&mut limit, &mut now, 50);
        assert_eq!(limit.get(), 8);
        let mut limit = ConcurrencyLimit::new(Concurrency::AtMost(32));
        assert_eq!(limit.get(), 8);
        answer_rounds(&mut limit, &mut now, 1);
        assert_eq!(limit.get(), 32);
        let mut limit = ConcurrencyLimit::new(Concurrency::AtMost(100));
        answer_rounds(&mut limit, &mut now, 2);
        assert_eq!(limit.get(), 64);
        answer_rounds(&mut limit, &mut now, 1);
        assert_eq!(limit.get(), 100);
        assert_eq!(ConcurrencyLimit::new(Concurrency::AtMost(1)).get(), 1);
    }

    #[test]
    fn auto_grows_to_64() {
        let mut now = Instant::now();
        let mut limit = ConcurrencyLimit::new(Concurrency::Auto);
        answer_rounds(&mut limit, &mut now, 2);
        assert_eq!(limit.get(), 8);
        answer_rounds(&mut limit, &mut now, 20);
        assert!((18..=22).contains(&limit.get()), "{} after a second", limit.get());
        answer_rounds(&mut limit, &mut now, 60);
        assert_eq!(limit.get(), 64);
    }

    #[test]
    fn shrinks_once_for_the_requests_of_a_round_trip_and_then_grows_by_one() {
        let mut now = Instant::now();
        let mut limit = ConcurrencyLimit::new(Concurrency::AtMost(20));
        answer_rounds(&mut limit, &mut now, 3);
        let sent = now;
        now += Duration::from_millis(50);
        assert!(limit.congested(now, sent));
        assert_eq!(limit.get(), 14);
        assert!(!limit.congested(now + Duration::from_millis(5), sent));
        assert_eq!(limit.get(), 14);
        answer_rounds(&mut limit, &mut now, 1);
        assert_eq!(limit.get(), 14, "14 answers add 14 times less than 1/14");
        answer_rounds(&mut limit, &mut now, 2);
        assert_eq!(limit.get(), 16);
    }

    #[test]
    fn never_shrinks_below_the_floor() {
        let mut now = Instant::now();
        for (cap, floor) in [(8, 2), (1, 1)] {
            let mut limit = ConcurrencyLimit::new(Concurrency::AtMost(cap));
            for _ in 0..20 {
                now += Duration::from_secs(1);
                limit.congested(now, now);
            }
            assert_eq!(limit.get(), floor);
        }
    }

    #[test]
    fn does_not_grow_while_it_is_not_used() {
        let mut now = Instant::now();
        let mut limit = ConcurrencyLimit::new(Concurrency::AtMost(64));
        for _ in 0..100 {
            let sent = now;
            limit.started(1);
            now += Duration::from_millis(50);
            limit.answered(now, sent, 0, None);
        }
        assert_eq!(limit.get(), 8);
    }
}
