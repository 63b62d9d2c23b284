//! The flags of `tulk translate`.

use std::path::PathBuf;

use clap::{Args, Command};

use crate::api::translate::TranslateOptions;
use crate::commands::assets::AssetArgs;
use crate::commands::inputs::TextInputArgs;
use crate::commands::languages::LanguageArgs;
use crate::commands::outputs::OutputArgs;
use crate::commands::run_totals::RunArgs;

/// Adds the flags that a profile can have defaults for.
pub fn profile_flags(command: Command) -> Command {
    AssetArgs::augment_args(LanguageArgs::augment_args(TranslateOptions::augment_args(command)))
}

/// Translate text, files or standard input
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  tulk translate --to de \"Hello, world\"\n  cat letter.txt | tulk translate --to de,fr --json\n  \
                  tail -f log | tulk translate --to de --lines\n  tulk translate --to de,fr -i a.txt -i b.txt -o '{stem}.{lang}{ext}'"
)]
pub struct TranslateArgs {
    /// Languages.
    #[command(flatten)]
    pub languages: LanguageArgs,
    /// Input.
    #[command(flatten)]
    pub inputs: TextInputArgs,
    /// Output.
    #[command(flatten)]
    pub outputs: OutputArgs,
    /// Glossaries, style rule list and translation memory.
    #[command(flatten)]
    pub assets: AssetArgs,
    /// File with additional context
    #[arg(long, value_name = "FILE", conflicts_with = "context")]
    pub context_file: Option<PathBuf>,
    /// Do not detect the structure of XML; list it with --splitting-tags
    #[arg(long, conflicts_with = "outline_detection")]
    pub no_outline_detection: bool,
    /// Add a request field that tulk does not know, repeatable
    #[arg(long, value_name = "KEY=JSON")]
    pub param: Vec<String>,
    /// Options that are fields of the request.
    #[command(flatten)]
    pub options: TranslateOptions,
    /// Send the N lines before each request as its context
    #[arg(long, value_name = "N")]
    pub context_lines: Option<usize>,
    /// Limits and statistics.
    #[command(flatten)]
    pub running: RunArgs,
}
