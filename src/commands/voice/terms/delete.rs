//! `tulk voice terms delete` and `delete-list`.

use clap::Args;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::voice::terms::{DeleteSpokenTerms, SpokenTerms};

use super::CollectionArgs;
use super::files;
use super::remote::RemoteTermList;
use crate::commands::confirm::{confirm, report_done};
use crate::commands::named::{self, known_names};
use crate::context::Context;

/// Deletes a collection after confirmation.
pub async fn run(ctx: &Context, args: CollectionArgs) -> Result<(), anyhow::Error> {
    let spoken_terms_id = named::spoken_terms(ctx, &args.collection).await?;
    let terms = named::name_and_id(&args.collection, &spoken_terms_id);
    confirm(ctx, &format!("delete spoken terms {terms} with all their term lists"))?;
    ctx.client().await?.send(&DeleteSpokenTerms { spoken_terms_id: spoken_terms_id.clone() }).await?;
    known_names::forget::<SpokenTerms>(ctx, &spoken_terms_id).await;
    report_done(ctx, &format!("deleted spoken terms {spoken_terms_id}"));
    Ok(())
}

/// Delete the term list of a language
#[derive(Args, Debug)]
#[command(after_help = "tulk voice terms delete-list \"Subtitles talk\" de --yes")]
pub struct DeleteListArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS")]
    pub collection: String,
    /// Language of the list, such as en
    #[arg(value_name = "LANG")]
    pub lang: LangCode,
}

/// Deletes one term list after confirmation.
pub async fn run_list(ctx: &Context, args: DeleteListArgs) -> Result<(), anyhow::Error> {
    files::check_language(ctx, &args.lang)?;
    let spoken_terms_id = named::spoken_terms(ctx, &args.collection).await?;
    let (lang, terms) = (&args.lang, named::name_and_id(&args.collection, &spoken_terms_id));
    confirm(ctx, &format!("delete the {lang} list from spoken terms {terms}"))?;
    RemoteTermList::new(ctx, &spoken_terms_id, lang).await?.delete().await?;
    report_done(ctx, &format!("deleted the {lang} list from spoken terms {spoken_terms_id}"));
    Ok(())
}
