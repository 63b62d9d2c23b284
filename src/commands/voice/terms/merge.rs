//! `tulk voice terms merge`: adds the terms of a file at the end of a term list, or creates it.

use super::files::{self, TermListAndFileArgs};
use super::remote::RemoteTermList;
use crate::context::Context;

/// Merges a file into a term list and shows what changed. Nothing is sent if the list already has all terms.
pub async fn run(ctx: &Context, args: TermListAndFileArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
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
