//! How many requests per second the service allows, learned from its refusals (429).
//!
//! Between two refusals the service has accepted what its limit allows. Requests are then spaced at a little less than that
//! rate, which grows slowly at first and faster later, as in CUBIC: a limit that was lifted is found again.

use std::time::Duration;

use tokio::time::Instant;

use super::accepted::AcceptedRequests;

/// The share of the measured rate that is used.
const SHARE: f64 = 0.98;
/// The shortest plateau in seconds: at its end the rate is 2 percent higher, and from then on it grows fast.
const MIN_PLATEAU: f64 = 10.0;
/// Number of requests of a plateau, so that few of them are refused when the rate has grown too high.
const PLATEAU_REQUESTS: f64 = 150.0;
/// Number of pauses that a plateau is longer than one.
const PLATEAU_PAUSES: f64 = 5.0;
/// The growth at the end of a plateau.
const GROWTH: f64 = 0.02;
/// A refusal lowers a learned rate at most to this share.
const MAX_DECREASE: f64 = 0.8;
/// A refusal in this share of the plateau says that the learned rate is too high, or that it is not the reason.
const SOON: f64 = 0.8;
/// Number of refusals in a row, each soon after the one before, that end the learned rate.
const MAX_SOON: u32 = 4;
/// Number of requests refused in one round trip from which a rate is learned. Fewer if fewer were in flight.
const MIN_REFUSED: u32 = 3;
/// After this time without a request the service may accept a burst again.
const IDLE: Duration = Duration::from_secs(1);

/// The refusals of one round trip.
#[derive(Debug)]
struct RefusalEvent {
    /// When the first request that was refused was sent, and when it was refused.
    sent: Instant,
    at: Instant,
    /// How long no request starts.
    pause: Duration,
    in_flight: u32,
    refused: u32,
    /// Requests sent after the first refused one that were accepted.
    accepted_later: u32,
}

/// A learned rate.
#[derive(Clone, Copy, Debug)]
struct LearnedRate {
    per_second: f64,
    since: Instant,
    /// Duration of the plateau in seconds.
    plateau: f64,
}

impl LearnedRate {
    fn new(per_second: f64, since: Instant, pause: Duration) -> Self {
        let plateau = MIN_PLATEAU.max(PLATEAU_REQUESTS / per_second).max(PLATEAU_PAUSES * pause.as_secs_f64());
        Self { per_second, since, plateau }
    }

    fn plateaus(self, now: Instant) -> f64 {
        now.saturating_duration_since(self.since).as_secs_f64() / self.plateau
    }

    fn at(self, now: Instant) -> f64 {
        self.per_second * (1.0 + GROWTH * self.plateaus(now).powi(3))
    }
}

/// The rate at which requests are sent.
#[derive(Debug, Default)]
pub struct Pace {
    /// The requests since the refusals before.
    accepted: Option<AcceptedRequests>,
    event: Option<RefusalEvent>,
    learned: Option<LearnedRate>,
    /// The pause after the refusal before.
    pause_before: Option<Duration>,
    soon: u32,
    /// Whether refusals have come at any rate, so that a few of them prove nothing.
    is_doubtful: bool,
    last_answer: Option<Instant>,
}

impl Pace {
    /// Returns the time between two requests; `None` if they need not be spaced.
    pub fn interval(&self, now: Instant) -> Option<Duration> {
        self.learned.map(|rate| Duration::try_from_secs_f64(1.0 / rate.at(now)).unwrap_or(Duration::MAX))
    }

    /// Returns the learned number of requests per second.
    pub fn per_second(&self, now: Instant) -> Option<f64> {
        self.learned.map(|rate| rate.at(now))
    }

    /// Evaluates the last refusals once their pause is over. Returns whether there were any.
    pub fn settle(&mut self, now: Instant) -> bool {
        let Some(event) = self.event.take() else { return false };
        self.learn(&event, now);
        self.pause_before = Some(event.pause);
        self.accepted = None;
        true
    }

