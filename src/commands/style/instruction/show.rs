//! `tulk style instruction show`: one instruction.

use clap::Args;

use super::{Which, find};
use crate::context::Context;

/// Show an instruction
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Which one.
    #[command(flatten)]
    pub which: Which,
}

/// Shows it.
pub async fn run(ctx: &Context, args: &ShowArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let (_, instruction) = find(ctx, &args.which).await?;
    ctx.out.one(&instruction)?;
    Ok(())
}
