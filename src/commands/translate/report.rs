//! How a translation ends: what stands, what failed, what to run to go on, the counts of `--stats`.

use std::time::Duration;

use super::args::TranslateArgs;
use crate::context::Context;
use crate::error::{Failure, Kind, Report as Shown};
use crate::pipeline::Report;

/// What all passes of a run came to.
#[derive(Debug, Default)]
pub struct Ending {
    entries: u64,
    requests: u64,
    characters: u64,
    billed: Option<u64>,
    repeats: u64,
    retries: u64,
    maybe_billed_twice: u64,
    seconds: Duration,
    /// Targets and inputs that came to their end.
    succeeded: u64,
    failures: Vec<Failure>,
    /// A failure that ends the whole run with its own code.
    ended: Option<Failure>,
    /// Entries passed through as their source.
    passed_through: u64,
}

impl Ending {
    /// An input that could not be begun.
    pub fn input_failed(&mut self, name: &str, mut failure: Failure) {
        if failure.at.is_none() && !failure.what.contains(name) && name != "stdout" {
            failure.what = format!("{name}: {}", failure.what);
        }
        self.failures.push(failure);
    }

    /// Takes in what a pass did; false when nothing more may start.
    pub fn add(&mut self, ctx: &Context, name: &str, report: Report) -> bool {
        self.entries += report.entries;
        self.requests += report.requests;
        self.characters += report.characters;
        self.billed = match (self.billed, report.billed) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0) + b.unwrap_or(0)),
        };
        self.repeats += report.repeats;
        self.retries += report.retries;
        self.maybe_billed_twice += report.maybe_billed_twice;
        self.seconds += report.seconds;
        for failed in report.failed {
            self.passed_through += 1;
            let mut failure = failed.failure.at(failed.origin);
            failure.what = format!("{} (to {}; passed through as it was)", failure.what, failed.target);
            ctx.out.error_aside(&Shown::of(&failure.into()));
        }
        let mut resumable = false;
        let mut stand = Vec::new();
        let several = report.targets.len() > 1;
        for target in report.targets {
            resumable |= target.resumable;
            let Some(mut failure) = target.failure else {
                self.succeeded += u64::from(report.ended.is_none());
                let to = if several { format!(" to {}", target.target) } else { String::new() };
                stand.push(stands(to, target.written, target.unwritten, target.next.as_ref()));
                continue;
            };
            if several || name != "stdout" {
                failure.what = format!("{} to {}: {}", name, target.target, failure.what);
            }
            failure.what = stands(failure.what, target.written, target.unwritten, target.next.as_ref());
            if target.resumable {
                failure.hint = Some(resume_hint(failure.hint.take()));
            }
            self.failures.push(failure);
        }
        let fatal = self
            .failures
            .last()
            .is_some_and(|f| matches!(f.kind, Kind::Key | Kind::Quota | Kind::Busy | Kind::Network));
        if let Some(mut ended) = report.ended {
            if ended.kind != Kind::PipeClosed {
                ended.what.extend(stand);
            }
            if resumable {
                ended.hint = Some(resume_hint(ended.hint.take()));
            }
            self.ended = Some(ended);
            return false;
        }
        !fatal
    }
}

/// What was said, and where the output stands.
fn stands(mut what: String, written: u64, unwritten: u64, next: Option<&crate::error::Origin>) -> String {
    if written > 0 || unwritten > 0 {
        what = format!("{what}; {written} entries are written");
    }
    if let Some(next) = next.filter(|n| n.line > 1) {
        what = format!("{what}, go on at {next}");
    }
    if unwritten > 0 {
        what = format!("{what}, {unwritten} more were answered and could not be written");
    }
    what
}

fn resume_hint(hint: Option<String>) -> String {
    let resume = "run the same command with --resume to go on";
    match hint {
        Some(hint) if hint.contains("--resume") => hint,
        Some(hint) => format!("{hint}; {resume}"),
        None => resume.to_owned(),
    }
}

/// Prints the counts asked for and ends with the right failure.
pub fn finish(ctx: &Context, args: &TranslateArgs, ending: Ending) -> Result<(), Failure> {
    let say = |line: String| if ctx.out.is_json() { ctx.out.log(&line) } else { ctx.out.status(&line) };
    if args.options.show_billed_characters == Some(true)
        && !args.stats
        && !ctx.out.is_json()
        && let Some(billed) = ending.billed
    {
        say(format!("billed characters: {billed}"));
    }
    if args.stats {
        let billed = ending.billed.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
        let mut line = format!(
            "entries {}, requests {}, characters {}, billed {billed}, repeats saved {}, retries {}, seconds {:.1}",
            ending.entries,
            ending.requests,
            ending.characters,
            ending.repeats,
            ending.retries,
            ending.seconds.as_secs_f64()
        );
        if ending.maybe_billed_twice > 0 {
            line = format!("{line}, maybe billed twice {}", ending.maybe_billed_twice);
        }
        say(line);
    }
    let Ending { succeeded, failures, ended, passed_through, .. } = ending;
    if let Some(ended) = ended {
        for failure in failures {
            ctx.out.error_aside(&Shown::of(&failure.into()));
        }
        return Err(ended);
    }
    let count = failures.len();
    if count == 0 && passed_through == 0 {
        return Ok(());
    }
    if count == 0 {
        let noun = if passed_through == 1 { "entry was" } else { "entries were" };
        return Err(Failure::new(
            Kind::Partly,
            format!("{passed_through} {noun} refused and passed through as the source"),
        ));
    }
    if count == 1 && succeeded == 0 {
        return failures.into_iter().next().map_or(Ok(()), Err);
    }
    let first = failures.first().map(|f| f.kind);
    for failure in failures {
        ctx.out.error_aside(&Shown::of(&failure.into()));
    }
    let kind = if succeeded > 0 { Kind::Partly } else { first.unwrap_or(Kind::Partly) };
    Err(Failure::new(kind, format!("{count} of {} results failed", succeeded + count as u64)))
}
