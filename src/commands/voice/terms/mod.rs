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

use clap::{Args, Subcommand};
use tulk_client::api::voice::terms::SpokenTerms;

use crate::commands::list_limit::ListLimitArgs;
use crate::commands::problems::FileProblemRow;
use crate::context::Context;
use crate::output::{CommandColumns, Row as _};

/// Manage spoken terms: names and jargon for speech recognition
///
/// A collection has a name and one term list per spoken language. Spoken terms help to recognize speech; they do not translate
/// it. To choose translations of terms, use `tulk glossary`.
#[derive(Args, Debug)]
#[command(after_help = "tulk voice terms sync \"Subtitles talk\" en=talk.en.txt\n\
                        tulk voice stream talk.wav --to de --spoken-terms \"Subtitles talk\"")]
pub struct VoiceTermsArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: VoiceTermsCommand,
}

/// The subcommands of `tulk voice terms`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum VoiceTermsCommand {
    /// List all collections of spoken terms
    #[command(after_help = "tulk voice terms list --columns name,term_lists")]
    List(ListLimitArgs),
    /// Show a collection and its term lists
    #[command(after_help = "tulk voice terms show \"Subtitles talk\"")]
    Show(CollectionArgs),
    /// Create a collection from files with one term per line
    Create(create::TermsCreateArgs),
    /// Print the terms of one or all languages
    Entries(entries::TermsEntriesArgs),
    /// Replace a term list with a file
    ///
    /// Creates the list if the collection has none for the language.
    #[command(after_help = "tulk voice terms set \"Subtitles talk\" en talk.en.txt")]
    Set(files::TermListAndFileArgs),
    /// Add the terms of a file to a term list
    ///
    /// Creates the list if the collection has none for the language.
    #[command(after_help = "tulk voice terms merge \"Subtitles talk\" en talk.en.txt\n\
                            echo Ljubljana | tulk voice terms merge \"Subtitles talk\" en -")]
    Merge(files::TermListAndFileArgs),
    /// Rename a collection
    Rename(rename::TermsRenameArgs),
    /// Delete a collection
    #[command(after_help = "tulk voice terms delete \"Subtitles talk\" --yes")]
    Delete(CollectionArgs),
    /// Delete the term list of a language
    DeleteList(delete::DeleteListArgs),
    /// Check files of terms offline
    Lint(lint::TermsLintArgs),
    /// Make a collection match files
    Sync(sync::TermsSyncArgs),
}

// A collection. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Debug)]
pub struct CollectionArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS")]
    pub collection: String,
}

/// The columns of the subcommands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("voice terms list, show, create, rename", SpokenTerms::COLUMNS),
    CommandColumns::new("voice terms entries", entries::COLUMNS).note("with a language, a pipe gets the raw file"),
    CommandColumns::new("voice terms set, merge", rows::TermListEdit::COLUMNS),
    CommandColumns::new("voice terms lint", FileProblemRow::COLUMNS),
    CommandColumns::new("voice terms sync", plan::TermsSyncStep::COLUMNS),
];

/// Runs the subcommand.
pub async fn run(ctx: &Context, args: VoiceTermsArgs) -> Result<(), anyhow::Error> {
    match args.command {
        VoiceTermsCommand::List(limit) => list::run(ctx, limit).await,
        VoiceTermsCommand::Show(args) => show::run(ctx, args).await,
        VoiceTermsCommand::Create(args) => create::run(ctx, args).await,
        VoiceTermsCommand::Entries(args) => entries::run(ctx, args).await,
        VoiceTermsCommand::Set(args) => set::run(ctx, args).await,
        VoiceTermsCommand::Merge(args) => merge::run(ctx, args).await,
        VoiceTermsCommand::Rename(args) => rename::run(ctx, args).await,
        VoiceTermsCommand::Delete(args) => delete::run(ctx, args).await,
        VoiceTermsCommand::DeleteList(args) => delete::run_list(ctx, args).await,
        VoiceTermsCommand::Lint(args) => lint::run(ctx, &args),
        VoiceTermsCommand::Sync(args) => sync::run(ctx, args).await,
    }
}
