//! `tulk admin keys list`: lists all keys.

use tulk_base::error::Failure;
use tulk_client::api::admin::ListDeveloperKeys;

use crate::commands::list_limit::ListLimitArgs;
use crate::context::Context;
use crate::output::EmptyNote;

/// Lists all keys, active and deactivated, up to the limit.
pub async fn run(ctx: &Context, limit: ListLimitArgs) -> Result<(), Failure> {
    let keys = ctx.client().await?.send(&ListDeveloperKeys {}).await?;
    let note = EmptyNote::new("No developer keys yet.").next("Create one", "tulk admin keys create LABEL");
    limit.list(ctx, &keys, &note)
}
