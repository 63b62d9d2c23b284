//! The remaining time to show. It counts down even if the estimates vary.

use std::time::{Duration, Instant};

/// Time of work before the first estimate is made.
const MIN_WORK: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Countdown {
    /// End according to the last estimate.
    end: Instant,
    updated: Instant,
    /// Remaining time that was shown at `updated`.
    shown: Duration,
}

impl Countdown {
    pub fn new(now: Instant, left: Duration) -> Self {
        Self { end: now + left, updated: now, shown: left }
    }

    /// An earlier end applies immediately. With a later end, the countdown runs at half speed until it agrees with
    /// the estimate. Once the countdown has reached zero, later estimates are not shown, because the time would grow.
    pub fn set_estimate(&mut self, now: Instant, left: Duration) {
        let shown = self.left(now).map_or(Duration::ZERO, |shown| shown.min(left));
        *self = Self { end: now + left, updated: now, shown };
    }

    /// Returns the remaining time; `None` once it has passed.
    pub fn left(&self, now: Instant) -> Option<Duration> {
        let left = self.end.checked_duration_since(now)?;
        let slowly = self.shown.checked_sub(now.saturating_duration_since(self.updated) / 2)?;
        Some(left.min(slowly)).filter(|left| !left.is_zero())
    }
}

/// Estimates the remaining time from the work done.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorkEstimate {
    /// Time of the first progress, and the amount that was done then.
    first: Option<(Instant, u64)>,
    countdown: Option<Countdown>,
}

impl WorkEstimate {
    /// Call this whenever the amount done changes.
    pub fn progress(&mut self, now: Instant, done: u64, total: Option<u64>) {
        let (start, before) = *self.first.get_or_insert((now, done));
        let worked = now.saturating_duration_since(start);
        let (Some(total), Some(own)) = (total, done.checked_sub(before).filter(|own| *own > 0)) else { return };
        if worked < MIN_WORK {
            return;
        }
        #[allow(clippy::cast_precision_loss)] // an estimate
        let left = worked.mul_f64(total.saturating_sub(done) as f64 / own as f64);
        match &mut self.countdown {
            Some(countdown) => countdown.set_estimate(now, left),
            None => self.countdown = Some(Countdown::new(now, left)),
        }
    }

    pub fn left(&self, now: Instant) -> Option<Duration> {
        self.countdown.and_then(|countdown| countdown.left(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Instant, seconds: f64) -> Instant {
        start + Duration::from_secs_f64(seconds)
    }

    #[test]
    fn the_time_left_always_decreases() {
        // Batches of 50 that take 1 s, then 3 s, then 0.5 s each.
        let (start, mut estimate, mut done) = (Instant::now(), WorkEstimate::default(), 0);
        let mut before = f64::MAX;
        let mut next_batch = 0.0;
        for tick in 1..=600 {
            let seconds = f64::from(tick) / 10.0;
            if seconds >= next_batch && done < 1000 {
                done += 50;
                next_batch = seconds
                    + if seconds < 6.0 {
                        1.0
                    } else if seconds < 30.0 {
                        3.0
                    } else {
                        0.5
                    };
                estimate.progress(after(start, seconds), done, Some(1000));
            }
            let Some(left) = estimate.left(after(start, seconds)) else { continue };
            let left = left.as_secs_f64();
            assert!(left <= before - 0.04, "{left} after {before}, at {seconds} s");
            before = left;
        }
        assert_eq!(done, 1000);
        assert!(before < 1.0);
    }

    #[test]
    fn a_steady_pace_is_estimated_from_the_first_progress_on() {
        let (start, mut estimate) = (Instant::now(), WorkEstimate::default());
        estimate.progress(after(start, 20.0), 500, Some(1000));
        assert_eq!(estimate.left(after(start, 20.0)), None, "an earlier run has done this");
        estimate.progress(after(start, 20.5), 550, Some(1000));
        assert_eq!(estimate.left(after(start, 20.5)), None, "too early");
        estimate.progress(after(start, 21.0), 600, Some(1000));
        assert_eq!(estimate.left(after(start, 21.0)).unwrap().as_secs(), 4);
        estimate.progress(after(start, 22.0), 700, None);
        assert_eq!(
            estimate.left(after(start, 22.0)).unwrap().as_secs(),
            3,
            "a total that is not known changes nothing"
        );
    }

    #[test]
    fn an_earlier_end_applies_immediately_and_a_later_one_slowly() {
        let start = Instant::now();
        let mut countdown = Countdown::new(start, Duration::from_secs(10));
        countdown.set_estimate(after(start, 2.0), Duration::from_secs(20));
        assert_eq!(countdown.left(after(start, 2.0)), Some(Duration::from_secs(8)));
        assert_eq!(countdown.left(after(start, 4.0)), Some(Duration::from_secs(7)));
        countdown.set_estimate(after(start, 5.0), Duration::from_secs(4));
        assert_eq!(countdown.left(after(start, 5.0)), Some(Duration::from_secs(4)));
        assert_eq!(countdown.left(after(start, 9.0)), None);
    }
}
