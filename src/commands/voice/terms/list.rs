//! `tulk voice terms list`.

use clap::Args;
use tulk_client::api::voice::terms::SpokenTerms;

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named;
use crate::output::EmptyNote;
use crate::reports::list_limit::ListLimitArgs;

/// List all collections of spoken terms
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<SpokenTerms>())]
#[command(after_help = "tulk voice terms list --columns name,term_lists")]
pub struct TermsListArgs {
    /// Maximum number of rows.
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for TermsListArgs {
    /// Lists all collections, up to the limit.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let limit = self.limit;
        let note = EmptyNote::new("No spoken terms yet.").next("Create some", "tulk voice terms create NAME en=FILE");
        limit.list(ctx, &named::all_spoken_terms(ctx).await?, &note)?;
        Ok(())
    }
}
