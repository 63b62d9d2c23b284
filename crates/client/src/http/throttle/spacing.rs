//! Requests spaced evenly in time.

use std::time::Duration;

use tokio::time::Instant;

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
