//! `tulk glossary`: glossaries, and dictionary files under version control.
//!
//! Input: arguments and dictionary files. Output: requests to the service, and glossaries, entries, plans and problems
//! as rows. `files` reads and checks dictionary files, `remote` is a dictionary on the service. See docs/service.md,
//! "Glossaries".

mod add;
mod create;
mod delete;
mod diff;
mod entries;
mod export;
mod files;
mod lint;
mod list;
mod merge;
mod plan;
mod remote;
mod remove;
mod rename;
mod rows;
mod set;
mod show;
mod sync;
mod v2;
mod wait;

use clap::Args;
use tulk_client::api::glossary::Glossary;

use crate::command::command_group;
use crate::named::names;

command_group! {
    /// Manage glossaries
    ///
    /// A glossary has a name and one dictionary per language pair. A dictionary is a list of source phrases with their
    /// translations, as a TSV or CSV file.
    #[command(after_help = "tulk glossary create Shop --dictionary en:de=kitchen.tsv\n\
                            tulk translate --from en --to de --glossary Shop \"the oven\"\n\
                            tulk glossary sync Shop en:de=kitchen.tsv")]
    pub struct GlossaryArgs;

    /// The subcommands of `tulk glossary`.
    pub enum GlossaryCommand {
        List(list::GlossaryListArgs),
        Show(show::GlossaryShowArgs),
        Create(create::GlossaryCreateArgs),
        Entries(entries::GlossaryEntriesArgs),
        Set(set::GlossarySetArgs),
        Merge(merge::GlossaryMergeArgs),
        Add(add::GlossaryAddArgs),
        Remove(remove::GlossaryRemoveArgs),
        Rename(rename::GlossaryRenameArgs),
        Delete(delete::GlossaryDeleteArgs),
        DeleteDictionary(delete::DeleteDictionaryArgs),
        Lint(lint::GlossaryLintArgs),
        Diff(diff::GlossaryDiffArgs),
        Sync(sync::GlossarySyncArgs),
        Export(export::GlossaryExportArgs),
        Wait(wait::GlossaryWaitArgs),
        V2(v2::GlossaryV2Args),
    }
}

// A glossary. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Debug)]
pub struct GlossaryNameArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
}
