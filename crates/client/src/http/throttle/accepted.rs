//! The requests that the service has accepted since its last refusal, by the time at which they were sent.

use std::time::Duration;

use tokio::time::Instant;

/// The shortest segment.
const SEGMENT: Duration = Duration::from_millis(20);
/// Number of segments from which two are joined to one.
const MAX_SEGMENTS: usize = 64;

/// The requests sent in a segment of time.
#[derive(Clone, Copy, Debug)]
struct TimeSegment {
    start: Instant,
    accepted: u32,
}

/// Accepted requests in segments of time, the same number of them however long it takes.
#[derive(Debug)]
pub struct AcceptedRequests {
    segments: Vec<TimeSegment>,
    shortest: Duration,
    since: Instant,
    /// When the last request was sent.
    until: Instant,
}

impl AcceptedRequests {
    /// No requests yet; the first is sent now.
    pub fn new(now: Instant) -> Self {
        Self { segments: Vec::new(), shortest: SEGMENT, since: now, until: now }
    }

    /// Returns when the first request was sent.
    pub fn since(&self) -> Instant {
        self.since
    }

    /// Records that a request is sent.
    pub fn started(&mut self, now: Instant) {
        self.until = now;
        if self.segments.last().is_some_and(|last| now.saturating_duration_since(last.start) < self.shortest) {
            return;
        }
        if self.segments.len() == MAX_SEGMENTS {
            self.shortest *= 2;
            let join = |pair: &[TimeSegment]| {
                let accepted = pair.iter().map(|segment| segment.accepted).sum();
                pair.first().map(|first| TimeSegment { start: first.start, accepted })
            };
            self.segments = self.segments.chunks(2).filter_map(join).collect();
        }
        self.segments.push(TimeSegment { start: now, accepted: 0 });
    }

    /// Records that a request was accepted. One that was sent earlier than all others here is left out.
    pub fn accepted(&mut self, sent: Instant) {
        if let Some(segment) = self.segments.iter_mut().rev().find(|segment| segment.start <= sent) {
            segment.accepted += 1;
        }
    }

    /// Returns the rate that the service allows, if it saves up what is not used for the duration of `pause`.
    ///
    /// From any time on it has accepted at most what it had saved up, and what was added since. So the true rate is at least
    /// the highest that follows from any segment to the end.
    pub fn per_second(&self, pause: Duration) -> f64 {
        // The limit may have allowed a part of one more.
        let mut accepted = 1.0;
        let mut highest = 0.0_f64;
        for segment in self.segments.iter().rev() {
            accepted += f64::from(segment.accepted);
            let time = self.until.saturating_duration_since(segment.start) + pause;
            highest = highest.max(accepted / time.as_secs_f64());
        }
        highest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_slow_beginning_does_not_lower_the_rate() {
        let start = Instant::now();
        let mut requests = AcceptedRequests::new(start);
        let mut send = |ms: u32| {
            requests.started(start + ms * MS);
            requests.accepted(start + ms * MS);
        };
        // 10 a second, and 20 at once.
        (0..10).for_each(|n| send(n * 1000));
        (1..=100).for_each(|n| send(10_000 + n * 20));
        let rate = requests.per_second(Duration::from_secs(1));
        assert!((33.0..34.0).contains(&rate), "100 in 2 seconds, with the pause in 3: {rate}");
    }

    #[test]
    fn memory_is_bounded_and_nothing_is_lost() {
        let start = Instant::now();
        let mut requests = AcceptedRequests::new(start);
        for n in 0..100_000 {
            requests.started(start + n * 10 * MS);
            requests.accepted(start + n * 10 * MS);
        }
        assert!(requests.segments.len() <= MAX_SEGMENTS);
        assert_eq!(requests.segments.iter().map(|segment| segment.accepted).sum::<u32>(), 100_000);
        let rate = requests.per_second(Duration::from_secs(1));
        assert!((99.0..101.0).contains(&rate), "{rate}");
    }
}
