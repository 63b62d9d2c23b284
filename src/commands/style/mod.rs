//! `tulk style`: style rule lists with their predefined rules and custom instructions.
//!
//! Input: arguments and TOML or JSON files. Output: requests to the service, and lists, rules, instructions and plans
//! as rows. `file` is a list as a TOML file, `plan` compares such a file with the service. See docs/service.md, "Style
//! rules".

mod apply;
mod create;
mod delete;
mod export;
mod file;
mod instruction;
mod list;
mod plan;
mod rename;
mod rules;
mod show;
mod views;

use clap::{Args, Subcommand};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_client::api::style::{CustomInstruction, GetStyleRule, StyleRule};

pub use self::rules::COLUMNS as RULES_COLUMNS;
use crate::commands::named;
use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, LISTING, Row as _, TEXT_ONLY};

/// Manage style rule lists
///
/// A style rule list has a language, predefined rules and custom instructions in words. `tulk translate --style` applies it.
#[derive(Args, Debug)]
#[command(after_help = "tulk style create \"Shop texts\" --language en\n\
                        tulk style rules set \"Shop texts\" punctuation.serial_comma=use\n\
                        tulk translate --to en --style \"Shop texts\" \"Brot, Butter und Salz\"")]
pub struct StyleArgs {
    /// The subcommand
    #[command(subcommand)]
    pub command: StyleCommand,
}

/// The subcommands of `tulk style`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum StyleCommand {
    /// List all style rule lists
    List(list::StyleListArgs),
    /// Show a list with its rules and instructions
    #[command(after_help = "tulk style show Shop")]
    Show(StyleNameArgs),
    /// Create a list
    Create(create::StyleCreateArgs),
    /// Rename a list
    Rename(rename::StyleRenameArgs),
    /// Delete a list
    #[command(after_help = "tulk style delete Shop --yes")]
    Delete(StyleNameArgs),
    /// Show and set predefined rules
    Rules(rules::StyleRulesArgs),
    /// Manage custom instructions
    Instruction(instruction::StyleInstructionArgs),
    /// Print a list as a TOML file
    #[command(after_help = "tulk style export Shop > shop.toml")]
    Export(StyleNameArgs),
    /// Make a list match a TOML file
    Apply(apply::StyleApplyArgs),
}

// A style rule list. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Debug)]
pub struct StyleNameArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE")]
    pub style: String,
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[
    CommandFormats::new("style", LISTING),
    CommandFormats::new("style export", TEXT_ONLY),
    CommandFormats::without_result("style delete"),
    CommandFormats::without_result("style instruction remove"),
];

/// The columns of the subcommands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("style list", views::LIST_COLUMNS),
    CommandColumns::new("style show, create, rename", views::DETAILED_COLUMNS).note("list --detailed prints the same"),
    CommandColumns::new("style instruction list, add, show, edit", CustomInstruction::COLUMNS),
    CommandColumns::new("style apply", plan::StylePlanRow::COLUMNS),
];

/// Runs the subcommand.
pub async fn run(ctx: &Context, args: StyleArgs) -> Result<(), anyhow::Error> {
    match args.command {
        StyleCommand::List(args) => list::run(ctx, &args).await,
        StyleCommand::Show(args) => show::run(ctx, &args).await,
        StyleCommand::Create(args) => create::run(ctx, args).await,
        StyleCommand::Rename(args) => rename::run(ctx, args).await,
        StyleCommand::Delete(args) => delete::run(ctx, &args).await,
        StyleCommand::Rules(args) => rules::run(ctx, args).await,
        StyleCommand::Instruction(args) => instruction::run(ctx, args).await,
        StyleCommand::Export(args) => export::run(ctx, &args).await,
        StyleCommand::Apply(args) => apply::run(ctx, &args).await,
    }
}

/// Reads a list by name or ID, with its rules and instructions.
async fn read_list(ctx: &Context, text: &str) -> Result<Kept<StyleRule>, Failure> {
    let style_id = named::style(ctx, text).await?;
    ctx.client().await?.send(&GetStyleRule { style_id }).await
}

/// Adds a hint to a refusal that may be about an unsupported language.
fn with_language_hint(mut failure: Failure) -> Failure {
    let is_refused = failure.service.as_ref().is_some_and(|service| service.status == Some(400));
    if is_refused && failure.hint.is_none() && failure.what.contains("language") {
        failure.hint = Some("`tulk langs list --resource style_rules` lists the supported languages".to_owned());
    }
    failure
}
