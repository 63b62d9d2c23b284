//! `tulk glossary merge`: adds the entries of a file; existing source phrases get the target of the file.

use tulk_formats::input::dictionary::DictionaryDiff;

use super::files::{self, DictionaryAndFileArgs};
use super::remote::RemoteDictionary;
use crate::context::Context;

/// Merges a file into a dictionary and shows what changed.
pub async fn run(ctx: &Context, args: DictionaryAndFileArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let new = files::load(ctx, &args.pair, &args.file, &args.options)?;
    let remote = RemoteDictionary::find(ctx, &args.glossary, &args.pair).await?;
    let old = remote.read_or_empty().await?;
    let count = remote.merge(new.content()).await?;
    let diff = DictionaryDiff::between(&old, &new.dictionary).without_removals();
    let expected = (old.len() + diff.added) as u64;
    remote.show_edit(ctx, count.unwrap_or(expected), &diff)?;
    Ok(())
}
