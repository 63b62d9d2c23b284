//! Limits and totals of pipeline runs: the flags, the counts of `--stats`, and refused entries.
//!
//! Shared by translate and write. How a command ends after failures is in `run_report`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::result_cache::ResultCacheArgs;
use crate::context::Context;
use crate::error::{ErrorReport, Failure, Kind};
use crate::pipeline::{PipelineReport, RefusedEntry, RunOptions, TargetReport};

/// Limits, cache and statistics of a command that runs the pipeline.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct RunArgs {
    /// Maximum number of characters to send, across all targets
    #[arg(long, value_name = "N", help_heading = "Running")]
    pub max_characters: Option<u64>,
    /// Copy refused entries unchanged and continue
    #[arg(long, help_heading = "Running")]
    pub keep_going: bool,
    /// Print statistics to stderr at the end
    #[arg(long, help_heading = "Running")]
    pub stats: bool,
    /// Results of earlier runs.
    #[command(flatten)]
    pub cache: ResultCacheArgs,
}

impl RunArgs {
    /// Returns the options of the first run.
    pub fn options(&self, ctx: &Context) -> RunOptions {
        RunOptions {
            keep_going: self.keep_going,
            max_characters: self.max_characters,
            check: !ctx.args.no_check,
            dry_run: ctx.args.dry_run,
            ..RunOptions::default()
        }
    }
}

/// Returns the options of the next run, which shares the limit of characters and has a progress of its own.
pub fn next_options(options: &RunOptions, sent: u64) -> RunOptions {
    let characters_before = options.characters_before + sent;
    RunOptions { characters_before, progress: Arc::default(), ..options.clone() }
}

/// What was not sent because of the cache.
#[derive(Clone, Copy, Debug, Default)]
struct CacheTotals {
    hits: u64,
    /// Code points of these entries and of duplicates.
    characters: u64,
}

/// Sums of the reports of all runs.
#[derive(Debug, Default)]
pub struct RunTotals {
    entries: u64,
    requests: u64,
    characters: u64,
    /// Billed characters, if the service reported any.
    pub billed: Option<u64>,
    duplicates: u64,
    /// Entries whose results came from the cache, and code points that were not sent; `None` without a cache.
    cache: Option<CacheTotals>,
    retries: u64,
    maybe_billed_twice: u64,
    duration: Duration,
    refused: u64,
    /// Places in the input that were not understood or could not be sent.
    faults: u64,
    /// Texts of catalogues that are not translated, by reason.
    skipped: BTreeMap<&'static str, u64>,
}

impl RunTotals {
    /// Adds a report, and prints the entries that were refused.
    pub fn add(&mut self, ctx: &Context, report: &PipelineReport) {
        self.entries += report.entries;
        self.requests += report.requests;
        self.characters += report.characters;
        if let Some(billed) = report.billed {
            *self.billed.get_or_insert(0) += billed;
        }
        self.duplicates += report.duplicates;
        if let Some(cached) = report.cached {
            let cache = self.cache.get_or_insert_default();
            cache.hits += cached;
            cache.characters += report.characters_saved;
        }
        self.retries += report.retries;
        self.maybe_billed_twice += report.maybe_billed_twice;
        self.duration += report.duration;
        self.refused += report.refused.len() as u64;
        self.faults += report.faults.len() as u64;
        for (why, count) in &report.skipped {
            *self.skipped.entry(why).or_default() += count;
        }
        for fault in &report.faults {
            ctx.out.item_error(&ErrorReport::new(&copied_fault(fault).into()));
        }
        for entry in &report.refused {
            ctx.out.item_error(&ErrorReport::new(&refused_entry(entry).into()));
        }
    }

    /// Prints the statistics if they were asked for; else, after a dry run, what would be sent.
    pub fn print(&self, ctx: &Context, stats: bool) {
        if let Some(skipped) = self.skipped_units() {
            ctx.out.hint(&skipped);
        }
        let Self { entries, requests, characters, .. } = self;
        if stats {
            ctx.out.requested(&self.line());
        } else if ctx.args.dry_run {
            let hits = self.cache.map(|cache| format!(", cache hits {}", cache.hits)).unwrap_or_default();
            let line = format!("would send: entries {entries}, requests {requests}, characters {characters}{hits}");
            if ctx.out.settings().is_json() { ctx.out.log(&line) } else { ctx.out.status(&line) }
        }
    }

