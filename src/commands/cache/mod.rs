//! `tulk cache`: what is kept on disk to be asked for less often, counted and cleared.

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;
use crate::output::{Cell, Row};
use crate::store::cache::Answers;

/// Show or clear the local cache
#[derive(Args, Debug)]
pub struct CacheArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with the caches.
#[derive(Subcommand, Clone, Copy, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// Show how much is kept, and where
    Stats,
    /// Remove all of it
    Clear,
}

/// One cache.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct CacheRow {
    cache: String,
    entries: u64,
    bytes: u64,
    path: String,
}

impl Row for CacheRow {
    const COLUMNS: &'static [&'static str] = &["cache", "entries", "bytes", "path"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.cache), self.entries.into(), self.bytes.into(), Cell::from(&self.path)]
    }
}

/// Runs the verb. Needs neither server nor key.
pub fn run(ctx: &Context, args: &CacheArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let answers = Answers::languages()?;
    match args.verb {
        Verb::Stats => ctx.out.list(&[row(&answers)?])?,
        Verb::Clear if ctx.args.dry_run => {
            ctx.out.status(&format!(
                "would remove {} answers from {}",
                answers.kept().entries,
                answers.dir().display()
            ));
        }
        Verb::Clear => {
            let kept = answers.clear()?;
            ctx.out.status(&format!("removed {} language answers, {} bytes", kept.entries, kept.bytes));
        }
    }
    Ok(())
}

fn row(answers: &Answers) -> Result<Kept<CacheRow>, Failure> {
    let kept = answers.kept();
    let path = answers.dir().display().to_string();
    Kept::made(CacheRow { cache: "languages".to_owned(), entries: kept.entries, bytes: kept.bytes, path })
}
