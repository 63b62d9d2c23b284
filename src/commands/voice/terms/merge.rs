//! `tulk voice terms merge`: adds the terms of a file at the end of a term list, or creates it.

use clap::Args;
use tulk_client::api::language_names::LanguageUse;

use super::files::{self, TermListAndFileArgs};
use super::remote::RemoteTermList;
use super::rows::TermListEdit;
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Add the terms of a file to a term list
///
/// Creates the list if the collection has none for the language.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<TermListEdit>().checks().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms merge \"Subtitles talk\" en talk.en.txt\n\
                        echo Ljubljana | tulk voice terms merge \"Subtitles talk\" en -")]
pub struct TermsMergeArgs {
    /// Term list and file.
    #[command(flatten)]
    pub term_list: TermListAndFileArgs,
}

impl Run for TermsMergeArgs {
    /// Merges a file into a term list and shows what changed. Nothing is sent if the list already has all terms.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.term_list;
        let new = files::load(ctx, &args.lang, &args.file)?;
        let remote = RemoteTermList::find(ctx, &args.collection, &args.lang).await?;
        let old = remote.read_or_empty().await?;
        files::check_merge(ctx, &args.lang, &old, &new.list, "replace the list with `tulk voice terms set`")?;
        let added = new.list.missing_in(&old);
        let count = if old.is_empty() {
            // There may be no list to merge into.
            remote.replace(new.content()).await?
        } else if new.is_unchecked() {
            remote.merge(new.content()).await?
        } else if added.is_empty() {
            None
        } else {
            remote.merge(files::content(&args.lang, &added)).await?
        };
        remote.show_edit(count.unwrap_or((old.len() + added.len()) as u64), added.len(), 0)?;
        Ok(())
    }
}
