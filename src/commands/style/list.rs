//! `tulk style list`.

use clap::Args;

use super::views::StyleListsView;
use crate::api::style::{ListStyleRules, StyleRulePage};
use crate::context::Context;
use crate::json::Kept;

/// List all style rule lists
#[derive(Args, Debug)]
pub struct StyleListArgs {
    /// Include rules and instructions
    #[arg(long)]
    pub detailed: bool,
    /// Stop after N lists
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// Lists the lists, page by page, up to the limit.
pub async fn run(ctx: &Context, args: &StyleListArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let limit = args.limit.unwrap_or(usize::MAX);
    if limit == 0 {
        ctx.out.show(&StyleListsView::many(&[], args.detailed))?;
        return Ok(());
    }
    let is_enough = |page: &Kept<StyleRulePage>| page.style_rules.len() >= limit;
    let lists = ctx.client().await?.send_all(ListStyleRules::all(args.detailed), is_enough).await?;
    let shown = lists.style_rules.get(..limit).unwrap_or(&lists.style_rules);
    ctx.out.show(&StyleListsView::many(shown, args.detailed))?;
    Ok(())
}
