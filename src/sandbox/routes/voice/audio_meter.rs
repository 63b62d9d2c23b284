//! The playing time of received audio: counted for PCM, Ogg and MP3, estimated from the recommended bit rate otherwise.
//!
//! Also checks that the first bytes match the content type. See docs/service.md, "Voice".

/// Measures the playing time of one stream.
#[derive(Debug)]
pub struct AudioMeter {
    format: MeteredFormat,
    /// The first bytes, until they are checked against the content type.
    first: Vec<u8>,
    is_checked: bool,
    /// Bytes of an incomplete page or frame.
    rest: Vec<u8>,
}

#[derive(Clone, Debug)]
enum MeteredFormat {
    Pcm {
        frame_bytes: u64,
        rate: u64,
    },
    /// Granule positions per second, and the last position.
    Ogg {
        rate: u64,
        position: u64,
    },
    Mp3,
    /// Estimated from the bit rate.
    ConstantRate {
        bytes_per_second: u64,
    },
}

/// The content types of the service other than PCM, each with its recommended bit rate in kbit/s.
const CONTAINERS: [(&str, u64); 13] = [
    ("audio/auto", 128),
    ("audio/flac", 256),
    ("audio/mpeg", 128),
    ("audio/ogg", 32),
    ("audio/webm", 32),
    ("audio/x-matroska", 96),
    ("audio/ogg;codecs=flac", 256),
    ("audio/ogg;codecs=opus", 32),
    ("audio/webm;codecs=opus", 32),
    ("audio/x-matroska;codecs=aac", 96),
    ("audio/x-matroska;codecs=flac", 256),
    ("audio/x-matroska;codecs=mp3", 128),
    ("audio/x-matroska;codecs=opus", 32),
];

/// The PCM content types of the service, each with its bytes per frame and frames per second.
const PCM: [(&str, u64, u64); 6] = [
    ("audio/pcm;encoding=alaw;rate=8000", 1, 8000),
    ("audio/pcm;encoding=ulaw;rate=8000", 1, 8000),
    ("audio/pcm;encoding=s16le;rate=8000", 2, 8000),
    ("audio/pcm;encoding=s16le;rate=16000", 2, 16_000),
    ("audio/pcm;encoding=s16le;rate=44100", 2, 44_100),
    ("audio/pcm;encoding=s16le;rate=48000", 2, 48_000),
];

/// Returns a content type in lower case, without white space and without a trailing `;`.
pub fn normalise(text: &str) -> String {
    let text: String = text.to_ascii_lowercase().split_whitespace().collect();
    text.trim_end_matches(';').to_owned()
}

impl AudioMeter {
    /// Returns a meter for a normalised content type, or `None` if the type is unknown.
    pub fn new(content_type: &str) -> Option<Self> {
        let format = if let Some(&(_, frame_bytes, rate)) = PCM.iter().find(|(name, ..)| *name == content_type) {
            MeteredFormat::Pcm { frame_bytes, rate }
        } else {
            let (_, kilobits) = CONTAINERS.iter().find(|(name, _)| *name == content_type)?;
            match content_type {
                "audio/mpeg" => MeteredFormat::Mp3,
                _ if content_type.starts_with("audio/ogg") => MeteredFormat::Ogg { rate: 48_000, position: 0 },
                _ => MeteredFormat::ConstantRate { bytes_per_second: kilobits * 125 },
            }
        };
        let is_checked = matches!(format, MeteredFormat::Pcm { .. });
        Some(Self { format, first: Vec::new(), is_checked, rest: Vec::new() })
    }

    /// Returns whether a chunk consists of whole frames; always true for formats other than PCM.
    pub fn is_whole(&self, bytes: &[u8]) -> bool {
        match self.format {
            MeteredFormat::Pcm { frame_bytes, .. } => (bytes.len() as u64).is_multiple_of(frame_bytes),
            _ => true,
        }
    }

    /// Adds a chunk and returns its playing time in microseconds, or `None` if it does not match the content type.
    pub fn add(&mut self, bytes: &[u8]) -> Option<u64> {
        if !self.is_checked {
            self.first.extend_from_slice(bytes.get(..64).unwrap_or(bytes));
            if self.first.len() >= 12 {
                self.is_checked = true;
                if !self.matches_content_type() {
                    return None;
                }
            }
        }
        let n = bytes.len() as u64;
        Some(match &mut self.format {
            MeteredFormat::Pcm { frame_bytes, rate } => n * 1_000_000 / (*frame_bytes * *rate),
            MeteredFormat::ConstantRate { bytes_per_second } => n * 1_000_000 / *bytes_per_second,
            MeteredFormat::Ogg { rate, position } => {
                self.rest.extend_from_slice(bytes);
                take_ogg_pages(&mut self.rest, rate, position)
            }
            MeteredFormat::Mp3 => {
                self.rest.extend_from_slice(bytes);
                take_mp3_frames(&mut self.rest)
            }
        })
    }

