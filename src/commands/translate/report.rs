//! How a translation ends: what stands, what failed, what to run to go on, the counts of `--stats`.

use std::time::Duration;

use super::args::TranslateArgs;
use crate::api::translate::TranslateText;
use crate::context::Context;
use crate::error::{ErrorReport as Shown, Failure, Kind};
use crate::pipeline::{Left, Report, TargetReport};

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

    /// Takes in what a pass did for the targets of these requests; false when nothing more may start.
    pub fn add(&mut self, ctx: &Context, name: &str, requests: &[TranslateText], report: Report) -> bool {
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
            ctx.out.item_error(&Shown::of(&failure.into()));
        }
        let mut left = Left::Nothing;
        let mut stand = Vec::new();
        let several = report.targets.len() > 1;
        for (mut target, request) in report.targets.into_iter().zip(requests) {
            if left == Left::Nothing {
                left = target.left;
            }
            // That the command was stopped is said once.
            let stopped = |failure: &Failure| report.ended.is_some() && failure.kind.is_stop();
            let Some(mut failure) = target.failure.take().filter(|failure| !stopped(failure)) else {
                self.succeeded += u64::from(report.ended.is_none());
                let to = if several { format!("to {} ", target.target) } else { String::new() };
                stand.push(stands(&to, &target));
                continue;
            };
            if failure.hint.is_none() && failure.service.as_ref().is_some_and(|service| service.status == Some(400)) {
                failure.hint = request.hint_when_refused();
            }
            // A place in the input names it already.
            let input = if name == "stdout" || failure.at.is_some() { String::new() } else { format!("{name} ") };
            if several || !input.is_empty() {
                failure.what = format!("{input}to {}: {}", target.target, failure.what);
            }
            failure.what.push_str(&stands("", &target));
            failure.hint = going_on(failure.hint.take(), target.left);
            self.failures.push(failure);
        }
        let fatal = self
            .failures
            .last()
            .is_some_and(|f| matches!(f.kind, Kind::Key | Kind::Quota | Kind::Busy | Kind::Network | Kind::Unfinished));
        if let Some(mut ended) = report.ended {
            if ended.kind != Kind::PipeClosed {
                ended.what.extend(stand);
            }
            ended.hint = going_on(ended.hint.take(), left);
            self.ended = Some(ended);
            return false;
        }
        !fatal
    }
}

/// Where the output for a target stands, to be added to what was said; `to` names the target where there are several.
fn stands(to: &str, target: &TargetReport) -> String {
    let (written, unwritten) = (target.written, target.unwritten);
    let mut parts = Vec::new();
    if written > 0 || unwritten > 0 {
        parts.push(if written == 1 {
            "1 entry is written".to_owned()
        } else {
            format!("{written} entries are written")
        });
    }
    if let Some(next) = target.next.as_ref().filter(|next| next.line > 1) {
        parts.push(format!("go on at {next}"));
    }
    if unwritten > 0 {
        parts.push(format!("{unwritten} more were answered and could not be written"));
    }
    if parts.is_empty() { String::new() } else { format!("; {to}{}", parts.join(", ")) }
}

/// What to do next, and how to go on with what is left of the file.
fn going_on(hint: Option<String>, left: Left) -> Option<String> {
    let next = match left {
        Left::Nothing => return hint,
        Left::Part => "run the same command with --resume to go on",
        Left::Ended => "what came is in the .part file; --force starts anew",
    };
    match hint {
        // It tells already, and may tell otherwise.
        Some(hint) if hint.contains("--force") => Some(hint),
        Some(hint) => Some(format!("{hint}; {next}")),
        None => Some(next.to_owned()),
    }
}

/// Prints the counts asked for and ends with the right failure.
pub fn finish(ctx: &Context, args: &TranslateArgs, ending: Ending) -> Result<(), Failure> {
    let say = |line: String| if ctx.out.settings().is_json() { ctx.out.log(&line) } else { ctx.out.status(&line) };
    if args.options.show_billed_characters == Some(true)
        && !args.stats
        && !ctx.out.settings().is_json()
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
            ctx.out.item_error(&Shown::of(&failure.into()));
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
        ctx.out.item_error(&Shown::of(&failure.into()));
    }
    let kind = if succeeded > 0 { Kind::Partly } else { first.unwrap_or(Kind::Partly) };
    Err(Failure::new(kind, format!("{count} of {} results failed", succeeded + count as u64)))
}
