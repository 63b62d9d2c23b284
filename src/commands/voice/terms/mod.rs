//! `tulk voice terms`: spoken terms, the words that speech recognition should know, as files under version control.
//!
//! Input: arguments and files with one term per line. Output: requests to the service, and collections, terms, plans and
//! problems as rows. `files` reads and checks files, `remote` is a term list on the service. See docs/service.md,
//! "Spoken terms".

mod create;
mod delete;
mod entries;
mod files;
mod lint;
mod list;
mod merge;
mod plan;
mod remote;
mod rename;
mod rows;
mod set;
mod show;
mod sync;

use clap::Args;
use tulk_client::api::voice::terms::SpokenTerms;

use crate::command::command_group;
use crate::named::names;

command_group! {
    /// Manage spoken terms: names and jargon for speech recognition
    ///
    /// A collection has a name and one term list per spoken language. Spoken terms help to recognize speech; they do not translate
    /// it. To choose translations of terms, use `tulk glossary`.
    #[command(after_help = "tulk voice terms sync \"Subtitles talk\" en=talk.en.txt\n\
                            tulk voice stream talk.wav --to de --spoken-terms \"Subtitles talk\"")]
    pub struct VoiceTermsArgs;

    /// The subcommands of `tulk voice terms`.
    pub enum VoiceTermsCommand {
        List(list::TermsListArgs),
        Show(show::TermsShowArgs),
        Create(create::TermsCreateArgs),
        Entries(entries::TermsEntriesArgs),
        Set(set::TermsSetArgs),
        Merge(merge::TermsMergeArgs),
        Rename(rename::TermsRenameArgs),
        Delete(delete::TermsDeleteArgs),
        DeleteList(delete::DeleteListArgs),
        Lint(lint::TermsLintArgs),
        Sync(sync::TermsSyncArgs),
    }
}

// A collection. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Debug)]
pub struct CollectionArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
}
