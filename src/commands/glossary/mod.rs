//! `tulk glossary`: glossaries, and dictionary files under version control.
//!
//! Input: arguments and dictionary files. Output: requests to the service, and glossaries, entries, plans and problems
//! as rows. `files` reads and checks dictionary files, `dictionaries` makes a glossary one of the `collections`. See docs/service.md,
//! "Glossaries".

mod dictionaries;
mod diff;
mod edit;
mod entries;
mod export;
mod files;
mod glossaries;
mod lint;
mod sync;
mod v2;

pub use self::export::safe_file_name;

use crate::command::command_group;

command_group! {
    /// Manage glossaries: how words are to be translated
    ///
    /// A glossary has a name and one dictionary per language pair. A dictionary is a list of source phrases with their
    /// translations, as a TSV or CSV file.
    #[command(after_help = "tulk glossary create Shop --dictionary en:de=kitchen.tsv\n\
                            tulk translate --from en --to de --glossary Shop \"the oven\"\n\
                            tulk glossary sync Shop en:de=kitchen.tsv")]
    pub struct GlossaryArgs;

    /// The subcommands of `tulk glossary`.
    pub enum GlossaryCommand {
        List(glossaries::GlossaryListArgs),
        Show(glossaries::GlossaryShowArgs),
        Create(glossaries::GlossaryCreateArgs),
        Entries(entries::GlossaryEntriesArgs),
        Set(edit::GlossarySetArgs),
        Merge(edit::GlossaryMergeArgs),
        Add(edit::GlossaryAddArgs),
        Remove(edit::GlossaryRemoveArgs),
        Rename(glossaries::GlossaryRenameArgs),
        Delete(glossaries::GlossaryDeleteArgs),
        DeleteDictionary(edit::DeleteDictionaryArgs),
        Lint(lint::GlossaryLintArgs),
        Diff(diff::GlossaryDiffArgs),
        Sync(sync::GlossarySyncArgs),
        Export(export::GlossaryExportArgs),
        Wait(glossaries::GlossaryWaitArgs),
        V2(v2::GlossaryV2Args),
    }
}
