//! `tulk glossary merge`: adds the entries of a file; existing source phrases get the target of the file.

use clap::Args;
use tulk_formats::input::dictionary::DictionaryDiff;

use super::files::{self, DictionaryAndFileArgs};
use super::remote::RemoteDictionary;
use super::rows::DictionaryEdit;
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Add the entries of a file to a dictionary
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DictionaryEdit>().checks())]
#[command(after_help = "tulk glossary merge Kitchen en:de more.csv")]
pub struct GlossaryMergeArgs {
    /// Dictionary and file.
    #[command(flatten)]
    pub dictionary: DictionaryAndFileArgs,
}

impl Run for GlossaryMergeArgs {
    /// Merges a file into a dictionary and shows what changed.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.dictionary;
        let new = files::load(ctx, &args.pair, &args.file, &args.options)?;
        let remote = RemoteDictionary::find(ctx, &args.glossary, &args.pair).await?;
        let old = remote.read_or_empty().await?;
        let count = remote.merge(new.content()).await?;
        let diff = DictionaryDiff::between(&old, &new.dictionary).without_removals();
        let expected = (old.len() + diff.added) as u64;
        remote.show_edit(ctx, count.unwrap_or(expected), &diff)?;
        Ok(())
    }
}
