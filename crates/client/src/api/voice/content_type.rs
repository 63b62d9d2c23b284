//! Content types of audio, normalised so that they can be compared and sent.

/// Returns a content type in lower case, without whitespace around `;` and `=`, and without a trailing `;`.
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
    fn normalises_case_spaces_and_a_trailing_semicolon() {
        for (written, normal) in [
            ("audio/webm;codecs=opus;", "audio/webm;codecs=opus"),
            ("Audio/PCM; encoding = S16LE ; rate=16000", "audio/pcm;encoding=s16le;rate=16000"),
            ("audio/ogg", "audio/ogg"),
        ] {
            assert_eq!(normalise(written), normal);
        }
    }
}
