//! `tulk glossary v2`: glossaries of version 2 of the service, with one language pair and entries that never change.
//!
//! The service stops listing a v2 glossary here once it was edited with the other glossary commands.
//! See docs/service.md, "Glossaries".

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_client::api::glossary::v2::{
    CreateGlossaryV2, DeleteGlossaryV2, GetGlossaryEntriesV2, GetGlossaryV2, GlossaryV2, ListSupportedPairs,
};

use super::GlossaryNameArgs;
use super::entries::{is_file_format, print_file};
use super::files::{self, DictionaryFileOptions, PairFile};
use super::remote::{parse_reply, uploading};
use crate::commands::confirm::{confirm, report_done};
use crate::commands::list_limit::ListLimitArgs;
use crate::commands::named::{self, known_names};
use crate::context::Context;
use crate::output::{Cell, Column, EmptyNote, Row};

/// Manage v2 glossaries (one language pair, immutable)
#[derive(Args, Debug)]
#[command(after_help = "tulk glossary v2 list\n\
                        tulk glossary v2 create Soups --dictionary en:fr=kitchen.fr.tsv")]
pub struct GlossaryV2Args {
    /// The subcommand
    #[command(subcommand)]
    pub command: GlossaryV2Command,
}

/// The subcommands of `tulk glossary v2`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum GlossaryV2Command {
    /// List all v2 glossaries
    #[command(after_help = "tulk glossary v2 list")]
    List(ListLimitArgs),
    /// Show a v2 glossary
    #[command(after_help = "tulk glossary v2 show Drinks")]
    Show(GlossaryNameArgs),
    /// Create a v2 glossary from a dictionary file
    Create(GlossaryV2CreateArgs),
    /// Print the entries of a v2 glossary
    #[command(after_help = "tulk glossary v2 entries Drinks > drinks.tsv")]
    Entries(GlossaryNameArgs),
    /// Delete a v2 glossary
    #[command(after_help = "tulk glossary v2 delete Drinks --yes")]
    Delete(GlossaryNameArgs),
    /// List the language pairs that v2 glossaries support
    #[command(after_help = "tulk glossary v2 pairs")]
    Pairs(ListLimitArgs),
}

/// Create a v2 glossary from a dictionary file
#[derive(Args, Debug)]
#[command(after_help = "tulk glossary v2 create Soups --dictionary en:fr=kitchen.fr.tsv")]
pub struct GlossaryV2CreateArgs {
    /// Name of the glossary
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Language pair and file, such as en:fr=terms.tsv
    #[arg(long, value_name = "PAIR=FILE", required = true, value_parser = files::parse_pair_file)]
    pub dictionary: PairFile,
    /// How to read the file.
    #[command(flatten)]
    pub options: DictionaryFileOptions,
}

/// Runs the subcommand.
pub async fn run(ctx: &Context, args: GlossaryV2Args) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    match args.command {
        GlossaryV2Command::List(limit) => {
            let glossaries = named::all_glossaries_v2(ctx).await?;
            let note = EmptyNote::new("No v2 glossaries.").next("List all glossaries", "tulk glossary list");
            limit.list(ctx, &glossaries, &note)?;
        }
        GlossaryV2Command::Pairs(limit) => {
            let pairs = ctx.client().await?.send(&ListSupportedPairs {}).await?;
            limit.list(ctx, &pairs.supported_languages, &EmptyNote::new("No language pairs."))?;
        }
        GlossaryV2Command::Show(args) => {
            let glossary_id = named::glossary_v2(ctx, &args.glossary).await?;
            ctx.out.one(&ctx.client().await?.send(&GetGlossaryV2 { glossary_id }).await?)?;
        }
        GlossaryV2Command::Create(args) => create(ctx, args).await?,
        GlossaryV2Command::Entries(args) => entries(ctx, &args).await?,
        GlossaryV2Command::Delete(args) => delete(ctx, &args).await?,
    }
    Ok(())
}

async fn create(ctx: &Context, args: GlossaryV2CreateArgs) -> Result<(), Failure> {
    let loaded = files::load(ctx, &args.dictionary.key, &args.dictionary.file, &args.options)?;
    let task = ctx.out.phase(&args.name, &uploading(loaded.dictionary.len()));
    let create = CreateGlossaryV2 { name: args.name, content: loaded.content() };
    let glossary = ctx.client().await?.send(&create).await?;
    drop(task);
    known_names::keep(ctx, &glossary).await;
    ctx.out.one(&glossary)
}

async fn delete(ctx: &Context, args: &GlossaryNameArgs) -> Result<(), Failure> {
    let glossary_id = named::glossary_v2(ctx, &args.glossary).await?;
    confirm(ctx, &format!("delete v2 glossary {}", named::name_and_id(&args.glossary, &glossary_id)))?;
    ctx.client().await?.send(&DeleteGlossaryV2 { glossary_id: glossary_id.clone() }).await?;
    known_names::forget::<GlossaryV2>(ctx, &glossary_id).await;
    report_done(ctx, &format!("deleted v2 glossary {glossary_id}"));
    Ok(())
}

/// An entry as a row. The service replies with plain TSV, so the field names are those of the listing.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct GlossaryV2EntryRow {
    source: String,
    target: String,
}

impl Row for GlossaryV2EntryRow {
    const COLUMNS: &'static [Column] = &[Column::text("source").rank(0), Column::text("target").rank(0)];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.source), Cell::from(&self.target)]
    }
}

async fn entries(ctx: &Context, args: &GlossaryNameArgs) -> Result<(), Failure> {
    let glossary_id = named::glossary_v2(ctx, &args.glossary).await?;
    let tsv = ctx.client().await?.send(&GetGlossaryEntriesV2 { glossary_id }).await?.0;
    let dictionary = parse_reply(&tsv, "entries")?;
    if is_file_format(ctx) {
        return print_file(ctx, &dictionary.to_file_text());
    }
    let row = |(source, target): (&str, &str)| {
        Kept::from_typed(GlossaryV2EntryRow { source: source.to_owned(), target: target.to_owned() })
    };
    let rows: Result<Vec<_>, Failure> = dictionary.entries().map(row).collect();
    ctx.out.list_or(&rows?, &EmptyNote::new("No entries."))
}
