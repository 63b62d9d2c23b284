//! `tulk tm`: lists translation memories.
//!
//! It takes a limit and prints one row per memory. The service has no operation to change memories.

mod list;

use crate::command::command_group;

command_group! {
    /// Show translation memories
    #[command(after_help = "tulk tm list")]
    pub struct TmArgs;

    /// What to do.
    pub enum TmCommand {
        List(list::TmListArgs),
    }
}
