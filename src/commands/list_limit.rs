//! `--limit` of the commands that list objects.

use clap::Args;

// How many rows a list has at most. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ListLimitArgs {
    /// Stop after N rows
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

impl ListLimitArgs {
    /// Returns the maximum number of rows.
    pub fn count(self) -> usize {
        self.limit.unwrap_or(usize::MAX)
    }

    /// Returns the first rows.
    pub fn first<T>(self, rows: &[T]) -> &[T] {
        rows.get(..self.count()).unwrap_or(rows)
    }
}
