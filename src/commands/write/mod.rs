//! `tulk write`: rephrases or corrects texts.
//!
//! Input: the flags. Output: the improved texts, a diff, or the names of inputs that would change. It has two stages,
//! each entered once: `plan` turns flags into checked values, and `run` sends the texts through the pipeline and
//! reports the outcome.

mod diff;
mod interactive;
mod plan;
mod run;

use clap::Args;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::write::{Tone, WritingStyle};
use tulk_client::{OpenSet, OpenValue};

use self::diff::ChangedInput;
use crate::command::{CommandSpec, RESULTS_OR_FINDINGS, Run, command_group};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::inputs::structure::StructureArgs;
use crate::inputs::texts::{TextInputArgs, protect_presets};
use crate::output::Row as _;
use crate::outputs::OutputArgs;
use crate::runs::result_form::IMPROVEMENT_COLUMNS;
use crate::runs::totals::RunArgs;

command_group! {
    /// Correct or rephrase text: grammar, style, tone
    #[command(after_help = "tulk write correct \"we was late becuase of rain\"\n\
                            tulk write rephrase --tone friendly -i letter.txt")]
    pub struct WriteArgs;

    pub enum WriteCommand {
        Rephrase(RephraseArgs),
        Correct(CorrectArgs),
    }
}

fn spec() -> CommandSpec {
    let spec = CommandSpec::prints_result_in(RESULTS_OR_FINDINGS).columns(IMPROVEMENT_COLUMNS);
    let spec = spec.note("printed with --format tsv or --format table; the first two are the default");
    spec.columns_with("--check", ChangedInput::COLUMNS)
        .concurrent()
        .checks_before_sending()
        .languages(LanguageUse::Write)
}

/// Reword texts, optionally in a style or tone
#[derive(Args, Debug)]
#[command(add = spec().with_common_options(&["style", "tone", "to", "input", "output", "diff"]))]
#[command(after_help = "tulk write rephrase --style business \"we was late becuase of rain\"\n\
                        tulk write rephrase --diff -i letter.txt\n\
                        tulk write rephrase -i a.txt -i b.txt -o '{stem}.new{ext}'")]
pub struct RephraseArgs {
    /// Writing style
    #[arg(long, value_parser = OpenValue::<WritingStyle>::parser(), add = OpenSet::PLAIN, alias = "writing-style", value_name = "STYLE")]
    pub style: Option<OpenValue<WritingStyle>>,
    /// Tone; cannot be used with --style
    #[arg(long, value_parser = OpenValue::<Tone>::parser(), add = OpenSet::PLAIN, value_name = "TONE")]
    pub tone: Option<OpenValue<Tone>>,
    #[command(flatten)]
    pub texts: ImproveArgs,
}

/// Correct mistakes and change nothing else
#[derive(Args, Debug)]
#[command(add = spec().with_common_options(&["to", "input", "output", "in-place", "diff", "check"]))]
#[command(after_help = "tulk write correct \"we was late becuase of rain\"\n\
                        tulk write correct --diff -i letter.txt\n\
                        tulk write correct --in-place -i a.txt -i b.txt")]
pub struct CorrectArgs {
    #[command(flatten)]
    pub texts: ImproveArgs,
}

/// Arguments of both commands.
#[derive(Args, Debug)]
pub struct ImproveArgs {
    /// Language of the result [default: language of the text]
    #[arg(short = 't', long = "to", alias = "target-lang", value_name = "LANG")]
    pub to: Option<LangCode>,
    /// Add a request field that tulk does not know, repeatable
    #[arg(long, value_name = "KEY=JSON")]
    pub param: Vec<String>,
    #[command(flatten)]
    pub inputs: TextInputArgs,
    #[command(flatten)]
    pub structure: StructureArgs,
    /// Check placeholders: preset or regular expression, repeatable
    #[arg(long, value_name = "PRESET|REGEX", help_heading = "Input", long_help = protect_help())]
    #[arg(add = ValueKind::ProtectPresets)]
    pub protect: Vec<String>,
    /// Show changes by word, or as a unified diff when piped
    #[arg(long, conflicts_with_all = ["in_place", "output"])]
    pub diff: bool,
    /// List the inputs that would change; exit 1 if there are any
    #[arg(long, conflicts_with_all = ["in_place", "output"])]
    pub check: bool,
    /// Ask about each change, and write only the accepted ones
    #[arg(long, conflicts_with_all = ["diff", "check", "resume", "force"])]
    pub interactive: bool,
    #[command(flatten)]
    pub outputs: OutputArgs,
    #[command(flatten)]
    pub running: RunArgs,
}

fn protect_help() -> String {
    format!(
        "Check that placeholders come back unchanged: {}. The service does not know placeholders; a text that loses one stays as it is, \
         and the exit code is 9",
        protect_presets()
    )
}

impl Run for RephraseArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        improve(ctx, WriteCommand::Rephrase(self)).await
    }
}

impl Run for CorrectArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        improve(ctx, WriteCommand::Correct(self)).await
    }
}

/// Improves texts. Ignores the defaults of the profile, which are for translations.
async fn improve(ctx: &Context, command: WriteCommand) -> Result<(), anyhow::Error> {
    let plan = plan::plan(ctx, command).await?;
    Ok(run::run(ctx, plan).await?)
}
