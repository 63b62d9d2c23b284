//! Measures the playing time of received audio: exact for PCM, Ogg, MP3, WebM, Matroska and MP4, estimated from the
//! recommended bit rate for FLAC.
//!
//! Input: chunks of one content type. Output: the playing time of each chunk, or that the first bytes do not match the
//! type. Nothing is decoded. See docs/service.md, "Voice".

mod matroska;
mod mp3;
mod mp4;
mod ogg;

use self::matroska::MatroskaReader;
use self::mp3::Mp3Reader;
use self::mp4::Mp4Reader;
use self::ogg::OggReader;

/// Number of bytes needed to recognise a container.
const SIGNATURE_BYTES: usize = 12;
/// A longer time between two positions of a container is a gap, which does not count as playing time.
const GAP_MICROS_MIN: u64 = 60_000_000;
/// Maximum playing time of a chunk: a day. An index at the end of a file can give the time of all the data before it.
const CHUNK_MICROS_MAX: u64 = 86_400_000_000;

#[derive(Debug)]
pub struct AudioMeter(MeterState);

#[derive(Debug)]
enum MeterState {
    /// The first bytes, and the accepted containers.
    Detecting(Vec<u8>, &'static [ContainerKind]),
    /// Bytes per frame and bytes per second.
    Constant(u64, u64),
    Container(ContainerMeter),
}

#[derive(Debug)]
struct ContainerMeter {
    reader: Box<dyn ElementReader>,
    /// Bytes of an incomplete element header.
    rest: Vec<u8>,
    /// Remaining bytes of the current element, and their playing time.
    element: (u64, u64),
}

trait ElementReader: std::fmt::Debug + Send {
    /// Returns the size in bytes and the playing time in microseconds of the element at the start of `rest`. `None` means that more
    /// bytes are needed. Damaged bytes count as an element without playing time.
    fn read_element(&mut self, rest: &[u8]) -> Option<(u64, u64)>;
}

impl ContainerMeter {
    /// Adds bytes and returns their playing time. The time of an element is spread evenly over its bytes.
    fn add(&mut self, bytes: &[u8]) -> u64 {
        self.rest.extend_from_slice(bytes);
        let (mut at, mut micros) = (0, 0_u64);
        while let Some(rest) = self.rest.get(at..).filter(|rest| !rest.is_empty()) {
            let (left, time) = self.element;
            if left == 0 {
                let Some(element) = self.reader.read_element(rest) else { break };
                self.element = element;
                continue;
            }
            let n = rest.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let part = u64::try_from(u128::from(time) * n as u128 / u128::from(left)).unwrap_or(time);
            self.element = (left - n as u64, time - part);
            (at, micros) = (at + n, micros.saturating_add(part));
        }
        self.rest.drain(..at);
        micros
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContainerKind {
    Flac,
    Ogg,
    Mp3,
    Mp4,
    Matroska,
}

use ContainerKind::{Flac, Matroska, Mp3, Mp4, Ogg};

/// Content types of the service other than PCM, with the containers that each allows.
const CONTAINERS: [(&str, &[ContainerKind]); 13] = [
    ("audio/auto", &[Flac, Ogg, Mp3, Mp4, Matroska]),
    ("audio/flac", &[Flac]),
    ("audio/mpeg", &[Mp3, Mp4]),
    ("audio/ogg", &[Ogg]),
    ("audio/webm", &[Matroska]),
    ("audio/x-matroska", &[Matroska]),
    ("audio/ogg;codecs=flac", &[Ogg]),
    ("audio/ogg;codecs=opus", &[Ogg]),
    ("audio/webm;codecs=opus", &[Matroska]),
    ("audio/x-matroska;codecs=aac", &[Matroska]),
    ("audio/x-matroska;codecs=flac", &[Matroska]),
    ("audio/x-matroska;codecs=mp3", &[Matroska]),
    ("audio/x-matroska;codecs=opus", &[Matroska]),
];

/// PCM content types of the service, with bytes per frame and frames per second.
const PCM_CONTENT_TYPES: [(&str, u64, u64); 6] = [
    ("audio/pcm;encoding=alaw;rate=8000", 1, 8000),
    ("audio/pcm;encoding=ulaw;rate=8000", 1, 8000),
    ("audio/pcm;encoding=s16le;rate=8000", 2, 8000),
    ("audio/pcm;encoding=s16le;rate=16000", 2, 16_000),
    ("audio/pcm;encoding=s16le;rate=44100", 2, 44_100),
    ("audio/pcm;encoding=s16le;rate=48000", 2, 48_000),
];

/// Recommended bit rate for FLAC: 256 kbit/s, in bytes per second.
const FLAC_BYTES_PER_SECOND: u64 = 32_000;

/// Converts a content type to lower case, without whitespace and without a trailing `;`.
pub fn normalise_content_type(text: &str) -> String {
    let text: String = text.to_ascii_lowercase().split_whitespace().collect();
    text.trim_end_matches(';').to_owned()
}

impl ContainerKind {
    fn detect(first: &[u8]) -> Option<Self> {
        Some(match first {
            [b'f', b'L', b'a', b'C', ..] => Flac,
            [b'O', b'g', b'g', b'S', ..] => Ogg,
            [0x1A, 0x45, 0xDF, 0xA3, ..] => Matroska,
            [_, _, _, _, b'f', b't', b'y', b'p', ..] => Mp4,
            [b'I', b'D', b'3', ..] => Mp3,
            [0xFF, second, ..] if second & 0xE0 == 0xE0 => Mp3,
            _ => return None,
        })
    }

    fn meter(self) -> MeterState {
        let reader: Box<dyn ElementReader> = match self {
            Flac => return MeterState::Constant(1, FLAC_BYTES_PER_SECOND),
            Ogg => Box::new(OggReader::default()),
            Mp3 => Box::new(Mp3Reader),
            Mp4 => Box::new(Mp4Reader::default()),
            Matroska => Box::new(MatroskaReader::default()),
        };
        MeterState::Container(ContainerMeter { reader, rest: Vec::new(), element: (0, 0) })
    }
}

impl AudioMeter {
    /// Creates a meter for a normalised content type. Returns `None` if the type is unknown.
    pub fn new(content_type: &str) -> Option<Self> {
        if let Some(&(_, frame_bytes, rate)) = PCM_CONTENT_TYPES.iter().find(|(name, ..)| *name == content_type) {
            return Some(Self(MeterState::Constant(frame_bytes, frame_bytes * rate)));
        }
        let (_, kinds) = CONTAINERS.iter().find(|(name, _)| *name == content_type)?;
        Some(Self(MeterState::Detecting(Vec::new(), kinds)))
    }

    /// Returns whether a PCM chunk consists of complete frames; always true for other formats.
    pub fn has_complete_frames(&self, bytes: &[u8]) -> bool {
        match self.0 {
            MeterState::Constant(frame_bytes, _) => (bytes.len() as u64).is_multiple_of(frame_bytes),
            _ => true,
        }
    }

    /// Adds a chunk and returns its playing time in microseconds, or `None` if it does not match the content type.
    pub fn add(&mut self, bytes: &[u8]) -> Option<u64> {
        self.measure(bytes).map(|micros| micros.min(CHUNK_MICROS_MAX))
    }

    fn measure(&mut self, bytes: &[u8]) -> Option<u64> {
        Some(match &mut self.0 {
            MeterState::Detecting(first, kinds) => {
                first.extend_from_slice(bytes);
                if first.len() < SIGNATURE_BYTES {
                    return Some(0);
                }
                let kind = ContainerKind::detect(first).filter(|kind| kinds.contains(kind))?;
                let first = std::mem::take(first);
                self.0 = kind.meter();
                return self.measure(&first);
            }
            MeterState::Constant(_, bytes_per_second) => bytes.len() as u64 * 1_000_000 / *bytes_per_second,
            MeterState::Container(meter) => meter.add(bytes),
        })
    }
}

/// Converts clock units to microseconds, at most [`CHUNK_MICROS_MAX`].
fn to_micros(units: u64, per_second: u64) -> u64 {
    let micros = u128::from(units) * 1_000_000 / u128::from(per_second.max(1));
    u64::try_from(micros).unwrap_or(CHUNK_MICROS_MAX).min(CHUNK_MICROS_MAX)
}

/// Converts the time between two positions to microseconds; 0 for a gap.
fn playing_time(units: u64, per_second: u64) -> u64 {
    Some(to_micros(units, per_second)).filter(|micros| *micros <= GAP_MICROS_MIN).unwrap_or(0)
}

fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_nineteen_content_types() {
        assert_eq!(CONTAINERS.len() + PCM_CONTENT_TYPES.len(), 19);
        assert!(CONTAINERS.iter().all(|(name, _)| AudioMeter::new(name).is_some()));
        assert!(AudioMeter::new("audio/wav").is_none());
        assert_eq!(
            normalise_content_type("Audio/PCM; encoding = s16le; rate=16000;"),
            "audio/pcm;encoding=s16le;rate=16000"
        );
    }

    #[test]
    fn measures_pcm_and_mp3() {
        let mut pcm = AudioMeter::new("audio/pcm;encoding=s16le;rate=16000").unwrap();
        assert_eq!(pcm.add(&[0; 6400]), Some(200_000));
        assert!(!pcm.has_complete_frames(&[0; 3]));
        for content_type in ["audio/mpeg", "audio/auto"] {
            let mut mp3 = AudioMeter::new(content_type).unwrap();
            let mut frame = vec![0xFF, 0xFB, 0x90, 0xC0];
            frame.resize(417, 0);
            assert_eq!(mp3.add(&frame), Some(26_122));
            assert_eq!(mp3.add(&[0; 64]), Some(0));
        }
    }

    #[test]
    fn refuses_another_format() {
        let add = |content_type, bytes: &[u8]| AudioMeter::new(content_type).unwrap().add(bytes);
        assert_eq!(add("audio/ogg", b"RIFF----WAVEfmt "), None);
        assert_eq!(add("audio/auto", &[0; 64]), None);
        assert_eq!(add("audio/webm", b"OggS\0\x02\0\0\0\0\0\0\0"), None);
        assert_eq!(add("audio/flac", b"ID3\0\0\0\0\0\0\0\0\0\0"), None);
        assert_eq!(add("audio/ogg", b"Rif"), Some(0), "too short to tell");
    }

    #[test]
    fn limits_the_playing_time_of_arbitrary_bytes() {
        let starts: [&[u8]; 5] =
            [b"OggS", &[0x1A, 0x45, 0xDF, 0xA3], b"\0\0\0\x10ftypM4A \0\0\0\0", b"\xFF\xFB\x90\xC0", b"fLaC"];
        for start in starts {
            for seed in 0..300 {
                let mut random = fastrand::Rng::with_seed(seed);
                let mut meter = AudioMeter::new("audio/auto").unwrap();
                meter.add(start);
                let mut total = 0u64;
                for _ in 0..20 {
                    let mut bytes = vec![0; random.usize(0..200)];
                    random.fill(&mut bytes);
                    if random.bool() {
                        bytes.extend_from_slice(start);
                    }
                    total += meter.add(&bytes).unwrap_or(0);
                }
                assert!(total <= 400 * GAP_MICROS_MIN);
            }
        }
    }
}
