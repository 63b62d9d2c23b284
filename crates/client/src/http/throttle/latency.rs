//! Whether the service answers more slowly because too many requests are in flight: a gradient of the latency.
//!
//! The lower quartile of the latencies of a round trip is compared with a baseline: some slow answers among fast ones do not
//! change it, but a queue before the service does. If it is far above, fewer requests are sent, as a test: if the latency
//! falls, they were too many; if not, the requests themselves take longer, and the baseline rises.

use std::collections::VecDeque;
use std::time::Duration;

/// The fewest latencies that are judged. A round trip with fewer is joined with the next.
const MIN_SAMPLES: usize = 20;
/// The fewest latencies of the first baseline: those of the first round trip, before the limit grows.
const MIN_FIRST_SAMPLES: usize = 8;
/// The most latencies of a round trip that are kept, the last ones.
const MAX_SAMPLES: usize = 64;
/// How fast the baseline follows a lower latency.
const FALL: f64 = 0.1;
/// How fast the baseline follows a higher latency that is not elevated.
const RISE: f64 = 0.02;
/// Round trips of high latency before fewer requests are sent.
const HIGH_ROUNDS: u32 = 3;
/// Round trips of elevated latency before fewer requests are sent.
const ELEVATED_ROUNDS: u32 = 24;
/// A latency that is lower than this share of the one before has fallen.
const FALLEN: f64 = 0.8;

/// What the end of a round trip leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LatencyRound {
    /// Nothing.
    Continue,
    /// The limit shrinks to this share.
    Shrink(f64),
    /// The limit may grow back to this number.
    Restore(f64),
}

/// How a latency compares with the baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum LatencyLevel {
    #[default]
    Normal,
    /// Fewer than usual would not be noticed: no growth by one.
    Elevated,
    /// Far above the baseline: no growth at all.
    High,
}

/// What a smaller limit is to show.
#[derive(Clone, Copy, Debug)]
struct LatencyTest {
    limit_before: f64,
    latency_before: f64,
}

/// The latencies of a run, in seconds.
#[derive(Debug, Default)]
pub struct LatencyWatch {
    baseline: Option<f64>,
    samples: VecDeque<f64>,
    level: LatencyLevel,
    high_rounds: u32,
    elevated_rounds: u32,
    test: Option<LatencyTest>,
}

impl LatencyWatch {
    /// Adds the latency of a request.
    pub fn add(&mut self, latency: Duration) {
        if self.samples.len() == MAX_SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(latency.as_secs_f64());
    }

    /// Returns whether the limit may grow.
    pub fn allows_growth(&self, is_slow_start: bool) -> bool {
        self.test.is_none() && self.level < if is_slow_start { LatencyLevel::High } else { LatencyLevel::Elevated }
    }

    /// Forgets what was measured but not the baseline: the limit has changed for another reason.
    pub fn reset(&mut self) {
        *self = Self { baseline: self.baseline, ..Self::default() };
    }

    /// Ends a round trip with a limit in force. Fewer requests are tested only if the limit was used.
    pub fn end_round(&mut self, limit: f64, is_used: bool) -> LatencyRound {
        if self.samples.len() < if self.baseline.is_none() { MIN_FIRST_SAMPLES } else { MIN_SAMPLES } {
            return LatencyRound::Continue;
        }
        let latency = self.take_quartile();
        let Some(baseline) = self.baseline else {
            self.baseline = Some(latency);
            return LatencyRound::Continue;
        };
        self.level = level(latency, baseline);
        if let Some(test) = self.test.take() {
            return self.end_test(&test, latency, baseline, limit);
        }
        if self.level == LatencyLevel::Normal {
            self.baseline = Some(baseline + (latency - baseline) * if latency < baseline { FALL } else { RISE });
        }
        self.elevated_rounds = if self.level == LatencyLevel::Normal { 0 } else { self.elevated_rounds + 1 };
        self.high_rounds = if self.level == LatencyLevel::High { self.high_rounds + 1 } else { 0 };
        if is_used && (self.high_rounds >= HIGH_ROUNDS || self.elevated_rounds >= ELEVATED_ROUNDS) {
            return self.begin_test(latency, baseline, limit);
        }
        LatencyRound::Continue
    }

    /// Removes all samples and returns their lower quartile.
    fn take_quartile(&mut self) -> f64 {
        let samples = self.samples.make_contiguous();
        samples.sort_unstable_by(f64::total_cmp);
        let quartile = samples.get(samples.len() / 4).copied().unwrap_or_default();
        self.samples.clear();
        quartile
    }

