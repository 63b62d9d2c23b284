//! How a sandbox behaves: the flags of `tulk sandbox serve` and the settings under `[sandbox]`.
//!
//! Each value parses from the text that it prints, so flags, settings and variables share one form.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tulk_base::files::SizeLimit;

use super::duration::Latency;
use super::faults::{FaultRule, VoiceFault};

/// Limit of phrases, seeds and translation memories, and of documents that are translated in memory.
pub(crate) const FILE_LIMIT: SizeLimit =
    SizeLimit { bytes: 64 * 1024 * 1024, kind: "a file of the sandbox", hint: "leave out what the test does not need" };

/// The settings of a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxOptions {
    /// Service whose rules apply where the generic and the public service differ.
    pub rules: ServiceRules,
    /// Engine that stands in for translation.
    pub engine: Engine,
    /// File with fixed answers to exact texts: TSV of source language, target language, source, target.
    pub phrases: Option<PathBuf>,
    /// File with translation memories: a JSON array of `SandboxMemory`.
    pub memories: Option<PathBuf>,
    /// TOML file with what every session begins with.
    pub seed_file: Option<PathBuf>,
    /// Time that every answer takes.
    pub latency: Latency,
    /// Faults that apply to all requests.
    pub faults: Vec<FaultRule>,
    /// Seed that makes faults and latency repeatable.
    pub seed: Option<u64>,
    /// Requests per second above which the answer is 429.
    pub rate_limit: Option<f64>,
    /// Characters per month of all keys together, above which the answer is 456.
    pub character_limit: Option<u64>,
    /// Default limit of documents per month for each key, above which the answer to an upload is 456.
    pub document_limit: Option<u64>,
    /// Documents per month of all keys together, above which the answer to an upload is 456.
    pub team_document_limit: Option<u64>,
    /// Accepted user keys; also accepted for administration if `admin_keys` is empty.
    pub keys: Vec<String>,
    /// Keys that are accepted for administration only.
    pub admin_keys: Vec<String>,
    /// Whether all other keys are accepted like those in `keys`, except `invalid` and deactivated developer keys.
    pub any_key: bool,
    /// Whether nothing is kept on disk, even if `state_dir` is set.
    pub ephemeral: bool,
    /// State directory; without one the state is kept in memory.
    pub state_dir: Option<PathBuf>,
    /// Time that a document stays `queued`.
    pub document_queue: Duration,
    /// Time that a document stays `translating` after that.
    pub document_translate: Duration,
    /// Time until a new glossary is ready.
    pub glossary_ready_delay: Duration,
    /// Number of polls that a translation memory job spends in each status before it ends.
    pub memory_job_polls: u64,
    /// Faults of voice streams.
    pub voice_faults: Vec<VoiceFault>,
    /// Whether unknown fields, query parameters and style rules are refused.
    pub strict: bool,
    /// File that each received request is appended to, one JSON object per line.
    pub record: Option<PathBuf>,
}

impl SandboxOptions {
    /// Returns the times after an upload at which its translation starts and ends, in milliseconds.
    pub(super) fn document_times(&self) -> (i64, i64) {
        let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let queued = ms(self.document_queue);
        (queued, queued.saturating_add(ms(self.document_translate)))
    }
}

impl Default for SandboxOptions {
    fn default() -> Self {
        Self {
            rules: ServiceRules::default(),
            engine: Engine::default(),
            phrases: None,
            memories: None,
            seed_file: None,
            latency: Latency::default(),
            faults: Vec::new(),
            seed: None,
            rate_limit: None,
            character_limit: None,
            document_limit: None,
            team_document_limit: None,
            keys: vec!["sandbox".to_owned()],
            admin_keys: Vec::new(),
            any_key: false,
            ephemeral: false,
            state_dir: None,
            document_queue: Duration::from_millis(300),
            document_translate: Duration::from_millis(700),
            glossary_ready_delay: Duration::ZERO,
            memory_job_polls: 1,
            voice_faults: Vec::new(),
            strict: false,
            record: None,
        }
    }
}

/// A service whose rules the sandbox follows, by the name of its preset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
pub enum ServiceRules {
    /// The generic service
    #[default]
    #[serde(rename = "service")]
    #[value(name = "service")]
    Generic,
    /// The public service
    #[serde(rename = "deepl")]
    #[value(name = "deepl")]
    Public,
}

impl ServiceRules {
    /// Returns whether the rules of the public service apply.
    pub fn is_public(self) -> bool {
        self == Self::Public
    }
}

impl FromStr for ServiceRules {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = |_| format!("unknown service '{text}': must be service or deepl");
        <Self as clap::ValueEnum>::from_str(text, false).map_err(unknown)
    }
}

/// How a text becomes its "translation".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Accented letters, different for each target language
    #[default]
    Pseudo,
    /// The text itself, byte for byte
    Echo,
    /// Capital letters
    Upper,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.serialize(f)
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = |_| format!("unknown engine '{text}': must be pseudo, echo or upper");
        <Self as clap::ValueEnum>::from_str(text, false).map_err(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_names_it_prints() {
        for name in ["pseudo", "echo", "upper"] {
            assert_eq!(name.parse::<Engine>().unwrap().to_string(), name);
        }
        assert!("Echo".parse::<Engine>().is_err());
    }
}
