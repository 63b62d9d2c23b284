//! Limits and totals of pipeline runs: the flags, the counts of `--stats`, and refused entries.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::numbers::{counted, grouped};
use tulk_pipeline::{PipelineReport, RefusedEntry, RunOptions, TargetReport};

use crate::context::Context;
use crate::runs::result_cache::ResultCacheArgs;
use crate::runs::summary::RunSummary;

/// Limits, cache and statistics of a command that runs the pipeline.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct RunArgs {
    /// Maximum number of characters to send, across all targets
    #[arg(long, value_name = "N", help_heading = "Running")]
    pub max_characters: Option<u64>,
    /// Copy refused texts unchanged and continue
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

/// Returns whether a run ends with a total for a person. `are_texts_typed` means that the texts are arguments, or were typed on a
/// terminal.
pub fn prints_total(ctx: &Context, stats: bool, are_texts_typed: bool) -> bool {
    ctx.out.settings().stderr_is_terminal && ctx.out.shows_status() && !stats && !are_texts_typed
}

/// Returns the options of the next run, which shares the limit of characters but has its own progress.
pub fn next_options(options: &RunOptions, sent: u64) -> RunOptions {
    let characters_before = options.characters_before + sent;
    RunOptions { characters_before, progress: Arc::default(), ..options.clone() }
}

#[derive(Clone, Copy, Debug, Default)]
struct CacheTotals {
    hits: u64,
    /// Code points of the entries from the cache, and of duplicates.
    characters: u64,
}

#[derive(Debug, Default)]
pub struct RunTotals {
    files: u64,
    /// A person who has typed the texts needs no totals.
    are_texts_typed: bool,
    entries: u64,
    /// Entries of complete passes, and entries written by incomplete passes.
    texts: u64,
    requests: u64,
    characters: u64,
    /// Billed characters, if the service reported any.
    pub billed: Option<u64>,
    duplicates: u64,
    /// `None` without a cache.
    cache: Option<CacheTotals>,
    retries: u64,
    maybe_billed_twice: u64,
    duration: Duration,
    refused: u64,
    /// Positions in the input that were not understood or could not be sent.
    faults: u64,
    /// Texts of catalogues that are not translated, by reason.
    skipped: BTreeMap<&'static str, u64>,
}

impl RunTotals {
    pub fn new(are_texts_typed: bool) -> Self {
        Self { are_texts_typed, ..Self::default() }
    }

    /// Adds the report of a pass that has read `files` files. Prints its warnings and the refused texts.
    pub fn add(&mut self, ctx: &Context, files: u64, report: &PipelineReport) {
        self.count(report);
        self.files += files;
        for warning in &report.warnings {
            ctx.out.warn(warning);
        }
        for fault in &report.faults {
            ctx.out.item_error(&ErrorReport::new(&copied_fault(fault).into()));
        }
        for entry in &report.refused {
            ctx.out.item_error(&ErrorReport::new(&refused_entry(entry).into()));
        }
    }

    fn count(&mut self, report: &PipelineReport) {
        self.entries += report.entries;
        let written = report.targets.iter().map(|target| target.written).max().unwrap_or_default();
        self.texts += if report.is_complete() { report.entries } else { written };
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
    }

    /// Prints the statistics if `stats` is set; otherwise, what a run did or a dry run would send.
    pub async fn print(&self, ctx: &Context, stats: bool) {
        if let Some(skipped) = self.skipped_texts() {
            ctx.out.hint(&skipped);
        }
        if stats {
            ctx.out.requested(&self.line());
        } else if ctx.args.dry_run {
            self.summary().print_planned(ctx).await;
        } else if !self.are_texts_typed {
            self.summary().print(ctx);
        }
    }

    fn summary(&self) -> RunSummary {
        RunSummary {
            files: self.files,
            texts: self.texts,
            sent: Some(self.characters),
            billed: self.billed,
            requests: self.requests,
            cached: self.cache.map_or(0, |cache| cache.hits),
            took: self.duration,
            ..RunSummary::default()
        }
    }

    fn skipped_texts(&self) -> Option<String> {
        let count: u64 = self.skipped.values().sum();
        let reasons: Vec<String> =
            self.skipped.iter().map(|(why, count)| format!("{why} {}", grouped(count))).collect();
        (count > 0).then(|| format!("{} skipped: {}", counted(count, "text"), reasons.join(", ")))
    }

