//! `tulk translate`: translates texts given as arguments, in files or on stdin.
//!
//! Input: the flags. Output: the translations, on stdout or in files. A command has three stages, each entered once:
//! `plan` turns flags into values and checks them, `run` sends the texts through the pipeline, `report` prints what
//! happened.

mod args;
mod file_hint;
mod keys;
mod own_tags;
mod plan;
mod report;
mod requests;
mod run;
mod structure;

pub use self::args::{TranslateArgs, profile_flags};
pub use self::keys::go_without;
pub use self::own_tags::add as add_own_tags;
use super::result_form::RESULT_COLUMNS;
use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, RESULTS};

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[CommandFormats::new("translate", RESULTS)];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] =
    &[CommandColumns::new("translate", RESULT_COLUMNS).note("with several targets or --format tsv")];

/// Translates texts.
pub async fn run(ctx: &Context, args: TranslateArgs) -> Result<(), anyhow::Error> {
    let plan = plan::plan(ctx, &args).await?;
    run::run(ctx, plan).await?;
    Ok(())
}
