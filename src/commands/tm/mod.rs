//! `tulk tm`: lists, shows, imports, exports and deletes translation memories.
//!
//! Input: names, IDs, filters and TMX files. Output: requests, TMX files, and memories, segments and jobs as rows. See
//! docs/service.md, "Translation memories".

mod export;
mod import;
mod job;
mod jobs;
mod list;
mod memory;
mod segments;

use crate::command::command_group;

command_group! {
    /// Manage translation memories: translations to reuse
    #[command(after_help = "tulk tm list\n\
                            tulk tm segments Manuals --filter valve\n\
                            tulk tm import pumps.tmx --wait")]
    pub struct TmArgs;

    pub enum TmCommand {
        List(list::TmListArgs),
        Show(memory::TmShowArgs),
        Segments(segments::TmSegmentsArgs),
        Delete(memory::TmDeleteArgs),
        Import(import::TmImportArgs),
        Export(export::TmExportArgs),
        Job(job::TmJobArgs),
    }
}
