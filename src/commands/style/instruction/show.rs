//! `tulk style instruction show`.

use super::{InstructionNameArgs, find};
use crate::context::Context;

/// Shows an instruction.
pub async fn run(ctx: &Context, args: &InstructionNameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let (_, instruction) = find(ctx, args).await?;
    ctx.out.one(&instruction)?;
    Ok(())
}
