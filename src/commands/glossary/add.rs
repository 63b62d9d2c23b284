//! `tulk glossary add`: adds one entry, or changes its target.

use clap::Args;
use tulk_base::error::Failure;
use tulk_client::api::glossary::Glossary;
use tulk_client::api::glossary::LanguagePair;
use tulk_formats::input::dictionary::{CheckedDictionary, Dictionary, DictionaryDiff};
use tulk_formats::input::problem::FileRule as _;

use super::files;
use super::remote::RemoteDictionary;
use super::rows::DictionaryEdit;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;

/// Add an entry, or change its target phrase
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DictionaryEdit>().checks())]
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
    /// Merges the entry into the dictionary. Nothing is sent if the dictionary already has it.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        // --no-check does not allow tabs and line breaks: they would split the entry.
        let splits_entry = |text: &str| text.contains(['\t', '\n', '\r']);
        if !ctx.args.no_check || splits_entry(&self.source) || splits_entry(&self.target) {
            check_entry(&self.source, &self.target)?;
        }
        let remote = RemoteDictionary::find(ctx, &self.glossary, &self.pair).await?;
        let old = remote.read_or_empty().await?;
        let new = Dictionary::from_entries([(self.source.as_str(), self.target.as_str())]);
        let diff = DictionaryDiff::between(&old, &new).without_removals();
        let mut count = None;
        if !diff.is_empty() {
            count = remote.merge(files::tsv_content(&self.pair, &new)).await?;
        }
        let expected = (old.len() + diff.added) as u64;
        remote.show_edit(ctx, count.unwrap_or(expected), &diff)?;
        Ok(())
    }
}

fn check_entry(source: &str, target: &str) -> Result<(), Failure> {
    match CheckedDictionary::check_entry(source, target).first() {
        None => Ok(()),
        Some(problem) => Err(Failure::usage(problem.rule.to_string()).hint(problem.rule.hint())),
    }
}
