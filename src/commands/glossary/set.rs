//! `tulk glossary set`: replaces a dictionary with the entries of a file.

use clap::Args;
use tulk_formats::input::dictionary::DictionaryDiff;

use super::files::{self, DictionaryAndFileArgs};
use super::remote::RemoteDictionary;
use super::rows::DictionaryEdit;
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Replace a dictionary with a file
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DictionaryEdit>().checks())]
#[command(after_help = "tulk glossary set Kitchen en:de kitchen.tsv")]
pub struct GlossarySetArgs {
    /// Dictionary and file.
    #[command(flatten)]
    pub dictionary: DictionaryAndFileArgs,
}

impl Run for GlossarySetArgs {
    /// Replaces a dictionary and shows what changed.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = self.dictionary;
        let new = files::load(ctx, &args.pair, &args.file, &args.options)?;
        let remote = RemoteDictionary::find(ctx, &args.glossary, &args.pair).await?;
        let old = remote.read_or_empty().await?;
        let count = remote.replace(new.content()).await?;
        let diff = DictionaryDiff::between(&old, &new.dictionary);
        let expected = new.dictionary.len() as u64;
        remote.show_edit(ctx, count.unwrap_or(expected), &diff)?;
        Ok(())
    }
}
