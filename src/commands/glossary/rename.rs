//! `tulk glossary rename`.

use clap::Args;
use tulk_client::api::glossary::EditGlossary;

use crate::commands::named::{self, known_names};
use crate::context::Context;

/// Rename a glossary
#[derive(Args, Debug)]
#[command(after_help = "tulk glossary rename Kitchen \"Kitchen 2\"")]
pub struct GlossaryRenameArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
    /// New name
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// Renames a glossary and shows it.
pub async fn run(ctx: &Context, args: GlossaryRenameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let glossary_id = named::glossary_without_waiting(ctx, &args.glossary).await?;
    let edit = EditGlossary { glossary_id, name: Some(args.name), dictionaries: None };
    let glossary = ctx.client().await?.send(&edit).await?;
    known_names::keep(ctx, &glossary).await;
    ctx.out.one(&glossary)?;
    Ok(())
}
