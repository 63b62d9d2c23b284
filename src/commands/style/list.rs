//! `tulk style list`: all pages of the lists.

use clap::Args;

use super::shown::Lists;
use crate::api::style::{ListStyleRules, StyleRulePage};
use crate::context::Context;
use crate::json::Kept;

/// List the style rule lists of the account
#[derive(Args, Debug)]
pub struct ListArgs {
    /// With their rules and instructions
    #[arg(long)]
    pub detailed: bool,
    /// Stop after N lists
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

/// Lists them, page by page, as many as asked for.
pub async fn run(ctx: &Context, args: &ListArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let limit = args.limit.unwrap_or(usize::MAX);
    if limit == 0 {
        ctx.out.show(&Lists::several(&[], args.detailed))?;
        return Ok(());
    }
    let enough = |page: &Kept<StyleRulePage>| page.style_rules.len() >= limit;
    let lists = ctx.client().await?.send_all(ListStyleRules::all(args.detailed), enough).await?;
    let shown = lists.style_rules.get(..limit).unwrap_or(&lists.style_rules);
    ctx.out.show(&Lists::several(shown, args.detailed))?;
    Ok(())
}
