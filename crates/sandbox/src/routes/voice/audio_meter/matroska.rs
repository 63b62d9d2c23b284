//! WebM and Matroska: each block has a timestamp, and the time between two blocks counts as playing time.

use super::{ElementReader, number, playing_time};

/// Maximum size of an element value that is read.
const VALUE_BYTES: u64 = 8;
/// Number of bytes at the start of a block that contain its track and timestamp.
const BLOCK_BYTES: u64 = 12;

/// Container elements to descend into: header, segment, info, tracks, track entry, cluster, block group.
const PARENTS: [u64; 7] = [0x1A45_DFA3, 0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0xAE, 0x1F43_B675, 0xA0];

/// Reads the blocks of the first audio track.
#[derive(Debug)]
pub(super) struct MatroskaReader {
    /// Nanoseconds per time unit.
    scale: u64,
    /// Number of the track whose entry is being read.
    described: u64,
    audio: Option<u64>,
    cluster: u64,
    /// Time of the last block, in units.
    last: Option<u64>,
}

impl Default for MatroskaReader {
    fn default() -> Self {
        Self { scale: 1_000_000, described: 0, audio: None, cluster: 0, last: None }
    }
}

impl ElementReader for MatroskaReader {
    fn element(&mut self, rest: &[u8]) -> Option<(u64, u64)> {
        let id_bytes = rest.first()?.leading_zeros() as usize + 1;
        if id_bytes > 4 {
            return Some((1, 0));
        }
        let id = number(rest.get(..id_bytes)?);
        let size_bytes = rest.get(id_bytes)?.leading_zeros() as usize + 1;
        if size_bytes > 8 {
            return Some((1, 0));
        }
        let header = id_bytes + size_bytes;
        let mask = (1 << (7 * size_bytes)) - 1;
        let size = number(rest.get(id_bytes..header)?) & mask;
        // All bits set means an unknown size.
        if PARENTS.contains(&id) || size == mask {
            return Some((header as u64, 0));
        }
        let content = |bytes: u64| rest.get(header..header + usize::try_from(size.min(bytes)).ok()?);
        let mut time = 0;
        match id {
            0xA3 | 0xA1 => time = self.block(content(BLOCK_BYTES)?),
            0xD7 => self.described = number(content(VALUE_BYTES)?),
            0x83 if number(content(VALUE_BYTES)?) == 2 => self.audio = self.audio.or(Some(self.described)),
            0xE7 => self.cluster = number(content(VALUE_BYTES)?),
            0x002A_D7B1 => self.scale = number(content(VALUE_BYTES)?).max(1),
            _ => {}
        }
        Some((header as u64 + size, time))
    }
}

impl MatroskaReader {
    /// Returns the time since the previous block.
    fn block(&mut self, head: &[u8]) -> u64 {
        let Some(track_bytes) = head.first().map(|first| first.leading_zeros() as usize + 1) else { return 0 };
        let track = head.get(..track_bytes).filter(|_| track_bytes <= 8).map(number);
        let track = track.map(|track| track & ((1 << (7 * track_bytes)) - 1));
        let Some(&[high, low]) = head.get(track_bytes..track_bytes + 2) else { return 0 };
        if self.audio.is_some() && track != self.audio {
            return 0;
        }
        let now = self.cluster.saturating_add_signed(i64::from(i16::from_be_bytes([high, low])));
        let before = self.last.replace(now).unwrap_or(now);
        let units = u128::from(now.saturating_sub(before)) * u128::from(self.scale);
        playing_time(u64::try_from(units).unwrap_or(u64::MAX), 1_000_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::super::AudioMeter;
    use crate::routes::voice::speech::SpeechEncoder;

    #[test]
    fn measures_speech_from_the_sandbox() {
        for content_type in ["audio/webm;codecs=opus", "audio/x-matroska;codecs=opus"] {
            let mut encoder = SpeechEncoder::new(content_type).unwrap();
            let (first, second) = (encoder.encode(500), encoder.encode(1500));
            let file = [first.headers, first.data, second.data].concat().concat();
            for step in [1, 50, 100_000] {
                let mut meter = AudioMeter::new("audio/x-matroska").unwrap();
                let time: u64 = file.chunks(step).map(|bytes| meter.add(bytes).unwrap()).sum();
                assert!((1_900_000..2_060_000).contains(&time), "{content_type} {step}: {time}");
            }
        }
    }
}
