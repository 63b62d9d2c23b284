//! `tulk glossary wait`.

use clap::Args;
use tulk_client::api::glossary::Glossary;

use super::GlossaryNameArgs;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named;

/// Wait until a glossary is ready
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<Glossary>())]
#[command(after_help = "tulk glossary wait Kitchen")]
pub struct GlossaryWaitArgs {
    /// The glossary.
    #[command(flatten)]
    pub name: GlossaryNameArgs,
}

impl Run for GlossaryWaitArgs {
    /// Waits until a glossary is ready, at most for `--max-wait`, and shows it.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.name;
        let glossary_id = named::glossary_without_waiting(ctx, &args.glossary).await?;
        ctx.out.one(&named::wait_for_glossary(ctx, &glossary_id).await?)?;
        Ok(())
    }
}
