//! `tulk glossary create`.

use clap::Args;

use crate::api::glossary::CreateGlossary;
use crate::commands::named;
use crate::context::Context;

use super::files::{self, FileArgs, Loaded, PairFile};

/// Make a glossary from dictionary files
#[derive(Args, Debug)]
pub struct CreateArgs {
    /// Its name
    #[arg(value_name = "NAME")]
    pub name: String,
    /// A pair and its file, such as en:de=terms.tsv, repeatable
    #[arg(long = "dictionary", value_name = "PAIR=FILE", required = true, value_parser = files::pair_file)]
    pub dictionaries: Vec<PairFile>,
    /// How the files are read.
    #[command(flatten)]
    pub files: FileArgs,
    /// Wait until it is ready
    #[arg(long)]
    pub wait: bool,
}

/// Makes a glossary.
pub async fn run(ctx: &Context, args: CreateArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let loaded = files::load_all(ctx, &args.dictionaries, &args.files)?;
    let dictionaries = loaded.iter().map(Loaded::content).collect();
    let mut glossary = ctx.client().await?.send(&CreateGlossary { name: args.name, dictionaries }).await?;
    if args.wait && !glossary.is_ready() {
        glossary = named::await_glossary(ctx, &glossary.glossary_id).await?;
    }
    ctx.out.status(&format!("made glossary {}", glossary.glossary_id));
    ctx.out.one(&glossary)?;
    Ok(())
}
