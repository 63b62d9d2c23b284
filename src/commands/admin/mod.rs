//! `tulk admin`: developer keys and usage reports of an organisation; needs the admin key.
//!
//! Input: key labels or IDs and date ranges. Output: keys and usage reports as rows.

mod keys;
mod tags;
mod usage;

use clap::{Args, Subcommand};
use tulk_client::api::admin::DeveloperKey;
use tulk_client::api::day::Day;

use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, LISTING, Row as _};

/// Manage developer keys and show usage reports
#[derive(Args, Debug)]
#[command(after_help = "tulk admin keys list\n\
                        tulk admin usage --start -30d --end today")]
pub struct AdminArgs {
    /// What to do
    #[command(subcommand)]
    pub command: AdminCommand,
}

/// What to do.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum AdminCommand {
    /// List, create, rename, limit and deactivate developer keys
    Keys(keys::AdminKeysArgs),
    /// Report usage, in total, by key, or by key and day
    Usage(usage::AdminUsageArgs),
    /// Report usage by reporting tag
    Tags(tags::AdminTagsArgs),
}

/// The days of a report, in UTC.
#[derive(Args, Debug)]
pub struct DayRangeArgs {
    /// First day: YYYY-MM-DD, today, or -30d
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub start: Day,
    /// Last day, inclusive; at most 366 days
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub end: Day,
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[CommandFormats::new("admin", LISTING)];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("admin keys list, create, rename, limit, deactivate", DeveloperKey::COLUMNS)
        .note("create adds all other fields of the response"),
    CommandColumns::new("admin usage", usage::TOTAL_COLUMNS),
    CommandColumns::new("admin usage --by key", usage::KEY_COLUMNS),
    CommandColumns::new("admin usage --by key-and-day", usage::KEY_AND_DAY_COLUMNS),
    CommandColumns::new("admin tags", tags::TAG_COLUMNS),
    CommandColumns::new("admin tags --by day", tags::TAG_AND_DAY_COLUMNS),
];

/// Runs the command.
pub async fn run(ctx: &Context, args: AdminArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    match args.command {
        AdminCommand::Keys(args) => keys::run(ctx, args).await?,
        AdminCommand::Usage(args) => usage::run(ctx, &args).await?,
        AdminCommand::Tags(args) => tags::run(ctx, &args).await?,
    }
    Ok(())
}
