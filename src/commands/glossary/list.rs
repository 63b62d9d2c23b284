//! `tulk glossary list`.

use clap::Args;
use tulk_client::api::glossary::Glossary;

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named;
use crate::output::EmptyNote;
use crate::reports::list_limit::ListLimitArgs;

/// List all glossaries
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<Glossary>())]
#[command(after_help = "tulk glossary list\n\
                        tulk glossary list --columns name,creation_time")]
pub struct GlossaryListArgs {
    /// Maximum number of rows.
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for GlossaryListArgs {
    /// Lists all glossaries, up to the limit.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let limit = self.limit;
        let note = EmptyNote::new("No glossaries yet.")
            .next("Create one", "tulk glossary create NAME --dictionary en:de=FILE");
        limit.list(ctx, &named::all_glossaries(ctx).await?, &note)?;
        Ok(())
    }
}
