//! `tulk style rename`.

use clap::Args;
use tulk_client::api::style::StyleRule;
use tulk_client::api::style::{RenameStyleRule, check_name};

use super::views::DETAILED_COLUMNS;
use super::views::SAME_AS_DETAILED;
use super::views::StyleListsView;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::named::{self, known_names};

/// Rename a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::change_list(DETAILED_COLUMNS).note(SAME_AS_DETAILED).checks())]
#[command(after_help = "tulk style rename Shop \"Shop texts\"")]
pub struct StyleRenameArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE", add = names::<StyleRule>())]
    pub style: String,
    /// New name, at most 1024 characters
    #[arg(value_name = "NAME")]
    pub name: String,
}

impl Run for StyleRenameArgs {
    /// Renames the list and shows it.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        if !ctx.args.no_check {
            check_name(&self.name)?;
        }
        let style_id = named::style(ctx, &self.style).await?;
        let list = ctx.client().await?.send(&RenameStyleRule { style_id, name: self.name }).await?;
        known_names::keep(ctx, &list).await;
        ctx.out.show(&StyleListsView::one(&list))?;
        Ok(())
    }
}
