//! `tulk glossary`: glossaries as files under version control. Spec: command line, "glossary"; "Glossaries".

mod add;
mod change;
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
mod remove;
mod rename;
mod rows;
mod set;
mod show;
mod sync;
mod v2;
mod wait;

use clap::{Args, Subcommand};

use crate::api::glossary::Glossary;
use crate::api::glossary::v2::{GlossaryV2, SupportedPair};
use crate::context::Context;
use crate::output::{CommandColumns, Row as _};

/// Make, edit, check and compare glossaries
#[derive(Args, Debug)]
pub struct GlossaryArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with glossaries.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// List all glossaries
    List,
    /// Show a glossary and its dictionaries
    Show(show::ShowArgs),
    /// Make a glossary from dictionary files
    Create(create::CreateArgs),
    /// Print the entries of a dictionary, or of all
    Entries(entries::EntriesArgs),
    /// Replace a dictionary by a file
    Set(set::SetArgs),
    /// Add a file's entries to a dictionary
    Merge(merge::MergeArgs),
    /// Add one entry, or change its target
    Add(add::AddArgs),
    /// Remove entries
    Remove(remove::RemoveArgs),
    /// Give a glossary another name
    Rename(rename::RenameArgs),
    /// Delete a glossary
    Delete(delete::DeleteArgs),
    /// Delete one dictionary of a glossary
    DeleteDictionary(delete::DeleteDictionaryArgs),
    /// Check dictionary files, without a server
    Lint(lint::LintArgs),
    /// Compare a dictionary with a file
    Diff(diff::DiffArgs),
    /// Make a glossary what the files are
    Sync(sync::SyncArgs),
    /// Write one file for each dictionary
    Export(export::ExportArgs),
    /// Wait until a glossary is ready
    Wait(wait::WaitArgs),
    /// Glossaries of the older kind: one pair, never changed
    V2(v2::V2Args),
}

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("glossary list, show, create, rename, wait", Glossary::COLUMNS),
    CommandColumns::new("glossary entries", entries::COLUMNS).note("with a pair, a pipe gets the raw TSV file"),
    CommandColumns::new("glossary set, merge, add, remove", rows::Edited::COLUMNS),
    CommandColumns::new("glossary lint", lint::Found::COLUMNS),
    CommandColumns::new("glossary diff", diff::Differs::COLUMNS),
    CommandColumns::new("glossary sync", plan::Step::COLUMNS),
    CommandColumns::new("glossary export", export::Written::COLUMNS),
    CommandColumns::new("glossary v2 list, show, create", GlossaryV2::COLUMNS),
    CommandColumns::new("glossary v2 pairs", SupportedPair::COLUMNS),
    CommandColumns::new("glossary v2 entries", v2::Pairing::COLUMNS)
        .note("without --columns, a pipe gets the raw TSV file"),
];

/// Runs the verb.
pub async fn run(ctx: &Context, args: GlossaryArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::List => list::run(ctx).await,
        Verb::Show(args) => show::run(ctx, args).await,
        Verb::Create(args) => create::run(ctx, args).await,
        Verb::Entries(args) => entries::run(ctx, args).await,
        Verb::Set(args) => set::run(ctx, args).await,
        Verb::Merge(args) => merge::run(ctx, args).await,
        Verb::Add(args) => add::run(ctx, args).await,
        Verb::Remove(args) => remove::run(ctx, args).await,
        Verb::Rename(args) => rename::run(ctx, args).await,
        Verb::Delete(args) => delete::run(ctx, args).await,
        Verb::DeleteDictionary(args) => delete::run_dictionary(ctx, args).await,
        Verb::Lint(args) => lint::run(ctx, &args),
        Verb::Diff(args) => diff::run(ctx, args).await,
        Verb::Sync(args) => sync::run(ctx, args).await,
        Verb::Export(args) => export::run(ctx, args).await,
        Verb::Wait(args) => wait::run(ctx, args).await,
        Verb::V2(args) => v2::run(ctx, args).await,
    }
}

/// Asks before what cannot be undone; not when nothing is going to be sent.
fn confirm(ctx: &Context, question: &str) -> Result<(), crate::error::Failure> {
    ctx.out.confirm(question, ctx.args.yes || ctx.args.dry_run)
}

/// Says what was done, unless it was only planned.
fn done(ctx: &Context, what: &str) {
    if !ctx.args.dry_run {
        ctx.out.status(what);
    }
}
