//! Flags of the sandbox: `tulk sandbox serve` accepts them as flags, the embedded sandbox as settings with the same names.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Command, FromArgMatches as _};
use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{self, FileMode};
use tulk_sandbox::{Engine, FaultRule, Latency, SandboxOptions, ServiceRules, VoiceFault};

use super::SANDBOX;
use crate::config::{Config, SandboxSettings, parse_duration, parse_rate};
use crate::output::Output;

/// Options of the sandbox.
#[derive(Args, Clone, Debug)]
pub struct SandboxFlags {
    /// Accepted key, repeatable [default: sandbox]
    #[arg(long, value_name = "KEY")]
    pub key: Vec<String>,
    /// Accepted admin key, repeatable [default: the accepted keys]
    #[arg(long, value_name = "KEY")]
    pub admin_key: Vec<String>,
    /// Accept every key, except `invalid` and deactivated developer keys
    #[arg(long)]
    pub any_key: bool,
    /// Follow the rules of this service [default: service]
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub service: Option<ServiceRules>,
    /// How texts are translated [default: pseudo]
    #[arg(long, value_enum, value_name = "ENGINE", help_heading = "Translation")]
    pub engine: Option<Engine>,
    /// Exact translations: TSV with source_lang, target_lang, source, target
    #[arg(long, value_name = "FILE", help_heading = "Translation")]
    pub phrases: Option<PathBuf>,
    /// Translation memories as JSON
    #[arg(long, value_name = "FILE", help_heading = "Translation")]
    pub memories: Option<PathBuf>,
    /// Objects, keys and usage that exist at the start, as TOML
    #[arg(long, value_name = "FILE")]
    pub seed_file: Option<PathBuf>,
    /// Delay of each response: 50ms, or 10ms-100ms
    #[arg(long, value_name = "DURATION", help_heading = "Timing")]
    pub latency: Option<Latency>,
    /// Fault of all or some requests, such as drop or 429:0.1; repeatable
    #[arg(long, value_name = "FAULT[:SHARE]", help_heading = "Faults and limits")]
    pub fault: Vec<FaultRule>,
    /// Seed that makes faults and latency repeatable
    #[arg(long, value_name = "N", help_heading = "Faults and limits")]
    pub seed: Option<u64>,
    /// Respond with 429 above this request rate
    #[arg(long, value_parser = parse_rate, value_name = "N/s", help_heading = "Faults and limits")]
    pub rate_limit: Option<f64>,
    /// Respond with 456 above this number of characters per month
    #[arg(long, value_name = "N", help_heading = "Faults and limits")]
    pub character_limit: Option<u64>,
    /// Respond with 456 above this number of documents per month and key
    #[arg(long, value_name = "N", help_heading = "Faults and limits")]
    pub document_limit: Option<u64>,
    /// Respond with 456 above this number of documents per month
    #[arg(long, value_name = "N", help_heading = "Faults and limits")]
    pub team_document_limit: Option<u64>,
    /// Time that a document is queued
    #[arg(long, value_parser = parse_duration, value_name = "DURATION", help_heading = "Timing")]
    pub document_queue: Option<Duration>,
    /// Time to translate a document
    #[arg(long, value_parser = parse_duration, value_name = "DURATION", help_heading = "Timing")]
    pub document_translate: Option<Duration>,
    /// Time until a new glossary is ready
    #[arg(long, value_parser = parse_duration, value_name = "DURATION", help_heading = "Timing")]
    pub glossary_ready_delay: Option<Duration>,
    /// Polls before a memory job changes its status [default: 1]
    #[arg(long, value_name = "N", help_heading = "Timing")]
    pub memory_job_polls: Option<u64>,
    /// Fault in voice streams, repeatable: drop@500, error, late
    #[arg(long, value_name = "FAULT[@MS]", help_heading = "Faults and limits")]
    pub voice_fault: Vec<VoiceFault>,
    /// Refuse unknown fields, query parameters and style rules
    #[arg(long, help_heading = "Faults and limits")]
    pub strict: bool,
    /// Keep no state on disk
    #[arg(long)]
    pub ephemeral: bool,
    /// Append each request to a file as JSON, including the keys
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl SandboxFlags {
    /// Adds the flags to a command.
    pub fn add_to(command: Command) -> Command {
        Self::augment_args(command)
    }

    /// Returns the flags for the embedded sandbox: its settings, and the service of the profile.
    pub fn of_config(config: &Config) -> Result<Self, Failure> {
        let mut flags = Self::of_settings(&config.sandbox()?)?;
        let rules = if config.has_public_rules()? { ServiceRules::Public } else { ServiceRules::Generic };
        flags.service = Some(rules);
        Ok(flags)
    }

    fn of_settings(settings: &SandboxSettings) -> Result<Self, Failure> {
        let command = Self::augment_args(Command::new("sandbox").no_binary_name(true).disable_help_flag(true));
        let matches = command.try_get_matches_from(settings.to_args());
        // This does not fail: the settings were checked when they were read.
        let flags = matches.and_then(|matches| Self::from_arg_matches(&matches));
        flags.map_err(|e| Failure::internal(format!("sandbox settings: {e}")))
    }

    /// Returns what determines results besides the request and the state: the rules, the engine, and digests of files. Fails for a file
    /// that can be read only once.
    pub fn results_identity(&self) -> Result<String, Failure> {
        let mut identity =
            format!("{SANDBOX} {:?} {:?}", self.service.unwrap_or_default(), self.engine.unwrap_or_default());
        for file in [&self.phrases, &self.memories, &self.seed_file] {
            let digest = file.as_deref().map(|file| {
                if files::is_special(file) {
                    return Err(Failure::usage(format!("{} can only be read once", file.display())));
                }
                files::file_digest(file)
            });
            identity = format!("{identity} {}", digest.transpose()?.unwrap_or_default());
        }
        Ok(identity)
    }

    /// Returns the options of the sandbox. If its state directory cannot be used, warns and keeps no state.
    pub fn options(self, out: &Output) -> SandboxOptions {
        let default = SandboxOptions::default();
        let state_dir = if self.ephemeral { None } else { usable_state_dir(out) };
        let ephemeral = state_dir.is_none();
        SandboxOptions {
            rules: self.service.unwrap_or(default.rules),
            engine: self.engine.unwrap_or(default.engine),
            phrases: self.phrases,
            memories: self.memories,
            seed_file: self.seed_file,
            latency: self.latency.unwrap_or(default.latency),
            faults: self.fault,
            seed: self.seed,
            rate_limit: self.rate_limit,
            character_limit: self.character_limit,
            document_limit: self.document_limit,
            team_document_limit: self.team_document_limit,
            keys: if self.key.is_empty() { default.keys } else { self.key },
            admin_keys: self.admin_key,
            any_key: self.any_key,
            ephemeral,
            state_dir,
            document_queue: self.document_queue.unwrap_or(default.document_queue),
            document_translate: self.document_translate.unwrap_or(default.document_translate),
            glossary_ready_delay: self.glossary_ready_delay.unwrap_or(default.glossary_ready_delay),
            memory_job_polls: self.memory_job_polls.unwrap_or(default.memory_job_polls),
            voice_faults: self.voice_fault,
            strict: self.strict,
            record: self.record,
        }
    }
}

/// Returns the directory of the sandbox's state if this user can write to it. Otherwise, warns that the run keeps no state.
fn usable_state_dir(out: &Output) -> Option<PathBuf> {
    let usable = sandbox_state_dir().and_then(|dir| {
        let probe = files::make_dirs(&dir, FileMode::Private)
            .and_then(|()| files::check_trusted_dir(&dir))
            .and_then(|()| tempfile::tempfile_in(&dir).file_context("write in", &dir));
        probe.map(|_| dir)
    });
    usable.map_err(|failure| out.warn(&format!("{failure}; the sandbox keeps no state in this run"))).ok()
}

pub fn sandbox_state_dir() -> Result<PathBuf, Failure> {
    Ok(files::state_dir()?.join("sandbox"))
}
