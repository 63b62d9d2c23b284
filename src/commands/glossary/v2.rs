//! `tulk glossary v2`: manages glossaries of API version 2, which have one language pair and no operation to edit them.
//!
//! The other glossary commands can edit such a glossary, but then the service no longer lists it here. See
//! docs/service.md, "Glossaries".

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_client::api::glossary::Glossary;
use tulk_client::api::glossary::v2::{
    CreateGlossaryV2, DeleteGlossaryV2, GetGlossaryEntriesV2, GetGlossaryV2, GlossaryV2, ListSupportedPairs,
    SupportedPair,
};

use super::dictionaries::parse_reply;
use super::entries::HEADER;
use super::files::{self, DictionaryFileOptions, PairFile};
use crate::collections::{self, is_file_format, print_file};
use crate::command::{CommandSpec, Run, command_group};
use crate::context::Context;
use crate::named::{self, known_names, names};
use crate::output::{Cell, Column, EmptyNote, Row};
use crate::reports::list_limit::ListLimitArgs;

command_group! {
    /// Manage v2 glossaries (legacy: one language pair, immutable)
    ///
    /// The service recommends the other glossary commands. Their glossaries can be edited and have several language pairs.
    #[command(after_help = "tulk glossary v2 list\n\
                            tulk glossary v2 create Soups --dictionary en:fr=kitchen.fr.tsv")]
    pub struct GlossaryV2Args;

    pub enum GlossaryV2Command {
        List(V2ListArgs),
        Show(V2ShowArgs),
        Create(GlossaryV2CreateArgs),
        Entries(V2EntriesArgs),
        Delete(V2DeleteArgs),
        Pairs(V2PairsArgs),
    }
}

/// List all v2 glossaries (legacy)
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<GlossaryV2>())]
#[command(after_help = "tulk glossary v2 list")]
pub struct V2ListArgs {
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for V2ListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let glossaries = named::all_glossaries_v2(ctx).await?;
        let note = EmptyNote::new("No v2 glossaries.").next("List all glossaries", "tulk glossary list");
        Ok(self.limit.list(ctx, &glossaries, &note)?)
    }
}

/// Show a v2 glossary (legacy)
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<GlossaryV2>())]
#[command(after_help = "tulk glossary v2 show Drinks")]
pub struct V2ShowArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<GlossaryV2>())]
    pub glossary: String,
}

impl Run for V2ShowArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let glossary_id = named::glossary_v2(ctx, &self.glossary).await?;
        Ok(ctx.out.object(&ctx.client().await?.send(&GetGlossaryV2 { glossary_id }).await?)?)
    }
}

/// Create a v2 glossary from a dictionary file (legacy)
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<GlossaryV2>().checks_before_sending())]
#[command(after_help = "tulk glossary v2 create Soups --dictionary en:fr=kitchen.fr.tsv")]
pub struct GlossaryV2CreateArgs {
    /// Name of the glossary
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Language pair and file, such as en:fr=terms.tsv
    #[arg(long, value_name = "PAIR=FILE", required = true, value_parser = files::parse_pair_file)]
    pub dictionary: PairFile,
    #[command(flatten)]
    pub options: DictionaryFileOptions,
    /// Wait until the glossary is ready
    #[arg(long)]
    pub wait: bool,
}

impl Run for GlossaryV2CreateArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let loaded = collections::load::<Glossary>(ctx, &self.dictionary, &self.options)?;
        let create = CreateGlossaryV2 { name: self.name, content: loaded.content() };
        ctx.check(&create)?;
        if !ctx.args.no_check {
            let hint = "choose another name; --no-check creates another one";
            // The list of all glossaries includes v2 glossaries.
            named::check_new_name(&named::all_glossaries(ctx).await?, &create.name, None, hint)?;
        }
        let task = ctx.out.phase(&create.name, &collections::upload_phase::<Glossary>(loaded.list.len()));
        let explain = |failure| collections::explain_language::<Glossary>(failure, [&loaded.key]);
        let mut glossary = ctx.client().await?.send(&create).await.map_err(explain)?;
        drop(task);
        known_names::keep(ctx, &glossary).await;
        if self.wait && !glossary.is_ready() {
            glossary = named::wait_for_glossary_v2(ctx, &glossary.glossary_id).await?;
        }
        Ok(ctx.out.object(&glossary)?)
    }
}

