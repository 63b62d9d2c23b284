//! `tulk tm`: translation memories, and what is in them.
//!
//! Input: names, IDs and filters. Output: requests, and memories and segments as rows. See docs/service.md, "Translation memories".

mod list;
mod memory;
mod segments;

use crate::command::command_group;

command_group! {
    /// Manage translation memories: translations to use again
    #[command(after_help = "tulk tm list\n\
                            tulk tm segments Manuals --filter valve")]
    pub struct TmArgs;

    /// What to do.
    pub enum TmCommand {
        List(list::TmListArgs),
        Show(memory::TmShowArgs),
        Segments(segments::TmSegmentsArgs),
        Delete(memory::TmDeleteArgs),
    }
}
