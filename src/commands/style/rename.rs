//! `tulk style rename`.

use clap::Args;
use tulk_client::api::style::{RenameStyleRule, check_name};

use super::views::StyleListsView;
use crate::commands::named::{self, known_names};
use crate::context::Context;

/// Rename a list
#[derive(Args, Debug)]
#[command(after_help = "tulk style rename Shop \"Shop texts\"")]
pub struct StyleRenameArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE")]
    pub style: String,
    /// New name, at most 1024 characters
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// Renames the list and shows it.
pub async fn run(ctx: &Context, args: StyleRenameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    if !ctx.args.no_check {
        check_name(&args.name)?;
    }
    let style_id = named::style(ctx, &args.style).await?;
    let list = ctx.client().await?.send(&RenameStyleRule { style_id, name: args.name }).await?;
    known_names::keep(ctx, &list).await;
    ctx.out.show(&StyleListsView::one(&list))?;
    Ok(())
}