    fn begin_test(&mut self, latency: f64, baseline: f64, limit: f64) -> LatencyRound {
        (self.high_rounds, self.elevated_rounds) = (0, 0);
        self.test = Some(LatencyTest { limit_before: limit, latency_before: latency });
        LatencyRound::Shrink((baseline / latency).max(0.5))
    }

    fn end_test(&mut self, test: &LatencyTest, latency: f64, baseline: f64, limit: f64) -> LatencyRound {
        if self.level == LatencyLevel::Normal {
            return LatencyRound::Continue;
        }
        if latency < test.latency_before * FALLEN && limit < test.limit_before {
            return self.begin_test(latency, baseline, limit);
        }
        self.baseline = Some(latency);
        self.level = LatencyLevel::Normal;
        LatencyRound::Restore(test.limit_before)
    }
}

fn level(latency: f64, baseline: f64) -> LatencyLevel {
    if latency > 1.5 * baseline + 0.040 {
        LatencyLevel::High
    } else if latency > 1.2 * baseline + 0.005 {
        LatencyLevel::Elevated
    } else {
        LatencyLevel::Normal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(watch: &mut LatencyWatch, ms: u64, limit: f64) -> LatencyRound {
        (0..MIN_SAMPLES).for_each(|_| watch.add(Duration::from_millis(ms)));
        watch.end_round(limit, true)
    }

    #[test]
    fn latency_that_falls_with_the_limit_keeps_it_low() {
        let mut watch = LatencyWatch::default();
        for ms in [50, 52, 48, 160, 160] {
            assert_eq!(round(&mut watch, ms, 16.0), LatencyRound::Continue, "{ms}");
        }
        assert!(!watch.allows_growth(true));
        assert_eq!(round(&mut watch, 160, 16.0), LatencyRound::Shrink(0.5));
        assert!(matches!(round(&mut watch, 80, 8.0), LatencyRound::Shrink(share) if (0.6..0.65).contains(&share)));
        assert_eq!(round(&mut watch, 50, 5.0), LatencyRound::Continue);
        assert!(watch.allows_growth(false));
    }

    #[test]
    fn latency_that_stays_is_the_new_baseline() {
        let mut watch = LatencyWatch::default();
        for ms in [50, 50, 300, 300] {
            assert_eq!(round(&mut watch, ms, 16.0), LatencyRound::Continue, "{ms}");
        }
        assert_eq!(round(&mut watch, 300, 16.0), LatencyRound::Shrink(0.5));
        assert_eq!(round(&mut watch, 300, 8.0), LatencyRound::Restore(16.0));
        for _ in 0..100 {
            assert_eq!(round(&mut watch, 310, 16.0), LatencyRound::Continue);
        }
    }

    #[test]
    fn a_single_slow_round_shrinks_nothing() {
        let mut watch = LatencyWatch::default();
        for n in 0..200 {
            let ms = if n % 5 == 4 { 400 } else { 50 };
            assert_eq!(round(&mut watch, ms, 8.0), LatencyRound::Continue);
        }
    }

    #[test]
    fn slow_answers_among_fast_ones_shrink_nothing() {
        let mut watch = LatencyWatch::default();
        for n in 0..40_000 {
            watch.add(Duration::from_millis(if n % 3 == 2 { 5000 } else { 50 }));
            assert_eq!(watch.end_round(32.0, true), LatencyRound::Continue);
            assert!(watch.allows_growth(false));
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut watch = LatencyWatch::default();
        (0..100_000).for_each(|n| watch.add(Duration::from_millis(n)));
        assert_eq!(watch.samples.len(), MAX_SAMPLES);
    }

    #[test]
    fn few_samples_are_not_judged() {
        let mut watch = LatencyWatch::default();
        round(&mut watch, 10, 4.0);
        for _ in 1..MIN_SAMPLES {
            watch.add(Duration::from_secs(5));
            assert_eq!(watch.end_round(4.0, true), LatencyRound::Continue);
            assert!(watch.allows_growth(false));
        }
    }

    #[test]
    fn a_limit_that_is_not_used_is_not_the_reason() {
        let mut watch = LatencyWatch::default();
        for ms in [50, 300, 300, 300, 300, 300] {
            (0..MIN_SAMPLES).for_each(|_| watch.add(Duration::from_millis(ms)));
            assert_eq!(watch.end_round(16.0, false), LatencyRound::Continue);
        }
        assert_eq!(round(&mut watch, 300, 16.0), LatencyRound::Shrink(0.5));
    }
}
