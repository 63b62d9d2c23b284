//! `tulk voice terms rename`.

use clap::Args;
use tulk_client::api::voice::terms::EditSpokenTerms;

use crate::commands::named::{self, known_names};
use crate::context::Context;

/// Rename a collection
#[derive(Args, Debug)]
#[command(after_help = "tulk voice terms rename \"Subtitles talk\" \"Subtitles talk, May\"")]
pub struct TermsRenameArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS")]
    pub collection: String,
    /// New name
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// Renames a collection and shows it.
pub async fn run(ctx: &Context, args: TermsRenameArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let spoken_terms_id = named::spoken_terms(ctx, &args.collection).await?;
    let edit = EditSpokenTerms { spoken_terms_id, name: Some(args.name), term_lists: None };
    let terms = ctx.client().await?.send(&edit).await?;
    known_names::keep(ctx, &terms).await;
    ctx.out.one(&terms)?;
    Ok(())
}
