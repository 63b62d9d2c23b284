//! `--limit` of the commands that list objects.

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;

use crate::context::Context;
use crate::output::{EmptyNote, Row};

// Maximum number of rows of a list.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ListLimitArgs {
    /// Stop after N rows
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

impl ListLimitArgs {
    pub fn count(self) -> usize {
        self.limit.unwrap_or(usize::MAX)
    }

    pub fn given(self) -> Option<usize> {
        self.limit
    }

    /// Prints the first rows. If there are no rows at all, prints the note to a terminal.
    pub fn list<T: Row>(self, ctx: &Context, rows: &[WithRaw<T>], note: &EmptyNote) -> Result<(), Failure> {
        if rows.is_empty() { ctx.out.list_or_note(rows, note) } else { ctx.out.list(self.first(rows)) }
    }

    pub fn first<T>(self, rows: &[T]) -> &[T] {
        rows.get(..self.count()).unwrap_or(rows)
    }
}
