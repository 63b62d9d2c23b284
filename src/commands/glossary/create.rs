//! `tulk glossary create`.

use clap::Args;
use tulk_client::api::glossary::CreateGlossary;
use tulk_client::api::glossary::Glossary;

use super::files::{self, DictionaryFileOptions, LoadedDictionary, PairFile};
use super::remote::uploading;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, known_names};

/// Create a glossary from dictionary files
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<Glossary>().checks())]
#[command(after_help = "tulk glossary create Shop --dictionary en:de=kitchen.tsv\n\
                        tulk glossary create Menu --dictionary en:de=kitchen.tsv --dictionary en:fr=kitchen.fr.tsv --wait")]
pub struct GlossaryCreateArgs {
    /// Name of the glossary
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Language pair and file, such as en:de=terms.tsv; repeatable
    #[arg(long = "dictionary", value_name = "PAIR=FILE", required = true, value_parser = files::parse_pair_file)]
    pub dictionaries: Vec<PairFile>,
    /// How to read the files.
    #[command(flatten)]
    pub options: DictionaryFileOptions,
    /// Wait until the glossary is ready
    #[arg(long)]
    pub wait: bool,
}

impl Run for GlossaryCreateArgs {
    /// Creates a glossary and shows it.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let loaded = files::load_all(ctx, &self.dictionaries, &self.options)?;
        let dictionaries = loaded.iter().map(LoadedDictionary::content).collect();
        let entries = loaded.iter().map(|file| file.dictionary.len()).sum();
        let task = ctx.out.phase(&self.name, &uploading(entries));
        let mut glossary = ctx.client().await?.send(&CreateGlossary { name: self.name, dictionaries }).await?;
        drop(task);
        known_names::keep(ctx, &glossary).await;
        if self.wait && !glossary.is_ready() {
            glossary = named::wait_for_glossary(ctx, &glossary.glossary_id).await?;
        }
        ctx.out.status(&format!("created glossary {}", glossary.glossary_id));
        ctx.out.one(&glossary)?;
        Ok(())
    }
}
