//! `tulk style delete`.

use clap::Args;
use tulk_client::api::style::{DeleteStyleRule, StyleRule};

use super::StyleNameArgs;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, known_names};
use crate::reports::confirm::{confirm, report_done};

/// Delete a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks())]
#[command(after_help = "tulk style delete Shop --yes")]
pub struct StyleDeleteArgs {
    /// The style rule list.
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for StyleDeleteArgs {
    /// Deletes a list after confirmation.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let style_id = named::style(ctx, &args.style).await?;
        confirm(ctx, &format!("delete style rule list `{}`", args.style))?;
        ctx.client().await?.send(&DeleteStyleRule { style_id: style_id.clone() }).await?;
        known_names::forget::<StyleRule>(ctx, &style_id).await;
        report_done(ctx, &format!("deleted style rule list {}", args.style));
        Ok(())
    }
}
