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
}
