//! `tulk glossary`: manages glossaries, and keeps them in sync with dictionary files.
//!
//! Input: arguments and dictionary files. Output: requests to the service, and glossaries, entries, plans and problems
//! as rows. `files` reads and checks dictionary files; `dictionaries` implements `Collection` for glossaries. See
//! docs/service.md, "Glossaries".

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
    /// Manage glossaries: fixed translations of terms
    ///
    /// A glossary has a name and one dictionary per language pair. A dictionary is a list of source phrases and their
    /// translations. It is read from a TSV or CSV file.
    #[command(after_help = "tulk glossary create Shop --dictionary en:de=kitchen.tsv\n\
                            tulk translate --from en --to de --glossary Shop \"the oven\"\n\
                            tulk glossary sync Shop en:de=kitchen.tsv")]
    pub struct GlossaryArgs;

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