    /// Records that a request starts. `is_idle`: nothing was in flight, and nothing waited.
    pub fn started(&mut self, now: Instant, is_idle: bool) {
        if is_idle && self.last_answer.is_some_and(|last| now.saturating_duration_since(last) > IDLE) {
            self.accepted = None;
            self.pause_before = None;
        }
        self.accepted.get_or_insert_with(|| AcceptedRequests::new(now)).started(now);
    }

    /// Records that the service accepted a request.
    pub fn accepted(&mut self, now: Instant, sent: Instant) {
        self.last_answer = Some(now);
        if let Some(event) = self.event.as_mut().filter(|event| sent >= event.sent) {
            event.accepted_later += 1;
        }
        if let Some(accepted) = &mut self.accepted {
            accepted.accepted(sent);
        }
    }

    /// Records that the service refused a request, and how many were in flight.
    pub fn refused(&mut self, now: Instant, sent: Instant, in_flight: u32) {
        self.last_answer = Some(now);
        match &mut self.event {
            Some(event) => event.refused += 1,
            // A latecomer of the event before says nothing new.
            None if self.accepted.as_ref().is_none_or(|accepted| sent < accepted.since()) => {}
            None => {
                let pause = Duration::ZERO;
                self.event = Some(RefusalEvent { sent, at: now, pause, in_flight, refused: 1, accepted_later: 0 });
            }
        }
    }

    /// Records that the service, or chance, asks for a pause.
    pub fn paused(&mut self, wait: Duration) {
        if let Some(event) = &mut self.event {
            event.pause = event.pause.max(wait);
        }
    }

