//! `tulk style rules`: the predefined rules of a style rule list, and the catalogue of known rules.
//!
//! Input: a list and rules, as arguments or as a file. Output: requests to the service, and rules as rows. The
//! catalogue itself is in `api::style::catalogue`.

mod catalogue;
mod set;
mod show;

use clap::{Args, Subcommand};

use super::StyleNameArgs;
use crate::context::Context;
use crate::output::{CommandColumns, Row as _};

/// Show and set predefined rules
#[derive(Args, Debug)]
#[command(after_help = "tulk style rules catalogue\n\
                        tulk style rules set Shop punctuation.serial_comma=use")]
pub struct StyleRulesArgs {
    /// The subcommand
    #[command(subcommand)]
    pub command: StyleRulesCommand,
}

/// The subcommands of `tulk style rules`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum StyleRulesCommand {
    /// Show the rules of a list
    #[command(after_help = "tulk style rules show Shop")]
    Show(StyleNameArgs),
    /// Change rules of a list, or replace them all
    Set(set::StyleRulesSetArgs),
    /// List known rules and their options
    Catalogue(catalogue::RuleCatalogueArgs),
}

/// The columns of the subcommands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("style rules show, set", show::COLUMNS),
    CommandColumns::new("style rules catalogue", catalogue::CatalogueRuleRow::COLUMNS),
];

/// Runs the subcommand.
pub async fn run(ctx: &Context, args: StyleRulesArgs) -> Result<(), anyhow::Error> {
    match args.command {
        StyleRulesCommand::Show(args) => show::run(ctx, &args).await,
        StyleRulesCommand::Set(args) => set::run(ctx, args).await,
        StyleRulesCommand::Catalogue(args) => catalogue::run(ctx, &args),
    }
}
