//! How long received audio plays: counted for PCM, Ogg and MP3, by the advised bit rate for the rest.
//!
//! Also tells whether the first bytes fit the content type. Spec: "Voice", source content types.

/// Measures a stream.
#[derive(Debug)]
pub struct Measure {
    kind: Kind,
    first: Vec<u8>,
    checked: bool,
    rest: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Bytes of a frame, frames a second.
    Pcm(u64, u64),
    /// Positions a second, the position reached.
    Ogg(u64, u64),
    Mp3,
    /// Bytes a second.
    Steady(u64),
}

/// The content types of the reference, without PCM, each with a bit rate in kbit/s.
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

const PCM: [(&str, u64, u64); 6] = [
    ("audio/pcm;encoding=alaw;rate=8000", 1, 8000),
    ("audio/pcm;encoding=ulaw;rate=8000", 1, 8000),
    ("audio/pcm;encoding=s16le;rate=8000", 2, 8000),
    ("audio/pcm;encoding=s16le;rate=16000", 2, 16_000),
    ("audio/pcm;encoding=s16le;rate=44100", 2, 44_100),
    ("audio/pcm;encoding=s16le;rate=48000", 2, 48_000),
];

/// A content type in lower case, without blanks and without a `;` at its end.
pub fn normalise(text: &str) -> String {
    let text: String = text.to_ascii_lowercase().split_whitespace().collect();
    text.trim_end_matches(';').to_owned()
}

impl Measure {
    /// A measure for a normalised content type; `None` for one that is not known.
    pub fn new(content_type: &str) -> Option<Self> {
        let kind = if let Some((_, frame, rate)) = PCM.iter().find(|(name, ..)| *name == content_type) {
            Kind::Pcm(*frame, *rate)
        } else {
            let (_, kilobits) = CONTAINERS.iter().find(|(name, _)| *name == content_type)?;
            match content_type {
                "audio/mpeg" => Kind::Mp3,
                _ if content_type.starts_with("audio/ogg") => Kind::Ogg(48_000, 0),
                _ => Kind::Steady(kilobits * 125),
            }
        };
        let checked = matches!(kind, Kind::Pcm(..));
        Some(Self { kind, first: Vec::new(), checked, rest: Vec::new() })
    }

    /// Whether a chunk is made of whole frames.
    pub fn is_whole(&self, bytes: &[u8]) -> bool {
        match self.kind {
            Kind::Pcm(frame, _) => (bytes.len() as u64).is_multiple_of(frame),
            _ => true,
        }
    }

    /// Microseconds that these bytes add; `None` when the stream is not of the content type.
    pub fn add(&mut self, bytes: &[u8]) -> Option<u64> {
        if !self.checked {
            self.first.extend_from_slice(bytes.get(..64).unwrap_or(bytes));
            if self.first.len() >= 12 {
                self.checked = true;
                if !self.fits() {
                    return None;
                }
            }
        }
        let n = bytes.len() as u64;
        Some(match &mut self.kind {
            Kind::Pcm(frame, rate) => n * 1_000_000 / (*frame * *rate),
            Kind::Steady(rate) => n * 1_000_000 / *rate,
            Kind::Ogg(rate, position) => {
                self.rest.extend_from_slice(bytes);
                ogg(&mut self.rest, rate, position)
            }
            Kind::Mp3 => {
                self.rest.extend_from_slice(bytes);
                mp3(&mut self.rest)
            }
        })
    }

    fn fits(&self) -> bool {
        let first = self.first.as_slice();
        let is_mpeg = first.starts_with(b"ID3")
            || (first.first() == Some(&0xFF) && first.get(1).is_some_and(|b| b & 0xE0 == 0xE0));
        let is_m4a = first.get(4..8) == Some(b"ftyp");
        match self.kind {
            Kind::Ogg(..) => first.starts_with(b"OggS"),
            Kind::Mp3 => {
                // Its frames are looked for only where there are some.
                is_mpeg || is_m4a
            }
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

/// Takes whole pages off and adds up their positions.
fn ogg(rest: &mut Vec<u8>, rate: &mut u64, position: &mut u64) -> u64 {
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

/// Takes whole frames off and adds up their times.
fn mp3(rest: &mut Vec<u8>) -> u64 {
    const RATES: [u64; 3] = [44_100, 48_000, 32_000];
    const ONE: [u64; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
    const TWO: [u64; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
    let (mut at, mut micros) = (0, 0);
    while let Some(&[sync, version, rates, _]) = rest.get(at..at + 4) {
        let table = if version >> 3 & 3 == 3 { &ONE } else { &TWO };
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
        assert!(CONTAINERS.iter().all(|(name, _)| Measure::new(name).is_some()));
        assert!(Measure::new("audio/wav").is_none());
        assert_eq!(normalise("Audio/PCM; encoding = s16le; rate=16000;"), "audio/pcm;encoding=s16le;rate=16000");
    }

    #[test]
    fn measures_pcm_and_mp3() {
        let mut pcm = Measure::new("audio/pcm;encoding=s16le;rate=16000").unwrap();
        assert_eq!(pcm.add(&[0; 6400]), Some(200_000));
        assert!(!pcm.is_whole(&[0; 3]));
        let mut mp3 = Measure::new("audio/mpeg").unwrap();
        let mut frame = vec![0xFF, 0xFB, 0x90, 0xC0];
        frame.resize(417, 0);
        assert_eq!(mp3.add(&frame), Some(26_122));
        assert_eq!(mp3.add(&[0; 64]), Some(0));
    }

    #[test]
    fn refuses_another_format() {
        assert_eq!(Measure::new("audio/ogg").unwrap().add(b"RIFF----WAVEfmt "), None);
        assert_eq!(Measure::new("audio/auto").unwrap().add(&[0; 64]), None);
    }
}
