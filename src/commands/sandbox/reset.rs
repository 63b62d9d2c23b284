//! `tulk sandbox reset`: delete the sandbox's state.

use crate::context::{Context, sandbox_state_dir};

/// Deletes the state after a confirmation.
pub fn run(ctx: &Context) -> Result<(), anyhow::Error> {
    let dir = sandbox_state_dir()?;
    if ctx.args.dry_run {
        ctx.out.status(&format!("would delete the state in {}", dir.display()));
        return Ok(());
    }
    ctx.out.confirm(&format!("delete the state of the sandbox in {}", dir.display()), ctx.args.yes)?;
    tulk_sandbox::reset(&dir)?;
    Ok(())
}
