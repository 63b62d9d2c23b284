//! `tulk write`: improve texts. Input and streaming are translate's; a diff, a check and files in place are its own.

mod diff;
mod report;
mod run;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::api::language_code::LangCode;
use crate::api::write::{Tone, WriteOperation, WriteOptions, WritingStyle};
use crate::context::Context;
use crate::formats::Columns;
use crate::output::{CommandColumns, Row as _};

/// Rephrase or correct texts
#[derive(Args, Debug)]
pub struct WriteArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with texts.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// Reword texts, in a style or tone if asked
    Rephrase(RephraseArgs),
    /// Correct mistakes and change nothing else
    Correct(CorrectArgs),
}

/// Reword texts, in a style or tone if asked
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  tulk write rephrase --style business \"we was late becuase of rain\"\n  \
                        tulk write rephrase --diff -i letter.txt\n  tulk write rephrase --in-place -i a.txt -i b.txt")]
pub struct RephraseArgs {
    /// Writing style
    #[arg(long, value_enum, alias = "writing-style", value_name = "STYLE")]
    pub style: Option<WritingStyle>,
    /// Tone; never together with a style
    #[arg(long, value_enum, value_name = "TONE")]
    pub tone: Option<Tone>,
    /// Input and output.
    #[command(flatten)]
    pub texts: TextArgs,
}

/// Correct mistakes and change nothing else
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  tulk write correct \"we was late becuase of rain\"\n  \
                        tulk write correct --check -i README.md")]
pub struct CorrectArgs {
    /// Input and output.
    #[command(flatten)]
    pub texts: TextArgs,
}

/// What is read, how, and what becomes of it.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Debug)]
pub struct TextArgs {
    /// Text to improve, one entry each; - reads stdin
    #[arg(value_name = "TEXT")]
    pub texts: Vec<String>,
    /// Language to write in; that of the text when absent
    #[arg(short = 't', long = "to", alias = "target-lang", value_name = "LANG")]
    pub to: Option<LangCode>,
    /// File to read, repeatable; - reads stdin
    #[arg(short, long, value_name = "FILE")]
    pub input: Vec<PathBuf>,
    /// Show what would change: word by word, in a pipe as a unified diff
    #[arg(long)]
    pub diff: bool,
    /// Name what would change; exit 1 if anything does
    #[arg(long)]
    pub check: bool,
    /// Replace the input files by their improvement
    #[arg(long, requires = "input", conflicts_with_all = ["diff", "check"])]
    pub in_place: bool,
    /// Improve line by line
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
    /// Send at most N characters
    #[arg(long, value_name = "N", help_heading = "Running")]
    pub max_characters: Option<u64>,
    /// Pass a refused entry through and go on
    #[arg(long, help_heading = "Running")]
    pub keep_going: bool,
    /// Report counts on stderr at the end
    #[arg(long, help_heading = "Running")]
    pub stats: bool,
}

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("write rephrase, correct", Columns::NAMES).note("with --format tsv"),
    CommandColumns::new("write --check", diff::Named::COLUMNS),
];

/// Runs the verb. The profile's defaults are translate's and do not hold here.
pub async fn run(ctx: &Context, args: WriteArgs) -> Result<(), anyhow::Error> {
    let (operation, style, tone, texts) = match args.verb {
        Verb::Rephrase(args) => (WriteOperation::Rephrase, args.style, args.tone, args.texts),
        Verb::Correct(args) => (WriteOperation::Correct, None, None, args.texts),
    };
    let options = WriteOptions { target_lang: texts.to.clone(), writing_style: style, tone };
    if !ctx.args.no_check {
        options.check()?;
    }
    run::run(ctx, operation, &options, &texts).await?;
    Ok(())
}
