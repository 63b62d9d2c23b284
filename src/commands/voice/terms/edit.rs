//! `tulk voice terms set`, `merge` and `delete-list`: edit one term list.
//!
//! `set` and `merge` read the current terms first, to show what they changed.

use clap::Args;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::SpokenTerms;

use super::files::TermListAndFileArgs;
use super::term_lists::TermListEdit;
use crate::collections::{self, Collection as _, EntryChanges, RemoteList};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;

/// Replace a term list with a file
///
/// Creates the list if the collection has none for the language.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<TermListEdit>().checks_before_sending().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms set \"Subtitles talk\" en talk.en.txt")]
pub struct TermsSetArgs {
    #[command(flatten)]
    pub term_list: TermListAndFileArgs,
}

impl Run for TermsSetArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.term_list;
        Ok(collections::set::<SpokenTerms>(ctx, &args.collection, &args.language_file(), &()).await?)
    }
}

/// Add the terms of a file to a term list
///
/// Creates the list if the collection has none for the language.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<TermListEdit>().checks_before_sending().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms merge \"Subtitles talk\" en talk.en.txt\n\
                        echo Ljubljana | tulk voice terms merge \"Subtitles talk\" en -")]
pub struct TermsMergeArgs {
    #[command(flatten)]
    pub term_list: TermListAndFileArgs,
}

impl Run for TermsMergeArgs {
    /// Does nothing if the list already has all terms.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.term_list;
        let new = collections::load::<SpokenTerms>(ctx, &args.language_file(), &())?;
        let remote = RemoteList::<SpokenTerms>::find(ctx, &args.collection, &args.lang).await?;
        let old = remote.read_or_empty().await?;
        let hint = "replace the list with `tulk voice terms set`";
        SpokenTerms::check_merge(ctx, &args.lang, &old, &new.list, hint)?;
        let added = new.list.missing_in(&old);
        let count = if old.is_empty() {
            // The list may not exist, so there would be nothing to merge into.
            remote.replace(new.content()).await?
        } else if new.unchecked.is_some() {
            remote.merge(new.content()).await?
        } else if added.is_empty() {
            None
        } else {
            remote.merge(SpokenTerms::content(&args.lang, &added)).await?
        };
        let changes = EntryChanges { added: added.len(), ..EntryChanges::default() };
        Ok(remote.show_edit(old.len() + added.len(), count, changes)?)
    }
}

/// Delete the term list of a language
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes().checks_before_sending().languages(LanguageUse::Voice))]
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
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let list = format!("the {} list", self.lang);
        Ok(collections::delete_list::<SpokenTerms>(ctx, &self.collection, &self.lang, &list).await?)
    }
}
