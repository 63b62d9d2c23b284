//! Messages of a run: the plan, what was done, what failed, and the exit code.

use std::collections::HashSet;
use std::time::Duration;

use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::numbers::{counted, grouped};
use tulk_base::shell;
use tulk_sync::plan::{Finding, PlannedTarget, SyncPlan};
use tulk_sync::run::{FailedUnit, RowState, SyncOutcome, SyncRows, SyncRun};
use tulk_sync::state::UnitState;

use super::rows::{PlanRow, SKIPPED, rows_with_raw};
use super::select::SelectArgs;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::TaskName;
use crate::reports::plan::{SHOWN_ROWS, show_more};
use crate::runs::report::repeated_command;
use crate::runs::summary::RunSummary;

/// Says so if there is nothing to do, and prints which texts a run leaves alone. `broken_by_people` counts human
/// translations that break a rule.
pub fn describe(ctx: &Context, rows: &SyncRows, plan: &SyncPlan, broken_by_people: u64) {
    if rows.0.iter().all(|((_, _, state), row)| row.units == 0 || *state == RowState::Skipped) {
        let states = [UnitState::Failed, UnitState::Review, UnitState::Broken, UnitState::Same, UnitState::Extra];
        let is_noticeable = |state| plan.targets.iter().any(|target| target.counts.of(state) > 0);
        let is_complete = plan.unreadable.is_empty() && !states.into_iter().any(is_noticeable);
        ctx.out.status(if is_complete { "everything is up to date" } else { "nothing to translate" });
    }
    // Without --no-check, broken texts are reported as errors at the end.
    report_states(ctx, plan, if ctx.args.no_check { broken_by_people } else { 0 });
}

/// Prints the plan to stderr, before the confirmation.
pub fn show_plan(ctx: &Context, rows: &[PlanRow]) {
    let width = rows.iter().map(|row| row.file.chars().count()).max().unwrap_or(0);
    for PlanRow { file, target_lang, state, units, characters, requests } in rows.iter().take(SHOWN_ROWS) {
        let cost = match (characters, requests) {
            (0, 0) => String::new(),
            (_, 0) => format!(", {}", counted(characters, "character")),
            _ => format!(", {} in {}", counted(characters, "character"), counted(requests, "request")),
        };
        let texts = counted(units, &format!("{state} text"));
        ctx.out.status(&format!("{file:width$}  {target_lang}  {texts}{cost}"));
    }
    show_more(ctx, rows.len());
}

/// Does nothing unless final lines are printed.
fn show_ends(ctx: &Context, rows: &[PlanRow], planned: &[PlanRow], outcome: &SyncOutcome) {
    let targets = rows.chunk_by(|a, b| (&a.file, &a.target_lang) == (&b.file, &b.target_lang));
    let ends = targets.filter_map(|rows| {
        let first = rows.first().filter(|_| rows.iter().any(|row| row.state != SKIPPED))?;
        Some((ctx.out.progress(TaskName::with_target(&first.file, &first.target_lang)), first, rows))
    });
    for (task, PlanRow { file, target_lang, .. }, rows) in ends.collect::<Vec<_>>() {
        let is_here = |unit: &&FailedUnit| unit.lang == *target_lang && unit.at.source.ends_with(file.as_str());
        let is_same = |row: &&PlanRow| row.file == *file && row.target_lang == *target_lang && row.state != SKIPPED;
        let texts = |rows: &[PlanRow]| rows.iter().filter(is_same).map(|row| row.units).sum::<u64>();
        let failed = outcome.failed.iter().filter(is_here).count() as u64;
        let open = if outcome.ended_by.is_some() { texts(planned).saturating_sub(texts(rows)) } else { 0 };
        match failed + open {
            0 => task.succeeded(&in_words(rows)),
            left => {
                let all = texts(planned).max(texts(rows));
                let what = format!("{} of {} not translated", grouped(left), counted(all, "text"));
                task.failed(&ErrorReport::new(&Failure::new(Kind::Refused, what).into()));
            }
        }
    }
}

