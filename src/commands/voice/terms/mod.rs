//! `tulk voice terms`: manages spoken terms, the words that speech recognition should know, and syncs them with files.
//!
//! Input: arguments and files with one term per line. Output: requests to the service, and collections, terms, plans
//! and problems as rows. `files` has the file arguments; `term_lists` implements `Collection` for spoken terms. See
//! docs/service.md, "Spoken terms".

mod collections;
mod edit;
mod entries;
mod files;
mod lint;
mod sync;
mod term_lists;

use crate::command::command_group;

command_group! {
    /// Manage spoken terms: names and jargon for speech recognition
    ///
    /// A collection has a name and one term list per spoken language. Spoken terms help to recognize speech; they do
    /// not translate it. To choose translations of terms, use `tulk glossary`.
    #[command(after_help = "tulk voice terms sync \"Subtitles talk\" en=talk.en.txt\n\
                            tulk voice stream talk.wav --to de --spoken-terms \"Subtitles talk\"")]
    pub struct VoiceTermsArgs;

    pub enum VoiceTermsCommand {
        List(collections::TermsListArgs),
        Show(collections::TermsShowArgs),
        Create(collections::TermsCreateArgs),
        Entries(entries::TermsEntriesArgs),
        Set(edit::TermsSetArgs),
        Merge(edit::TermsMergeArgs),
        Rename(collections::TermsRenameArgs),
        Delete(collections::TermsDeleteArgs),
        DeleteList(edit::DeleteListArgs),
        Lint(lint::TermsLintArgs),
        Sync(sync::TermsSyncArgs),
    }
}
