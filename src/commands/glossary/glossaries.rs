//! `tulk glossary list`, `show`, `create`, `rename`, `delete` and `wait`.

use clap::Args;
use tulk_client::api::glossary::{DeleteGlossary, Glossary};

use super::files::{self, DictionaryFileOptions, PairFile};
use crate::collections;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, names};
use crate::output::{Cell, Column, EmptyNote, Row};
use crate::reports::list_limit::ListLimitArgs;

#[derive(Args, Debug)]
pub struct GlossaryNameArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
}

/// List all glossaries
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<Glossary>())]
#[command(after_help = "tulk glossary list\n\
                        tulk glossary list --columns name,creation_time")]
pub struct GlossaryListArgs {
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for GlossaryListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let limit = self.limit;
        let note = EmptyNote::new("No glossaries yet.")
            .next("Create one", "tulk glossary create NAME --dictionary en:de=FILE");
        Ok(limit.list(ctx, &named::all_glossaries(ctx).await?, &note)?)
    }
}

/// Show a glossary and its dictionaries
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<Glossary>())]
#[command(after_help = "tulk glossary show Kitchen")]
pub struct GlossaryShowArgs {
    #[command(flatten)]
    pub name: GlossaryNameArgs,
}

impl Run for GlossaryShowArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        Ok(collections::show::<Glossary>(ctx, &self.name.glossary).await?)
    }
}

/// Create a glossary from dictionary files
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<Glossary>()
    .with_common_options(&["dictionary", "columns-are-languages", "header-row", "wait"])
    .checks_before_sending())]
#[command(after_help = "tulk glossary create Shop --dictionary en:de=kitchen.tsv\n\
                        tulk glossary create Menu --dictionary en:de=kitchen.tsv --dictionary en:fr=kitchen.fr.tsv --wait")]
pub struct GlossaryCreateArgs {
    /// Name of the glossary
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Language pairs and file, such as en:de=terms.tsv; repeatable
    #[arg(long = "dictionary", value_name = "PAIR=FILE", required = true, value_parser = files::parse_pairs_file)]
    pub dictionaries: Vec<PairFile>,
    #[command(flatten)]
    pub options: DictionaryFileOptions,
    /// Wait until the glossary is ready
    #[arg(long)]
    pub wait: bool,
}

impl Run for GlossaryCreateArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let files = &self.dictionaries;
        let mut glossary = collections::create::<Glossary>(ctx, &self.name, files, &self.options).await?;
        if self.wait && !glossary.is_ready() {
            glossary = named::wait_for_glossary(ctx, &glossary.glossary_id).await?;
        }
        ctx.out.status(&format!("created glossary {}", glossary.glossary_id));
        Ok(ctx.out.object(&glossary)?)
    }
}

/// Rename a glossary
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<Glossary>().checks_before_sending())]
#[command(after_help = "tulk glossary rename Kitchen \"Kitchen 2\"")]
pub struct GlossaryRenameArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// New name
    #[arg(value_name = "NAME")]
    pub name: String,
}

impl Run for GlossaryRenameArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        Ok(collections::rename::<Glossary>(ctx, &self.glossary, self.name).await?)
    }
}

/// Delete a glossary
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk glossary delete Kitchen --yes")]
pub struct GlossaryDeleteArgs {
    #[command(flatten)]
    pub name: GlossaryNameArgs,
}

impl Run for GlossaryDeleteArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let request = |glossary_id| DeleteGlossary { glossary_id };
        Ok(collections::delete::<Glossary, _>(ctx, &self.name.glossary, "all its dictionaries", request).await?)
    }
}

/// Wait until a glossary is ready
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<Glossary>())]
#[command(after_help = "tulk glossary wait Kitchen")]
pub struct GlossaryWaitArgs {
    #[command(flatten)]
    pub name: GlossaryNameArgs,
}

impl Run for GlossaryWaitArgs {
    /// Shows the glossary when it is ready. Fails with `Kind::Unfinished` after `--max-wait`.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.name;
        let glossary_id = named::glossary_without_waiting(ctx, &args.glossary).await?;
        Ok(ctx.out.object(&named::wait_for_glossary(ctx, &glossary_id).await?)?)
    }
}

impl Row for Glossary {
    const COLUMNS: &'static [Column] = &[
        Column::id("glossary_id").header("ID").rank(3),
        Column::name("name"),
        Column::text("dictionaries").header("LANGUAGES"),
        Column::count("entry_count").header("ENTRIES"),
        Column::time("creation_time").header("CREATED").rank(4),
        Column::flag("ready").usual("true"),
    ];

    fn cells(&self) -> Vec<Cell> {
        let pairs =
            self.dictionaries.iter().map(|d| format!("{}:{}", d.source_lang, d.target_lang).to_ascii_lowercase());
        let count: u64 = self.dictionaries.iter().filter_map(|d| d.entry_count).sum();
        vec![
            Cell::from(&self.glossary_id),
            Cell::from(&self.name),
            Cell::list(pairs),
            Cell::number(count),
            Cell::from(self.creation_time.as_deref()),
            Cell::from(self.is_ready()),
        ]
    }
}
