//! `tulk style instruction remove`.

use clap::Args;
use tulk_client::api::style::DeleteCustomInstruction;

use super::{InstructionNameArgs, find};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named;
use crate::reports::confirm::{confirm, report_done};

/// Remove an instruction from a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks())]
#[command(after_help = "tulk style instruction remove Shop tone --yes")]
pub struct InstructionRemoveArgs {
    /// The instruction.
    #[command(flatten)]
    pub name: InstructionNameArgs,
}

impl Run for InstructionRemoveArgs {
    /// Removes an instruction after confirmation.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let (style_id, instruction_id) = if named::is_uuid(&args.instruction) {
            (named::style(ctx, &args.style).await?, args.instruction.clone())
        } else {
            let (style_id, instruction) = find(ctx, args).await?;
            (style_id, instruction.id.clone())
        };
        confirm(
            ctx,
            &format!("remove custom instruction `{}` from style rule list `{}`", args.instruction, args.style),
        )?;
        ctx.client().await?.send(&DeleteCustomInstruction { style_id, instruction_id }).await?;
        report_done(ctx, &format!("removed custom instruction {}", args.instruction));
        Ok(())
    }
}
