//! `tulk glossary v2`: glossaries of the older kind, with one pair that never changes.
//!
//! Editing them with the other commands makes v2 lose track of them. Spec: "Glossaries", v2.

use clap::{Args, Subcommand};

use crate::api::glossary::v2::{
    CreateGlossaryV2, DeleteGlossaryV2, GetGlossaryEntriesV2, GetGlossaryV2, ListGlossariesV2, ListSupportedPairs,
};
use crate::commands::named;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::input::dictionary::{Checked, Reading, Rule};
use crate::json::Kept;
use crate::output::{Cell, Row};

use super::files::{self, FileArgs, PairFile};

/// Glossaries of the older kind
#[derive(Args, Debug)]
pub struct V2Args {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with glossaries of the older kind.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// List all v2 glossaries
    List,
    /// Show a v2 glossary
    #[command(about = "Show a v2 glossary")]
    Show(WhichArgs),
    /// Make a v2 glossary from a dictionary file
    Create(CreateArgs),
    /// Print the entries of a v2 glossary
    #[command(about = "Print the entries of a v2 glossary")]
    Entries(WhichArgs),
    /// Delete a v2 glossary
    #[command(about = "Delete a v2 glossary")]
    Delete(WhichArgs),
    /// List the pairs that a v2 glossary can have
    Pairs,
}

/// Which glossary
#[derive(Args, Debug)]
pub struct WhichArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
}

/// Make a v2 glossary from a dictionary file
#[derive(Args, Debug)]
pub struct CreateArgs {
    /// Its name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Its pair and file, such as en:fr=terms.tsv
    #[arg(long, value_name = "PAIR=FILE", required = true, value_parser = files::pair_file)]
    pub dictionary: PairFile,
    /// How the file is read.
    #[command(flatten)]
    pub files: FileArgs,
}

/// Runs the verb.
pub async fn run(ctx: &Context, args: V2Args) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    match args.verb {
        Verb::List => ctx.out.list(&ctx.client().await?.send(&ListGlossariesV2 {}).await?.glossaries)?,
        Verb::Pairs => ctx.out.list(&ctx.client().await?.send(&ListSupportedPairs {}).await?.supported_languages)?,
        Verb::Show(which) => {
            let glossary_id = named::glossary_v2(ctx, &which.glossary).await?;
            ctx.out.one(&ctx.client().await?.send(&GetGlossaryV2 { glossary_id }).await?)?;
        }
        Verb::Create(args) => create(ctx, args).await?,
        Verb::Entries(which) => entries(ctx, &which).await?,
        Verb::Delete(which) => delete(ctx, &which).await?,
    }
    Ok(())
}

async fn create(ctx: &Context, args: CreateArgs) -> Result<(), Failure> {
    let loaded = files::load(ctx, &args.dictionary.pair, &args.dictionary.file, &args.files)?;
    let create = CreateGlossaryV2 { name: args.name, content: loaded.content() };
    ctx.out.one(&ctx.client().await?.send(&create).await?)
}

async fn delete(ctx: &Context, which: &WhichArgs) -> Result<(), Failure> {
    let glossary_id = named::glossary_v2(ctx, &which.glossary).await?;
    super::confirm(ctx, &format!("delete v2 glossary {}", super::delete::called(&which.glossary, &glossary_id)))?;
    ctx.client().await?.send(&DeleteGlossaryV2 { glossary_id: glossary_id.clone() }).await?;
    super::done(ctx, &format!("deleted v2 glossary {glossary_id}"));
    Ok(())
}

/// An entry as data: v2 answers with bare text, so the field names are those of the listing.
#[derive(serde::Serialize, serde::Deserialize, Clone, Debug)]
pub struct Pairing {
    source: String,
    target: String,
}

impl Row for Pairing {
    const COLUMNS: &'static [&'static str] = &["source", "target"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.source), Cell::from(&self.target)]
    }
}

async fn entries(ctx: &Context, which: &WhichArgs) -> Result<(), Failure> {
    let glossary_id = named::glossary_v2(ctx, &which.glossary).await?;
    let text = ctx.client().await?.send(&GetGlossaryEntriesV2 { glossary_id }).await?.0;
    let checked = Checked::read(text.as_bytes(), &Reading::TSV);
    if let Some(problem) = checked.problems.iter().find(|problem| matches!(problem.rule, Rule::Columns { .. })) {
        let why = format!("the service's entries are unusable: line {}: {}", problem.line, problem.rule);
        return Err(Failure::new(Kind::Network, why));
    }
    if matches!(ctx.out.settings().format(), OutputFormat::Tsv | OutputFormat::Text) && ctx.args.columns.is_empty() {
        let header = if ctx.args.header { "source\ttarget\n" } else { "" };
        return ctx.out.text(format!("{header}{}", checked.dictionary.file()));
    }
    let made =
        |(source, target): (&str, &str)| Kept::made(Pairing { source: source.to_owned(), target: target.to_owned() });
    let rows: Result<Vec<_>, Failure> = checked.dictionary.entries().map(made).collect();
    ctx.out.list(&rows?)
}
