//! Content types of audio, written the one way they are compared and sent in.
//!
//! The set is open: what is not known here is sent as it is. Spec: "Voice", content types.

/// Writes a content type in lower case, without blanks around `;` and `=`, and without a `;` at its end.
pub fn normalise(text: &str) -> String {
    let parts = text.split(';').map(|part| {
        let part = part.trim().to_ascii_lowercase();
        match part.split_once('=') {
            Some((name, value)) => format!("{}={}", name.trim(), value.trim()),
            None => part,
        }
    });
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(";")
}

/// Encodings of audio without a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// G.711 A-law.
    Alaw,
    /// G.711 µ-law.
    Ulaw,
    /// 16 bit, little-endian.
    S16le,
}

impl Encoding {
    /// Bytes of one frame; there is one channel.
    pub const fn frame_bytes(self) -> usize {
        match self {
            Self::Alaw | Self::Ulaw => 1,
            Self::S16le => 2,
        }
    }
}

/// The encoding and the frames a second of a normalised `audio/pcm` type; `None` for any other type.
pub fn pcm(normalised: &str) -> Option<(Encoding, u32)> {
    let mut parts = normalised.split(';');
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
    Some((encoding?, rate?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalises_the_samples_of_the_reference() {
        for (written, normal) in [
            ("audio/webm;codecs=opus;", "audio/webm;codecs=opus"),
            ("Audio/PCM; encoding = S16LE ; rate=16000", "audio/pcm;encoding=s16le;rate=16000"),
            ("audio/ogg", "audio/ogg"),
        ] {
            assert_eq!(normalise(written), normal);
        }
    }

    #[test]
    fn reads_pcm() {
        assert_eq!(pcm("audio/pcm;encoding=s16le;rate=24000"), Some((Encoding::S16le, 24_000)));
        assert_eq!(pcm("audio/pcm;encoding=ulaw;rate=8000"), Some((Encoding::Ulaw, 8000)));
        for no in ["audio/ogg", "audio/pcm", "audio/pcm;encoding=s16le;rate=0", "audio/pcm;encoding=f32le;rate=8000"] {
            assert_eq!(pcm(no), None, "{no}");
        }
    }
}