    /// Returns how many units of catalogues were skipped, and why; `None` if none were.
    fn skipped_units(&self) -> Option<String> {
        let count: u64 = self.skipped.values().sum();
        let reasons: Vec<String> = self.skipped.iter().map(|(why, count)| format!("{why} {count}")).collect();
        let units = if count == 1 { "unit" } else { "units" };
        (count > 0).then(|| format!("{count} {units} skipped: {}", reasons.join(", ")))
    }

    fn line(&self) -> String {
        let Self { entries, requests, characters, duplicates, retries, maybe_billed_twice, .. } = self;
        let billed = self.billed.map(|billed| format!(", billed {billed}")).unwrap_or_default();
        let seconds = self.duration.as_secs_f64();
        let mut line = format!(
            "entries {entries}, requests {requests}, characters {characters}{billed}, duplicates {duplicates}, \
             retries {retries}, seconds {seconds:.1}"
        );
        if *maybe_billed_twice > 0 {
            line = format!("{line}, maybe billed twice {maybe_billed_twice}");
        }
        if let Some(CacheTotals { hits, characters }) = self.cache {
            line = format!("{line}, cache hits {hits}, characters saved {characters}");
        }
        line
    }

    /// Returns whether anything was copied unchanged.
    pub fn has_copied(&self) -> bool {
        self.refused + self.faults > 0
    }

    /// Fails with exit code 9 if anything was copied unchanged.
    pub fn check_copied(&self) -> Result<(), Failure> {
        let count = self.refused + self.faults;
        if count == 0 {
            return Ok(());
        }
        if self.faults > 0 {
            let noun = if count == 1 { "place" } else { "places" };
            let verb = if count == 1 { "was" } else { "were" };
            return Err(Failure::new(Kind::Partly, format!("{count} {noun} in the input {verb} copied unchanged")));
        }
        let noun = if count == 1 { "entry was" } else { "entries were" };
        Err(Failure::new(Kind::Partly, format!("{count} {noun} refused and copied unchanged")))
    }
}

fn refused_entry(entry: &RefusedEntry) -> Failure {
    let mut failure = entry.failure.clone().at(entry.origin.clone());
    let to = if entry.target.is_empty() { String::new() } else { format!("to {}: ", entry.target) };
    failure.what = format!("{to}{}; copied unchanged", failure.what);
    failure
}

fn copied_fault(fault: &Failure) -> Failure {
    let what = format!("{}; copied unchanged", fault.what);
    let hint = fault.hint.as_deref().and_then(without_keep_going);
    Failure { what, hint, ..fault.clone() }
}

/// Returns a hint without the part that names the flag, which is already set.
fn without_keep_going(hint: &str) -> Option<String> {
    let Some((before, _)) = hint.split_once("--keep-going") else { return Some(hint.to_owned()) };
    let end = before.rfind([',', ';'])?;
    before.get(..end).map(str::to_owned)
}

/// Returns what was written for a target and where to continue, as the end of a message. `to` names the target if needed.
pub fn written_so_far(to: &str, target: &TargetReport) -> String {
    let (written, unwritten) = (target.written, target.unwritten);
    let mut parts = Vec::new();
    if written > 0 || unwritten > 0 {
        let noun = if written == 1 { "entry was" } else { "entries were" };
        parts.push(format!("{written} {noun} written"));
    }
    if let Some(next) = target.next.as_ref().filter(|next| (next.line, next.column) > (1, 1)) {
        parts.push(format!("continue at {next}"));
    }
    if unwritten > 0 {
        let noun = if unwritten == 1 { "result" } else { "results" };
        parts.push(format!("{unwritten} more {noun} could not be written"));
    }
    if parts.is_empty() { String::new() } else { format!("; {to}{}", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_result_that_could_not_be_written_is_singular() {
        let target = |unwritten| TargetReport { written: 1, unwritten, ..TargetReport::default() };
        assert_eq!(written_so_far("", &target(1)), "; 1 entry was written, 1 more result could not be written");
        assert_eq!(written_so_far("", &target(2)), "; 1 entry was written, 2 more results could not be written");
    }

    #[test]
    fn a_hint_does_not_name_a_flag_that_is_set() {
        for (hint, shown) in [
            ("split the entry", Some("split the entry")),
            ("split the entry; --keep-going copies it unchanged", Some("split the entry")),
            ("add a line, or use --keep-going to copy such blocks", Some("add a line")),
            ("--keep-going copies it", None),
        ] {
            assert_eq!(without_keep_going(hint).as_deref(), shown, "{hint}");
        }
    }
}
