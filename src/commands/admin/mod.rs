//! `tulk admin`: manages the developer keys of an organisation and reports its usage; needs the admin key.
//!
//! Input: key labels or IDs and date ranges. Output: keys and usage reports as rows.

mod keys;
mod pairs;
mod tags;
mod usage;

use crate::command::command_group;

command_group! {
    /// Manage developer keys and show usage reports
    #[command(after_help = "tulk admin keys list\n\
                            tulk admin usage")]
    pub struct AdminArgs;

    pub enum AdminCommand {
        Keys(keys::AdminKeysArgs),
        Usage(usage::AdminUsageArgs),
        Tags(tags::AdminTagsArgs),
        Pairs(pairs::AdminPairsArgs),
    }
}
