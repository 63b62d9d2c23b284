//! `tulk voice terms set`: replaces a term list with the terms of a file, or creates it.

use super::files::{self, TermListAndFileArgs};
use super::remote::RemoteTermList;
use crate::context::Context;

/// Replaces a term list and shows what changed.
pub async fn run(ctx: &Context, args: TermListAndFileArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let new = files::load(ctx, &args.lang, &args.file)?;
    let remote = RemoteTermList::find(ctx, &args.collection, &args.lang).await?;
    let old = remote.read_or_empty().await?;
    let count = remote.replace(new.content()).await?;
    let (added, removed) = (new.list.missing_in(&old).len(), old.missing_in(&new.list).len());
    remote.show_edit(count.unwrap_or(new.list.len() as u64), added, removed)?;
    Ok(())
}
