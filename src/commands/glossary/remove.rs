//! `tulk glossary remove`: removes entries.
//!
//! The service can merge or replace a dictionary, but not remove entries. So this reads the dictionary, replaces it
//! without the entries, and reads it again to verify the result.

use std::collections::HashSet;

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_client::api::glossary::Glossary;
use tulk_client::api::glossary::LanguagePair;
use tulk_formats::input::dictionary::{Dictionary, DictionaryDiff};

use super::files;
use super::remote::RemoteDictionary;
use super::rows::DictionaryEdit;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::reports::confirm::confirm;

/// Remove entries
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DictionaryEdit>().asks())]
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
    /// Removes entries. With the last one it deletes the dictionary, after confirmation.
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
        let diff = DictionaryDiff::between(&old, &new);
        if new.is_empty() {
            confirm(ctx, &format!("remove the last entry of {pair}, which deletes the dictionary"))?;
            remote.delete().await?;
            if ctx.args.dry_run {
                return Ok(());
            }
        } else {
            remote.replace(files::tsv_content(pair, &new)).await?;
        }
        let current = remote.read_or_empty().await?;
        verify(&new, &current, pair)?;
        remote.show_edit(ctx, current.len() as u64, &diff)?;
        Ok(())
    }
}

/// Fails unless the service has the entries that were sent.
fn verify(expected: &Dictionary, current: &Dictionary, pair: &LanguagePair) -> Result<(), Failure> {
    let differences = DictionaryDiff::between(expected, current).entries.len();
    if differences == 0 {
        return Ok(());
    }
    let what = format!("the service accepted the change to {pair}, but {differences} entries are not as expected");
    Err(Failure::new(Kind::Refused, what)
        .hint("the dictionary may have been edited by someone else; check it with `tulk glossary entries`"))
}
