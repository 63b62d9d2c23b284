//! Decides how a run over several inputs, targets or documents ends: what finished, what failed, and the exit code.
//!
//! Input: successes and failures, in any order. Output: the failure with which the command ends. A single failure keeps
//! its own message and exit code. Several are printed one by one, and the command ends with a summary. If inputs were not started
//! because of a failure, the command exits with the code of that failure. Otherwise, it exits with 9 if anything succeeded, or else with
//! the code of the first failure. Documents that were not started do not count as inputs here.
//!
//! If another run can continue, the hint is the same command line with `--resume`.

use std::ffi::OsString;

use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::numbers::{counted, grouped};
use tulk_base::shell;

use crate::context::Context;

#[derive(Debug, Default)]
pub struct RunReport {
    succeeded: u64,
    /// Planned successes of a dry run. They do not affect the exit code.
    planned: u64,
    failures: Vec<Failure>,
    /// Failed results that `failures` does not count: it has one failure per input, even if the input has several results.
    lost_results: u64,
    not_started: u64,
    inputs_not_started: Vec<String>,
    /// Hint that follows the hint of the final failure.
    next_step: Option<String>,
    ended_by: Option<Failure>,
}

impl RunReport {
    pub fn succeeded(&mut self, dry_run: bool) {
        if dry_run { self.planned += 1 } else { self.succeeded += 1 }
    }

    pub fn failed(&mut self, failure: Failure) {
        self.failures.push(failure);
    }

    /// Adds the failure of an input that has this many results.
    pub fn input_failed(&mut self, failure: Failure, results: usize) {
        self.failures.push(failure);
        self.lost_results += (results as u64).saturating_sub(1);
    }

    /// Counts an input, target or document that was not started because of an earlier failure.
    pub fn not_started(&mut self) {
        self.not_started += 1;
    }

    /// Counts the results of an input that was not started, and names it at the end.
    pub fn input_not_started(&mut self, name: String, results: usize) {
        self.not_started += results as u64;
        self.inputs_not_started.push(name);
    }

    /// Sets the hint of the final failure. If the failure has a hint already, this one follows it.
    pub fn next_step(&mut self, hint: String) {
        self.next_step = Some(hint);
    }

    /// Records a failure that ends the complete command with its own exit code, such as a signal. Only the first one is kept.
    pub fn ended_by(&mut self, failure: Failure) {
        self.ended_by.get_or_insert(failure);
    }

    /// Returns the failure with which the command ends; `Ok` if nothing failed.
    ///
    /// `noun` is what the summary counts, such as `documents`. Prints the failures that are not returned.
    pub fn finish(self, ctx: &Context, noun: &str) -> Result<(), Failure> {
        self.conclude(noun, |failure| ctx.out.item_error(&ErrorReport::new(&failure.into())))
    }

    /// Like [`RunReport::finish`], for a command that has printed each failure as it happened.
    pub fn finish_printed(self, noun: &str) -> Result<(), Failure> {
        self.conclude(noun, |_| ())
    }

    fn conclude(mut self, noun: &str, print: impl FnMut(Failure)) -> Result<(), Failure> {
        let names = std::mem::take(&mut self.inputs_not_started);
        let next_step = self.next_step.take();
        let are_named = !names.is_empty();
        self.last_failure(noun, are_named, print).map_err(|mut failure| {
            if are_named && failure.kind != Kind::PipeClosed {
                failure.what = format!("{}; not started: {}", failure.what, names_in_words(&names));
            }
            failure.hint = match (failure.hint.take(), next_step) {
                // A run that must start over cannot resume.
                (Some(hint), Some(next)) if !failure.starts_over => Some(format!("{hint}; {next}")),
                (hint, next) => hint.or(next),
            };
            failure
        })
    }

    fn last_failure(mut self, noun: &str, are_named: bool, print: impl FnMut(Failure)) -> Result<(), Failure> {
        if let Some(ended_by) = self.ended_by {
            // The failure that ended the run may also be the failure of a target.
            self.failures.into_iter().filter(|failure| failure.what != ended_by.what).for_each(print);
            return Err(ended_by);
        }
        let failed = self.failures.len() as u64 + self.lost_results;
        let total = self.succeeded + self.planned + failed + self.not_started;
        let Some(first) = self.failures.first().map(|failure| failure.kind) else { return Ok(()) };
        if self.failures.len() == 1 && total == failed {
            return self.failures.pop().map_or(Ok(()), Err);
        }
        let stopped_at = self.failures.iter().rev().map(|failure| failure.kind).find(|kind| ends_run(*kind));
        let kind = match stopped_at {
            Some(kind) if are_named => kind,
            _ if self.succeeded > 0 => Kind::Partly,
            _ => first,
        };
        self.failures.into_iter().for_each(print);
        let rest = match self.not_started {
            count if count > 0 && !are_named => format!(", {} not started", grouped(count)),
            _ => String::new(),
        };
        Err(Failure::new(kind, format!("{} of {} {noun} failed{rest}", grouped(failed), grouped(total))))
    }
}

