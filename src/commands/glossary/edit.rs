//! `tulk glossary set`, `merge`, `add`, `remove` and `delete-dictionary`: edit one dictionary.
//!
//! All but `delete-dictionary` read the current entries first, to show what they changed.

use std::collections::HashSet;

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_base::numbers::counted;
use tulk_client::api::glossary::{Glossary, LanguagePair};
use tulk_formats::input::dictionary::{CheckedDictionary, Dictionary, DictionaryDiff};
use tulk_formats::input::problem::FileRule as _;

use super::dictionaries::{DictionaryEdit, RemoteDictionary};
use super::files::DictionaryAndFileArgs;
use crate::collections::{self, Collection as _, EntryChanges};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;

/// Replace a dictionary with a file
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DictionaryEdit>().checks_before_sending())]
#[command(after_help = "tulk glossary set Kitchen en:de kitchen.tsv")]
pub struct GlossarySetArgs {
    #[command(flatten)]
    pub dictionary: DictionaryAndFileArgs,
}

impl Run for GlossarySetArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.dictionary;
        Ok(collections::set::<Glossary>(ctx, &args.glossary, &args.pair_file(), &args.options).await?)
    }
}

/// Add the entries of a file to a dictionary
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DictionaryEdit>().checks_before_sending())]
#[command(after_help = "tulk glossary merge Kitchen en:de more.csv")]
pub struct GlossaryMergeArgs {
    #[command(flatten)]
    pub dictionary: DictionaryAndFileArgs,
}

impl Run for GlossaryMergeArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.dictionary;
        let new = collections::load::<Glossary>(ctx, &args.pair_file(), &args.options)?;
        let remote = RemoteDictionary::find(ctx, &args.glossary, &args.pair).await?;
        let old = remote.read_or_empty().await?;
        let count = remote.merge(new.content()).await?;
        let changes = EntryChanges { removed: 0, ..Glossary::changes(&old, &new.list) };
        Ok(remote.show_edit(old.len() + changes.added, count, changes)?)
    }
}

/// Add an entry, or change its target phrase
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DictionaryEdit>().checks_before_sending())]
#[command(after_help = "tulk glossary add Kitchen en:de \"frying pan\" Pfanne")]
pub struct GlossaryAddArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Source and target language, such as en:de
    #[arg(value_name = "PAIR")]
    pub pair: LanguagePair,
    /// Source phrase
    #[arg(value_name = "SRC")]
    pub source: String,
    /// Target phrase
    #[arg(value_name = "DST")]
    pub target: String,
}

impl Run for GlossaryAddArgs {
    /// Does nothing if the dictionary already has the entry.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        // Refuse tabs and line breaks even with --no-check, because they would split the entry.
        let splits_entry = |text: &str| text.contains(['\t', '\n', '\r']);
        if !ctx.args.no_check || splits_entry(&self.source) || splits_entry(&self.target) {
            check_entry(&self.source, &self.target)?;
        }
        let remote = RemoteDictionary::find(ctx, &self.glossary, &self.pair).await?;
        let old = remote.read_or_empty().await?;
        let new = Dictionary::from_entries([(self.source.as_str(), self.target.as_str())]);
        let changes = EntryChanges { removed: 0, ..Glossary::changes(&old, &new) };
        let mut count = None;
        if changes.added + changes.changed.unwrap_or(0) > 0 {
            count = remote.merge(Glossary::content(&self.pair, &new)).await?;
        }
        Ok(remote.show_edit(old.len() + changes.added, count, changes)?)
    }
}

fn check_entry(source: &str, target: &str) -> Result<(), Failure> {
    match CheckedDictionary::check_entry(source, target).first() {
        None => Ok(()),
        Some(problem) => Err(Failure::usage(problem.rule.to_string()).hint(problem.rule.hint())),
    }
}

/// Remove entries
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DictionaryEdit>().asks_before_changes())]
#[command(after_help = "tulk glossary remove Kitchen en:de oven")]
pub struct GlossaryRemoveArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Source and target language, such as en:de
    #[arg(value_name = "PAIR")]
    pub pair: LanguagePair,
    /// Source phrase; repeatable
    #[arg(value_name = "SRC", required = true)]
    pub sources: Vec<String>,
}

impl Run for GlossaryRemoveArgs {
    /// Removing the last entry deletes the dictionary, after confirmation.
    ///
    /// The service can merge or replace a dictionary but not remove entries. So this reads the dictionary, replaces it
    /// without the entries, and reads it again to verify the result.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let pair = &self.pair;
        let remote = RemoteDictionary::find(ctx, &self.glossary, pair).await?;
        let old = remote.read().await?;
        let existing: HashSet<&str> = old.entries().map(|(source, _)| source).collect();
        if let Some(missing) = self.sources.iter().find(|source| !existing.contains(source.as_str())) {
            return Err(Failure::new(Kind::NotFound, format!("{pair} has no entry `{missing}`"))
                .hint("nothing was removed; the source phrase must match exactly, including case")
                .into());
        }
        let removed: HashSet<&str> = self.sources.iter().map(String::as_str).collect();
        let new = Dictionary::from_entries(old.entries().filter(|(source, _)| !removed.contains(source)));
        if new.is_empty() {
            ctx.confirm(&format!("remove the last entry of {pair}, which deletes the dictionary"))?;
            remote.delete().await?;
            if ctx.args.dry_run {
                return Ok(());
            }
        } else {
            remote.replace(Glossary::content(pair, &new)).await?;
        }
        let current = remote.read_or_empty().await?;
        verify(&new, &current, pair)?;
        Ok(remote.show_edit(current.len(), None, Glossary::changes(&old, &new))?)
    }
}

fn verify(expected: &Dictionary, current: &Dictionary, pair: &LanguagePair) -> Result<(), Failure> {
    let differences = DictionaryDiff::between(expected, current).len();
    if differences == 0 {
        return Ok(());
    }
    let verb = if differences == 1 { "is" } else { "are" };
    let differences = counted(differences, "entry");
    let what = format!("the service accepted the change to {pair}, but {differences} {verb} not as expected");
    Err(Failure::new(Kind::Refused, what)
        .hint("the dictionary may have been edited by someone else; check it with `tulk glossary entries`"))
}

/// Delete a dictionary from a glossary
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk glossary delete-dictionary Kitchen en:fr --yes")]
pub struct DeleteDictionaryArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Source and target language, such as en:de
    #[arg(value_name = "PAIR")]
    pub pair: LanguagePair,
}

impl Run for DeleteDictionaryArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let dictionary = format!("dictionary {}", self.pair);
        Ok(collections::delete_list::<Glossary>(ctx, &self.glossary, &self.pair, &dictionary).await?)
    }
}
