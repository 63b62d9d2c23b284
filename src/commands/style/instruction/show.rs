//! `tulk style instruction show`.

use clap::Args;
use tulk_client::api::style::CustomInstruction;

use super::{InstructionNameArgs, find};
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Show an instruction
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<CustomInstruction>())]
#[command(after_help = "tulk style instruction show Shop tone")]
pub struct InstructionShowArgs {
    /// The instruction.
    #[command(flatten)]
    pub name: InstructionNameArgs,
}

impl Run for InstructionShowArgs {
    /// Shows an instruction.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let (_, instruction) = find(ctx, args).await?;
        ctx.out.one(&instruction)?;
        Ok(())
    }
}
