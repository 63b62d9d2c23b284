//! `tulk cache`: shows and clears the replies, names and results cached on disk.

use std::path::Path;
use std::time::{Duration, SystemTime};

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::numbers::counted;
use tulk_store::cache_dir::{CacheDir, CacheSize};
use tulk_store::names::NameCache;
use tulk_store::replies::ReplyCache;
use tulk_store::results::ResultCache;

use crate::command::{CommandSpec, Run, command_group};
use crate::config::parse_age;
use crate::context::Context;
use crate::output::{Column, Row};

command_group! {
    /// Show or clear the local cache
    #[command(after_help = "tulk cache stats\n\
                            tulk cache clear")]
    pub struct CacheArgs;

    pub enum CacheCommand {
        Stats(CacheStatsArgs),
        Clear(CacheClearArgs),
    }
}

#[derive(Serialize, Deserialize, Clone, Debug)]
struct CacheRow {
    cache: String,
    entries: u64,
    bytes: u64,
    path: String,
}

impl Row for CacheRow {
    const COLUMNS: &'static [Column] = &[
        Column::name("cache"),
        Column::count("entries").header("RESULTS").rank(1),
        Column::count("bytes"),
        Column::path("path"),
    ];
}

struct Caches {
    languages: ReplyCache,
    names: NameCache,
    results: ResultCache,
}

impl Caches {
    fn open(ctx: &Context) -> Result<Self, Failure> {
        let results = ResultCache::of_user(!ctx.args.dry_run)?;
        Ok(Self { languages: ReplyCache::languages()?, names: NameCache::open()?, results })
    }

    /// Returns the caches that keep one file per entry, by name.
    fn file_caches(&self) -> [(&'static str, &CacheDir); 2] {
        [("languages", self.languages.dir()), ("names", self.names.dir())]
    }
}

/// Show the size and path of each cache
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<CacheRow>())]
#[command(after_help = "tulk cache stats")]
pub struct CacheStatsArgs {}

impl Run for CacheStatsArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let caches = Caches::open(ctx)?;
        let mut rows = caches.file_caches().map(|(name, dir)| row(name, dir.size(None), dir.path())).to_vec();
        rows.push(row("results", result_size(ctx, &caches.results, None), caches.results.dir()));
        let rows: Result<Vec<_>, Failure> = rows.into_iter().map(WithRaw::from_typed).collect();
        Ok(ctx.out.list(&rows?)?)
    }
}

/// Remove cached responses, names and results
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result())]
#[command(after_help = "tulk cache clear\n\
                        tulk cache clear --older-than 30d")]
pub struct CacheClearArgs {
    /// Remove only entries older than DURATION, such as 12h or 30d
    #[arg(long, value_parser = parse_age, value_name = "DURATION")]
    pub older_than: Option<Duration>,
}

impl Run for CacheClearArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let caches = Caches::open(ctx)?;
        let (files, results) = (caches.file_caches(), &caches.results);
        let before = self.older_than.map(|age| SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH));
        if ctx.args.dry_run {
            let entries: u64 = files.iter().map(|(_, dir)| dir.size(before).entries).sum();
            let found = result_size(ctx, results, before).entries;
            let [(_, languages), (_, names)] = files;
            let (languages, names, dir) = (languages.path().display(), names.path().display(), results.dir().display());
            let what = counts_in_words(entries, found);
            ctx.out.status(&format!("would remove {what} from {languages}, {names} and {dir}"));
            return Ok(());
        }
        let mut removed = CacheSize::default();
        for (_, dir) in files {
            removed += dir.clear(before)?;
        }
        let cleared = results.clear(before)?;
        let bytes = removed.bytes + cleared.bytes;
        ctx.out.status(&format!(
            "removed {}, {}",
            counts_in_words(removed.entries, cleared.entries),
            counted(bytes, "byte")
        ));
        Ok(())
    }
}

fn counts_in_words(files: u64, results: u64) -> String {
    format!("{} and {}", counted(files, "cached file"), counted(results, "result"))
}

/// Warns if the entries cannot be counted.
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
