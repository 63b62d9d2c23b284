//! `tulk style delete`.

use tulk_client::api::style::{DeleteStyleRule, StyleRule};

use super::StyleNameArgs;
use crate::commands::confirm::{confirm, report_done};
use crate::commands::named::{self, known_names};
use crate::context::Context;

/// Deletes a list after confirmation.
pub async fn run(ctx: &Context, args: &StyleNameArgs) -> Result<(), anyhow::Error> {
    let style_id = named::style(ctx, &args.style).await?;
    confirm(ctx, &format!("delete style rule list `{}`", args.style))?;
    ctx.client().await?.send(&DeleteStyleRule { style_id: style_id.clone() }).await?;
    known_names::forget::<StyleRule>(ctx, &style_id).await;
    report_done(ctx, &format!("deleted style rule list {}", args.style));
    Ok(())
}
