//! `tulk admin keys deactivate`: asks, because there is no way back.

use clap::Args;

use super::which;
use crate::api::admin::DeactivateDeveloperKey;
use crate::context::Context;
use crate::error::Failure;

/// End a key, at once and for good
#[derive(Args, Debug)]
pub struct DeactivateArgs {
    /// Label of an active key, or its ID
    pub key: String,
}

/// Ends a key.
pub async fn run(ctx: &Context, args: &DeactivateArgs) -> Result<(), Failure> {
    let key_id = which::key_id(ctx, &args.key).await?;
    let question = format!("Deactivate the key {} for good?", which::shown(&args.key));
    ctx.out.confirm(&question, ctx.args.yes || ctx.args.dry_run)?;
    let key = ctx.client().await?.send(&DeactivateDeveloperKey { key_id }).await?;
    ctx.out.one(&key)
}