/// Delete a v2 glossary (legacy)
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk glossary v2 delete Drinks --yes")]
pub struct V2DeleteArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<GlossaryV2>())]
    pub glossary: String,
}

impl Run for V2DeleteArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let glossary_id = named::glossary_v2(ctx, &self.glossary).await?;
        ctx.confirm(&format!("delete v2 glossary {}", named::name_and_id(&self.glossary, &glossary_id)))?;
        ctx.client().await?.send(&DeleteGlossaryV2 { glossary_id: glossary_id.clone() }).await?;
        known_names::forget::<GlossaryV2>(ctx, &glossary_id).await;
        ctx.report_done(&format!("deleted v2 glossary {glossary_id}"));
        Ok(())
    }
}

/// An entry as a row. The service sends plain TSV, so the field names come from tulk.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct GlossaryV2EntryRow {
    source: String,
    target: String,
}

impl Row for GlossaryV2EntryRow {
    const COLUMNS: &'static [Column] = &[Column::text("source").rank(0), Column::text("target").rank(0)];
}

/// Print the entries of a v2 glossary (legacy)
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<GlossaryV2EntryRow>().note("without --columns, a pipe gets the raw TSV file"))]
#[command(after_help = "tulk glossary v2 entries Drinks > drinks.tsv")]
pub struct V2EntriesArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<GlossaryV2>())]
    pub glossary: String,
}

impl Run for V2EntriesArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let glossary_id = named::glossary_v2(ctx, &self.glossary).await?;
        let tsv = ctx.client().await?.send(&GetGlossaryEntriesV2 { glossary_id }).await?.0;
        let dictionary = parse_reply(&tsv, "entries")?;
        if is_file_format(ctx) {
            return Ok(print_file(ctx, HEADER, &dictionary.to_file_text())?);
        }
        drop(tsv);
        ctx.out.list_in_chunks(
            dictionary
                .entries()
                .map(|(source, target)| GlossaryV2EntryRow { source: source.to_owned(), target: target.to_owned() }),
        )?;
        if dictionary.is_empty() {
            ctx.out.print_empty_note(&EmptyNote::new("No entries."));
        }
        Ok(())
    }
}

/// List the language pairs of v2 glossaries with a deprecated operation
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<SupportedPair>())]
#[command(after_help = "tulk glossary v2 pairs")]
pub struct V2PairsArgs {
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for V2PairsArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.warn("this operation is deprecated; use `tulk langs list --resource glossary`");
        let pairs = ctx.client().await?.send(&ListSupportedPairs {}).await?;
        Ok(self.limit.list(ctx, &pairs.supported_languages, &EmptyNote::new("No language pairs."))?)
    }
}

impl Row for GlossaryV2 {
    const COLUMNS: &'static [Column] = &[
        Column::id("glossary_id").header("ID").rank(3),
        Column::name("name"),
        Column::text("source_lang").header("FROM"),
        Column::text("target_lang").header("TO"),
        Column::count("entry_count").header("ENTRIES"),
        Column::time("creation_time").header("CREATED").rank(4),
        Column::flag("ready").usual("true"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.glossary_id),
            Cell::from(&self.name),
            Cell::from(self.source_lang.as_deref()),
            Cell::from(self.target_lang.as_deref()),
            Cell::from(self.entry_count),
            Cell::from(self.creation_time.as_deref()),
            Cell::from(self.is_ready()),
        ]
    }
}

impl Row for SupportedPair {
    const COLUMNS: &'static [Column] =
        &[Column::text("source_lang").header("FROM"), Column::text("target_lang").header("TO")];
}
