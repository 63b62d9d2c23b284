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
use super::result_form::RESULT_COLUMNS;
use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, RESULTS_OR_FINDINGS, Row as _};

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[CommandFormats::new("write", RESULTS_OR_FINDINGS)];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("write rephrase, correct", RESULT_COLUMNS).note("with --format tsv"),
    CommandColumns::new("write --check", diff::ChangedInput::COLUMNS),
];

/// Improves texts. The defaults of a profile are for translations and are not used.
pub async fn run(ctx: &Context, args: WriteArgs) -> Result<(), anyhow::Error> {
    let plan = plan::plan(ctx, args.command).await?;
    run::run(ctx, plan).await?;
    Ok(())
}
