//! `tulk cache`: shows and clears the replies that are cached on disk.
//!
//! Input: the cache directory. Output: one row per cache.

use std::path::Path;

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;
use crate::output::{Cell, Column, CommandColumns, CommandFormats, LISTING, Row};
use crate::store::cache::{CacheSize, ReplyCache};
use crate::store::names::NameCache;

/// Show or clear the local cache
#[derive(Args, Debug)]
#[command(after_help = "tulk cache stats\n\
                        tulk cache clear")]
pub struct CacheArgs {
    /// What to do
    #[command(subcommand)]
    pub command: CacheCommand,
}

/// What to do.
#[derive(Subcommand, Clone, Copy, Debug)]
#[command(defer = true)]
pub enum CacheCommand {
    /// Show the size and path of each cache
    #[command(after_help = "tulk cache stats")]
    Stats,
    /// Remove all cached responses and names
    #[command(after_help = "tulk cache clear")]
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
    const COLUMNS: &'static [Column] =
        &[Column::name("cache"), Column::count("entries").rank(1), Column::count("bytes"), Column::path("path")];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.cache), self.entries.into(), self.bytes.into(), Cell::from(&self.path)]
    }
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] =
    &[CommandFormats::new("cache stats", LISTING), CommandFormats::without_result("cache clear")];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[CommandColumns::new("cache stats", CacheRow::COLUMNS)];

/// Runs the command. Needs neither a server nor a key.
pub fn run(ctx: &Context, args: &CacheArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let (languages, names) = (ReplyCache::languages()?, NameCache::open()?);
    match args.command {
        CacheCommand::Stats => {
            let rows = [("languages", languages.size(), languages.dir()), ("names", names.size(), names.dir())];
            ctx.out.list(&rows.map(row).into_iter().collect::<Result<Vec<_>, _>>()?)?;
        }
        CacheCommand::Clear if ctx.args.dry_run => {
            let (entries, dirs) = (languages.size().entries + names.size().entries, [languages.dir(), names.dir()]);
            let dirs = dirs.map(|dir| dir.display().to_string()).join(" and ");
            ctx.out.status(&format!("would remove {entries} cached files from {dirs}"));
        }
        CacheCommand::Clear => {
            let (languages, names) = (languages.clear()?, names.clear()?);
            let (entries, bytes) = (languages.entries + names.entries, languages.bytes + names.bytes);
            ctx.out.status(&format!("removed {entries} cached files, {bytes} bytes"));
        }
    }
    Ok(())
}

fn row((cache, size, dir): (&str, CacheSize, &Path)) -> Result<Kept<CacheRow>, Failure> {
    let path = dir.display().to_string();
    Kept::from_typed(CacheRow { cache: cache.to_owned(), entries: size.entries, bytes: size.bytes, path })
}
