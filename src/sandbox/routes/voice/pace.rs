//! Whether chunks come at a pace that is allowed: not before half the last one's duration, with some patience for a
//! network that bunches them. Spec: "Voice", limits.

use std::time::{Duration, Instant};

/// How far chunks may run ahead.
const PATIENCE: Duration = Duration::from_millis(300);
/// Bytes of a chunk.
pub const CHUNK_BYTES: usize = 100_000;
/// Duration of a chunk, in microseconds; what a container holds in one page may come at once.
pub const CHUNK_US: u64 = 1_000_000;

/// Watches the gaps.
#[derive(Default)]
pub struct Pace {
    /// When the next chunk may come.
    due: Option<Instant>,
}

impl Pace {
    /// Takes note of a chunk; false when it came too early.
    pub fn take(&mut self, now: Instant, micros: u64) -> bool {
        let due = self.due.unwrap_or(now);
        self.due = Some(due.max(now) + Duration::from_micros(micros / 2));
        now + PATIENCE >= due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allows_twice_real_time_and_no_more() {
        let (start, mut pace) = (Instant::now(), Pace::default());
        let at = |ms| start + Duration::from_millis(ms);
        assert!((0..100).all(|n| pace.take(at(n * 100), 200_000)), "exactly twice");
        let mut pace = Pace::default();
        assert!(!(0..100).all(|n| pace.take(at(n * 80), 200_000)), "two and a half times");
        let mut pace = Pace::default();
        assert!(!(0..10).all(|_| pace.take(at(0), 200_000)), "all at once");
    }
}
