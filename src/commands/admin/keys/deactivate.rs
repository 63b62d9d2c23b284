//! `tulk admin keys deactivate`: deactivates a key, after asking, since this cannot be undone.

use clap::Args;
use tulk_client::api::admin::DeactivateDeveloperKey;
use tulk_client::api::admin::DeveloperKey;

use super::lookup;
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Deactivate a key immediately and permanently
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DeveloperKey>().asks())]
#[command(after_help = "tulk admin keys deactivate CI --yes")]
pub struct DeactivateKeyArgs {
    /// Label of an active key, or its ID
    pub key: String,
}

impl Run for DeactivateKeyArgs {
    /// Deactivates a key.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.settings().check_row::<DeveloperKey>()?;
        let key_id = lookup::key_id(ctx, &self.key).await?;
        let question = format!("permanently deactivate the key {}", lookup::display(&self.key));
        ctx.out.confirm(&question, ctx.args.yes || ctx.args.dry_run)?;
        let key = ctx.client().await?.send(&DeactivateDeveloperKey { key_id }).await?;
        Ok(ctx.out.one(&key)?)
    }
}
