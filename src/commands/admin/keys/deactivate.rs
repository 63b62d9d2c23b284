//! `tulk admin keys deactivate`: deactivates a key, after asking, since this cannot be undone.

use clap::Args;
use tulk_base::error::Failure;
use tulk_client::api::admin::DeactivateDeveloperKey;

use super::lookup;
use crate::context::Context;

/// Deactivate a key immediately and permanently
#[derive(Args, Debug)]
#[command(after_help = "tulk admin keys deactivate CI --yes")]
pub struct DeactivateKeyArgs {
    /// Label of an active key, or its ID
    pub key: String,
}

/// Deactivates a key.
pub async fn run(ctx: &Context, args: &DeactivateKeyArgs) -> Result<(), Failure> {
    let key_id = lookup::key_id(ctx, &args.key).await?;
    let question = format!("permanently deactivate the key {}", lookup::display(&args.key));
    ctx.out.confirm(&question, ctx.args.yes || ctx.args.dry_run)?;
    let key = ctx.client().await?.send(&DeactivateDeveloperKey { key_id }).await?;
    ctx.out.one(&key)
}
