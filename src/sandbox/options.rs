//! How a sandbox behaves: what `tulk sandbox serve` takes as flags and `[sandbox]` as settings.
//!
//! Values parse from text and print as the same text, so flags, settings and variables share one form.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::faults::FaultRule;
use super::routes::voice::VoiceFault;

/// What stands in for a translation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Accented letters, other ones for each target language
    #[default]
    Pseudo,
    /// The text itself, byte for byte
    Echo,
    /// Capital letters
    Upper,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Pseudo => "pseudo",
            Self::Echo => "echo",
            Self::Upper => "upper",
        })
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "pseudo" => Ok(Self::Pseudo),
            "echo" => Ok(Self::Echo),
            "upper" => Ok(Self::Upper),
            _ => Err(format!("unknown engine '{text}': one of pseudo, echo, upper")),
        }
    }
}

/// How long every answer takes: one duration, or a range from which each request draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Latency {
    /// The shortest time.
    pub least: Duration,
    /// The longest time; the same as `least` without jitter.
    pub most: Duration,
}

impl From<Duration> for Latency {
    fn from(time: Duration) -> Self {
        Self { least: time, most: time }
    }
}

impl FromStr for Latency {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((least, most)) = text.split_once('-') else { return Ok(parse_duration(text)?.into()) };
        let (least, most) = (parse_duration(least)?, parse_duration(most)?);
        if most < least {
            return Err(format!("the range '{text}' ends before it starts"));
        }
        Ok(Self { least, most })
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}ms", self.least.as_millis())?;
        if self.most == self.least { Ok(()) } else { write!(f, "-{}ms", self.most.as_millis()) }
    }
}

/// Reads `50ms`, `2s`, `1m`, `1h` or plain seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit in '{text}': one of ms, s, m, h")),
    };
    let number: f64 = number.parse().map_err(|_| format!("'{text}' is no duration such as 50ms or 2s"))?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| format!("'{text}' is no duration such as 50ms or 2s"))
}

/// Everything that can be set about a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxOptions {
    /// What stands in for a translation.
    pub engine: Engine,
    /// Exact answers to exact texts: TSV of source language, target language, source, target.
    pub phrases: Option<PathBuf>,
    /// Translation memories: a JSON array, see `terms::Memory`.
    pub memories: Option<PathBuf>,
    /// Time every answer takes.
    pub latency: Latency,
    /// Faults that happen by themselves.
    pub faults: Vec<FaultRule>,
    /// Makes faults and jitter repeatable.
    pub seed: Option<u64>,
    /// Requests a second before 429.
    pub rate_limit: Option<f64>,
    /// Characters a month before 456.
    pub character_limit: Option<u64>,
    /// Keys that are accepted, for users, and for administration when `admin_keys` is empty.
    pub keys: Vec<String>,
    /// Keys for administration alone.
    pub admin_keys: Vec<String>,
    /// Keeps nothing on disk, even if `state_dir` is set.
    pub ephemeral: bool,
    /// Where state is kept; without it nothing is.
    pub state_dir: Option<PathBuf>,
    /// How long a document is `queued`.
    pub document_queue_time: Duration,
    /// How long a document is `translating` after that.
    pub document_translate_time: Duration,
    /// How long a new glossary is not ready.
    pub glossary_ready_delay: Duration,
    /// Faults of voice streams.
    pub voice_faults: Vec<VoiceFault>,
    /// Appends each request received to this file, one JSON object a line.
    pub record: Option<PathBuf>,
}

impl Default for SandboxOptions {
    fn default() -> Self {
        Self {
            engine: Engine::default(),
            phrases: None,
            memories: None,
            latency: Latency::default(),
            faults: Vec::new(),
            seed: None,
            rate_limit: None,
            character_limit: None,
            keys: vec!["sandbox".to_owned()],
            admin_keys: Vec::new(),
            ephemeral: false,
            state_dir: None,
            document_queue_time: Duration::from_millis(300),
            document_translate_time: Duration::from_millis(700),
            glossary_ready_delay: Duration::ZERO,
            voice_faults: Vec::new(),
            record: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_durations_and_ranges() {
        assert_eq!(parse_duration("50ms"), Ok(Duration::from_millis(50)));
        assert_eq!(parse_duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        for bad in ["", "fast", "5 days", "-1s", "1e400"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
        let range: Latency = "10ms-100ms".parse().unwrap();
        assert_eq!(range.to_string(), "10ms-100ms");
        assert!("100ms-10ms".parse::<Latency>().is_err());
        assert_eq!("2s".parse::<Latency>().unwrap().to_string(), "2000ms");
    }

    #[test]
    fn names_engines_as_they_are_read() {
        for name in ["pseudo", "echo", "upper"] {
            assert_eq!(name.parse::<Engine>().unwrap().to_string(), name);
        }
        assert!("Echo".parse::<Engine>().is_err());
    }
}
