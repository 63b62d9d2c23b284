//! `tulk voice terms set`, `merge` and `delete-list`: edits of one term list.
//!
//! Set and merge read the terms on the service first, and show what they changed.

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::SpokenTerms;

use super::files::{self, TermListAndFileArgs};
use super::remote::RemoteTermList;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, names};
use crate::output::{Cell, Column, Row};

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
        ctx.confirm(&format!("delete the {lang} list from spoken terms {terms}"))?;
        RemoteTermList::new(ctx, &spoken_terms_id, lang).await?.delete().await?;
        ctx.report_done(&format!("deleted the {lang} list from spoken terms {spoken_terms_id}"));
        Ok(())
    }
}

/// The result of an edit of a term list.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct TermListEdit {
    spoken_terms_id: String,
    lang: String,
    entry_count: u64,
    added: usize,
    removed: usize,
}

impl TermListEdit {
    /// Creates the result of an edit.
    pub fn new(spoken_terms_id: &str, lang: &LangCode, entry_count: u64, added: usize, removed: usize) -> Self {
        let (spoken_terms_id, lang) = (spoken_terms_id.to_owned(), lang.to_string());
        Self { spoken_terms_id, lang, entry_count, added, removed }
    }

    /// Prints the result on stdout and as a status line.
    pub fn show(self, ctx: &Context) -> Result<(), Failure> {
        let Self { lang, added, removed, entry_count, .. } = &self;
        ctx.out.status(&format!("{lang}: {added} added, {removed} removed, {entry_count} in total"));
        ctx.out.one(&Kept::from_typed(self)?)
    }
}

impl Row for TermListEdit {
    const COLUMNS: &'static [Column] = &[
        Column::id("spoken_terms_id").header("ID"),
        Column::text("lang").header("LANGUAGE"),
        Column::count("entry_count").header("TERMS"),
        Column::count("added"),
        Column::count("removed"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.spoken_terms_id),
            Cell::from(&self.lang),
            Cell::from(self.entry_count),
            Cell::from(self.added),
            Cell::from(self.removed),
        ]
    }
}
