//! `tulk admin keys rename`.

use clap::Args;

use super::which;
use crate::api::admin::RenameDeveloperKey;
use crate::context::Context;
use crate::error::Failure;

/// Change what a key is called
#[derive(Args, Debug)]
pub struct RenameArgs {
    /// Label of an active key, or the ID of any
    pub key: String,
    /// New label
    pub label: String,
}

/// Changes what a key is called.
pub async fn run(ctx: &Context, args: RenameArgs) -> Result<(), Failure> {
    let key_id = which::key_id(ctx, &args.key).await?;
    let key = ctx.client().await?.send(&RenameDeveloperKey { key_id, label: args.label }).await?;
    ctx.out.one(&key)
}