/// Lists names of files for a message. Of many names, lists the first ones and the number of the others.
fn names_in_words(names: &[String]) -> String {
    match names {
        [first, second, third, rest @ ..] if rest.len() > 2 => {
            format!("{first}, {second}, {third} and {} more", grouped(rest.len()))
        }
        _ => names.join(", "),
    }
}

/// Returns whether a failure would affect every further request too, so that no other input should be started.
pub fn ends_run(kind: Kind) -> bool {
    matches!(kind, Kind::Key | Kind::Quota | Kind::Busy | Kind::Network | Kind::Unfinished)
}

/// Adds to a failure how many steps of a plan are done, and the command that does the rest.
pub fn with_steps(words: &[OsString], (done, steps): (usize, usize), failure: &mut Failure) {
    if done > 0 || failure.kind.is_stop() {
        let verb = if done == 1 { "is" } else { "are" };
        failure.what = format!("{}; {} of {} {verb} done", failure.what, grouped(done), counted(steps, "step"));
        failure.hint = failure.hint.take().or_else(|| {
            let rest = repeated_command(words).map(|command| format!("`{command}` does the rest"));
            Some(rest.unwrap_or_else(|| "the same command does the rest".to_owned()))
        });
    }
}

/// Maximum length of a command in a hint, in bytes.
const LONGEST_COMMAND: usize = 1000;

pub fn resume_hint(words: &[OsString]) -> String {
    match same_command(words, "--resume", "--force") {
        Some(command) => format!("continue with `{command}`"),
        None => "run the same command with --resume to continue".to_owned(),
    }
}

/// Returns a hint to continue a stopped run that has nothing to resume. `is_cached` tells whether its results are in the cache.
pub fn restart_hint(ctx: &Context, is_cached: bool) -> Option<String> {
    ctx.stop.raised()?;
    let command = repeated_command(ctx.words())?;
    let start = if is_cached { "continue" } else { "start again" };
    let end = if is_cached { "; the results so far are in the cache" } else { "" };
    Some(format!("{start} with `{command}`{end}"))
}

/// Returns the command line of this process; `None` if it is too long for a hint or not UTF-8.
pub fn repeated_command(words: &[OsString]) -> Option<String> {
    let words: Option<Vec<&str>> = words.iter().skip(1).map(|word| word.to_str()).collect();
    let command = words.map(|words| shell::command_line(std::iter::once("tulk").chain(words)));
    command.filter(|command| command.len() <= LONGEST_COMMAND)
}

/// Returns the command line of this process with the flag `added` and without the flag `removed`; `None` if it is too long for a
/// hint or not UTF-8.
pub fn same_command(words: &[OsString], added: &str, removed: &str) -> Option<String> {
    let words: Option<Vec<&str>> = words.iter().skip(1).map(|word| word.to_str()).collect();
    let command = words.map(|words| changed_command(&words, added, removed));
    command.filter(|command| command.len() <= LONGEST_COMMAND)
}

