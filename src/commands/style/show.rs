//! `tulk style show`.

use super::views::StyleListsView;
use super::{StyleNameArgs, read_list};
use crate::context::Context;

/// Shows a list with its rules and instructions.
pub async fn run(ctx: &Context, args: &StyleNameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let list = read_list(ctx, &args.style).await?;
    ctx.out.show(&StyleListsView::one(&list))?;
    Ok(())
}
