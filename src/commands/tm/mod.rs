//! `tulk tm`: lists translation memories.
//!
//! It takes a limit and prints one row per memory. The service has no operation to change memories.

mod list;

use clap::{Args, Subcommand};
use tulk_client::api::tm::TranslationMemory;

use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, LISTING, Row as _};

/// Show translation memories
#[derive(Args, Debug)]
#[command(after_help = "tulk tm list")]
pub struct TmArgs {
    /// What to do
    #[command(subcommand)]
    pub command: TmCommand,
}

/// What to do.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum TmCommand {
    /// List the translation memories of the account
    List(list::TmListArgs),
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[CommandFormats::new("tm", LISTING)];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[CommandColumns::new("tm list", TranslationMemory::COLUMNS)];

/// Runs the command.
pub async fn run(ctx: &Context, args: TmArgs) -> Result<(), anyhow::Error> {
    match args.command {
        TmCommand::List(args) => list::run(ctx, &args).await,
    }
}
