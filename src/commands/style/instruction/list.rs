//! `tulk style instruction list`.

use crate::commands::style::{StyleNameArgs, read_list};
use crate::context::Context;

/// Lists the instructions of a list.
pub async fn run(ctx: &Context, args: &StyleNameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let list = read_list(ctx, &args.style).await?;
    ctx.out.list(list.instructions())?;
    Ok(())
}
