//! The sandbox's voice: a steady tone, as real audio in every content type of the reference.
//!
//! Opus and AAC packets are a recorded tone, FLAC and PCM are computed; the containers are written here. Spec: "Voice",
//! target content types.

mod ebml;
mod flac;
mod ogg;
mod pcm;
mod ts;

/// A tone of 450 Hz in Opus, 20 ms a packet, 48 kHz, one channel; each packet after its length in two bytes.
const OPUS: &[u8] = include_bytes!("tone.opus");
/// A tone in AAC-LC, 1024 samples a packet, 24 kHz, one channel; written alike.
const AAC: &[u8] = include_bytes!("tone.aac");
/// What initialises an Opus decoder: one channel, 312 samples to skip, 48 kHz.
const OPUS_HEAD: &[u8] = b"OpusHead\x01\x01\x38\x01\x80\xBB\0\0\0\0\0";
/// What initialises an AAC decoder: LC, 24 kHz, one channel.
const AAC_CONFIG: &[u8] = &[0x13, 0x08];

/// How sound is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Codec {
    Opus,
    Aac,
    Flac,
    Alaw(u32),
    Ulaw(u32),
    S16le(u32),
}

impl Codec {
    /// Samples a second, in the codec's own clock.
    const fn rate(self) -> u32 {
        match self {
            Self::Opus => 48_000,
            Self::Aac | Self::Flac => 24_000,
            Self::Alaw(rate) | Self::Ulaw(rate) | Self::S16le(rate) => rate,
        }
    }

    /// Samples of a packet.
    const fn samples(self) -> u32 {
        match self {
            Self::Aac => 1024,
            other => other.rate() / 50,
        }
    }

    /// The packet of a number.
    fn packet(self, number: u64) -> Vec<u8> {
        match self {
            Self::Opus => recorded(OPUS, number),
            Self::Aac => recorded(AAC, number),
            Self::Flac => flac::frame(number, self.samples(), self.rate()),
            Self::Alaw(_) | Self::Ulaw(_) | Self::S16le(_) => pcm::packet(self, number),
        }
    }
}

/// One of the recorded packets, in a circle.
fn recorded(packets: &[u8], number: u64) -> Vec<u8> {
    let mut all = Vec::new();
    let mut rest = packets;
    while let [high, low, after @ ..] = rest {
        let size = usize::from(u16::from_be_bytes([*high, *low]));
        let Some((packet, next)) = after.split_at_checked(size) else { break };
        all.push(packet);
        rest = next;
    }
    let at = usize::try_from(number % all.len().max(1) as u64).unwrap_or(0);
    all.get(at).map(|packet| packet.to_vec()).unwrap_or_default()
}

/// What the packets lie in.
enum Container {
    /// Nothing; a raw codec.
    None,
    Ogg(ogg::Writer),
    Ebml(ebml::Writer),
    Ts(ts::Writer),
}

/// Speaks in one content type.
pub struct Sound {
    codec: Codec,
    container: Container,
    /// Packets so far.
    packets: u64,
    /// The first message has gone.
    pub started: bool,
}

/// Some speech.
pub struct Speech {
    /// What initialises a decoder; first only.
    pub headers: Vec<Vec<u8>>,
    /// Packets, pages or clusters.
    pub data: Vec<Vec<u8>>,
    /// Playing time in milliseconds.
    pub ms: u64,
}

impl Sound {
    /// A voice for a normalised content type; `None` for one that is not known.
    pub fn new(content_type: &str) -> Option<Self> {
        let (container, codec) = match content_type {
            "audio/flac" => (Container::None, Codec::Flac),
            "video/mp2t;codecs=aac" => (Container::Ts(ts::Writer::new(Codec::Aac)), Codec::Aac),
            "video/mp2t;codecs=opus" => (Container::Ts(ts::Writer::new(Codec::Opus)), Codec::Opus),
            "audio/ogg" | "audio/ogg;codecs=opus" => (Container::Ogg(ogg::Writer::default()), Codec::Opus),
            "audio/ogg;codecs=flac" => (Container::Ogg(ogg::Writer::default()), Codec::Flac),
            "audio/opus" => (Container::None, Codec::Opus),
            "audio/pcm;encoding=alaw;rate=8000" => (Container::None, Codec::Alaw(8000)),
            "audio/pcm;encoding=ulaw;rate=8000" => (Container::None, Codec::Ulaw(8000)),
            "audio/pcm;encoding=s16le;rate=16000" => (Container::None, Codec::S16le(16_000)),
            "audio/pcm;encoding=s16le;rate=24000" => (Container::None, Codec::S16le(24_000)),
            "audio/webm" | "audio/webm;codecs=opus" => (Container::Ebml(ebml::Writer::new("webm")), Codec::Opus),
            "audio/x-matroska;codecs=aac" => (Container::Ebml(ebml::Writer::new("matroska")), Codec::Aac),
            "audio/x-matroska;codecs=flac" => (Container::Ebml(ebml::Writer::new("matroska")), Codec::Flac),
            "audio/x-matroska;codecs=opus" => (Container::Ebml(ebml::Writer::new("matroska")), Codec::Opus),
            _ => return None,
        };
        Some(Self { codec, container, packets: 0, started: false })
    }

