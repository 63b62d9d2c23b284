//! `tulk glossary wait`.

use super::GlossaryNameArgs;
use crate::commands::named;
use crate::context::Context;

/// Waits until a glossary is ready, at most for `--max-wait`, and shows it.
pub async fn run(ctx: &Context, args: GlossaryNameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let glossary_id = named::glossary_without_waiting(ctx, &args.glossary).await?;
    ctx.out.one(&named::wait_for_glossary(ctx, &glossary_id).await?)?;
    Ok(())
}
