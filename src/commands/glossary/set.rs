//! `tulk glossary set`: replaces a dictionary with the entries of a file.

use tulk_formats::input::dictionary::DictionaryDiff;

use super::files::{self, DictionaryAndFileArgs};
use super::remote::RemoteDictionary;
use crate::context::Context;

/// Replaces a dictionary and shows what changed.
pub async fn run(ctx: &Context, args: DictionaryAndFileArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let new = files::load(ctx, &args.pair, &args.file, &args.options)?;
    let remote = RemoteDictionary::find(ctx, &args.glossary, &args.pair).await?;
    let old = remote.read_or_empty().await?;
    let count = remote.replace(new.content()).await?;
    let diff = DictionaryDiff::between(&old, &new.dictionary);
    let expected = new.dictionary.len() as u64;
    remote.show_edit(ctx, count.unwrap_or(expected), &diff)?;
    Ok(())
}