fn changed_command(words: &[&str], added: &str, removed: &str) -> String {
    let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    let (flags, rest) = words.split_at(end);
    let mut line = vec!["tulk"];
    line.extend(flags.iter().filter(|word| ![added, removed].contains(word)));
    line.push(added);
    line.extend(rest);
    shell::command_line(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(succeeded: u64, failures: &[Kind], ended_by: Option<Kind>) -> (Option<Failure>, Vec<String>) {
        let named = |kind: &Kind| Failure::new(*kind, kind.word());
        let failures = failures.iter().map(named).collect();
        let report = RunReport { succeeded, failures, ended_by: ended_by.as_ref().map(named), ..RunReport::default() };
        let mut printed = Vec::new();
        let end = report.conclude("documents", |failure| printed.push(failure.what));
        (end.err(), printed)
    }

    #[test]
    fn a_run_without_failures_succeeds() {
        assert!(end(0, &[], None).0.is_none());
        assert!(end(2, &[], None).0.is_none());
    }

    #[test]
    fn a_single_failure_keeps_its_message_and_kind() {
        let (failure, printed) = end(0, &[Kind::Quota], None);
        assert_eq!(failure.unwrap().what, "quota");
        assert!(printed.is_empty());
    }

    #[test]
    fn several_failures_are_printed_and_counted() {
        let (failure, printed) = end(0, &[Kind::Key, Kind::Quota], None);
        let failure = failure.unwrap();
        assert_eq!((failure.kind, failure.what.as_str()), (Kind::Key, "2 of 2 documents failed"));
        assert_eq!(printed, ["key", "quota"]);
        let failure = end(3, &[Kind::Key], None).0.unwrap();
        assert_eq!((failure.kind, failure.what.as_str()), (Kind::Partly, "1 of 4 documents failed"));
    }

    #[test]
    fn counts_what_was_not_started() {
        let mut report = RunReport::default();
        report.failed(Failure::new(Kind::Key, "key"));
        report.not_started();
        let failure = report.finish_printed("documents").unwrap_err();
        assert_eq!((failure.kind, failure.what.as_str()), (Kind::Key, "1 of 2 documents failed, 1 not started"));
    }

    #[test]
    fn counts_results_of_failed_inputs_and_names_three_inputs_not_started() {
        let mut report = RunReport::default();
        report.input_failed(Failure::usage("a.txt: bad"), 2);
        assert_eq!(report.finish_printed("results").unwrap_err().what, "a.txt: bad");
        let mut report = RunReport::default();
        report.input_failed(Failure::usage("a.txt: bad"), 2);
        report.failed(Failure::new(Kind::Quota, "b.txt: quota"));
        for name in ["c", "d", "e", "f", "g", "h"] {
            report.input_not_started(name.to_owned(), 1);
        }
        let failure = report.finish_printed("results").unwrap_err();
        assert_eq!(failure.what, "3 of 9 results failed; not started: c, d, e and 3 more");
    }

    #[test]
    fn names_inputs_that_were_not_started_and_exits_with_the_code_of_the_failure() {
        let mut report = RunReport::default();
        report.succeeded(false);
        report.failed(Failure::new(Kind::Refused, "refused"));
        report.failed(Failure::new(Kind::Key, "key"));
        report.input_not_started("d.txt".into(), 2);
        report.input_not_started("e.txt".into(), 2);
        report.next_step("run it again".into());
        let failure = report.finish_printed("results").unwrap_err();
        assert_eq!(failure.what, "2 of 7 results failed; not started: d.txt, e.txt");
        assert_eq!((failure.kind, failure.hint.as_deref()), (Kind::Key, Some("run it again")));
        let mut report = RunReport::default();
        report.ended_by(Failure::new(Kind::Interrupted, "stopped by Ctrl-C").hint("wait"));
        report.input_not_started("b.txt".into(), 1);
        report.next_step("run it again".into());
        let failure = report.finish_printed("results").unwrap_err();
        assert_eq!((failure.what.as_str(), failure.kind), ("stopped by Ctrl-C; not started: b.txt", Kind::Interrupted));
        assert_eq!(failure.hint.as_deref(), Some("wait; run it again"));
    }

    #[test]
    fn a_run_that_must_start_over_gets_no_hint_to_continue() {
        let hint = |failure: Failure| {
            let mut report = RunReport::default();
            report.failed(failure);
            report.next_step("run it again with --resume".into());
            report.finish_printed("results").unwrap_err().hint.unwrap()
        };
        assert_eq!(
            hint(Failure::usage("changed").hint_to_start_over("start over with --force")),
            "start over with --force"
        );
        assert_eq!(hint(Failure::usage("changed").hint("wait")), "wait; run it again with --resume");
    }

    #[test]
    fn a_failure_that_would_affect_every_request_ends_the_run() {
        for kind in [Kind::Key, Kind::Quota, Kind::Busy, Kind::Network, Kind::Unfinished] {
            assert!(ends_run(kind), "{kind:?}");
        }
        for kind in [Kind::No, Kind::Usage, Kind::NotFound, Kind::Refused, Kind::Partly, Kind::Internal] {
            assert!(!ends_run(kind), "{kind:?}");
        }
    }

    #[test]
    fn the_failure_that_ended_the_run_decides_the_exit_code_and_is_printed_once() {
        let (failure, printed) = end(1, &[Kind::Interrupted, Kind::Refused], Some(Kind::Interrupted));
        assert_eq!(failure.unwrap().kind, Kind::Interrupted);
        assert_eq!(printed, ["refused"]);
    }

    #[test]
    fn a_resume_hint_quotes_words_and_has_the_flag_before_the_texts() {
        let command = |line: &str| {
            let words = shlex::split(line).unwrap();
            changed_command(&words.iter().map(String::as_str).collect::<Vec<_>>(), "--resume", "--force")
        };
        assert_eq!(
            command("-p 'my work' translate --to de -i 'a b' -o '{stem}.{lang}{ext}' --force"),
            "tulk -p 'my work' translate --to de -i 'a b' -o '{stem}.{lang}{ext}' --resume"
        );
        assert_eq!(command("translate -o x -- --force"), "tulk translate -o x --resume -- --force");
        assert_eq!(command("translate --resume -o x"), "tulk translate -o x --resume");
    }
}
