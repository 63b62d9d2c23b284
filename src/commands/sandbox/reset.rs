//! `tulk sandbox reset`: delete the sandbox's state.

use clap::Args;

use crate::command::{CommandSpec, Run};
use crate::context::{Context, sandbox_state_dir};

/// Delete the state of the sandbox
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks().uses_settings())]
#[command(after_help = "tulk sandbox reset --yes")]
pub struct SandboxResetArgs {}

impl Run for SandboxResetArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let dir = sandbox_state_dir()?;
        if ctx.args.dry_run {
            ctx.out.status(&format!("would delete the state in {}", dir.display()));
            return Ok(());
        }
        ctx.out.confirm(&format!("delete the state of the sandbox in {}", dir.display()), ctx.args.yes)?;
        tulk_sandbox::reset(&dir)?;
        Ok(())
    }
}
