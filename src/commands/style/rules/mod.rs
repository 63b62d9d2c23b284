//! `tulk style rules`: the predefined rules of a list, and which there are.

mod catalogue;
mod set;
mod show;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::output::{CommandColumns, Row as _};

/// See and set predefined rules
#[derive(Args, Debug)]
pub struct RulesArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with predefined rules.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// Show the rules of a list
    Show(show::ShowArgs),
    /// Change rules of a list, or replace them all
    Set(set::SetArgs),
    /// List the rules and options that tulk knows
    Catalogue(catalogue::CatalogueArgs),
}

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("style rules show, set", show::COLUMNS),
    CommandColumns::new("style rules catalogue", catalogue::Known::COLUMNS),
];

/// Runs the verb.
pub async fn run(ctx: &Context, args: RulesArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::Show(args) => show::run(ctx, &args).await,
        Verb::Set(args) => set::run(ctx, args).await,
        Verb::Catalogue(args) => catalogue::run(ctx, &args),
    }
}
