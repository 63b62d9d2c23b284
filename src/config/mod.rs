//! Settings: flags over environment over file over built-in defaults.
//!
//! `GlobalArgs` is what every command takes; [`Config`] is what follows from it and the files, loaded at first use.

mod address;
mod command;
mod credentials;
pub mod env;
pub mod file;
mod key;
pub mod presets;
mod resolve;
mod sandbox;
pub mod schema;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};

pub use address::is_loopback;
pub use credentials::{Credentials, StoredKey};
pub use key::{ApiKey, KeyKind, ResolvedKey};
pub use resolve::Config;
pub use sandbox::SandboxSettings;
pub use values::{parse_duration, parse_rate};

/// Output formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Table on a terminal, TSV when piped; text for translate and write
    #[default]
    Auto,
    /// Aligned table
    Table,
    /// The service's own object
    Json,
    /// One object a line
    Jsonl,
    /// Tab-separated, one row a line
    Tsv,
    /// Plain text
    Text,
    /// SubRip subtitles (voice)
    Srt,
    /// WebVTT subtitles (voice)
    Vtt,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless the environment says no
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
    /// A bar on a terminal, else a line every 10 seconds
    #[default]
    Auto,
    /// A bar
    Bar,
    /// Plain lines
    Plain,
    /// Nothing
    None,
}

/// Flags of every command, before or after its name
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Global options")]
pub struct GlobalArgs {
    /// Settings file; credentials.toml lies beside it
    #[arg(long, global = true, env = "TULK_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Profile to use
    #[arg(short, long, global = true, env = "TULK_PROFILE", value_name = "NAME")]
    pub profile: Option<String>,
    /// Base address of the service
    #[arg(long, global = true, env = "TULK_SERVER", value_name = "URL")]
    pub server: Option<String>,
    /// Use the embedded sandbox instead of a server
    #[arg(long, global = true)]
    pub sandbox: bool,
    /// Read the key from a file, - for stdin
    #[arg(long, global = true, value_name = "FILE|-")]
    pub key_file: Option<PathBuf>,
    /// Output format
    #[arg(long, global = true, value_enum, value_name = "FORMAT")]
    pub format: Option<OutputFormat>,
    /// Short for --format json
    #[arg(long, global = true, conflicts_with = "format")]
    pub json: bool,
    /// Add the header line to TSV
    #[arg(long, global = true)]
    pub header: bool,
    /// Columns to show, in order
    #[arg(long, global = true, value_delimiter = ',', value_name = "A,B")]
    pub columns: Vec<String>,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", hide_possible_values = false)]
    pub color: ColorChoice,
    /// How to show progress
    #[arg(long, global = true, value_enum, value_name = "HOW")]
    pub progress: Option<ProgressChoice>,
    /// Print errors only
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Log requests; twice for headers and bodies
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,
    /// Print the requests that would be sent, send none that changes or bills
    #[arg(short = 'n', long, global = true)]
    pub dry_run: bool,
    /// Answer yes to every question
    #[arg(short, long, global = true)]
    pub yes: bool,
    /// Time for one attempt, idle time of transfers [default: 30s]
    #[arg(long, global = true, env = "TULK_TIMEOUT", value_parser = parse_duration, value_name = "D")]
    pub timeout: Option<Duration>,
    /// Attempts after the first [default: 5]
    #[arg(long, global = true, value_name = "N")]
    pub retries: Option<u32>,
    /// Bound of all waiting of the command
    #[arg(long, global = true, value_parser = parse_duration, value_name = "D")]
    pub max_wait: Option<Duration>,
    /// Requests in flight [default: 8]
    #[arg(long, global = true, value_parser = clap::value_parser!(u16).range(1..=256), value_name = "N")]
    pub concurrency: Option<u16>,
    /// Requests a second at most, such as 5/s
    #[arg(long, global = true, value_parser = parse_rate, value_name = "N/s")]
    pub rate: Option<f64>,
    /// Proxy for all requests
    #[arg(long, global = true, value_name = "URL", conflicts_with = "no_proxy")]
    pub proxy: Option<String>,
    /// Use no proxy
    #[arg(long, global = true)]
    pub no_proxy: bool,
    /// Certificates to trust besides the system's
    #[arg(long, global = true, value_name = "FILE")]
    pub ca_file: Option<PathBuf>,
    /// Allow plain http to other machines
    #[arg(long, global = true)]
    pub insecure_http: bool,
    /// Reporting tag of every text translation
    #[arg(long, global = true, env = "TULK_REPORTING_TAG", value_name = "TAG")]
    pub reporting_tag: Option<String>,
    /// Send without checking limits and rules first
    #[arg(long, global = true)]
    pub no_check: bool,
}

impl GlobalArgs {
    /// The format asked for: `--json` or `--format`.
    pub fn format(&self) -> OutputFormat {
        if self.json { OutputFormat::Json } else { self.format.unwrap_or_default() }
    }
}

/// A service as it is reached: the address and what depends on the preset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// The preset's or service's name: `service`, `deepl`, or one under `[services]`.
    pub name: String,
    /// Base address without a trailing `/`; path prefixes kept.
    pub base_url: String,
    /// First word of the `Authorization` header.
    pub auth_scheme: String,
    /// Header that carries the reporting tag.
    pub reporting_tag_header: String,
    /// Whether `latency_optimized` is refused together with features that need the quality model.
    pub latency_rule: bool,
}
