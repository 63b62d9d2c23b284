//! `tulk sandbox reset`: forget everything it remembers.

use crate::context::Context;
use crate::sandbox;

/// Asks, then removes the state.
pub fn run(ctx: &Context) -> Result<(), anyhow::Error> {
    let dir = super::state_dir()?;
    if ctx.args.dry_run {
        ctx.out.status(&format!("would forget what lies in {}", dir.display()));
        return Ok(());
    }
    ctx.out.confirm(&format!("Forget everything the sandbox remembers in {}?", dir.display()), ctx.args.yes)?;
    sandbox::reset(&dir)?;
    Ok(())
}
