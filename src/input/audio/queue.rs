//! Audio bytes that wait to be sent, with the playing time of each stretch: where chunks are cut off.
//!
//! Knows no format. Spec: "Voice", limits of a chunk.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::{Bytes, BytesMut};

/// A piece of audio for one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its bytes.
    pub data: Bytes,
    /// Its playing time; nothing for headers.
    pub duration: Duration,
}

/// A stretch of bytes that play evenly.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    bytes: usize,
    micros: u64,
    /// It may be cut at multiples of this.
    grain: usize,
}

/// Bytes in order, with their times.
#[derive(Debug, Default)]
pub struct Queue {
    bytes: BytesMut,
    stretches: VecDeque<Stretch>,
    micros: u64,
}

impl Queue {
    /// Appends bytes that play for `micros` and may be cut at multiples of `grain`.
    pub fn push(&mut self, bytes: &[u8], micros: u64, grain: usize) {
        if bytes.is_empty() {
            return;
        }
        self.bytes.extend_from_slice(bytes);
        self.stretches.push_back(Stretch { bytes: bytes.len(), micros, grain: grain.clamp(1, bytes.len()) });
        self.micros += micros;
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether a chunk of this size can be cut off without taking the last bytes.
    pub fn holds(&self, want: Duration, most_bytes: usize) -> bool {
        u128::from(self.micros) >= want.as_micros() || self.bytes.len() >= most_bytes
    }

    /// Cuts off a chunk of `want` at most, or of one indivisible stretch if that is longer.
    pub fn take(&mut self, want: Duration, most_bytes: usize) -> Option<Chunk> {
        let want = u64::try_from(want.as_micros()).unwrap_or(u64::MAX);
        let (mut bytes, mut micros) = (0, 0);
        while let Some(stretch) = self.stretches.front_mut() {
            let room = most_bytes - bytes;
            if micros + stretch.micros <= want && stretch.bytes <= room {
                (bytes, micros) = (bytes + stretch.bytes, micros + stretch.micros);
                self.stretches.pop_front();
                continue;
            }
            let mut cut = stretch.cut(want - micros).min(room / stretch.grain * stretch.grain);
            if cut == 0 && bytes == 0 {
                cut = stretch.grain.min(stretch.bytes);
            }
            let time = stretch.time(cut);
            (bytes, micros) = (bytes + cut, micros + time);
            stretch.bytes -= cut;
            stretch.micros -= time;
            if stretch.bytes == 0 {
                self.stretches.pop_front();
            }
            break;
        }
        self.micros -= micros;
        (bytes > 0)
            .then(|| Chunk { data: self.bytes.split_to(bytes).freeze(), duration: Duration::from_micros(micros) })
    }
}

impl Stretch {
    /// The bytes that play for `micros`, rounded down to the grain.
    fn cut(&self, micros: u64) -> usize {
        if self.micros == 0 {
            return self.bytes;
        }
        let bytes = self.bytes as u128 * u128::from(micros.min(self.micros)) / u128::from(self.micros);
        usize::try_from(bytes).unwrap_or(usize::MAX) / self.grain * self.grain
    }

    /// How long the first bytes play.
    fn time(&self, bytes: usize) -> u64 {
        let micros = u128::from(self.micros) * bytes as u128 / self.bytes.max(1) as u128;
        u64::try_from(micros).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn cuts_pcm_at_whole_frames_without_losing_any() {
        let mut queue = Queue::default();
        let bytes: Vec<u8> = (0..=255).cycle().take(32_001 / 2 * 2).collect();
        queue.push(&bytes, 1_000_000, 2);
        let (mut all, mut time) = (Vec::new(), Duration::ZERO);
        while let Some(chunk) = queue.take(200 * MS, 100_000) {
            assert_eq!(chunk.data.len() % 2, 0);
            assert!(chunk.duration <= 200 * MS);
            all.extend_from_slice(&chunk.data);
            time += chunk.duration;
        }
        assert_eq!(all, bytes);
        assert_eq!(time, 1000 * MS);
    }

    #[test]
    fn keeps_indivisible_stretches_whole() {
        let mut queue = Queue::default();
        for _ in 0..10 {
            queue.push(&[7; 400], 26_000, 400);
        }
        let chunk = queue.take(100 * MS, 100_000).unwrap();
        assert_eq!((chunk.data.len(), chunk.duration), (1200, 78 * MS));
        assert_eq!(queue.take(10 * MS, 100_000).unwrap().data.len(), 400, "one at least");
    }

    #[test]
    fn never_passes_the_byte_limit() {
        let mut queue = Queue::default();
        queue.push(&vec![0; 250_000], 0, 1);
        queue.push(&[1; 10], 100_000, 1);
        let sizes: Vec<_> = std::iter::from_fn(|| queue.take(200 * MS, 100_000)).map(|c| c.data.len()).collect();
        assert_eq!(sizes, [100_000, 100_000, 50_010]);
    }
}