    fn line(&self) -> String {
        let Self { entries, requests, characters, duplicates, retries, maybe_billed_twice, .. } = self;
        let mut parts = vec![("texts", *entries), ("requests", *requests), ("characters", *characters)];
        parts.extend(self.billed.map(|billed| ("billed", billed)));
        parts.extend([("duplicates", *duplicates), ("retries", *retries)]);
        let mut more = Vec::new();
        if *maybe_billed_twice > 0 {
            more.push(("maybe billed twice", *maybe_billed_twice));
        }
        if let Some(CacheTotals { hits, characters }) = self.cache {
            more.extend([("cache hits", hits), ("characters saved", characters)]);
        }
        // Write numbers without thousands separators, because scripts read this line.
        let text = |(name, count): &(&str, u64)| format!("{name} {count}");
        let seconds = format!("seconds {:.1}", self.duration.as_secs_f64());
        let parts = parts.iter().map(text).chain([seconds]).chain(more.iter().map(text));
        parts.collect::<Vec<_>>().join(", ")
    }

    pub fn has_copied_texts(&self) -> bool {
        self.refused + self.faults > 0
    }

    /// Fails with exit code 9 if anything was copied unchanged.
    pub fn check_copied(&self) -> Result<(), Failure> {
        let count = self.refused + self.faults;
        if count == 0 {
            return Ok(());
        }
        let verb = was_or_were(count);
        if self.faults > 0 {
            let parts = counted(count, "part");
            return Err(Failure::new(Kind::Partly, format!("{parts} of the input {verb} copied unchanged")));
        }
        Err(Failure::new(Kind::Partly, format!("{} {verb} refused and copied unchanged", counted(count, "text"))))
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
    let bytes = fault.hint_with_flag.map_or(usize::MAX, |bytes| bytes as usize);
    let hint = fault.hint.as_deref().map(|hint| hint.get(..bytes).unwrap_or(hint).to_owned());
    Failure { what, hint, ..fault.clone() }
}

/// Describes what was written for a target and where to continue, as the end of a message. `to` names the target if needed.
pub fn written_so_far(to: &str, target: &TargetReport) -> String {
    let (written, unwritten) = (target.written, target.unwritten);
    let mut parts = Vec::new();
    if written > 0 || unwritten > 0 {
        parts.push(format!("{} {} written", counted(written, "text"), was_or_were(written)));
    }
    if let Some(next) = target.next.as_ref().filter(|next| (next.line, next.column) > (1, 1)) {
        parts.push(format!("continue at {next}"));
    }
    if unwritten > 0 {
        parts.push(format!("{} could not be written", counted(unwritten, "more result")));
    }
    if parts.is_empty() { String::new() } else { format!("; {to}{}", parts.join(", ")) }
}

fn was_or_were(count: u64) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

#[cfg(test)]
mod tests {
    use tulk_base::error::Origin;

    use super::*;

    fn report() -> PipelineReport {
        PipelineReport {
            entries: 1,
            requests: 2,
            characters: 3,
            billed: Some(4),
            duplicates: 5,
            cached: Some(6),
            characters_saved: 7,
            retries: 8,
            maybe_billed_twice: 9,
            duration: Duration::from_millis(1500),
            skipped: BTreeMap::from([("plural", 1)]),
            ..PipelineReport::default()
        }
    }

    fn refused(target: &str) -> RefusedEntry {
        let (origin, failure) = (Origin::at("a.txt", 2, 1), Failure::new(Kind::Refused, "no such language"));
        RefusedEntry { origin, target: target.to_owned(), failure }
    }

    #[test]
    fn the_reports_of_all_runs_add_up() {
        let mut totals = RunTotals::default();
        totals.count(&PipelineReport { entries: 10, billed: None, cached: None, ..PipelineReport::default() });
        assert_eq!(totals.line(), "texts 10, requests 0, characters 0, duplicates 0, retries 0, seconds 0.0");
        totals.count(&report());
        let expected = "texts 11, requests 2, characters 3, billed 4, duplicates 5, retries 8, seconds 1.5, \
                        maybe billed twice 9, cache hits 6, characters saved 7";
        assert_eq!(totals.line(), expected);
        totals.count(&report());
        let expected = "texts 12, requests 4, characters 6, billed 8, duplicates 10, retries 16, seconds 3.0, \
                        maybe billed twice 18, cache hits 12, characters saved 14";
        assert_eq!(totals.line(), expected);
    }