/// Formats the result of a target, such as `12 new, 3 updated, 150 characters`.
fn in_words(rows: &[PlanRow]) -> String {
    let done = rows.iter().filter(|row| row.units > 0 && row.state != SKIPPED);
    let mut parts: Vec<String> = done.map(|row| format!("{} {}", grouped(row.units), done_word(&row.state))).collect();
    let characters: u64 = rows.iter().map(|row| row.characters).sum();
    if characters > 0 {
        parts.push(counted(characters, "character"));
    }
    parts.join(", ")
}

/// `state` is the state before the run, or `pruned` or `moved`.
fn done_word(state: &str) -> &str {
    match state {
        "missing" => "new",
        "stale" => "updated",
        "pruned" => "removed",
        "moved" => "moved",
        _ => "translated again",
    }
}

/// Reports the texts that a run leaves alone, and why texts are stale.
pub fn report_states(ctx: &Context, plan: &SyncPlan, broken_by_people: u64) {
    let count = |state| match state {
        UnitState::Broken => broken_by_people,
        _ => plan.targets.iter().map(|target| count_after_moves(target, state)).sum::<u64>(),
    };
    let by_note: u64 = plan.targets.iter().map(|target| target.stale_by_note).sum();
    let stale = count(UnitState::Stale);
    if by_note > 0 {
        ctx.out.status(&format!(
            "stale: {} because of a new text, {} because of a new note",
            grouped(stale - by_note),
            grouped(by_note)
        ));
    }
    let states = [
        (UnitState::Failed, ["has failed before (--retranslate failed)", "have failed before (--retranslate failed)"]),
        (UnitState::Review, ["needs review", "need review"]),
        (UnitState::Broken, ["is broken (--retranslate broken)", "are broken (--retranslate broken)"]),
        (UnitState::Same, ["equals its source (--retranslate same)", "equal their source (--retranslate same)"]),
        (UnitState::Extra, ["has no source (--prune)", "have no source (--prune)"]),
    ];
    let mut parts = Vec::new();
    for (state, [one, several]) in states {
        let units = count(state);
        let texts = if parts.is_empty() { counted(units, "text") } else { grouped(units) };
        if units > 0 {
            parts.push(format!("{texts} {}", if units == 1 { one } else { several }));
        }
    }
    if !parts.is_empty() {
        let has_more = count(UnitState::Review) + broken_by_people > 0;
        let more = if has_more { "; see `tulk sync --check`" } else { "" };
        ctx.out.status(&format!("note: {}{more}", parts.join(", ")));
    }
}

/// Counts texts after renamed ones have been moved.
fn count_after_moves(target: &PlannedTarget, state: UnitState) -> u64 {
    let moved = if state == UnitState::Review { target.moved_outdated } else { 0 };
    target.counts.of(state) + moved
}

/// Warns about texts that are too large to send, once for all languages.
pub fn warn_too_large(ctx: &Context, failures: &[Failure]) {
    let mut named = HashSet::new();
    for failure in failures.iter().filter(|failure| named.insert(failure.at.as_ref().map(ToString::to_string))) {
        ctx.out.warn(&format!("{failure}; it is not sent"));
    }
}

pub fn check_readable(ctx: &Context, plan: &SyncPlan) -> Result<(), Failure> {
    match plan.unreadable.as_slice() {
        [only] if plan.readable == 0 => Err(only.clone()),
        [_, ..] if plan.readable == 0 => {
            print(ctx, &plan.unreadable);
            // A failure caused by a limit of this machine is not a mistake in the files, so it sets the exit code.
            let limit = plan.unreadable.iter().find(|failure| failure.kind == Kind::Internal);
            let kind = limit.map_or(Kind::Usage, |failure| failure.kind);
            let what = format!("none of the {} files can be read", grouped(plan.unreadable.len()));
            Err(Failure::new(kind, what).maybe_hint(limit.and_then(|failure| failure.hint.clone())))
        }
        _ => Ok(()),
    }
}

