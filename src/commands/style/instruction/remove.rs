//! `tulk style instruction remove`.

use tulk_client::api::style::DeleteCustomInstruction;

use super::{InstructionNameArgs, find};
use crate::commands::confirm::{confirm, report_done};
use crate::commands::named;
use crate::context::Context;

/// Removes an instruction after confirmation.
pub async fn run(ctx: &Context, args: &InstructionNameArgs) -> Result<(), anyhow::Error> {
    let (style_id, instruction_id) = if named::is_uuid(&args.instruction) {
        (named::style(ctx, &args.style).await?, args.instruction.clone())
    } else {
        let (style_id, instruction) = find(ctx, args).await?;
        (style_id, instruction.id.clone())
    };
    confirm(ctx, &format!("remove custom instruction `{}` from style rule list `{}`", args.instruction, args.style))?;
    ctx.client().await?.send(&DeleteCustomInstruction { style_id, instruction_id }).await?;
    report_done(ctx, &format!("removed custom instruction {}", args.instruction));
    Ok(())
}
