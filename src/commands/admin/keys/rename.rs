//! `tulk admin keys rename`: changes the label of a key.

use clap::Args;
use tulk_client::api::admin::DeveloperKey;
use tulk_client::api::admin::RenameDeveloperKey;

use super::lookup;
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Change the label of a key
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DeveloperKey>())]
#[command(after_help = "tulk admin keys rename CI \"CI 2\"")]
pub struct RenameKeyArgs {
    /// Label of an active key, or ID of any key
    pub key: String,
    /// New label
    pub label: String,
}

impl Run for RenameKeyArgs {
    /// Changes the label of a key.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.settings().check_row::<DeveloperKey>()?;
        let key_id = lookup::key_id(ctx, &self.key).await?;
        let key = ctx.client().await?.send(&RenameDeveloperKey { key_id, label: self.label }).await?;
        Ok(ctx.out.one(&key)?)
    }
}
