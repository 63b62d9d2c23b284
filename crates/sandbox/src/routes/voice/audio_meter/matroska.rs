//! WebM and Matroska: each block has a timestamp, and the time between two blocks counts as playing time.

use super::{ElementReader, big_endian, playing_time};

/// Maximum size of an element value that is read.
const VALUE_BYTES_MAX: u64 = 8;
/// Number of bytes at the start of a block that contain its track and timestamp.
const BLOCK_HEADER_BYTES: u64 = 12;

/// Container elements to descend into: header, segment, info, tracks, track entry, cluster, block group.
const CONTAINER_IDS: [u64; 7] = [0x1A45_DFA3, 0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0xAE, 0x1F43_B675, 0xA0];

/// Reads the blocks of the first audio track.
#[derive(Debug)]
pub(super) struct MatroskaReader {
    /// Nanoseconds per time unit.
    unit_ns: u64,
    /// Number of the track whose entry is being read.
    described_track: u64,
    audio_track: Option<u64>,
    cluster_time: u64,
    /// Time of the last block, in units.
    last_block_time: Option<u64>,
}

impl Default for MatroskaReader {
    fn default() -> Self {
        Self { unit_ns: 1_000_000, described_track: 0, audio_track: None, cluster_time: 0, last_block_time: None }
    }
}

impl ElementReader for MatroskaReader {
    fn read_element(&mut self, rest: &[u8]) -> Option<(u64, u64)> {
        let id_bytes = rest.first()?.leading_zeros() as usize + 1;
        if id_bytes > 4 {
            return Some((1, 0));
        }
        let id = big_endian(rest.get(..id_bytes)?);
        let size_bytes = rest.get(id_bytes)?.leading_zeros() as usize + 1;
        if size_bytes > 8 {
            return Some((1, 0));
        }
        let header = id_bytes + size_bytes;
        let mask = (1 << (7 * size_bytes)) - 1;
        let size = big_endian(rest.get(id_bytes..header)?) & mask;
        // All bits set means an unknown size.
        if CONTAINER_IDS.contains(&id) || size == mask {
            return Some((header as u64, 0));
        }
        let content = |bytes: u64| rest.get(header..header + usize::try_from(size.min(bytes)).ok()?);
        let mut time = 0;
        match id {
            0xA3 | 0xA1 => time = self.time_since_last_block(content(BLOCK_HEADER_BYTES)?),
            0xD7 => self.described_track = big_endian(content(VALUE_BYTES_MAX)?),
            0x83 if big_endian(content(VALUE_BYTES_MAX)?) == 2 => {
                self.audio_track = self.audio_track.or(Some(self.described_track));
            }
            0xE7 => self.cluster_time = big_endian(content(VALUE_BYTES_MAX)?),
            0x002A_D7B1 => self.unit_ns = big_endian(content(VALUE_BYTES_MAX)?).max(1),
            _ => {}
        }
        Some((header as u64 + size, time))
    }
}

impl MatroskaReader {
    fn time_since_last_block(&mut self, head: &[u8]) -> u64 {
        let Some(track_bytes) = head.first().map(|first| first.leading_zeros() as usize + 1) else { return 0 };
        let track = head.get(..track_bytes).filter(|_| track_bytes <= 8).map(big_endian);
        let track = track.map(|track| track & ((1 << (7 * track_bytes)) - 1));
        let Some(&[high, low]) = head.get(track_bytes..track_bytes + 2) else { return 0 };
        if self.audio_track.is_some() && track != self.audio_track {
            return 0;
        }
        let now = self.cluster_time.saturating_add_signed(i64::from(i16::from_be_bytes([high, low])));
        let before = self.last_block_time.replace(now).unwrap_or(now);
        let units = u128::from(now.saturating_sub(before)) * u128::from(self.unit_ns);
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
