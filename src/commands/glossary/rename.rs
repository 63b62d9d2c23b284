//! `tulk glossary rename`.

use clap::Args;
use tulk_client::api::glossary::EditGlossary;
use tulk_client::api::glossary::Glossary;

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::named::{self, known_names};

/// Rename a glossary
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<Glossary>().checks())]
#[command(after_help = "tulk glossary rename Kitchen \"Kitchen 2\"")]
pub struct GlossaryRenameArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// New name
    #[arg(value_name = "NAME")]
    pub name: String,
}

impl Run for GlossaryRenameArgs {
    /// Renames a glossary and shows it.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let glossary_id = named::glossary_without_waiting(ctx, &self.glossary).await?;
        let edit = EditGlossary { glossary_id, name: Some(self.name), dictionaries: None };
        let glossary = ctx.client().await?.send(&edit).await?;
        known_names::keep(ctx, &glossary).await;
        ctx.out.one(&glossary)?;
        Ok(())
    }
}
