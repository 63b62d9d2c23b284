//! Queue of audio to send, with its playing time. Independent of the audio format.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::{Bytes, BytesMut};

/// A chunk of audio for one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AudioChunk {
    /// The bytes to send.
    pub data: Bytes,
    /// Playing time; zero for headers.
    pub duration: Duration,
}

#[derive(Clone, Copy, Debug)]
struct AudioSpan {
    bytes: usize,
    micros: u64,
    /// A split must be at a multiple of this many bytes.
    split_unit: usize,
}

#[derive(Debug, Default)]
pub struct AudioQueue {
    bytes: BytesMut,
    spans: VecDeque<AudioSpan>,
    micros: u64,
}

impl AudioQueue {
    /// Appends bytes that play for `micros` and can be split at multiples of `split_unit` bytes.
    pub fn push(&mut self, bytes: &[u8], micros: u64, split_unit: usize) {
        if bytes.is_empty() {
            return;
        }
        self.bytes.extend_from_slice(bytes);
        self.spans.push_back(AudioSpan { bytes: bytes.len(), micros, split_unit: split_unit.clamp(1, bytes.len()) });
        self.micros += micros;
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn has_chunk(&self, duration: Duration, max_bytes: usize) -> bool {
        u128::from(self.micros) >= duration.as_micros() || self.bytes.len() >= max_bytes
    }

    /// Takes a chunk of at most `duration` and `max_bytes`. If the first unit is longer, takes this unit.
    pub fn take_chunk(&mut self, duration: Duration, max_bytes: usize) -> Option<AudioChunk> {
        let limit = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let (mut bytes, mut micros) = (0, 0);
        while let Some(span) = self.spans.front_mut() {
            let room = max_bytes - bytes;
            if micros + span.micros <= limit && span.bytes <= room {
                (bytes, micros) = (bytes + span.bytes, micros + span.micros);
                self.spans.pop_front();
                continue;
            }
            let mut cut = span.bytes_within(limit - micros).min(room / span.split_unit * span.split_unit);
            if cut == 0 && bytes == 0 {
                cut = span.split_unit.min(span.bytes);
            }
            let time = span.micros_of(cut);
            (bytes, micros) = (bytes + cut, micros + time);
            span.bytes -= cut;
            span.micros -= time;
            if span.bytes == 0 {
                self.spans.pop_front();
            }
            break;
        }
        self.micros -= micros;
        (bytes > 0)
            .then(|| AudioChunk { data: self.bytes.split_to(bytes).freeze(), duration: Duration::from_micros(micros) })
    }
}

impl AudioSpan {
    /// Returns the bytes that play within `micros`, rounded down to complete units.
    fn bytes_within(&self, micros: u64) -> usize {
        if self.micros == 0 {
            return self.bytes;
        }
        let bytes = self.bytes as u128 * u128::from(micros.min(self.micros)) / u128::from(self.micros);
        usize::try_from(bytes).unwrap_or(usize::MAX) / self.split_unit * self.split_unit
    }

    fn micros_of(&self, bytes: usize) -> u64 {
        let micros = u128::from(self.micros) * bytes as u128 / self.bytes.max(1) as u128;
        u64::try_from(micros).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn splits_pcm_between_frames_and_loses_none() {
        let mut queue = AudioQueue::default();
        let bytes: Vec<u8> = (0..=255).cycle().take(32_001 / 2 * 2).collect();
        queue.push(&bytes, 1_000_000, 2);
        let (mut all, mut time) = (Vec::new(), Duration::ZERO);
        while let Some(chunk) = queue.take_chunk(200 * MS, 100_000) {
            assert_eq!(chunk.data.len() % 2, 0);
            assert!(chunk.duration <= 200 * MS);
            all.extend_from_slice(&chunk.data);
            time += chunk.duration;
        }
        assert_eq!(all, bytes);
        assert_eq!(time, 1000 * MS);
    }

    #[test]
    fn does_not_split_units() {
        let mut queue = AudioQueue::default();
        for _ in 0..10 {
            queue.push(&[7; 400], 26_000, 400);
        }
        let chunk = queue.take_chunk(100 * MS, 100_000).unwrap();
        assert_eq!((chunk.data.len(), chunk.duration), (1200, 78 * MS));
        assert_eq!(queue.take_chunk(10 * MS, 100_000).unwrap().data.len(), 400, "at least one");
    }

    #[test]
    fn never_exceeds_the_byte_limit() {
        let mut queue = AudioQueue::default();
        queue.push(&vec![0; 250_000], 0, 1);
        queue.push(&[1; 10], 100_000, 1);
        let sizes: Vec<_> = std::iter::from_fn(|| queue.take_chunk(200 * MS, 100_000)).map(|c| c.data.len()).collect();
        assert_eq!(sizes, [100_000, 100_000, 50_010]);
    }
}
