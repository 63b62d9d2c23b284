//! `tulk admin keys list`: lists all keys.

use crate::api::admin::ListDeveloperKeys;
use crate::commands::list_limit::ListLimitArgs;
use crate::context::Context;
use crate::error::Failure;

/// Lists all keys, active and deactivated, up to the limit.
pub async fn run(ctx: &Context, limit: ListLimitArgs) -> Result<(), Failure> {
    let keys = ctx.client().await?.send(&ListDeveloperKeys {}).await?;
    ctx.out.list(limit.first(&keys))
}
