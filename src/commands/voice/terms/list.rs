//! `tulk voice terms list`.

use crate::commands::list_limit::ListLimitArgs;
use crate::commands::named;
use crate::context::Context;

/// Lists all collections, up to the limit.
pub async fn run(ctx: &Context, limit: ListLimitArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    ctx.out.list(limit.first(&named::all_spoken_terms(ctx).await?))?;
    Ok(())
}
