//! The flags of `tulk translate` that are no fields of the request, or need work to become one.

use std::path::PathBuf;

use clap::{Args, Command};

use crate::api::translate::TranslateOptions;
use crate::commands::assets::AssetArgs;
use crate::commands::languages::LanguageArgs;

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
    /// Text to translate, one entry each; - reads stdin
    #[arg(value_name = "TEXT")]
    pub texts: Vec<String>,
    /// Languages.
    #[command(flatten)]
    pub languages: LanguageArgs,
    /// File to read, repeatable; - reads stdin
    #[arg(short, long, value_name = "FILE")]
    pub input: Vec<PathBuf>,
    /// File to write, or a template of {dir} {stem} {lang} {ext}
    #[arg(short, long, value_name = "FILE|TEMPLATE", conflicts_with = "in_place")]
    pub output: Option<String>,
    /// Replace the input files by their translation
    #[arg(long, requires = "input")]
    pub in_place: bool,
    /// Translate line by line
    #[arg(long, help_heading = "Input", conflicts_with = "nul")]
    pub lines: bool,
    /// Entries are separated by NUL
    #[arg(short = '0', long, help_heading = "Input")]
    pub nul: bool,
    /// Replace invalid UTF-8 instead of refusing it
    #[arg(long, help_heading = "Input")]
    pub lossy: bool,
    /// Remove terminal escape sequences
    #[arg(long, help_heading = "Input")]
    pub strip_ansi: bool,
    /// Glossaries, style rule list and translation memory.
    #[command(flatten)]
    pub assets: AssetArgs,
    /// File with extra context
    #[arg(long, value_name = "FILE", conflicts_with = "context")]
    pub context_file: Option<PathBuf>,
    /// Do not detect the structure of XML (needs --splitting-tags)
    #[arg(long, conflicts_with = "outline_detection")]
    pub no_outline_detection: bool,
    /// Add a field that tulk does not know yet, repeatable
    #[arg(long, value_name = "KEY=JSON")]
    pub param: Vec<String>,
    /// Options that are fields of the request.
    #[command(flatten)]
    pub options: TranslateOptions,
    /// Send the N lines before a request as its context
    #[arg(long, value_name = "N")]
    pub context_lines: Option<usize>,
    /// Send at most N characters, times targets
    #[arg(long, value_name = "N", help_heading = "Running")]
    pub max_characters: Option<u64>,
    /// Pass a refused entry through and go on
    #[arg(long, help_heading = "Running")]
    pub keep_going: bool,
    /// Go on where FILE.part ends
    #[arg(long, help_heading = "Running", requires = "output")]
    pub resume: bool,
    /// Start anew over a leftover FILE.part
    #[arg(long, help_heading = "Running", conflicts_with = "resume")]
    pub force: bool,
    /// Report counts on stderr at the end
    #[arg(long, help_heading = "Running")]
    pub stats: bool,
}
