//! Plans of `sync` and `apply`: the action for each part, and when the rows of a plan are printed.
//!
//! A person sees the rows before a question; a program gets the rows of the steps that were carried out.

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::numbers::{counted, grouped};

use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::Row;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SyncAction {
    /// The part is created with its glossary or collection.
    Create,
    /// The part is added to the existing glossary or collection.
    Add,
    /// Entries are merged into the part.
    Merge,
    /// The part is replaced, because entries are removed.
    Replace,
    Delete,
    /// The part has no file and is kept.
    Keep,
    /// The part has all entries of its file already.
    Same,
}

impl SyncAction {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Add => "add",
            Self::Merge => "merge",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Keep => "keep",
            Self::Same => "same",
        }
    }

    /// Describes the action on `part`, such as `replace en:de: 1 added, 2 removed`; `None` if it changes nothing.
    pub fn in_words(self, part: &str, counts: &[(usize, &str)]) -> Option<String> {
        let counts =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{} {what}", grouped(count)));
        let counts = counts.collect::<Vec<_>>().join(", ");
        self.is_change().then(|| format!("{} {part}: {counts}", self.word()))
    }

    /// Returns whether the action sends anything.
    pub const fn is_change(self) -> bool {
        !matches!(self, Self::Keep | Self::Same)
    }
}

/// Describes what a plan removes, for a question; `None` if nothing is removed. `counts` are pairs of a number and its noun.
pub fn removals(counts: [(usize, &str); 2]) -> Option<String> {
    let texts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun)).collect();
    (!texts.is_empty()).then(|| texts.join(" and "))
}

/// Maximum number of rows of a plan that are shown before a question.
pub const SHOWN_ROWS: usize = 20;

/// Prints to stderr how many of `all` rows are not shown.
pub fn show_more(ctx: &Context, all: usize) {
    if let Some(more) = all.checked_sub(SHOWN_ROWS).filter(|more| *more > 0) {
        ctx.out.status(&format!("and {} more; --dry-run shows all", grouped(more)));
    }
}

/// Prints the rows of a plan: for people before the plan is carried out, for programs afterwards.
pub struct PlanOutput<'a> {
    ctx: &'a Context,
    is_printed: bool,
}

impl<'a> PlanOutput<'a> {
    /// Prints the rows of a plan immediately if this is a dry run, the plan changes nothing, or the format is a table. Otherwise,
    /// [`PlanOutput::finish`] prints the rows of the completed steps.
    ///
    /// `asks` tells whether a question follows; then, a terminal shows the first rows and a count. Fails if `--columns` names an unknown
    /// column.
    pub fn start<T: Row>(
        ctx: &'a Context,
        rows: &[WithRaw<T>],
        has_changes: bool,
        asks: bool,
    ) -> Result<Self, Failure> {
        let settings = ctx.out.settings();
        let is_printed = ctx.args.dry_run || !has_changes || settings.format() == OutputFormat::Table;
        // A dry run and rows for a program are always complete.
        let is_question = asks && !ctx.args.yes && !ctx.args.dry_run && settings.stdout_is_terminal;
        if is_printed && is_question {
            ctx.out.list(rows.get(..SHOWN_ROWS).unwrap_or(rows))?;
            show_more(ctx, rows.len());
        } else if is_printed {
            ctx.out.list(rows)?;
        } else {
            settings.check_row::<T>()?;
        }
        Ok(Self { ctx, is_printed })
    }

    /// Prints the steps of a plan to stderr, if a question follows and the rows are not printed yet.
    pub fn describe(&self, mut lines: impl Iterator<Item = String>) {
        if !self.is_printed && !self.ctx.args.yes {
            lines.by_ref().take(SHOWN_ROWS).for_each(|line| self.ctx.out.status(&line));
            show_more(self.ctx, SHOWN_ROWS + lines.count());
        }
    }

    /// Prints the rows of the completed steps, unless the plan is printed already. Returns `outcome`.
    pub fn finish<T: Row>(self, done: &[WithRaw<T>], outcome: anyhow::Result<()>) -> anyhow::Result<()> {
        let printed = if self.is_printed { Ok(()) } else { self.ctx.out.list(done) };
        outcome.and(printed.map_err(Into::into))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_only_what_is_removed() {
        let of = |entries, dictionaries| removals([(entries, "entry"), (dictionaries, "dictionary")]);
        assert_eq!(of(0, 0), None);
        assert_eq!(of(1, 0).unwrap(), "1 entry");
        assert_eq!(of(0, 2).unwrap(), "2 dictionaries");
        assert_eq!(of(2, 1).unwrap(), "2 entries and 1 dictionary");
    }
}
