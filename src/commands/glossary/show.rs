//! `tulk glossary show`.

use clap::Args;

use crate::api::glossary::GetGlossary;
use crate::commands::named;
use crate::context::Context;

/// Show a glossary and its dictionaries
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
}

/// Shows a glossary.
pub async fn run(ctx: &Context, args: ShowArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    if named::is_uuid(&args.glossary) {
        let glossary = ctx.client().await?.send(&GetGlossary { glossary_id: args.glossary }).await?;
        ctx.out.one(&glossary)?;
    } else {
        // The list holds all that the details hold.
        ctx.out.one(&named::pick(named::all_glossaries(ctx).await?, &args.glossary)?)?;
    }
    Ok(())
}
