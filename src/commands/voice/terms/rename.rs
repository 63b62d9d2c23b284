//! `tulk voice terms rename`.

use clap::Args;
use tulk_client::api::voice::terms::EditSpokenTerms;
use tulk_client::api::voice::terms::SpokenTerms;

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::named::{self, known_names};

/// Rename a collection
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<SpokenTerms>().checks())]
#[command(after_help = "tulk voice terms rename \"Subtitles talk\" \"Subtitles talk, May\"")]
pub struct TermsRenameArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
    /// New name
    #[arg(value_name = "NAME")]
    pub name: String,
}

impl Run for TermsRenameArgs {
    /// Renames a collection and shows it.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let spoken_terms_id = named::spoken_terms(ctx, &self.collection).await?;
        let edit = EditSpokenTerms { spoken_terms_id, name: Some(self.name), term_lists: None };
        let terms = ctx.client().await?.send(&edit).await?;
        known_names::keep(ctx, &terms).await;
        ctx.out.one(&terms)?;
        Ok(())
    }
}
