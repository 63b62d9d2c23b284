//! `tulk cache`: shows and clears the replies that are cached on disk.
//!
//! Input: the cache directory. Output: one row per cache.

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;
use crate::output::{Cell, Column, CommandColumns, CommandFormats, LISTING, Row};
use crate::store::cache::ReplyCache;
use crate::store::cache_dir::CacheDir;
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
    let dirs = [("languages", languages.dir()), ("names", names.dir())];
    match args.command {
        CacheCommand::Stats => ctx.out.list(&dirs.map(row).into_iter().collect::<Result<Vec<_>, _>>()?)?,
        CacheCommand::Clear if ctx.args.dry_run => {
            let entries: u64 = dirs.iter().map(|(_, dir)| dir.size().entries).sum();
            let paths = dirs.map(|(_, dir)| dir.path().display().to_string()).join(" and ");
            ctx.out.status(&format!("would remove {entries} cached files from {paths}"));
        }
        CacheCommand::Clear => {
            let (mut entries, mut bytes) = (0, 0);
            for (_, dir) in dirs {
                let size = dir.clear()?;
                entries += size.entries;
                bytes += size.bytes;
            }
            ctx.out.status(&format!("removed {entries} cached files, {bytes} bytes"));
        }
    }
    Ok(())
}

fn row((cache, dir): (&str, &CacheDir)) -> Result<Kept<CacheRow>, Failure> {
    let (size, path) = (dir.size(), dir.path().display().to_string());
    Kept::from_typed(CacheRow { cache: cache.to_owned(), entries: size.entries, bytes: size.bytes, path })
}
