//! `tulk voice terms list`.

use crate::commands::list_limit::ListLimitArgs;
use crate::commands::named;
use crate::context::Context;
use crate::output::EmptyNote;

/// Lists all collections, up to the limit.
pub async fn run(ctx: &Context, limit: ListLimitArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let note = EmptyNote::new("No spoken terms yet.").next("Create some", "tulk voice terms create NAME en=FILE");
    limit.list(ctx, &named::all_spoken_terms(ctx).await?, &note)?;
    Ok(())
}
