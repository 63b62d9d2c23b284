//! `tulk cache`: shows and clears what is cached on disk: replies, names, results.
//!
//! Input: the cache directory. Output: one row per cache.

use std::path::Path;
use std::time::{Duration, SystemTime};

use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_store::cache::ReplyCache;
use tulk_store::cache_dir::{CacheDir, CacheSize};
use tulk_store::names::NameCache;
use tulk_store::results::ResultCache;

use crate::config::parse_duration;
use crate::context::Context;
use crate::output::{Cell, Column, CommandColumns, CommandFormats, LISTING, Row};

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
    /// Remove cached responses, names and results
    #[command(after_help = "tulk cache clear\n\
                            tulk cache clear --older-than 30d")]
    Clear {
        /// Remove only what was stored longer ago, such as 12h or 30d
        #[arg(long, value_parser = parse_age, value_name = "DURATION")]
        older_than: Option<Duration>,
    },
}

/// Parses the age of what is removed. The hint names the units that make sense for it.
fn parse_age(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|_| format!("invalid duration `{text}`; write 12h, 30d or plain seconds"))
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

/// The caches of files: their names and directories.
type FileCaches<'a> = [(&'a str, &'a CacheDir); 2];

/// Runs the command. Needs neither a server nor a key.
pub fn run(ctx: &Context, args: &CacheArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let (languages, names) = (ReplyCache::languages()?, NameCache::open()?);
    let files = [("languages", languages.dir()), ("names", names.dir())];
    let results = ResultCache::of_user(!ctx.args.dry_run)?;
    match args.command {
        CacheCommand::Stats => {
            let mut rows = files.map(|(name, dir)| row(name, dir.size(None), dir.path())).to_vec();
            rows.push(row("results", result_size(ctx, &results, None), results.dir()));
            let rows: Result<Vec<_>, Failure> = rows.into_iter().map(Kept::from_typed).collect();
            ctx.out.list(&rows?)?;
        }
        CacheCommand::Clear { older_than } => clear(ctx, &files, &results, older_than)?,
    }
    Ok(())
}

fn clear(
    ctx: &Context,
    files: &FileCaches<'_>,
    results: &ResultCache,
    older_than: Option<Duration>,
) -> Result<(), Failure> {
    let before = older_than.map(|age| SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH));
    if ctx.args.dry_run {
        let entries: u64 = files.iter().map(|(_, dir)| dir.size(before).entries).sum();
        let found = result_size(ctx, results, before).entries;
        let [(_, languages), (_, names)] = files;
        let (languages, names, dir) = (languages.path().display(), names.path().display(), results.dir().display());
        let what = amounts(entries, found);
        ctx.out.status(&format!("would remove {what} from {languages}, {names} and {dir}"));
        return Ok(());
    }
    let mut removed = CacheSize::default();
    for (_, dir) in files {
        removed += dir.clear(before)?;
    }
    let cleared = results.clear(before)?;
    let bytes = removed.bytes + cleared.bytes;
    ctx.out.status(&format!("removed {}, {bytes} bytes", amounts(removed.entries, cleared.entries)));
    Ok(())
}

/// Returns how many files and results there are, such as `1 cached file and 20 results`.
fn amounts(files: u64, results: u64) -> String {
    let plural = |count| if count == 1 { "" } else { "s" };
    format!("{files} cached file{} and {results} result{}", plural(files), plural(results))
}

/// Returns the size of the results. Says why if they cannot be counted.
fn result_size(ctx: &Context, results: &ResultCache, before: Option<SystemTime>) -> CacheSize {
    let (size, problem) = results.size(before);
    if let Some(problem) = problem {
        ctx.out.warn(&problem.to_string());
        problem.hint.iter().for_each(|hint| ctx.out.hint(hint));
    }
    size
}

fn row(cache: &str, size: CacheSize, path: &Path) -> CacheRow {
    let path = path.display().to_string();
    CacheRow { cache: cache.to_owned(), entries: size.entries, bytes: size.bytes, path }
}
