//! PCM: audio without a container, with one channel and a constant rate.

use std::time::Duration;

use super::detected::AudioSplitter;
use super::queue::AudioQueue;

/// Encoding of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleEncoding {
    /// G.711 A-law.
    Alaw,
    /// G.711 µ-law.
    Ulaw,
    /// 16 bit, little-endian.
    S16le,
}

/// Format of PCM audio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PcmFormat {
    /// Encoding of each sample.
    pub encoding: SampleEncoding,
    /// Samples per second.
    pub rate: u32,
}

/// All formats that the service supports.
const SUPPORTED: [PcmFormat; 6] = [
    PcmFormat { encoding: SampleEncoding::Alaw, rate: 8000 },
    PcmFormat { encoding: SampleEncoding::Ulaw, rate: 8000 },
    PcmFormat { encoding: SampleEncoding::S16le, rate: 8000 },
    PcmFormat { encoding: SampleEncoding::S16le, rate: 16_000 },
    PcmFormat { encoding: SampleEncoding::S16le, rate: 44_100 },
    PcmFormat { encoding: SampleEncoding::S16le, rate: 48_000 },
];

impl PcmFormat {
    /// Parses a normalised content type; `None` unless it is PCM with encoding and rate.
    pub fn parse(content_type: &str) -> Option<Self> {
        let mut parts = content_type.split(';');
        if parts.next() != Some("audio/pcm") {
            return None;
        }
        let (mut encoding, mut rate) = (None, None);
        for part in parts {
            match part.split_once('=') {
                Some(("encoding", "alaw")) => encoding = Some(SampleEncoding::Alaw),
                Some(("encoding", "ulaw")) => encoding = Some(SampleEncoding::Ulaw),
                Some(("encoding", "s16le")) => encoding = Some(SampleEncoding::S16le),
                Some(("rate", text)) => rate = text.parse().ok().filter(|rate| *rate > 0),
                _ => {}
            }
        }
        Some(Self { encoding: encoding?, rate: rate? })
    }

    /// Returns the content type for the service.
    pub fn content_type(self) -> String {
        let encoding = match self.encoding {
            SampleEncoding::Alaw => "alaw",
            SampleEncoding::Ulaw => "ulaw",
            SampleEncoding::S16le => "s16le",
        };
        format!("audio/pcm;encoding={encoding};rate={}", self.rate)
    }

    /// Returns the size of a sample in bytes.
    pub const fn sample_bytes(self) -> usize {
        match self.encoding {
            SampleEncoding::Alaw | SampleEncoding::Ulaw => 1,
            SampleEncoding::S16le => 2,
        }
    }

    /// Returns whether the service supports the format.
    pub fn is_supported(self) -> bool {
        SUPPORTED.contains(&self)
    }

    /// Returns silence in this format.
    pub fn silence(self, duration: Duration) -> Vec<u8> {
        let samples = u128::from(self.rate) * duration.as_micros() / 1_000_000;
        let byte = match self.encoding {
            SampleEncoding::Alaw => 0xD5,
            SampleEncoding::Ulaw => 0xFF,
            SampleEncoding::S16le => 0,
        };
        vec![byte; usize::try_from(samples).unwrap_or(0) * self.sample_bytes()]
    }

    /// Returns a splitter for `remaining` bytes; `None` means up to the end of the stream.
    pub(super) fn splitter(self, remaining: Option<u64>) -> Box<dyn AudioSplitter> {
        Box::new(PcmSplitter { format: self, remaining, partial: None })
    }
}

struct PcmSplitter {
    format: PcmFormat,
    remaining: Option<u64>,
    /// First byte of an incomplete sample.
    partial: Option<u8>,
}

impl AudioSplitter for PcmSplitter {
    fn total_time(&self, file_bytes: Option<u64>) -> Option<Duration> {
        // The header may announce more bytes than the file has.
        let bytes = self.remaining.unwrap_or(u64::MAX).min(file_bytes?);
        let samples = u128::from(bytes) / self.format.sample_bytes() as u128;
        u64::try_from(samples * 1_000_000 / u128::from(self.format.rate)).ok().map(Duration::from_micros)
    }

    fn push(&mut self, bytes: &[u8], queue: &mut AudioQueue) {
        let take = self.remaining.map_or(bytes.len(), |n| usize::try_from(n).unwrap_or(usize::MAX).min(bytes.len()));
        self.remaining = self.remaining.map(|n| n - take as u64);
        let bytes = bytes.get(..take).unwrap_or_default();
        let joined: Vec<u8>;
        let bytes = match self.partial.take() {
            Some(first) => {
                joined = std::iter::once(first).chain(bytes.iter().copied()).collect();
                &joined
            }
            None => bytes,
        };
        let sample = self.format.sample_bytes();
        let whole = bytes.len() / sample * sample;
        // An incomplete sample at the end of the stream is dropped.
        self.partial = bytes.get(whole).copied();
        let micros = (whole / sample) as u64 * 1_000_000 / u64::from(self.format.rate);
        queue.push(bytes.get(..whole).unwrap_or_default(), micros, sample);
    }
}
