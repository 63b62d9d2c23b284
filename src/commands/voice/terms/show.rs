//! `tulk voice terms show`.

use clap::Args;
use tulk_client::api::voice::terms::GetSpokenTerms;
use tulk_client::api::voice::terms::SpokenTerms;

use super::CollectionArgs;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named;

/// Show a collection and its term lists
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<SpokenTerms>())]
#[command(after_help = "tulk voice terms show \"Subtitles talk\"")]
pub struct TermsShowArgs {
    /// The collection.
    #[command(flatten)]
    pub name: CollectionArgs,
}

impl Run for TermsShowArgs {
    /// Shows a collection.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.name;
        let terms = if named::is_uuid(&args.collection) {
            ctx.client().await?.send(&GetSpokenTerms { spoken_terms_id: args.collection }).await?
        } else {
            // The list has the same fields as a request for one collection.
            named::pick(named::all_spoken_terms(ctx).await?, &args.collection)?
        };
        ctx.out.one(&terms)?;
        Ok(())
    }
}
