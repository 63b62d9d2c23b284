//! `tulk style instruction list`: all instructions of a list.

use clap::Args;

use crate::commands::style::get;
use crate::context::Context;

/// List the instructions of a list
#[derive(Args, Debug)]
pub struct ListArgs {
    /// Style rule list, by ID or name
    #[arg(value_name = "STYLE")]
    pub style: String,
}

/// Lists them.
pub async fn run(ctx: &Context, args: &ListArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let list = get(ctx, &args.style).await?;
    ctx.out.list(list.instructions())?;
    Ok(())
}