    #[test]
    fn skipped_units_are_counted_by_reason() {
        let mut totals = RunTotals::default();
        assert_eq!(totals.skipped_texts(), None);
        totals.count(&report());
        assert_eq!(totals.skipped_texts().as_deref(), Some("1 text skipped: plural 1"));
        totals.count(&PipelineReport { skipped: BTreeMap::from([("fuzzy", 3), ("plural", 1)]), ..report() });
        assert_eq!(totals.skipped_texts().as_deref(), Some("5 texts skipped: fuzzy 3, plural 2"));
    }

    #[test]
    fn copied_texts_end_the_run_with_exit_code_9() {
        let end = |refusals: usize, faults: usize| {
            let mut totals = RunTotals::default();
            let refused = (0..refusals).map(|_| refused("de")).collect();
            let faults = vec![Failure::usage("no tab"); faults];
            totals.count(&PipelineReport { refused, faults, ..report() });
            let end = totals.check_copied().err().map(|failure| (failure.kind.code(), failure.what));
            assert_eq!(totals.has_copied_texts(), end.is_some());
            end
        };
        assert_eq!(end(0, 0), None);
        assert_eq!(end(1, 0), Some((9, "1 text was refused and copied unchanged".to_owned())));
        assert_eq!(end(2, 0), Some((9, "2 texts were refused and copied unchanged".to_owned())));
        assert_eq!(end(0, 1), Some((9, "1 part of the input was copied unchanged".to_owned())));
        assert_eq!(end(1, 1), Some((9, "2 parts of the input were copied unchanged".to_owned())));
        let mut totals = RunTotals::default();
        for _ in 0..3 {
            totals.count(&PipelineReport { refused: vec![refused("de")], ..PipelineReport::default() });
            totals.count(&PipelineReport { faults: vec![Failure::usage("no tab")], ..PipelineReport::default() });
        }
        assert_eq!((totals.refused, totals.faults), (3, 3));
    }

    #[test]
    fn copied_text_is_reported_with_its_position_and_target() {
        assert_eq!(refused_entry(&refused("")).to_string(), "a.txt:2:1: no such language; copied unchanged");
        assert_eq!(refused_entry(&refused("de")).to_string(), "a.txt:2:1: to de: no such language; copied unchanged");
        let fault =
            Failure::usage("no tab").at(Origin::at("a.tsv", 7, 1)).hint_or_flag("add one", ", or use --keep-going");
        let copied = copied_fault(&fault);
        assert_eq!(copied.to_string(), "a.tsv:7:1: no tab; copied unchanged");
        assert_eq!((copied.kind, copied.hint.as_deref()), (Kind::Usage, Some("add one")));
    }

    #[test]
    fn the_next_run_shares_the_limit_of_characters_but_not_the_progress() {
        let options = RunOptions { characters_before: 7, keep_going: true, ..RunOptions::default() };
        let next = next_options(&options, 5);
        assert_eq!((next.characters_before, next.keep_going), (12, true));
        assert!(!Arc::ptr_eq(&next.progress, &options.progress));
    }

    #[test]
    fn reports_written_results_if_there_are_any() {
        let target = |written, unwritten, next| TargetReport { written, unwritten, next, ..TargetReport::default() };
        let at = |line, column| Some(Origin::at("a.txt", line, column));
        let said = |target: TargetReport| written_so_far("to de: ", &target);
        assert_eq!(said(target(0, 0, None)), "");
        assert_eq!(said(target(0, 0, at(1, 1))), "", "nothing was done");
        assert_eq!(said(target(0, 0, at(1, 2))), "; to de: continue at a.txt:1:2");
        assert_eq!(said(target(2, 0, at(3, 1))), "; to de: 2 texts were written, continue at a.txt:3:1");
        let unwritten = "; to de: 0 texts were written, 1 more result could not be written";
        assert_eq!(said(target(0, 1, None)), unwritten);
    }

    #[test]
    fn one_result_that_could_not_be_written_is_singular() {
        let target = |unwritten| TargetReport { written: 1, unwritten, ..TargetReport::default() };
        assert_eq!(written_so_far("", &target(1)), "; 1 text was written, 1 more result could not be written");
        assert_eq!(written_so_far("", &target(2)), "; 1 text was written, 2 more results could not be written");
    }
}