    fn matches_content_type(&self) -> bool {
        let first = self.first.as_slice();
        let is_mpeg = first.starts_with(b"ID3")
            || (first.first() == Some(&0xFF) && first.get(1).is_some_and(|b| b & 0xE0 == 0xE0));
        let is_m4a = first.get(4..8) == Some(b"ftyp");
        match self.format {
            MeteredFormat::Ogg { .. } => first.starts_with(b"OggS"),
            MeteredFormat::Mp3 => is_mpeg || is_m4a,
            _ => {
                first.starts_with(b"fLaC")
                    || first.starts_with(b"OggS")
                    || first.starts_with(&[0x1A, 0x45, 0xDF, 0xA3])
                    || is_mpeg
                    || is_m4a
            }
        }
    }
}

/// Removes the complete Ogg pages from `rest` and returns their playing time in microseconds.
fn take_ogg_pages(rest: &mut Vec<u8>, rate: &mut u64, position: &mut u64) -> u64 {
    let (mut at, mut micros) = (0, 0);
    while let Some(page) = rest.get(at..).filter(|page| page.starts_with(b"OggS")) {
        let Some(table) = page.get(26).and_then(|&n| page.get(27..27 + usize::from(n))) else { break };
        let size = 27 + table.len() + table.iter().map(|&n| usize::from(n)).sum::<usize>();
        let Some(body) = page.get(27 + table.len()..size) else { break };
        let reached = page.get(6..14).map_or(0, |b| b.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b)));
        if body.starts_with(b"\x7FFLAC") {
            *rate = body.get(27..30).map_or(48_000, |b| b.iter().fold(0u64, |n, &b| n << 8 | u64::from(b)) >> 4).max(1);
        }
        if page.get(5).is_some_and(|flags| flags & 2 != 0) {
            *position = 0;
        } else if reached != u64::MAX {
            micros += reached.saturating_sub(*position) * 1_000_000 / *rate;
            *position = reached;
        }
        at += size;
    }
    rest.drain(..at);
    micros
}

/// Removes the complete MP3 frames from `rest` and returns their playing time in microseconds.
fn take_mp3_frames(rest: &mut Vec<u8>) -> u64 {
    const RATES: [u64; 3] = [44_100, 48_000, 32_000];
    /// Bit rates of MPEG version 1 in kbit/s.
    const VERSION_1: [u64; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
    /// Bit rates of MPEG versions 2 and 2.5 in kbit/s.
    const VERSION_2: [u64; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
    let (mut at, mut micros) = (0, 0);
    while let Some(&[sync, version, rates, _]) = rest.get(at..at + 4) {
        let table = if version >> 3 & 3 == 3 { &VERSION_1 } else { &VERSION_2 };
        let divide = [4, 1, 2, 1].get(usize::from(version >> 3 & 3)).copied().unwrap_or(1);
        let rate = RATES.get(usize::from(rates >> 2 & 3)).map(|rate| rate / divide);
        let bits = table.get(usize::from(rates >> 4)).copied().filter(|bits| *bits > 0);
        let (true, Some(rate), Some(bits)) = (sync == 0xFF && version & 0xE6 == 0xE2, rate, bits) else {
            at += 1;
            continue;
        };
        let samples: u64 = if divide == 1 { 1152 } else { 576 };
        let size = usize::try_from(samples * bits * 125 / rate + u64::from(rates >> 1 & 1)).unwrap_or(usize::MAX);
        if rest.len() - at < size {
            break;
        }
        micros += samples * 1_000_000 / rate;
        at += size;
    }
    rest.drain(..at.min(rest.len()));
    micros
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_nineteen_content_types() {
        assert_eq!(CONTAINERS.len() + PCM.len(), 19);
        assert!(CONTAINERS.iter().all(|(name, _)| AudioMeter::new(name).is_some()));
        assert!(AudioMeter::new("audio/wav").is_none());
        assert_eq!(normalise("Audio/PCM; encoding = s16le; rate=16000;"), "audio/pcm;encoding=s16le;rate=16000");
    }

    #[test]
    fn measures_pcm_and_mp3() {
        let mut pcm = AudioMeter::new("audio/pcm;encoding=s16le;rate=16000").unwrap();
        assert_eq!(pcm.add(&[0; 6400]), Some(200_000));
        assert!(!pcm.is_whole(&[0; 3]));
        let mut mp3 = AudioMeter::new("audio/mpeg").unwrap();
        let mut frame = vec![0xFF, 0xFB, 0x90, 0xC0];
        frame.resize(417, 0);
        assert_eq!(mp3.add(&frame), Some(26_122));
        assert_eq!(mp3.add(&[0; 64]), Some(0));
    }

    #[test]
    fn refuses_another_format() {
        assert_eq!(AudioMeter::new("audio/ogg").unwrap().add(b"RIFF----WAVEfmt "), None);
        assert_eq!(AudioMeter::new("audio/auto").unwrap().add(&[0; 64]), None);
    }
}
