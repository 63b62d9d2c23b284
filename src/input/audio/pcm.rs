//! Audio without a container: frames of one channel at a steady rate. Spec: "Voice", source content types.

use std::time::Duration;

use super::{Queue, Splitter};

/// How a sample is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// G.711 A-law.
    Alaw,
    /// G.711 µ-law.
    Ulaw,
    /// 16 bit, little-endian.
    S16le,
}

/// Frames of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PcmFormat {
    /// How a sample is written.
    pub encoding: Encoding,
    /// Frames a second.
    pub rate: u32,
}

/// What the service takes.
const TAKEN: [PcmFormat; 6] = [
    PcmFormat { encoding: Encoding::Alaw, rate: 8000 },
    PcmFormat { encoding: Encoding::Ulaw, rate: 8000 },
    PcmFormat { encoding: Encoding::S16le, rate: 8000 },
    PcmFormat { encoding: Encoding::S16le, rate: 16_000 },
    PcmFormat { encoding: Encoding::S16le, rate: 44_100 },
    PcmFormat { encoding: Encoding::S16le, rate: 48_000 },
];

impl PcmFormat {
    /// Reads a normalised content type.
    pub fn of(content_type: &str) -> Option<Self> {
        let mut parts = content_type.split(';');
        if parts.next() != Some("audio/pcm") {
            return None;
        }
        let (mut encoding, mut rate) = (None, None);
        for part in parts {
            match part.split_once('=') {
                Some(("encoding", "alaw")) => encoding = Some(Encoding::Alaw),
                Some(("encoding", "ulaw")) => encoding = Some(Encoding::Ulaw),
                Some(("encoding", "s16le")) => encoding = Some(Encoding::S16le),
                Some(("rate", text)) => rate = text.parse().ok().filter(|rate| *rate > 0),
                _ => {}
            }
        }
        Some(Self { encoding: encoding?, rate: rate? })
    }

    /// The content type.
    pub fn content_type(self) -> String {
        let encoding = match self.encoding {
            Encoding::Alaw => "alaw",
            Encoding::Ulaw => "ulaw",
            Encoding::S16le => "s16le",
        };
        format!("audio/pcm;encoding={encoding};rate={}", self.rate)
    }

    /// Bytes of a frame.
    pub const fn frame_bytes(self) -> usize {
        match self.encoding {
            Encoding::Alaw | Encoding::Ulaw => 1,
            Encoding::S16le => 2,
        }
    }

    /// Whether the service takes it.
    pub fn is_taken(self) -> bool {
        TAKEN.contains(&self)
    }

    /// Silence of a length.
    pub fn silence(self, length: Duration) -> Vec<u8> {
        let frames = u128::from(self.rate) * length.as_micros() / 1_000_000;
        let byte = match self.encoding {
            Encoding::Alaw => 0xD5,
            Encoding::Ulaw => 0xFF,
            Encoding::S16le => 0,
        };
        vec![byte; usize::try_from(frames).unwrap_or(0) * self.frame_bytes()]
    }

    /// A splitter for `left` bytes, or up to the end of the stream.
    pub(super) fn splitter(self, left: Option<u64>) -> Box<dyn Splitter> {
        Box::new(Frames { format: self, left, odd: None })
    }
}

/// Cuts at whole frames.
struct Frames {
    format: PcmFormat,
    left: Option<u64>,
    /// The first byte of a frame whose second has not come.
    odd: Option<u8>,
}

impl Splitter for Frames {
    fn push(&mut self, bytes: &[u8], queue: &mut Queue) {
        let take = self.left.map_or(bytes.len(), |left| usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len()));
        self.left = self.left.map(|left| left - take as u64);
        let bytes = bytes.get(..take).unwrap_or_default();
        let joined: Vec<u8>;
        let bytes = match self.odd.take() {
            Some(odd) => {
                joined = std::iter::once(odd).chain(bytes.iter().copied()).collect();
                &joined
            }
            None => bytes,
        };
        let frame = self.format.frame_bytes();
        let whole = bytes.len() / frame * frame;
        // Half a frame at the very end of the stream is no sound.
        self.odd = bytes.get(whole).copied();
        let micros = (whole / frame) as u64 * 1_000_000 / u64::from(self.format.rate);
        queue.push(bytes.get(..whole).unwrap_or_default(), micros, frame);
    }
}
