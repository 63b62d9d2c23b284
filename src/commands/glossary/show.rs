//! `tulk glossary show`.

use tulk_client::api::glossary::GetGlossary;

use super::GlossaryNameArgs;
use crate::commands::named;
use crate::context::Context;

/// Shows a glossary.
pub async fn run(ctx: &Context, args: GlossaryNameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let glossary = if named::is_uuid(&args.glossary) {
        ctx.client().await?.send(&GetGlossary { glossary_id: args.glossary }).await?
    } else {
        // The list has the same fields as a request for one glossary.
        named::pick(named::all_glossaries(ctx).await?, &args.glossary)?
    };
    ctx.out.one(&glossary)?;
    Ok(())
}
