//! `tulk style show`: one list in full.

use clap::Args;

use super::shown::Lists;
use crate::context::Context;

/// Show a list with its rules and instructions
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Style rule list, by ID or name
    #[arg(value_name = "STYLE")]
    pub style: String,
}

/// Shows the list.
pub async fn run(ctx: &Context, args: &ShowArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let list = super::get(ctx, &args.style).await?;
    ctx.out.show(&Lists::one(&list))?;
    Ok(())
}
