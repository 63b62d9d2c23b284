//! `tulk admin`: developer keys and usage reports of an organisation; needs the admin key.
//!
//! Input: key labels or IDs and date ranges. Output: keys and usage reports as rows.

mod keys;
mod tags;
mod usage;

use clap::Args;
use tulk_client::api::day::Day;

use crate::command::command_group;

command_group! {
    /// Manage developer keys and show usage reports
    #[command(after_help = "tulk admin keys list\n\
                            tulk admin usage --start -30d --end today")]
    pub struct AdminArgs;

    /// What to do.
    pub enum AdminCommand {
        Keys(keys::AdminKeysArgs),
        Usage(usage::AdminUsageArgs),
        Tags(tags::AdminTagsArgs),
    }
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
