//! `tulk admin keys list`: lists all keys.

use clap::Args;
use tulk_client::api::admin::DeveloperKey;
use tulk_client::api::admin::ListDeveloperKeys;

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::EmptyNote;
use crate::reports::list_limit::ListLimitArgs;

/// List all keys, active and deactivated
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<DeveloperKey>())]
#[command(after_help = "tulk admin keys list")]
pub struct KeyListArgs {
    /// Maximum number of rows.
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for KeyListArgs {
    /// Lists all keys, active and deactivated, up to the limit.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let limit = self.limit;
        let keys = ctx.client().await?.send(&ListDeveloperKeys {}).await?;
        let note = EmptyNote::new("No developer keys yet.").next("Create one", "tulk admin keys create LABEL");
        Ok(limit.list(ctx, &keys, &note)?)
    }
}
