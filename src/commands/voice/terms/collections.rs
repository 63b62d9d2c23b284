//! `tulk voice terms list`, `show`, `create`, `rename` and `delete`.

use clap::Args;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::{DeleteSpokenTerms, SpokenTerms};

use super::files::{self, LanguageFile};
use crate::collections;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, names};
use crate::output::{Cell, Column, EmptyNote, Row};
use crate::reports::list_limit::ListLimitArgs;

#[derive(Args, Debug)]
pub struct CollectionArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
}

/// List all collections of spoken terms
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<SpokenTerms>())]
#[command(after_help = "tulk voice terms list --columns name,term_lists")]
pub struct TermsListArgs {
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for TermsListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let limit = self.limit;
        let note = EmptyNote::new("No spoken terms yet.").next("Create some", "tulk voice terms create NAME en=FILE");
        Ok(limit.list(ctx, &named::all_spoken_terms(ctx).await?, &note)?)
    }
}

/// Show a collection and its term lists
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<SpokenTerms>())]
#[command(after_help = "tulk voice terms show \"Subtitles talk\"")]
pub struct TermsShowArgs {
    #[command(flatten)]
    pub name: CollectionArgs,
}

impl Run for TermsShowArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        Ok(collections::show::<SpokenTerms>(ctx, &self.name.collection).await?)
    }
}

/// Create a collection from files with one term per line
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<SpokenTerms>().checks_before_sending().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms create \"Team call\" en=talk.en.txt de=talk.de.txt\n\
                        tulk voice stream talk.wav --from en --to fr --spoken-terms \"Team call\"")]
pub struct TermsCreateArgs {
    /// Name of the collection
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Language and file, such as en=terms.txt (- for stdin)
    #[arg(value_name = "LANG=FILE", required = true, value_parser = files::parse_language_file)]
    pub lists: Vec<LanguageFile>,
}

impl Run for TermsCreateArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let terms = collections::create::<SpokenTerms>(ctx, &self.name, &self.lists, &()).await?;
        ctx.out.status(&format!("created spoken terms {}", terms.spoken_terms_id));
        Ok(ctx.out.object(&terms)?)
    }
}

/// Rename a collection
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<SpokenTerms>().checks_before_sending())]
#[command(after_help = "tulk voice terms rename \"Subtitles talk\" \"Subtitles talk, May\"")]
pub struct TermsRenameArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
    /// New name
    #[arg(value_name = "NAME")]
    pub name: String,
}

impl Run for TermsRenameArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        Ok(collections::rename::<SpokenTerms>(ctx, &self.collection, self.name).await?)
    }
}

/// Delete a collection
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk voice terms delete \"Subtitles talk\" --yes")]
pub struct TermsDeleteArgs {
    #[command(flatten)]
    pub name: CollectionArgs,
}

impl Run for TermsDeleteArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let request = |spoken_terms_id| DeleteSpokenTerms { spoken_terms_id };
        Ok(collections::delete::<SpokenTerms, _>(ctx, &self.name.collection, "all their term lists", request).await?)
    }
}

impl Row for SpokenTerms {
    const COLUMNS: &'static [Column] = &[
        Column::id("spoken_terms_id").header("ID").rank(3),
        Column::name("name"),
        Column::text("term_lists").header("LANGUAGES"),
        Column::count("entry_count").header("TERMS"),
        Column::time("creation_time").header("CREATED").rank(4),
    ];

    fn cells(&self) -> Vec<Cell> {
        let count: u64 = self.term_lists.iter().filter_map(|list| list.entry_count).sum();
        vec![
            Cell::from(&self.spoken_terms_id),
            Cell::from(&self.name),
            Cell::list(self.term_lists.iter().map(|list| list.lang.to_ascii_lowercase())),
            Cell::number(count),
            Cell::from(self.creation_time.as_deref()),
        ]
    }
}
