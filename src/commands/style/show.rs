//! `tulk style show`.

use clap::Args;

use super::views::DETAILED_COLUMNS;
use super::views::SAME_AS_DETAILED;
use super::views::StyleListsView;
use super::{StyleNameArgs, read_list};
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Show a list with its rules and instructions
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(DETAILED_COLUMNS).note(SAME_AS_DETAILED))]
#[command(after_help = "tulk style show Shop")]
pub struct StyleShowArgs {
    /// The style rule list.
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for StyleShowArgs {
    /// Shows a list with its rules and instructions.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let list = read_list(ctx, &args.style).await?;
        ctx.out.show(&StyleListsView::one(&list))?;
        Ok(())
    }
}
