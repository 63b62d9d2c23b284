//! `tulk glossary add`: adds one entry, or changes its target.

use clap::Args;
use tulk_base::error::Failure;
use tulk_client::api::glossary::LanguagePair;
use tulk_formats::input::dictionary::{CheckedDictionary, Dictionary, DictionaryDiff};
use tulk_formats::input::problem::FileRule as _;

use super::files;
use super::remote::RemoteDictionary;
use crate::context::Context;

/// Add an entry, or change its target phrase
#[derive(Args, Debug)]
#[command(after_help = "tulk glossary add Kitchen en:de \"frying pan\" Pfanne")]
pub struct GlossaryAddArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY")]
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

/// Merges the entry into the dictionary. Nothing is sent if the dictionary already has it.
pub async fn run(ctx: &Context, args: GlossaryAddArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    // --no-check does not allow tabs and line breaks: they would split the entry.
    let splits_entry = |text: &str| text.contains(['\t', '\n', '\r']);
    if !ctx.args.no_check || splits_entry(&args.source) || splits_entry(&args.target) {
        check_entry(&args.source, &args.target)?;
    }
    let remote = RemoteDictionary::find(ctx, &args.glossary, &args.pair).await?;
    let old = remote.read_or_empty().await?;
    let new = Dictionary::from_entries([(args.source.as_str(), args.target.as_str())]);
    let diff = DictionaryDiff::between(&old, &new).without_removals();
    let mut count = None;
    if !diff.is_empty() {
        count = remote.merge(files::tsv_content(&args.pair, &new)).await?;
    }
    let expected = (old.len() + diff.added) as u64;
    remote.show_edit(ctx, count.unwrap_or(expected), &diff)?;
    Ok(())
}

fn check_entry(source: &str, target: &str) -> Result<(), Failure> {
    match CheckedDictionary::check_entry(source, target).first() {
        None => Ok(()),
        Some(problem) => Err(Failure::usage(problem.rule.to_string()).hint(problem.rule.hint())),
    }
}
