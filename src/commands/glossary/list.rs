//! `tulk glossary list`.

use crate::commands::named;
use crate::context::Context;

/// Lists all glossaries.
pub async fn run(ctx: &Context) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    ctx.out.list(&named::all_glossaries(ctx).await?)?;
    Ok(())
}
