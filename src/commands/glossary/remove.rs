//! `tulk glossary remove`: the service can only merge or replace, so this reads, changes, replaces, and looks again.

use std::collections::HashSet;

use clap::Args;

use crate::api::glossary::{DeleteDictionary, LanguagePair};
use crate::commands::named;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::input::dictionary::{Dictionary, Diff};

use super::rows::Edited;
use super::{change, files};

/// Remove entries
#[derive(Args, Debug)]
pub struct RemoveArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
    /// Source and target language, such as en:de
    #[arg(value_name = "PAIR")]
    pub pair: LanguagePair,
    /// Source phrase, repeatable
    #[arg(value_name = "SRC", required = true)]
    pub sources: Vec<String>,
}

/// Removes entries; with the last one the dictionary goes, after a question.
pub async fn run(ctx: &Context, args: RemoveArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let pair = &args.pair;
    let glossary_id = named::glossary(ctx, &args.glossary).await?;
    let client = ctx.client().await?;
    let old = change::read(client, &glossary_id, pair).await?;
    let known: HashSet<&str> = old.entries().map(|(source, _)| source).collect();
    if let Some(missing) = args.sources.iter().find(|source| !known.contains(source.as_str())) {
        return Err(Failure::new(Kind::NotFound, format!("{pair} has no entry `{missing}`"))
            .hint("nothing was removed; phrases are compared letter by letter, with their case")
            .into());
    }
    let gone: HashSet<&str> = args.sources.iter().map(String::as_str).collect();
    let new = Dictionary::of(old.entries().filter(|(source, _)| !gone.contains(source)));
    let diff = Diff::between(&old, &new);
    if new.is_empty() {
        super::confirm(ctx, &format!("delete the dictionary {pair}, whose last entry this removes"))?;
        client.send(&DeleteDictionary { glossary_id: glossary_id.clone(), pair: pair.clone() }).await?;
        if ctx.args.dry_run {
            return Ok(());
        }
    } else {
        change::put(client, &glossary_id, files::content(pair, &new)).await?;
    }
    let now = change::read_if_any(client, &glossary_id, pair).await?.unwrap_or_default();
    verify(&new, &now, pair)?;
    Edited::new(&glossary_id, pair, now.len() as u64, &diff).show(ctx)?;
    Ok(())
}

/// Fails unless the service has what it was given.
fn verify(wanted: &Dictionary, now: &Dictionary, pair: &LanguagePair) -> Result<(), Failure> {
    let left = Diff::between(wanted, now);
    if left.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        Kind::Refused,
        format!("the service took the change of {pair}, yet {} entries are not as they should be", left.entries.len()),
    )
    .hint("somebody may have edited it meanwhile; look with `tulk glossary entries`"))
}
