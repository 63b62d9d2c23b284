//! `tulk glossary add`: one entry, new or with another target.

use clap::Args;

use crate::api::glossary::LanguagePair;
use crate::commands::named;
use crate::context::Context;
use crate::input::dictionary::{Change, Dictionary, Diff};

use super::rows::Edited;
use super::{change, files};

/// Add one entry, or change its target
#[derive(Args, Debug)]
pub struct AddArgs {
    /// Name or ID
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

/// Adds an entry, or changes its target; an entry that is there already is not sent.
pub async fn run(ctx: &Context, args: AddArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    // Tabs and line ends would tear the entry apart, so they are refused even with --no-check.
    let tears = |text: &str| text.contains(['\t', '\n', '\r']);
    if !ctx.args.no_check || tears(&args.source) || tears(&args.target) {
        change::check_entry(&args.source, &args.target)?;
    }
    let glossary_id = named::glossary(ctx, &args.glossary).await?;
    let client = ctx.client().await?;
    let old = change::read_if_any(client, &glossary_id, &args.pair).await?.unwrap_or_default();
    let new = Dictionary::of([(args.source.as_str(), args.target.as_str())]);
    let mut diff = Diff::between(&old, &new);
    diff.entries.retain(|entry| entry.change != Change::Removed);
    diff.removed = 0;
    let mut count = None;
    if !diff.is_empty() {
        count = change::merge(client, &glossary_id, &args.pair, files::content(&args.pair, &new)).await?;
    }
    let own = old.len() + diff.added;
    Edited::new(&glossary_id, &args.pair, change::count_or(count, own), &diff).show(ctx)?;
    Ok(())
}
