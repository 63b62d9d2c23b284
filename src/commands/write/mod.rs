//! `tulk write`: rephrases or corrects texts.
//!
//! Input: the flags. Output: the improved texts, a diff, or the names of inputs that would change. A command has three
//! stages, each entered once: `plan` turns flags into values and checks them, `run` sends the texts through the
//! pipeline, `report` prints what happened.

mod args;
mod diff;
mod plan;
mod report;
mod run;

pub use self::args::WriteArgs;
use self::args::{CorrectArgs, RephraseArgs, WriteCommand};
use crate::command::Run;
use crate::context::Context;

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

/// Improves texts. The defaults of a profile are for translations and are not used.
async fn improve(ctx: &Context, command: WriteCommand) -> Result<(), anyhow::Error> {
    let plan = plan::plan(ctx, command).await?;
    run::run(ctx, plan).await?;
    Ok(())
}
