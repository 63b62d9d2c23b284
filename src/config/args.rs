//! Global flags, which every command accepts.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PathBufValueParser, StringValueParser};
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, ValueEnum, value_parser};
use tulk_client::{Concurrency, Defaulted, OptionalFlag as _};

use super::{env, normalized_address, parse_duration, parse_rate};
use crate::completion::ValueKind;

/// Output formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Table on a terminal, TSV when piped; text for translate and write
    #[default]
    Auto,
    /// Aligned table
    Table,
    /// JSON as sent by the service
    Json,
    /// One JSON object per line
    Jsonl,
    /// Tab-separated values, one row per line
    Tsv,
    /// Plain text
    Text,
    /// SubRip subtitles (voice)
    Srt,
    /// WebVTT subtitles (voice)
    Vtt,
    /// Annotations of GitHub Actions (lint, diff, write and sync --check)
    Github,
    /// XLIFF 1.2 for translators (sync export)
    Xliff,
    /// XLIFF 2.0 for translators (sync export)
    Xliff2,
    /// PO for translators (sync export)
    Po,
    /// Table for translators (sync export)
    Csv,
}

/// When to use color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless the environment disables it
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How progress is shown on stderr.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressChoice {
    /// A bar on a terminal, otherwise a line every 10 seconds
    #[default]
    Auto,
    /// A progress bar
    Bar,
    /// Plain lines
    Plain,
    /// No progress
    None,
}

/// Flags of every command, accepted before and after its name
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Account and server")]
pub struct GlobalArgs {
    /// Settings file; credentials.toml is in the same directory
    #[arg(long, global = true, env = "TULK_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Profile to use
    #[arg(short, long, global = true, env = "TULK_PROFILE", value_name = "NAME")]
    #[arg(add = ValueKind::Profiles)]
    pub profile: Option<String>,
    /// Base URL of the service
    #[arg(long, global = true, env = "TULK_SERVER", value_name = "URL")]
    pub server: Option<String>,
    /// Use the embedded sandbox instead of a server
    #[arg(long, global = true)]
    pub sandbox: bool,
    /// File to read the key from (- for stdin)
    #[arg(long, global = true, value_name = "FILE|-")]
    pub key_file: Option<PathBuf>,
    /// Output format
    #[arg(long, global = true, value_enum, value_name = "FORMAT", help_heading = "Output")]
    #[arg(add = ValueKind::Formats)]
    pub format: Option<OutputFormat>,
    /// Same as --format json
    #[arg(long, global = true, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,
    /// Filter JSON results with a jq expression; implies --json
    #[arg(long, global = true, value_name = "EXPR", allow_hyphen_values = true, help_heading = "Output")]
    pub jq: Option<String>,
    /// Add a header line to TSV
    #[arg(long, global = true, help_heading = "Output")]
    pub header: bool,
    /// Columns to show, in this order
    #[arg(long, global = true, value_delimiter = ',', value_name = "A,B", help_heading = "Output")]
    #[arg(add = ValueKind::Columns)]
    pub columns: Vec<String>,
    /// When to use color
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        overrides_with_all = ["color", "no_color"],
        help_heading = "Output"
    )]
    pub color: ColorChoice,
    /// Same as --color never
    #[arg(long, global = true, hide = true, overrides_with_all = ["color", "no_color"])]
    pub no_color: bool,
    /// How to show progress
    #[arg(long, global = true, value_enum, value_name = "HOW", help_heading = "Output")]
    pub progress: Option<ProgressChoice>,
    /// Print results and errors only
    #[arg(short, long, global = true, help_heading = "Output")]
    pub quiet: bool,
    /// Log requests on stderr; repeat for headers and bodies
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Output")]
    pub verbose: u8,
    /// Print billable or modifying requests instead of sending them
    #[arg(short = 'n', long, global = true, help_heading = "Running")]
    pub dry_run: bool,
    /// Answer yes to all prompts
    #[arg(short, long, global = true, help_heading = "Running")]
    pub yes: bool,
    /// Timeout of an attempt, or of a transfer without progress [default: 30s]
    #[arg(long, global = true, env = "TULK_TIMEOUT", value_name = "DURATION", help_heading = "Running")]
    #[arg(value_parser = Defaulted::parser(parse_duration))]
    pub timeout: Option<Defaulted<Duration>>,
    /// Maximum retries of a request [default: 5]
    #[arg(long, global = true, value_name = "N", help_heading = "Running")]
    #[arg(value_parser = Defaulted::parser(value_parser!(u32)))]
    pub retries: Option<Defaulted<u32>>,
    /// Maximum total time to wait for the service
    #[arg(long, global = true, value_name = "DURATION", help_heading = "Running")]
    #[arg(value_parser = Defaulted::parser(parse_duration))]
    pub max_wait: Option<Defaulted<Duration>>,
    /// Maximum requests in flight; auto adapts, up to 64 [default: 8]
    #[arg(long, global = true, value_name = "N|auto", help_heading = "Running")]
    #[arg(value_parser = Defaulted::parser(str::parse::<Concurrency>))]
    pub concurrency: Option<Defaulted<Concurrency>>,
    /// Maximum request rate, such as 5/s [default: unlimited]
    #[arg(long, global = true, value_name = "N/s", help_heading = "Running")]
    #[arg(value_parser = Defaulted::parser(parse_rate))]
    pub rate: Option<Defaulted<f64>>,
    /// Proxy for all requests
    #[arg(long, global = true, value_name = "URL", conflicts_with = "no_proxy", help_heading = "Network")]
    #[arg(value_parser = Defaulted::parser(StringValueParser::new()))]
    pub proxy: Option<Defaulted<String>>,
    /// Connect directly, without a proxy
    #[arg(long, global = true, help_heading = "Network")]
    pub no_proxy: bool,
    /// Certificates to trust in addition to the system's
    #[arg(long, global = true, value_name = "FILE", help_heading = "Network")]
    #[arg(value_parser = Defaulted::parser(PathBufValueParser::new()))]
    pub ca_file: Option<Defaulted<PathBuf>>,
    /// Allow plain HTTP to other machines
    #[arg(long, global = true, help_heading = "Network")]
    pub insecure_http: bool,
    /// Reporting tag for text translations and voice sessions
    #[arg(long, global = true, env = "TULK_REPORTING_TAG", value_name = "TAG", help_heading = "Running")]
    #[arg(value_parser = Defaulted::parser(StringValueParser::new()))]
    pub reporting_tag: Option<Defaulted<String>>,
    /// Skip the local checks of limits and rules
    #[arg(long, global = true, help_heading = "Running")]
    pub no_check: bool,
}

