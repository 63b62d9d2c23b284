//! `tulk admin keys list`: lists all keys.

use crate::api::admin::ListDeveloperKeys;
use crate::context::Context;
use crate::error::Failure;
use crate::output::ListView;

/// Lists all keys, active and deactivated.
pub async fn run(ctx: &Context) -> Result<(), Failure> {
    let keys = ctx.client().await?.send(&ListDeveloperKeys {}).await?;
    ctx.out.show(&ListView::within(keys.raw(), &keys))
}
