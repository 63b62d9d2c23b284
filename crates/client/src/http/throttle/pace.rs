//! Learns from refusals (429) how many requests per second the service allows.
//!
//! The limit is estimated as the number of requests accepted before a refusal, divided by the time from the first of them to the end of
//! the pause. Requests are then sent at slightly less than that rate. To find a higher limit, the rate grows as in CUBIC: slowly at first,
//! during the plateau, and faster later.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// Share of the measured rate at which requests are sent.
const RATE_SHARE: f64 = 0.98;
/// A refusal never lowers a learned rate below this share of it.
const MIN_KEPT_SHARE: f64 = 0.7;
/// Number of refusals needed to learn a rate. If fewer requests are in flight, that many are enough. A single refusal is often chance.
const MIN_REFUSED: u32 = 3;
/// After this many consecutive refusals, each soon after the rate was lowered, the rate is no longer considered their cause.
const MAX_SOON_REFUSALS: u32 = 4;
/// Share by which the rate has grown at the end of a plateau.
const PLATEAU_GROWTH: f64 = 0.02;
/// Minimum length of a plateau: in seconds, in requests and in pauses.
const PLATEAU_SECONDS: f64 = 6.0;
const PLATEAU_REQUESTS: f64 = 60.0;
const PLATEAU_PAUSES: f64 = 5.0;
/// Number of periods in a plateau. Accepted requests are counted per period.
const PLATEAU_PERIODS: u8 = 6;

#[derive(Debug, Default)]
pub struct Pace {
    learned: Option<LearnedRate>,
    /// Requests accepted since the last pause, by period. Covers at most the last two plateaus.
    accepted: VecDeque<AcceptedPeriod>,
    refusals: Option<Refusals>,
    soon_refusals: u32,
    /// Whether the refusals continued after the rate was lowered. If so, [`MIN_REFUSED`] applies even if fewer requests are in flight.
    is_rate_doubtful: bool,
}

#[derive(Clone, Copy, Debug)]
struct LearnedRate {
    per_second: f64,
    since: Instant,
    /// Length of a plateau in seconds.
    plateau: f64,
}

#[derive(Clone, Copy, Debug)]
struct AcceptedPeriod {
    since: Instant,
    requests: f64,
}

/// Refusals that lead to the same pause.
#[derive(Debug)]
struct Refusals {
    at: Instant,
    in_flight: u32,
    refused: u32,
}

impl LearnedRate {
    /// Returns the time since the rate was learned, as a number of plateaus.
    fn age(self, now: Instant) -> f64 {
        now.saturating_duration_since(self.since).as_secs_f64() / self.plateau
    }

    fn at(self, now: Instant) -> f64 {
        self.per_second * (1.0 + PLATEAU_GROWTH * self.age(now).powi(3))
    }
}

impl Pace {
    pub fn per_second(&self, now: Instant) -> Option<f64> {
        self.learned.map(|rate| rate.at(now))
    }

    /// Returns the time between two starts. `None` if no rate has been learned.
    pub fn interval(&self, now: Instant) -> Option<Duration> {
        self.per_second(now).map(|rate| Duration::try_from_secs_f64(1.0 / rate).unwrap_or(Duration::MAX))
    }

    pub fn record_start(&mut self, now: Instant) {
        let period = self.learned.map_or(PLATEAU_SECONDS, |rate| rate.plateau) / f64::from(PLATEAU_PERIODS);
        let last = self.accepted.back();
        if last.is_none_or(|last| now.saturating_duration_since(last.since).as_secs_f64() > period) {
            if self.accepted.len() == 2 * usize::from(PLATEAU_PERIODS) {
                self.accepted.pop_front();
            }
            self.accepted.push_back(AcceptedPeriod { since: now, requests: 0.0 });
        }
    }

    pub fn record_accepted(&mut self, sent: Instant) {
        if let Some(accepted) = self.accepted.iter_mut().rev().find(|accepted| accepted.since <= sent) {
            accepted.requests += 1.0;
        }
    }

    pub fn record_refused(&mut self, now: Instant, sent: Instant, in_flight: u32) {
        match &mut self.refusals {
            Some(refusals) => refusals.refused += 1,
            // The request was sent before the last pause, so its refusal shows nothing new.
            None if self.accepted.front().is_none_or(|first| sent < first.since) => {}
            None => self.refusals = Some(Refusals { at: now, in_flight, refused: 1 }),
        }
    }

    /// Learns from the refusals when their pause ends. Returns whether there were any.
    pub fn settle(&mut self, paused_until: Option<Instant>) -> bool {
        let Some(refusals) = self.refusals.take() else { return false };
        let accepted = std::mem::take(&mut self.accepted);
        if let Some(until) = paused_until.filter(|until| *until > refusals.at) {
            // During the pause, the service saves up unused requests, usually at least one second's worth, and later accepts them in
            // addition to its limit. So the pause counts as part of the measured time, which lasts from the start of a period to the end
            // of the pause. Each period gives a rate; the highest one is used. `requests` starts at 1, because the limit may allow one
            // request more than were accepted.
            let (mut requests, mut measured) = (1.0, 0.0_f64);
            for period in accepted.iter().rev() {
                requests += period.requests;
                measured =
                    measured.max(requests / until.saturating_duration_since(period.since).as_secs_f64().max(1.0));
            }
            self.learn(&refusals, measured, until);
        }
        true
    }

    fn learn(&mut self, refusals: &Refusals, measured: f64, until: Instant) {
        let enough = if self.is_rate_doubtful { MIN_REFUSED } else { MIN_REFUSED.min(refusals.in_flight) };
        let allowed = match self.learned {
            None if refusals.refused < enough => return,
            None => measured,
            Some(rate) => {
                self.soon_refusals = if rate.age(refusals.at) < 0.8 { self.soon_refusals + 1 } else { 0 };
                if self.soon_refusals == MAX_SOON_REFUSALS {
                    (self.soon_refusals, self.learned, self.is_rate_doubtful) = (0, None, true);
                    return;
                }
                let rate = rate.at(refusals.at);
                measured.clamp(MIN_KEPT_SHARE * rate, rate)
            }
        };
        let per_second = RATE_SHARE * allowed;
        let pause = until.saturating_duration_since(refusals.at).as_secs_f64();
        let plateau = PLATEAU_SECONDS.max(PLATEAU_REQUESTS / per_second).max(PLATEAU_PAUSES * pause);
        self.learned = Some(LearnedRate { per_second, since: until, plateau });
    }
}
