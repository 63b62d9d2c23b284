//! `tulk admin`: developer keys and the reports of what was used. Takes the admin key.

mod keys;
mod tags;
mod usage;

use clap::{Args, Subcommand};

use crate::api::day::Day;
use crate::context::Context;

/// Manage developer keys and show usage reports
#[derive(Args, Debug)]
pub struct AdminArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to administrate.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// List, create, rename, limit and deactivate developer keys
    Keys(keys::KeysArgs),
    /// Report what was used, by key and day
    Usage(usage::UsageArgs),
    /// Report what was used under each reporting tag
    Tags(tags::TagsArgs),
}

/// The days of a report, in UTC.
#[derive(Args, Debug)]
pub struct RangeArgs {
    /// First day: YYYY-MM-DD, today, or -30d
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub start: Day,
    /// Last day, included (366 days at most)
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub end: Day,
}

/// Runs the verb.
pub async fn run(ctx: &Context, args: AdminArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    match args.verb {
        Verb::Keys(args) => keys::run(ctx, args).await?,
        Verb::Usage(args) => usage::run(ctx, &args).await?,
        Verb::Tags(args) => tags::run(ctx, &args).await?,
    }
    Ok(())
}
