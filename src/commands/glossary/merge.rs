//! `tulk glossary merge`: a file's entries are added; known source phrases get the file's target.

use clap::Args;

use crate::commands::named;
use crate::context::Context;
use crate::input::dictionary::{Change, Diff};

use super::change;
use super::files;
use super::rows::Edited;
use super::set::SetArgs;

/// Add a file's entries to a dictionary
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Glossary, pair and file.
    #[command(flatten)]
    pub what: SetArgs,
}

/// Merges a file into a dictionary and says what that changed.
pub async fn run(ctx: &Context, args: MergeArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let SetArgs { glossary, pair, file, files } = args.what;
    let new = files::load(ctx, &pair, &file, &files)?;
    let glossary_id = named::glossary(ctx, &glossary).await?;
    let client = ctx.client().await?;
    let old = change::read_if_any(client, &glossary_id, &pair).await?.unwrap_or_default();
    let count = change::merge(client, &glossary_id, &pair, new.content()).await?;
    let mut diff = Diff::between(&old, &new.dictionary);
    // What only the service has stays.
    diff.entries.retain(|entry| entry.change != Change::Removed);
    diff.removed = 0;
    let own = old.len() + diff.added;
    Edited::new(&glossary_id, &pair, change::count_or(count, own), &diff).show(ctx)?;
    Ok(())
}
