//! `tulk admin keys rename`: changes the label of a key.

use clap::Args;
use tulk_base::error::Failure;
use tulk_client::api::admin::RenameDeveloperKey;

use super::lookup;
use crate::context::Context;

/// Change the label of a key
#[derive(Args, Debug)]
#[command(after_help = "tulk admin keys rename CI \"CI 2\"")]
pub struct RenameKeyArgs {
    /// Label of an active key, or ID of any key
    pub key: String,
    /// New label
    pub label: String,
}

/// Changes the label of a key.
pub async fn run(ctx: &Context, args: RenameKeyArgs) -> Result<(), Failure> {
    let key_id = lookup::key_id(ctx, &args.key).await?;
    let key = ctx.client().await?.send(&RenameDeveloperKey { key_id, label: args.label }).await?;
    ctx.out.one(&key)
}
