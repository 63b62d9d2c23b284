//! `tulk voice terms set`: replaces a term list with the terms of a file, or creates it.

use clap::Args;
use tulk_client::api::language_names::LanguageUse;

use super::files::{self, TermListAndFileArgs};
use super::remote::RemoteTermList;
use super::rows::TermListEdit;
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Replace a term list with a file
///
/// Creates the list if the collection has none for the language.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<TermListEdit>().checks().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms set \"Subtitles talk\" en talk.en.txt")]
pub struct TermsSetArgs {
    /// Term list and file.
    #[command(flatten)]
    pub term_list: TermListAndFileArgs,
}

impl Run for TermsSetArgs {
    /// Replaces a term list and shows what changed.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.term_list;
        let new = files::load(ctx, &args.lang, &args.file)?;
        let remote = RemoteTermList::find(ctx, &args.collection, &args.lang).await?;
        let old = remote.read_or_empty().await?;
        let count = remote.replace(new.content()).await?;
        let (added, removed) = (new.list.missing_in(&old).len(), old.missing_in(&new.list).len());
        remote.show_edit(count.unwrap_or(new.list.len() as u64), added, removed)?;
        Ok(())
    }
}
