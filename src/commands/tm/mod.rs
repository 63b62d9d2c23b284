//! `tulk tm`: translation memories. The service lets them be listed and used, nothing else.

mod list;

use clap::{Args, Subcommand};

use crate::context::Context;

/// Show translation memories
#[derive(Args, Debug)]
pub struct TmArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with translation memories.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// List the translation memories of the account
    List(list::ListArgs),
}

/// Runs the verb.
pub async fn run(ctx: &Context, args: TmArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::List(args) => list::run(ctx, &args).await,
    }
}
