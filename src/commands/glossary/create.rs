//! `tulk glossary create`.

use clap::Args;
use tulk_client::api::glossary::CreateGlossary;

use super::files::{self, DictionaryFileOptions, LoadedDictionary, PairFile};
use super::remote::uploading;
use crate::commands::named::{self, known_names};
use crate::context::Context;

/// Create a glossary from dictionary files
#[derive(Args, Debug)]
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

/// Creates a glossary and shows it.
pub async fn run(ctx: &Context, args: GlossaryCreateArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let loaded = files::load_all(ctx, &args.dictionaries, &args.options)?;
    let dictionaries = loaded.iter().map(LoadedDictionary::content).collect();
    let entries = loaded.iter().map(|file| file.dictionary.len()).sum();
    let task = ctx.out.phase(&args.name, &uploading(entries));
    let mut glossary = ctx.client().await?.send(&CreateGlossary { name: args.name, dictionaries }).await?;
    drop(task);
    known_names::keep(ctx, &glossary).await;
    if args.wait && !glossary.is_ready() {
        glossary = named::wait_for_glossary(ctx, &glossary.glossary_id).await?;
    }
    ctx.out.status(&format!("created glossary {}", glossary.glossary_id));
    ctx.out.one(&glossary)?;
    Ok(())
}