    /// Speaks for about so long: whole packets.
    pub fn speak(&mut self, ms: u64) -> Speech {
        let (rate, samples) = (u64::from(self.codec.rate()), u64::from(self.codec.samples()));
        let headers = if self.started { Vec::new() } else { self.headers() };
        let count = (ms * rate / 1000).div_ceil(samples).max(1);
        let numbers = self.packets..self.packets + count;
        let packets: Vec<_> = numbers.clone().map(|number| self.codec.packet(number)).collect();
        self.packets = numbers.end;
        let data = match &mut self.container {
            Container::None => packets,
            Container::Ogg(writer) => writer.pages(&packets, numbers.start, samples),
            Container::Ebml(writer) => {
                vec![writer.cluster(&packets, numbers.start * samples * 1000 / rate, samples * 1000, rate)]
            }
            Container::Ts(writer) => vec![writer.packets(&packets, numbers.start, samples, rate)],
        };
        Speech { headers, data, ms: count * samples * 1000 / rate }
    }

    /// What ends the container.
    pub fn finish(&mut self) -> Vec<Vec<u8>> {
        match &mut self.container {
            Container::Ogg(writer) if self.started => vec![writer.last(self.packets * u64::from(self.codec.samples()))],
            _ => Vec::new(),
        }
    }

    fn headers(&mut self) -> Vec<Vec<u8>> {
        match (&mut self.container, self.codec) {
            (Container::None, Codec::Opus) => vec![OPUS_HEAD.to_vec(), ogg::opus_tags()],
            (Container::None, Codec::Flac) => vec![flac::header(self.codec.samples(), self.codec.rate())],
            (Container::None | Container::Ts(_), _) => Vec::new(),
            (Container::Ogg(writer), Codec::Flac) => writer.flac_headers(self.codec.samples(), self.codec.rate()),
            (Container::Ogg(writer), _) => writer.opus_headers(),
            (Container::Ebml(writer), codec) => vec![writer.header(codec)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sixteen content types of the reference, and how their bytes begin.
    const ALL: [(&str, &[u8]); 16] = [
        ("audio/flac", b"fLaC"),
        ("video/mp2t;codecs=aac", b"\x47\x40\x00"),
        ("video/mp2t;codecs=opus", b"\x47\x40\x00"),
        ("audio/ogg", b"OggS"),
        ("audio/ogg;codecs=opus", b"OggS"),
        ("audio/ogg;codecs=flac", b"OggS"),
        ("audio/opus", b"OpusHead"),
        ("audio/pcm;encoding=alaw;rate=8000", b""),
        ("audio/pcm;encoding=ulaw;rate=8000", b""),
        ("audio/pcm;encoding=s16le;rate=16000", b""),
        ("audio/pcm;encoding=s16le;rate=24000", b""),
        ("audio/webm", b"\x1A\x45\xDF\xA3"),
        ("audio/webm;codecs=opus", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=aac", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=flac", b"\x1A\x45\xDF\xA3"),
        ("audio/x-matroska;codecs=opus", b"\x1A\x45\xDF\xA3"),
    ];

    #[test]
    fn speaks_in_every_content_type() {
        for (content_type, start) in ALL {
            let mut sound = Sound::new(content_type).unwrap();
            let first = sound.speak(500);
            sound.started = true;
            let second = sound.speak(1000);
            assert!(second.headers.is_empty(), "{content_type}");
            assert!((500..=530).contains(&first.ms) && (1000..=1030).contains(&second.ms), "{content_type}");
            let bytes: Vec<u8> = [first.headers, first.data, second.data, sound.finish()].concat().concat();
            assert!(bytes.starts_with(start), "{content_type}");
            // Room for other programs to look at what was made.
            if let Some(dir) = std::env::var_os("TULK_TEST_SOUND_DIR") {
                let name = content_type.replace(['/', ';', '='], "_");
                std::fs::write(std::path::Path::new(&dir).join(name), bytes).unwrap();
            }
        }
        assert!(Sound::new("audio/wav").is_none());
    }

    #[test]
    fn has_recorded_packets() {
        assert_eq!(recorded(OPUS, 0).len(), 80);
        assert_eq!(recorded(OPUS, 10), recorded(OPUS, 0));
        assert!(recorded(AAC, 7).len() > 100);
    }
}
