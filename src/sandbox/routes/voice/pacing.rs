//! The limits of audio chunks: their size, their duration, and how fast they may follow each other.
//!
//! A chunk may not come before half of the previous chunk's duration has passed. Some tolerance is left for networks
//! that deliver several chunks at once. See docs/service.md, "Voice".

use std::time::{Duration, Instant};

/// How far chunks may run ahead.
const TOLERANCE: Duration = Duration::from_millis(300);
/// Maximum size of a chunk, in bytes.
pub const CHUNK_BYTES_MAX: usize = 100_000;
/// Maximum duration of a PCM chunk, in microseconds; other formats may send a whole page at once.
pub const CHUNK_US_MAX: u64 = 1_000_000;

/// Checks the time between chunks.
#[derive(Default)]
pub struct ChunkPacing {
    /// The earliest time of the next chunk.
    due: Option<Instant>,
}

impl ChunkPacing {
    /// Records a chunk of `micros` microseconds and returns whether it came late enough.
    pub fn accept(&mut self, now: Instant, micros: u64) -> bool {
        let due = self.due.unwrap_or(now);
        self.due = Some(due.max(now) + Duration::from_micros(micros / 2));
        now + TOLERANCE >= due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_at_most_twice_real_time() {
        let (start, mut pacing) = (Instant::now(), ChunkPacing::default());
        let at = |ms| start + Duration::from_millis(ms);
        assert!((0..100).all(|n| pacing.accept(at(n * 100), 200_000)), "exactly twice");
        let mut pacing = ChunkPacing::default();
        assert!(!(0..100).all(|n| pacing.accept(at(n * 80), 200_000)), "two and a half times");
        let mut pacing = ChunkPacing::default();
        assert!(!(0..10).all(|_| pacing.accept(at(0), 200_000)), "all at once");
    }
}
