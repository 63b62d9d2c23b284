//! `tulk style`: style rule lists, their predefined rules and their custom instructions.

mod apply;
mod create;
mod delete;
mod export;
pub mod file;
mod instruction;
mod list;
pub mod plan;
mod rename;
mod rules;
mod show;
mod shown;

use clap::{Args, Subcommand};

pub use self::rules::COLUMNS as RULES_COLUMNS;

use crate::api::style::{CustomInstruction, GetStyleRule, StyleRule};
use crate::commands::named;
use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;
use crate::output::{CommandColumns, Row as _};

/// Manage style rule lists
#[derive(Args, Debug)]
pub struct StyleArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with style rule lists.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// List the style rule lists of the account
    List(list::ListArgs),
    /// Show a list with its rules and instructions
    Show(show::ShowArgs),
    /// Make a list
    Create(create::CreateArgs),
    /// Give a list another name
    Rename(rename::RenameArgs),
    /// Delete a list for good
    Delete(delete::DeleteArgs),
    /// See and set predefined rules
    Rules(rules::RulesArgs),
    /// See and change custom instructions
    Instruction(instruction::InstructionArgs),
    /// Print a list as a TOML file
    Export(export::ExportArgs),
    /// Make the service match a TOML file
    Apply(apply::ApplyArgs),
}

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("style list, create, rename", shown::SHORT),
    CommandColumns::new("style show", shown::FULL).note("list --detailed prints the same"),
    CommandColumns::new("style instruction list, add, show, edit", CustomInstruction::COLUMNS),
    CommandColumns::new("style apply", plan::StepRow::COLUMNS),
];

/// Runs the verb.
pub async fn run(ctx: &Context, args: StyleArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::List(args) => list::run(ctx, &args).await,
        Verb::Show(args) => show::run(ctx, &args).await,
        Verb::Create(args) => create::run(ctx, args).await,
        Verb::Rename(args) => rename::run(ctx, args).await,
        Verb::Delete(args) => delete::run(ctx, &args).await,
        Verb::Rules(args) => rules::run(ctx, args).await,
        Verb::Instruction(args) => instruction::run(ctx, args).await,
        Verb::Export(args) => export::run(ctx, &args).await,
        Verb::Apply(args) => apply::run(ctx, &args).await,
    }
}

/// Reads a list by name or ID, with its rules and instructions.
async fn get(ctx: &Context, text: &str) -> Result<Kept<StyleRule>, Failure> {
    let style_id = named::style(ctx, text).await?;
    ctx.client().await?.send(&GetStyleRule { style_id }).await
}

/// Adds what to run to a refusal that may be about a language: which ones there are is the service's to say.
fn language_hint(mut failure: Failure) -> Failure {
    let refused = failure.service.as_ref().is_some_and(|service| service.status == Some(400));
    if refused && failure.hint.is_none() && failure.what.contains("language") {
        failure.hint = Some("tulk langs list --resource style_rules shows the languages".to_owned());
    }
    failure
}
