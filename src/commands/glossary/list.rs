//! `tulk glossary list`.

use crate::commands::list_limit::ListLimitArgs;
use crate::commands::named;
use crate::context::Context;
use crate::output::EmptyNote;

/// Lists all glossaries, up to the limit.
pub async fn run(ctx: &Context, limit: ListLimitArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let note =
        EmptyNote::new("No glossaries yet.").next("Create one", "tulk glossary create NAME --dictionary en:de=FILE");
    limit.list(ctx, &named::all_glossaries(ctx).await?, &note)?;
    Ok(())
}