/// Prints rows. On a terminal, prints no empty table, because a message already explains the result.
pub fn show_rows(ctx: &Context, rows: Vec<PlanRow>) -> Result<(), Failure> {
    let is_for_people = ctx.out.settings().stdout_is_terminal && ctx.out.settings().format() == OutputFormat::Table;
    if rows.is_empty() && is_for_people { Ok(()) } else { ctx.out.list(&rows_with_raw(rows)?) }
}

/// Returns the rows of the result: what was done, with the characters and requests sent, plus the rows skipped in the
/// plan.
fn result_rows(planned: &SyncRows, outcome: &SyncOutcome) -> SyncRows {
    let mut rows = outcome.rows.clone();
    for (place, sent) in &outcome.sent.0 {
        let (file, lang, _) = *place;
        let failed = (file, lang, RowState::Unit(UnitState::Failed));
        let is_failed = !outcome.rows.0.contains_key(place) && outcome.rows.0.contains_key(&failed);
        let row = rows.row(if is_failed { failed } else { *place });
        row.characters += sent.characters;
        row.requests += sent.requests;
    }
    for ((file, lang, state), plan) in planned.0.iter().filter(|((_, _, state), _)| *state == RowState::Skipped) {
        rows.row((*file, *lang, *state)).units = plan.units;
    }
    rows
}

/// Prints failures of files. Fails with exit code 9 if there are any.
pub fn report_unreadable(ctx: &Context, failures: &[Failure]) -> Result<(), Failure> {
    print(ctx, failures);
    match failures.len() {
        0 => Ok(()),
        1 => Err(Failure::new(Kind::Partly, "1 file was left out")),
        count => Err(Failure::new(Kind::Partly, format!("{} were left out", counted(count, "file")))),
    }
}

fn print(ctx: &Context, failures: &[Failure]) {
    for failure in failures {
        ctx.out.item_error(&ErrorReport::new(&failure.clone().into()));
    }
}

/// Fails if something was not done, or if a human translation breaks a rule.
pub fn finish(
    ctx: &Context,
    sync: &SyncRun,
    planned: &SyncRows,
    (broken_by_people, select): (u64, &SelectArgs),
    mut outcome: SyncOutcome,
    took: Duration,
) -> Result<(), Failure> {
    let plan = &sync.plan;
    let rows = result_rows(planned, &outcome);
    let rows = PlanRow::all(&sync.project, &sync.files, &rows);
    if ctx.out.prints_final_lines() {
        let planned = PlanRow::all(&sync.project, &sync.files, planned);
        show_ends(ctx, &rows, &planned, &outcome);
    }
    if !ctx.out.final_lines_show_all() {
        show_rows(ctx, rows.clone())?;
    }
    summary(&rows, &outcome, took).print(ctx);
    for unit in &outcome.kept {
        ctx.out.warn(&format!("{}: {} ({}): {}; it was kept", unit.at, unit.key, unit.lang, unit.why));
    }
    // Languages finish in any order, and several may fail for the same reason.
    outcome.failures.sort_by_cached_key(ToString::to_string);
    outcome.failures.dedup_by_key(|failure| failure.to_string());
    outcome.failed.sort_by_cached_key(|unit| (unit.at.source.clone(), unit.at.line, unit.at.column, unit.lang.clone()));
    for FailedUnit { at, key, lang, why } in &outcome.failed {
        let failure = Failure::new(Kind::Refused, format!("{key} ({lang}): {why}")).at(at.clone());
        ctx.out.item_error(&ErrorReport::new(&failure.into()));
    }
    if let Some(failure) = outcome.ended_by {
        print(ctx, &plan.unreadable);
        print(ctx, &outcome.failures);
        return Err(if failure.kind.is_stop() {
            with_written(ctx, failure, outcome.written, sync.is_pseudo)
        } else {
            failure
        });
    }
    let failures: Vec<Failure> = plan.unreadable.iter().chain(&outcome.failures).cloned().collect();
    if outcome.written == 0 && outcome.failed.is_empty() && plan.unreadable.is_empty() && outcome.failures.len() == 1 {
        // Report a single failure directly if nothing else happened.
        return Err(failures.into_iter().next().unwrap_or_else(|| Failure::internal("no failure")));
    }
    print(ctx, &failures);
    let failed = outcome.failed.len();
    let broken_by_people = if ctx.args.no_check { 0 } else { broken_by_people };
    if failed == 0 && failures.is_empty() && broken_by_people == 0 {
        return Ok(());
    }
    let mut parts = Vec::new();
    if failed > 0 {
        let verb = if failed == 1 { "was" } else { "were" };
        parts.push(format!("{} {verb} not translated", counted(failed, "text")));
    }
    if !failures.is_empty() {
        let count = failures.len();
        parts.push(format!(
            "{} {}",
            grouped(count),
            if count == 1 { "file or language failed" } else { "files or languages failed" }
        ));
    }
    if broken_by_people > 0 {
        print_broken(ctx, sync);
        parts.push(broken_texts(broken_by_people));
    }
    let kind = match outcome.failures.first() {
        _ if failed == 0 && failures.is_empty() => Kind::Partly,
        _ if outcome.written > 0 || !plan.unreadable.is_empty() => Kind::Partly,
        Some(first) if failed == 0 => first.kind,
        _ => Kind::Refused,
    };
    let failure = Failure::new(kind, parts.join(", "));
    Err(if broken_by_people > 0 { failure.hint(broken_hint(select)) } else { failure })
}

