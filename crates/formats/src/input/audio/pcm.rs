//! PCM: audio without a container, one channel at a constant rate.

use std::time::Duration;

use super::detected::AudioSplitter;
use super::queue::AudioQueue;

/// How a sample is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleEncoding {
    /// G.711 A-law.
    Alaw,
    /// G.711 µ-law.
    Ulaw,
    /// 16 bit, little-endian.
    S16le,
}

/// The format of PCM audio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PcmFormat {
    /// How the samples are encoded.
    pub encoding: SampleEncoding,
    /// Samples per second.
    pub rate: u32,
}

/// The formats that the service accepts.
const SUPPORTED: [PcmFormat; 6] = [
    PcmFormat { encoding: SampleEncoding::Alaw, rate: 8000 },
    PcmFormat { encoding: SampleEncoding::Ulaw, rate: 8000 },
    PcmFormat { encoding: SampleEncoding::S16le, rate: 8000 },
    PcmFormat { encoding: SampleEncoding::S16le, rate: 16_000 },
    PcmFormat { encoding: SampleEncoding::S16le, rate: 44_100 },
    PcmFormat { encoding: SampleEncoding::S16le, rate: 48_000 },
];

impl PcmFormat {
    /// Parses a normalised content type. Returns `None` if it is not PCM with an encoding and a rate.
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

    /// Returns the content type.
    pub fn content_type(self) -> String {
        let encoding = match self.encoding {
            SampleEncoding::Alaw => "alaw",
            SampleEncoding::Ulaw => "ulaw",
            SampleEncoding::S16le => "s16le",
        };
        format!("audio/pcm;encoding={encoding};rate={}", self.rate)
    }

    /// Returns the bytes of one sample.
    pub const fn sample_bytes(self) -> usize {
        match self.encoding {
            SampleEncoding::Alaw | SampleEncoding::Ulaw => 1,
            SampleEncoding::S16le => 2,
        }
    }

    /// Returns whether the service accepts the format.
    pub fn is_supported(self) -> bool {
        SUPPORTED.contains(&self)
    }

    /// Returns the bytes of silence.
    pub fn silence(self, duration: Duration) -> Vec<u8> {
        let samples = u128::from(self.rate) * duration.as_micros() / 1_000_000;
        let byte = match self.encoding {
            SampleEncoding::Alaw => 0xD5,
            SampleEncoding::Ulaw => 0xFF,
            SampleEncoding::S16le => 0,
        };
        vec![byte; usize::try_from(samples).unwrap_or(0) * self.sample_bytes()]
    }

    /// Returns a splitter for `remaining` bytes, or for the rest of the stream.
    pub(super) fn splitter(self, remaining: Option<u64>) -> Box<dyn AudioSplitter> {
        Box::new(PcmSplitter { format: self, remaining, partial: None })
    }
}

/// Splits at whole samples.
struct PcmSplitter {
    format: PcmFormat,
    remaining: Option<u64>,
    /// First byte of a sample whose second byte has not been read.
    partial: Option<u8>,
}

impl AudioSplitter for PcmSplitter {
    fn total(&self, file_bytes: Option<u64>) -> Option<Duration> {
        // A header may promise more than the file has.
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
        // Half a sample at the end of the stream is dropped.
        self.partial = bytes.get(whole).copied();
        let micros = (whole / sample) as u64 * 1_000_000 / u64::from(self.format.rate);
        queue.push(bytes.get(..whole).unwrap_or_default(), micros, sample);
    }
}
