//! `tulk glossary rename`.

use clap::Args;

use crate::api::glossary::EditGlossary;
use crate::commands::named;
use crate::context::Context;

/// Give a glossary another name
#[derive(Args, Debug)]
pub struct RenameArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
    /// New name
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// Renames a glossary.
pub async fn run(ctx: &Context, args: RenameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let glossary_id = named::glossary_as_it_is(ctx, &args.glossary).await?;
    let edit = EditGlossary { glossary_id, name: Some(args.name), dictionaries: None };
    ctx.out.one(&ctx.client().await?.send(&edit).await?)?;
    Ok(())
}