impl GlobalArgs {
    /// Returns whether `--sandbox` or `TULK_SANDBOX` requests the embedded sandbox.
    pub fn is_sandbox(&self) -> bool {
        self.sandbox || env::is_on(env::SANDBOX)
    }

    /// If the sandbox is requested, ignores a server from `TULK_SERVER`. Keeps a server from `--server`, so that using
    /// both flags is refused later.
    pub fn prefer_sandbox(&mut self, matches: &ArgMatches) {
        if self.is_sandbox() && matches.value_source("server") == Some(ValueSource::EnvVariable) {
            self.server = None;
        }
    }

    /// Returns the flags to repeat in a command that is printed for the user: those for server, key, profile and network.
    ///
    /// Omits values from variables, because the variables apply to the next command too.
    pub fn repeated(&self) -> Vec<String> {
        let path = |path: &Option<PathBuf>| path.as_deref().and_then(Path::to_str).map(str::to_owned);
        let key_file = path(&self.key_file).filter(|file| file != "-");
        let values = [
            ("--config", "TULK_CONFIG", path(&self.config)),
            ("-p", "TULK_PROFILE", self.profile.clone()),
            // A refused address may contain a password, and no command works with it.
            ("--server", "TULK_SERVER", self.server.clone().filter(|address| normalized_address(address).is_ok())),
            ("--key-file", "", key_file),
            // The address of a proxy may contain a password.
            ("--proxy", "", self.proxy.given().cloned().filter(|address| !address.contains('@'))),
            ("--ca-file", "", path(&self.ca_file.given().cloned())),
        ];
        let mut words = Vec::new();
        let switch = |on: bool, flag: &str| on.then(|| flag.to_owned());
        words.extend(switch(self.sandbox, "--sandbox"));
        for (flag, variable, value) in values {
            if let Some(value) = value.filter(|value| env::text(variable).as_ref() != Some(value)) {
                words.extend([flag.to_owned(), value]);
            }
        }
        words.extend(switch(self.no_proxy, "--no-proxy"));
        words.extend(switch(self.insecure_http, "--insecure-http"));
        words
    }

    pub fn color(&self) -> ColorChoice {
        if self.no_color { ColorChoice::Never } else { self.color }
    }

    /// Returns the requested format: `--json` or `--format`, or JSON for `--jq`.
    pub fn format(&self) -> OutputFormat {
        let is_auto = self.format.unwrap_or_default() == OutputFormat::Auto;
        if self.json || (self.jq.is_some() && is_auto) { OutputFormat::Json } else { self.format.unwrap_or_default() }
    }
}
