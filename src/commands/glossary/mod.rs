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

use clap::{Args, Subcommand};
use tulk_client::api::glossary::Glossary;
use tulk_client::api::glossary::v2::{GlossaryV2, SupportedPair};

use crate::commands::list_limit::ListLimitArgs;
use crate::commands::problems::FileProblemRow;
use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, FINDINGS, LISTING, Row as _};

/// Manage glossaries
///
/// A glossary has a name and one dictionary per language pair. A dictionary is a list of source phrases with their
/// translations, as a TSV or CSV file.
#[derive(Args, Debug)]
#[command(after_help = "tulk glossary create Shop --dictionary en:de=kitchen.tsv\n\
                        tulk translate --from en --to de --glossary Shop \"the oven\"\n\
                        tulk glossary sync Shop en:de=kitchen.tsv")]
pub struct GlossaryArgs {
    /// The subcommand
    #[command(subcommand)]
    pub command: GlossaryCommand,
}

/// The subcommands of `tulk glossary`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum GlossaryCommand {
    /// List all glossaries
    #[command(after_help = "tulk glossary list\n\
                            tulk glossary list --columns name,creation_time")]
    List(ListLimitArgs),
    /// Show a glossary and its dictionaries
    #[command(after_help = "tulk glossary show Kitchen")]
    Show(GlossaryNameArgs),
    /// Create a glossary from dictionary files
    Create(create::GlossaryCreateArgs),
    /// Print the entries of one or all dictionaries
    Entries(entries::GlossaryEntriesArgs),
    /// Replace a dictionary with a file
    #[command(after_help = "tulk glossary set Kitchen en:de kitchen.tsv")]
    Set(files::DictionaryAndFileArgs),
    /// Add the entries of a file to a dictionary
    #[command(after_help = "tulk glossary merge Kitchen en:de more.csv")]
    Merge(files::DictionaryAndFileArgs),
    /// Add an entry, or change its target phrase
    Add(add::GlossaryAddArgs),
    /// Remove entries
    Remove(remove::GlossaryRemoveArgs),
    /// Rename a glossary
    Rename(rename::GlossaryRenameArgs),
    /// Delete a glossary
    #[command(after_help = "tulk glossary delete Kitchen --yes")]
    Delete(GlossaryNameArgs),
    /// Delete a dictionary from a glossary
    DeleteDictionary(delete::DeleteDictionaryArgs),
    /// Check dictionary files offline
    Lint(lint::GlossaryLintArgs),
    /// Compare a dictionary with a file
    ///
    /// Exits with 1 if there are differences.
    #[command(after_help = "tulk glossary diff Kitchen en:de kitchen.tsv")]
    Diff(files::DictionaryAndFileArgs),
    /// Make a glossary match dictionary files
    Sync(sync::GlossarySyncArgs),
    /// Write one file per dictionary
    Export(export::GlossaryExportArgs),
    /// Wait until a glossary is ready
    #[command(after_help = "tulk glossary wait Kitchen")]
    Wait(GlossaryNameArgs),
    /// Manage v2 glossaries (one language pair, immutable)
    V2(v2::GlossaryV2Args),
}

// A glossary. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Debug)]
pub struct GlossaryNameArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[
    CommandFormats::new("glossary", LISTING),
    CommandFormats::new("glossary lint, diff", FINDINGS),
    CommandFormats::without_result("glossary delete, delete-dictionary"),
    CommandFormats::without_result("glossary v2 delete"),
];

/// The columns of the subcommands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("glossary list, show, create, rename, wait", Glossary::COLUMNS),
    CommandColumns::new("glossary entries", entries::COLUMNS).note("with a pair, a pipe gets the raw TSV file"),
    CommandColumns::new("glossary set, merge, add, remove", rows::DictionaryEdit::COLUMNS),
    CommandColumns::new("glossary lint", FileProblemRow::COLUMNS),
    CommandColumns::new("glossary diff", diff::EntryDifferenceRow::COLUMNS),
    CommandColumns::new("glossary sync", plan::GlossarySyncStep::COLUMNS),
    CommandColumns::new("glossary export", export::ExportedDictionaryRow::COLUMNS),
    CommandColumns::new("glossary v2 list, show, create", GlossaryV2::COLUMNS),
    CommandColumns::new("glossary v2 pairs", SupportedPair::COLUMNS),
    CommandColumns::new("glossary v2 entries", v2::GlossaryV2EntryRow::COLUMNS)
        .note("without --columns, a pipe gets the raw TSV file"),
];

/// Runs the subcommand.
pub async fn run(ctx: &Context, args: GlossaryArgs) -> Result<(), anyhow::Error> {
    match args.command {
        GlossaryCommand::List(limit) => list::run(ctx, limit).await,
        GlossaryCommand::Show(args) => show::run(ctx, args).await,
        GlossaryCommand::Create(args) => create::run(ctx, args).await,
        GlossaryCommand::Entries(args) => entries::run(ctx, args).await,
        GlossaryCommand::Set(args) => set::run(ctx, args).await,
        GlossaryCommand::Merge(args) => merge::run(ctx, args).await,
        GlossaryCommand::Add(args) => add::run(ctx, args).await,
        GlossaryCommand::Remove(args) => remove::run(ctx, args).await,
        GlossaryCommand::Rename(args) => rename::run(ctx, args).await,
        GlossaryCommand::Delete(args) => delete::run(ctx, args).await,
        GlossaryCommand::DeleteDictionary(args) => delete::run_dictionary(ctx, args).await,
        GlossaryCommand::Lint(args) => lint::run(ctx, &args),
        GlossaryCommand::Diff(args) => diff::run(ctx, args).await,
        GlossaryCommand::Sync(args) => sync::run(ctx, args).await,
        GlossaryCommand::Export(args) => export::run(ctx, args).await,
        GlossaryCommand::Wait(args) => wait::run(ctx, args).await,
        GlossaryCommand::V2(args) => v2::run(ctx, args).await,
    }
}
