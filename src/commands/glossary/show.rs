//! `tulk glossary show`.

use clap::Args;
use tulk_client::api::glossary::GetGlossary;
use tulk_client::api::glossary::Glossary;

use super::GlossaryNameArgs;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named;

/// Show a glossary and its dictionaries
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<Glossary>())]
#[command(after_help = "tulk glossary show Kitchen")]
pub struct GlossaryShowArgs {
    /// The glossary.
    #[command(flatten)]
    pub name: GlossaryNameArgs,
}

impl Run for GlossaryShowArgs {
    /// Shows a glossary.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.name;
        let glossary = if named::is_uuid(&args.glossary) {
            ctx.client().await?.send(&GetGlossary { glossary_id: args.glossary }).await?
        } else {
            // The list has the same fields as a request for one glossary.
            named::pick(named::all_glossaries(ctx).await?, &args.glossary)?
        };
        ctx.out.one(&glossary)?;
        Ok(())
    }
}
