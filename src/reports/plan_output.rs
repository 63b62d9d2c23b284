//! When the rows of a plan are printed: a person sees them before a question, a program gets those that were carried out.

use tulk_base::error::Failure;
use tulk_base::json::Kept;

use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::Row;

/// The rows of a plan, and how the plan ends.
pub struct PlanOutput<'a> {
    ctx: &'a Context,
    is_printed: bool,
}

impl<'a> PlanOutput<'a> {
    /// Prints the rows of a plan if they are the result: of a dry run, of a plan without changes, and in a table for people.
    ///
    /// In other formats the rows wait for [`PlanOutput::finish`]. Fails if `--columns` names none of theirs.
    pub fn start<T: Row>(ctx: &'a Context, rows: &[Kept<T>], has_changes: bool) -> Result<Self, Failure> {
        let settings = ctx.out.settings();
        let is_printed = ctx.args.dry_run || !has_changes || settings.format() == OutputFormat::Table;
        if is_printed {
            ctx.out.list(rows)?;
        } else {
            settings.check_row::<T>()?;
        }
        Ok(Self { ctx, is_printed })
    }

    /// Names what a plan does on stderr, if a question follows and the rows are not printed yet.
    pub fn describe(&self, lines: impl Iterator<Item = String>) {
        if !self.is_printed && !self.ctx.args.yes {
            lines.for_each(|line| self.ctx.out.status(&line));
        }
    }

    /// Prints the rows of the steps that were carried out, unless the plan is printed already. Returns `outcome`.
    pub fn finish<T: Row>(self, done: &[Kept<T>], outcome: Result<(), Failure>) -> Result<(), Failure> {
        let printed = if self.is_printed { Ok(()) } else { self.ctx.out.list(done) };
        outcome.and(printed)
    }
}
