//! Things that go wrong with a stream on purpose: `WHAT[@MS]`, each once a session.

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoiceFaultKind {
    /// The connection breaks, without a word.
    Drop,
    /// The service closes, without `end_of_stream`.
    Close,
    /// An `error` message.
    Error,
    /// Two `error` messages.
    Errors,
    /// Messages with names that no client knows.
    Unknown,
    /// Updates that come after the end messages of others, and slowly.
    Late,
    /// After a reconnection the last concluded segments come once more.
    Repeat,
}

const WORDS: [(&str, VoiceFaultKind); 7] = [
    ("drop", VoiceFaultKind::Drop),
    ("close", VoiceFaultKind::Close),
    ("error", VoiceFaultKind::Error),
    ("errors", VoiceFaultKind::Errors),
    ("unknown", VoiceFaultKind::Unknown),
    ("late", VoiceFaultKind::Late),
    ("repeat", VoiceFaultKind::Repeat),
];

/// A fault of a voice stream and when it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct VoiceFault {
    /// What goes wrong.
    pub what: VoiceFaultKind,
    /// At which playing time, in milliseconds; unset: when the client has ended.
    pub at_ms: Option<u64>,
}

impl FromStr for VoiceFault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, at) = text.split_once('@').map_or((text, None), |(word, at)| (word, Some(at)));
        let what = WORDS.iter().find(|(name, _)| *name == word).map(|(_, what)| *what);
        let what = what.ok_or_else(|| {
            format!("unknown voice fault '{word}': one of {}", WORDS.map(|(name, _)| name).join(", "))
        })?;
        let ms = |at: &str| at.parse().map_err(|_| format!("'{at}' in voice fault '{text}' is no number of ms"));
        Ok(Self { what, at_ms: at.map(ms).transpose()? })
    }
}

impl fmt::Display for VoiceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(_, what)| *what == self.what).map_or("", |(name, _)| *name);
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
    fn faults_read_as_they_are_written() {
        for text in ["drop@500", "close", "errors@0", "late", "unknown", "repeat"] {
            assert_eq!(text.parse::<VoiceFault>().unwrap().to_string(), text);
        }
        for bad in ["", "boom", "drop@", "drop@x"] {
            assert!(bad.parse::<VoiceFault>().is_err(), "{bad}");
        }
    }
}
