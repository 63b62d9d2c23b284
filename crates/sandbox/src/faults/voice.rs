//! Faults of voice streams as text: `WHAT[@MS]`. Each happens once per session.

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};

/// How a voice stream fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoiceFaultKind {
    /// Break the connection without a closing message.
    Drop,
    /// Close the connection without `end_of_stream`.
    Close,
    /// Send an `error` message.
    Error,
    /// Send two `error` messages.
    Errors,
    /// Send messages of unknown types.
    Unknown,
    /// Send updates slowly, and after the end messages of other targets.
    Late,
    /// Send the last concluded segments again after a reconnection.
    Repeat,
}

const NAMES: [(&str, VoiceFaultKind); 7] = [
    ("drop", VoiceFaultKind::Drop),
    ("close", VoiceFaultKind::Close),
    ("error", VoiceFaultKind::Error),
    ("errors", VoiceFaultKind::Errors),
    ("unknown", VoiceFaultKind::Unknown),
    ("late", VoiceFaultKind::Late),
    ("repeat", VoiceFaultKind::Repeat),
];

/// A fault of a voice stream and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct VoiceFault {
    /// Kind of fault.
    pub kind: VoiceFaultKind,
    /// Position in the audio in milliseconds; unset means after the end of the client's audio.
    pub at_ms: Option<u64>,
}

impl FromStr for VoiceFault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, at) = text.split_once('@').map_or((text, None), |(word, at)| (word, Some(at)));
        let kind = NAMES.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind);
        let kind = kind.ok_or_else(|| {
            format!("unknown voice fault '{word}': must be one of {}", NAMES.map(|(name, _)| name).join(", "))
        })?;
        let ms = |at: &str| {
            at.parse().map_err(|_| format!("'{at}' in voice fault '{text}' is not a number of milliseconds"))
        };
        Ok(Self { kind, at_ms: at.map(ms).transpose()? })
    }
}

impl fmt::Display for VoiceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = NAMES.iter().find(|(_, kind)| *kind == self.kind).map_or("", |(name, _)| *name);
        match self.at_ms {
            Some(ms) => write!(f, "{word}@{ms}"),
            None => f.write_str(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_text_it_prints() {
        for text in ["drop@500", "close", "errors@0", "late", "unknown", "repeat"] {
            assert_eq!(text.parse::<VoiceFault>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn rejects_unknown_names_and_times() {
        for (text, part) in
            [("", "unknown voice fault ''"), ("boom", "'boom'"), ("drop@", "not a number"), ("drop@x", "'x' in voice")]
        {
            let error = text.parse::<VoiceFault>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
