//! The flags of `tulk write`.

use clap::{Args, Subcommand};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::write::{Tone, WritingStyle};

use crate::commands::inputs::TextInputArgs;
use crate::commands::outputs::OutputArgs;
use crate::commands::protect_args::ProtectArgs;
use crate::commands::run_totals::RunArgs;

/// Rephrase or correct text
#[derive(Args, Debug)]
#[command(after_help = "tulk write correct \"we was late becuase of rain\"\n\
                        tulk write rephrase --tone friendly -i letter.txt")]
pub struct WriteArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: WriteCommand,
}

/// The commands of `write`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum WriteCommand {
    /// Reword texts, optionally in a style or tone
    Rephrase(RephraseArgs),
    /// Correct mistakes and change nothing else
    Correct(CorrectArgs),
}

/// Reword texts, optionally in a style or tone
#[derive(Args, Debug)]
#[command(after_help = "tulk write rephrase --style business \"we was late becuase of rain\"\n\
                        tulk write rephrase --diff -i letter.txt\n\
                        tulk write rephrase -i a.txt -i b.txt -o '{stem}.new{ext}'")]
pub struct RephraseArgs {
    /// Writing style
    #[arg(long, value_enum, alias = "writing-style", value_name = "STYLE")]
    pub style: Option<WritingStyle>,
    /// Tone; cannot be used with --style
    #[arg(long, value_enum, value_name = "TONE")]
    pub tone: Option<Tone>,
    /// Language, input and output.
    #[command(flatten)]
    pub texts: ImproveArgs,
}

/// Correct mistakes and change nothing else
#[derive(Args, Debug)]
#[command(after_help = "tulk write correct \"we was late becuase of rain\"\n\
                        tulk write correct --diff -i letter.txt\n\
                        tulk write correct --in-place -i a.txt -i b.txt")]
pub struct CorrectArgs {
    /// Language, input and output.
    #[command(flatten)]
    pub texts: ImproveArgs,
}

/// What both commands take.
#[derive(Args, Debug)]
pub struct ImproveArgs {
    /// Language of the result [default: language of the text]
    #[arg(short = 't', long = "to", alias = "target-lang", value_name = "LANG")]
    pub to: Option<LangCode>,
    /// Input.
    #[command(flatten)]
    pub inputs: TextInputArgs,
    /// Placeholders.
    #[command(flatten)]
    pub protect: ProtectArgs,
    /// Show changes by word, or as a unified diff when piped
    #[arg(long, conflicts_with_all = ["in_place", "output"])]
    pub diff: bool,
    /// List the inputs that would change; exit 1 if there are any
    #[arg(long, conflicts_with_all = ["in_place", "output"])]
    pub check: bool,
    /// Output.
    #[command(flatten)]
    pub outputs: OutputArgs,
    /// Limits and statistics.
    #[command(flatten)]
    pub running: RunArgs,
}
