//! `tulk style delete`: gone for good.

use clap::Args;

use crate::api::style::DeleteStyleRule;
use crate::commands::named;
use crate::context::Context;

/// Delete a list for good
#[derive(Args, Debug)]
pub struct DeleteArgs {
    /// Style rule list, by ID or name
    #[arg(value_name = "STYLE")]
    pub style: String,
}

/// Asks, then deletes.
pub async fn run(ctx: &Context, args: &DeleteArgs) -> Result<(), anyhow::Error> {
    let style_id = named::style(ctx, &args.style).await?;
    let question = format!("Delete the style rule list {} for good?", args.style);
    ctx.out.confirm(&question, ctx.args.yes || ctx.args.dry_run)?;
    ctx.client().await?.send(&DeleteStyleRule { style_id }).await?;
    if !ctx.args.dry_run {
        ctx.out.status(&format!("deleted the style rule list {}", args.style));
    }
    Ok(())
}
