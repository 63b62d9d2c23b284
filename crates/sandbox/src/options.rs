//! The options of a sandbox: the flags of `tulk sandbox serve` and the settings under `[sandbox]`.
//!
//! Parsing a printed value returns the same value (with times in whole milliseconds), so flags, settings and environment
//! variables share one format.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tulk_base::files::SizeLimit;

use super::duration::Latency;
use super::faults::{FaultRule, VoiceFault};

/// Size limit of files with phrases, seeds and memories, and of documents that are translated in memory.
pub(crate) const FILE_LIMIT: SizeLimit =
    SizeLimit { bytes: 64 * 1024 * 1024, kind: "a file of the sandbox", hint: "leave out what the test does not need" };

/// The options of a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxOptions {
    /// The service whose rules apply where the generic and the public service differ.
    pub rules: ServiceRules,
    /// How texts are "translated".
    pub engine: Engine,
    /// File with fixed answers to exact texts: TSV of source language, target language, source, target and, optionally, conditions.
    pub phrases: Option<PathBuf>,
    /// File with translation memories: a JSON array of `StoredMemory`.
    pub memories: Option<PathBuf>,
    /// TOML file with the initial objects and usage of every session.
    pub seed_file: Option<PathBuf>,
    /// Delay of every answer.
    pub latency: Latency,
    /// Faults that apply to all requests.
    pub faults: Vec<FaultRule>,
    /// Random seed that makes faults and latency repeatable.
    pub seed: Option<u64>,
    /// Requests per second; more are answered with 429.
    pub rate_limit: Option<f64>,
    /// Characters per month for all keys together; more are answered with 456.
    pub character_limit: Option<u64>,
    /// Default limit of documents per month for each key; more uploads are answered with 456.
    pub document_limit: Option<u64>,
    /// Documents per month for all keys together; more uploads are answered with 456.
    pub team_document_limit: Option<u64>,
    /// Accepted user keys. They are also accepted for administration if `admin_keys` is empty.
    pub keys: Vec<String>,
    /// Keys that are accepted for administration only.
    pub admin_keys: Vec<String>,
    /// Whether to accept all other keys except `invalid` like those in `keys`. Developer keys keep their own rules.
    pub any_key: bool,
    /// Whether to keep nothing on disk, even if `state_dir` is set.
    pub ephemeral: bool,
    /// State directory; without one, the state is kept in memory.
    pub state_dir: Option<PathBuf>,
    /// How long a document stays `queued`.
    pub document_queue: Duration,
    /// How long a document then stays `translating`.
    pub document_translate: Duration,
    /// How long a new glossary takes to be ready.
    pub glossary_ready_delay: Duration,
    /// Number of polls for which a translation memory job stays in each status before it ends.
    pub memory_job_polls: u64,
    /// Faults of voice streams.
    pub voice_faults: Vec<VoiceFault>,
    /// Whether to refuse unknown fields, query parameters and style rules.
    pub strict: bool,
    /// File to which each received request is appended as a line of JSON.
    pub record: Option<PathBuf>,
}

impl SandboxOptions {
    /// Returns the times at which the translation of an upload starts and ends, in milliseconds after the upload.
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

/// A service whose rules the sandbox follows, named like its preset.
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

/// The engine that replaces real translation.
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
