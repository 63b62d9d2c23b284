//! `tulk glossary set`: a dictionary becomes what a file is.

use std::path::PathBuf;

use clap::Args;

use crate::api::glossary::LanguagePair;
use crate::commands::named;
use crate::context::Context;
use crate::input::dictionary::Diff;

use super::change;
use super::files::{self, FileArgs};
use super::rows::Edited;

/// Replace a dictionary by a file
#[derive(Args, Debug)]
pub struct SetArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
    /// Source and target language, such as en:de
    #[arg(value_name = "PAIR")]
    pub pair: LanguagePair,
    /// TSV or CSV, - for stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How the file is read.
    #[command(flatten)]
    pub files: FileArgs,
}

/// Replaces a dictionary and says what that changed.
pub async fn run(ctx: &Context, args: SetArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let new = files::load(ctx, &args.pair, &args.file, &args.files)?;
    let glossary_id = named::glossary(ctx, &args.glossary).await?;
    let client = ctx.client().await?;
    let old = change::read_if_any(client, &glossary_id, &args.pair).await?.unwrap_or_default();
    let count = change::put(client, &glossary_id, new.content()).await?;
    let diff = Diff::between(&old, &new.dictionary);
    Edited::new(&glossary_id, &args.pair, change::count_or(count, new.dictionary.len()), &diff).show(ctx)?;
    Ok(())
}
