//! `tulk style list`.

use clap::Args;
use tulk_base::json::Kept;
use tulk_client::api::style::{ListStyleRules, StyleRulePage};

use super::views::LIST_COLUMNS;
use super::views::StyleListsView;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::known_names;
use crate::output::EmptyNote;
use crate::reports::list_limit::ListLimitArgs;

/// List all style rule lists
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(LIST_COLUMNS))]
#[command(after_help = "tulk style list\n\
                        tulk style list --detailed --json")]
pub struct StyleListArgs {
    /// Include rules and instructions
    #[arg(long)]
    pub detailed: bool,
    /// How many lists to print.
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for StyleListArgs {
    /// Lists the lists, page by page, up to the limit.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let limit = self.limit.count();
        if limit == 0 {
            ctx.out.show(&StyleListsView::many(&[], self.detailed))?;
            return Ok(());
        }
        let is_enough = |page: &Kept<StyleRulePage>| page.style_rules.len() >= limit;
        let lists = ctx.client().await?.send_all(ListStyleRules::all(self.detailed), is_enough).await?;
        if lists.style_rules.len() < limit {
            known_names::keep_all(ctx, &lists.style_rules).await;
        }
        ctx.out.show(&StyleListsView::many(self.limit.first(&lists.style_rules), self.detailed))?;
        if lists.style_rules.is_empty() {
            let note = EmptyNote::new("No style rule lists yet.");
            ctx.out.empty(&note.next("Create one", "tulk style create NAME --language en"));
        }
        Ok(())
    }
}
