//! `tulk style instruction remove`: gone for good.

use clap::Args;

use super::Which;
use crate::api::style::DeleteCustomInstruction;
use crate::commands::named;
use crate::context::Context;

/// Remove an instruction from a list
#[derive(Args, Debug)]
pub struct RemoveArgs {
    /// Which one.
    #[command(flatten)]
    pub which: Which,
}

/// Asks, then removes.
pub async fn run(ctx: &Context, args: &RemoveArgs) -> Result<(), anyhow::Error> {
    let which = &args.which;
    let (style_id, instruction_id) = if named::is_uuid(&which.instruction) {
        (named::style(ctx, &which.style).await?, which.instruction.clone())
    } else {
        let (style_id, instruction) = super::find(ctx, which).await?;
        (style_id, instruction.id.clone())
    };
    let question = format!("Remove the custom instruction {} of {} for good?", which.instruction, which.style);
    ctx.out.confirm(&question, ctx.args.yes || ctx.args.dry_run)?;
    ctx.client().await?.send(&DeleteCustomInstruction { style_id, instruction_id }).await?;
    if !ctx.args.dry_run {
        ctx.out.status(&format!("removed the custom instruction {}", which.instruction));
    }
    Ok(())
}
