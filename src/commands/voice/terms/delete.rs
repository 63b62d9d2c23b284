//! `tulk voice terms delete` and `delete-list`.

use clap::Args;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::{DeleteSpokenTerms, SpokenTerms};

use super::CollectionArgs;
use super::files;
use super::remote::RemoteTermList;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::named::{self, known_names};
use crate::reports::confirm::{confirm, report_done};

/// Delete a collection
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks())]
#[command(after_help = "tulk voice terms delete \"Subtitles talk\" --yes")]
pub struct TermsDeleteArgs {
    /// The collection.
    #[command(flatten)]
    pub name: CollectionArgs,
}

impl Run for TermsDeleteArgs {
    /// Deletes a collection after confirmation.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.name;
        let spoken_terms_id = named::spoken_terms(ctx, &args.collection).await?;
        let terms = named::name_and_id(&args.collection, &spoken_terms_id);
        confirm(ctx, &format!("delete spoken terms {terms} with all their term lists"))?;
        ctx.client().await?.send(&DeleteSpokenTerms { spoken_terms_id: spoken_terms_id.clone() }).await?;
        known_names::forget::<SpokenTerms>(ctx, &spoken_terms_id).await;
        report_done(ctx, &format!("deleted spoken terms {spoken_terms_id}"));
        Ok(())
    }
}

/// Delete the term list of a language
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks().checks().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms delete-list \"Subtitles talk\" de --yes")]
pub struct DeleteListArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
    /// Language of the list, such as en
    #[arg(value_name = "LANG")]
    pub lang: LangCode,
}

impl Run for DeleteListArgs {
    /// Deletes one term list after confirmation.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        files::check_language(ctx, &self.lang)?;
        let spoken_terms_id = named::spoken_terms(ctx, &self.collection).await?;
        let (lang, terms) = (&self.lang, named::name_and_id(&self.collection, &spoken_terms_id));
        confirm(ctx, &format!("delete the {lang} list from spoken terms {terms}"))?;
        RemoteTermList::new(ctx, &spoken_terms_id, lang).await?.delete().await?;
        report_done(ctx, &format!("deleted the {lang} list from spoken terms {spoken_terms_id}"));
        Ok(())
    }
}