    fn learn(&mut self, event: &RefusalEvent, now: Instant) {
        let Some(accepted) = &self.accepted else { return };
        let pause = self.pause_before.unwrap_or_default().max(event.pause);
        if event.pause.is_zero() {
            return;
        }
        let measured = accepted.per_second(pause);
        let latency = event.at.saturating_duration_since(event.sent).as_secs_f64().max(1e-6);
        let attempted = f64::from(event.in_flight) / latency;
        let refused = f64::from(event.refused) / f64::from(event.refused + event.accepted_later);
        let is_soon = self.learned.is_some_and(|rate| rate.plateaus(event.at) < SOON);
        let enough = if self.is_doubtful { MIN_REFUSED } else { MIN_REFUSED.min(event.in_flight) };
        let learned = match self.per_second(event.at).filter(|rate| *rate <= 1.5 * attempted) {
            // Most requests are still accepted at a much higher rate: the rate is not the reason.
            None if refused < 0.5 && measured < attempted * (1.0 - refused) / 1.5 => return,
            None if event.refused < enough => return,
            None => measured,
            Some(_) if is_soon && self.soon + 1 >= MAX_SOON => {
                (self.soon, self.learned, self.is_doubtful) = (0, None, true);
                return;
            }
            Some(rate) => measured.clamp(MAX_DECREASE * rate, rate),
        };
        self.soon = if is_soon { self.soon + 1 } else { 0 };
        self.learned = Some(LearnedRate::new(SHARE * learned, now, event.pause));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const SECOND: Duration = Duration::from_secs(1);

    struct PaceTest {
        pace: Pace,
        now: Instant,
    }

    impl PaceTest {
        fn new() -> Self {
            Self { pace: Pace::default(), now: Instant::now() }
        }

        /// Sends a request every `every`, each accepted at once.
        fn accept(&mut self, count: u32, every: Duration) {
            for _ in 0..count {
                self.pace.started(self.now, false);
                self.pace.accepted(self.now, self.now);
                self.now += every;
            }
        }

        /// Sends requests at once. The first `refused` are refused 10 ms later, with a pause, which then ends.
        fn refuse(&mut self, refused: u32, accepted: u32, pause: Duration) {
            let sent = self.now;
            (0..refused + accepted).for_each(|_| self.pace.started(sent, false));
            self.now += 10 * MS;
            for left in 0..refused {
                self.pace.refused(self.now, sent, refused + accepted - left);
                self.pace.paused(pause);
            }
            (0..accepted).for_each(|_| self.pace.accepted(self.now, sent));
            self.now += pause;
            assert!(self.pace.settle(self.now) && !self.pace.settle(self.now));
        }

        fn rate(&self) -> f64 {
            self.pace.per_second(self.now).unwrap_or(f64::INFINITY)
        }
    }

    #[test]
    fn the_rate_is_what_was_accepted_from_the_first_request_to_the_end_of_the_pause() {
        let mut test = PaceTest::new();
        test.accept(40, 25 * MS);
        test.refuse(8, 0, SECOND);
        assert!((19.6..20.2).contains(&test.rate()), "98 percent of 20 or 20.5: {}", test.rate());
        assert_eq!(test.pace.interval(test.now).unwrap().as_millis(), 49);
    }

    #[test]
    fn the_learned_rate_hardly_grows_at_first_and_fast_later() {
        let rate = LearnedRate::new(20.0, Instant::now(), SECOND);
        let after = |seconds| rate.at(rate.since + seconds * SECOND);
        assert!((20.0..20.1).contains(&after(5)));
        assert!((20.39..20.41).contains(&after(10)));
        assert!((29.0..32.0).contains(&after(30)));
        assert!(after(60) > 100.0);
        let slow = LearnedRate::new(1.0, rate.since, SECOND);
        assert!((1.019..1.021).contains(&slow.at(rate.since + 150 * SECOND)), "150 requests");
        let long_pause = LearnedRate::new(20.0, rate.since, 60 * SECOND);
        assert!((20.39..20.41).contains(&long_pause.at(rate.since + 300 * SECOND)), "5 pauses");
    }

    #[test]
    fn one_refusal_among_many_answers_is_not_a_limit() {
        let mut test = PaceTest::new();
        test.accept(10, 6 * MS);
        test.refuse(1, 7, SECOND);
        assert!(test.rate().is_infinite());
        test.accept(10, 6 * MS);
        test.refuse(7, 1, SECOND);
        assert!(test.rate().is_finite());
    }

    #[test]
    fn requests_before_an_idle_time_do_not_count() {
        let mut test = PaceTest::new();
        test.accept(3, 60 * SECOND);
        test.pace.started(test.now, true);
        test.pace.accepted(test.now, test.now);
        test.accept(39, 25 * MS);
        test.refuse(8, 0, SECOND);
        assert!((18.0..21.0).contains(&test.rate()), "{}", test.rate());
    }

    #[test]
    fn a_learned_rate_decreases_by_a_fifth_at_most() {
        let mut test = PaceTest::new();
        test.accept(40, 25 * MS);
        test.refuse(8, 0, SECOND);
        let before = test.rate();
        test.refuse(1, 0, SECOND);
        assert!((0.78..0.79).contains(&(test.rate() / before)));
    }

    #[test]
    fn a_rate_that_is_not_the_reason_is_forgotten() {
        let mut test = PaceTest::new();
        test.accept(40, 25 * MS);
        test.refuse(8, 0, SECOND);
        for _ in 0..4 {
            assert!(test.rate().is_finite());
            test.accept(5, 60 * MS);
            test.refuse(1, 0, SECOND);
        }
        assert!(test.rate().is_infinite());
        test.accept(5, 60 * MS);
        test.refuse(2, 0, SECOND);
        assert!(test.rate().is_infinite(), "two of two prove nothing any more");
        test.accept(5, 60 * MS);
        test.refuse(3, 0, SECOND);
        assert!(test.rate().is_finite());
    }

    #[test]
    fn a_refusal_without_a_pause_changes_nothing() {
        let mut test = PaceTest::new();
        test.accept(40, 25 * MS);
        test.refuse(8, 0, Duration::ZERO);
        assert!(test.rate().is_infinite());
    }
}
