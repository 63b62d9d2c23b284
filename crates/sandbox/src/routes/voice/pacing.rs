//! The limits of audio chunks: their size, their duration, and how fast they may follow each other.
//!
//! The audio of any period may play at most twice as long as the period lasted, plus a tolerance: networks deliver several
//! chunks at once, and containers have pages that play for a second. See docs/service.md, "Voice".

use std::time::{Duration, Instant};

/// How far chunks may run ahead.
const TOLERANCE: Duration = Duration::from_secs(1);
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
        // What becomes known late, such as from an index at the end of a file, was not sent too fast.
        self.due = Some(due.max(now) + Duration::from_micros(micros.min(CHUNK_US_MAX) / 2));
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
        assert!(!(0..20).all(|_| pacing.accept(at(0), 200_000)), "all at once");
        let mut pacing = ChunkPacing::default();
        assert!((0..100).all(|n| pacing.accept(at(n * 620), 1_000_000)), "a page at a time");
        let mut pacing = ChunkPacing::default();
        assert!((0..100).all(|n| pacing.accept(at(n * 124), if n % 5 == 4 { 1_000_000 } else { 0 })), "pages in parts");
        let mut pacing = ChunkPacing::default();
        assert!((0..100).all(|n| pacing.accept(at((n * 124).max(1000)), 200_000)), "held up by the network");
    }
}
