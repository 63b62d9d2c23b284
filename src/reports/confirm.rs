//! Questions before something is deleted, and reports after it. With `--dry-run` there is neither.

use tulk_base::error::Failure;

use crate::context::Context;

/// Asks before something that cannot be undone, unless `--yes` is given.
pub fn confirm(ctx: &Context, question: &str) -> Result<(), Failure> {
    ctx.out.confirm(question, ctx.args.yes || ctx.args.dry_run)
}

/// Reports what was done.
pub fn report_done(ctx: &Context, what: &str) {
    if !ctx.args.dry_run {
        ctx.out.status(what);
    }
}