/// Adds to the failure of a stopped run what was kept, and the command that continues.
fn with_written(ctx: &Context, mut failure: Failure, written: u64, is_pseudo: bool) -> Failure {
    let verb = if written == 1 { "was" } else { "were" };
    let kept = if is_pseudo { "" } else { ", other results are kept for the next run" };
    failure.what = format!("{}; {} {verb} written{kept}", failure.what, counted(written, "text"));
    failure.maybe_hint(repeated_command(ctx.words()).map(|command| format!("continue with `{command}`")))
}

fn summary(rows: &[PlanRow], outcome: &SyncOutcome, took: Duration) -> RunSummary {
    let cached = outcome.reports.iter().filter_map(|report| report.cached).sum();
    RunSummary { texts: outcome.written, cached, took, ..planned(rows) }
}

pub fn planned(rows: &[PlanRow]) -> RunSummary {
    let all = || rows.iter().filter(|row| row.units > 0 && row.state != SKIPPED);
    RunSummary {
        files: all().map(|row| &row.file).collect::<HashSet<_>>().len() as u64,
        texts: all().map(|row| row.units).sum(),
        sent: Some(all().map(|row| row.characters).sum()),
        requests: all().map(|row| row.requests).sum(),
        ..RunSummary::default()
    }
}

fn print_broken(ctx: &Context, sync: &SyncRun) {
    for target in &sync.plan.targets {
        let lang = sync.project.settings.langs.get(target.lang).map(|lang| lang.tag.as_str()).unwrap_or_default();
        let is_reported = |finding: &&Finding| finding.state == UnitState::Broken && !finding.can_overwrite;
        for Finding { at, key, message, .. } in target.findings.iter().filter(is_reported) {
            let failure = Failure::new(Kind::Partly, format!("{key} ({lang}): {message}")).at(at.clone());
            ctx.out.item_error(&ErrorReport::new(&failure.into()));
        }
    }
}

pub fn broken_hint(select: &SelectArgs) -> String {
    let selected = select.repeated();
    let words = ["tulk", "sync"].into_iter().chain(selected.iter().map(String::as_str));
    let command = shell::command_line(words.chain(["--retranslate", "broken"]));
    format!("`{command}` replaces broken translations")
}

pub fn broken_texts(count: u64) -> String {
    format!("{} {} broken", counted(count, "text"), if count == 1 { "is" } else { "are" })
}
