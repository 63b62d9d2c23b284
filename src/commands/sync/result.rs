//! What a run says: its plan, what was done, what failed, and the exit code.

use std::collections::HashSet;

use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::shell;
use tulk_sync::plan::{Finding, PlannedTarget, SyncPlan};
use tulk_sync::run::{FailedUnit, RowState, SyncOutcome, SyncRows, SyncRun};
use tulk_sync::state::UnitState;

use super::rows::{PlanRow, listed};
use super::select::SelectArgs;
use crate::config::OutputFormat;
use crate::context::Context;

/// Maximum number of rows of a plan that are printed before it is carried out. A dry run prints all.
const PLAN_ROWS: usize = 40;

/// Prints the plan to stderr. `invalid` units of people break a rule and stay as they are.
pub fn show_plan(ctx: &Context, rows: &[PlanRow], plan: &SyncPlan, invalid: u64) {
    let sent: Vec<&PlanRow> = rows.iter().filter(|row| row.units > 0 && row.state != "skipped").collect();
    if sent.is_empty() {
        let states = [UnitState::Failed, UnitState::Review, UnitState::Invalid, UnitState::Same, UnitState::Extra];
        let is_noticeable = |state| plan.targets.iter().any(|target| target.counts.of(state) > 0);
        let is_complete = plan.broken.is_empty() && !states.into_iter().any(is_noticeable);
        ctx.out.status(if is_complete { "everything is up to date" } else { "nothing to translate" });
    }
    let width = sent.iter().map(|row| row.file.chars().count()).max().unwrap_or(0);
    for row in sent.iter().take(PLAN_ROWS) {
        let PlanRow { file, target_lang, state, units, characters, requests } = row;
        let noun = if *units == 1 { "unit" } else { "units" };
        let cost = match (characters, requests) {
            (0, 0) => String::new(),
            (_, 0) => format!(", {characters} characters"),
            (_, 1) => format!(", {characters} characters in 1 request"),
            _ => format!(", {characters} characters in {requests} requests"),
        };
        ctx.out.status(&format!("{file:width$}  {target_lang}  {units} {state} {noun}{cost}"));
    }
    if let Some(more) = sent.len().checked_sub(PLAN_ROWS).filter(|more| *more > 0) {
        ctx.out.status(&format!("and {more} more; `tulk sync --dry-run` shows all"));
    }
    // Those are errors at the end.
    report_states(ctx, plan, if ctx.args.no_check { invalid } else { 0 });
}

/// Says what a run does nothing about, and why units are stale.
pub fn report_states(ctx: &Context, plan: &SyncPlan, invalid: u64) {
    let count = |state| match state {
        UnitState::Invalid => invalid,
        _ => plan.targets.iter().map(|target| count_after(target, state)).sum::<u64>(),
    };
    let by_note: u64 = plan.targets.iter().map(|target| target.stale_by_note).sum();
    let stale = count(UnitState::Stale);
    if stale > 0 {
        ctx.out.status(&format!("stale: {} by their text, {by_note} by their note", stale - by_note));
    }
    let states = [
        (UnitState::Failed, ["has failed before (--retranslate failed)", "have failed before (--retranslate failed)"]),
        (UnitState::Review, ["needs review", "need review"]),
        (UnitState::Invalid, ["is broken (--retranslate broken)", "are broken (--retranslate broken)"]),
        (UnitState::Same, ["equals its source (--retranslate same)", "equal their source (--retranslate same)"]),
        (UnitState::Extra, ["has no source (--prune)", "have no source (--prune)"]),
    ];
    let mut parts = Vec::new();
    for (state, [one, several]) in states {
        let units = count(state);
        let noun = match (parts.is_empty(), units) {
            (false, _) => "",
            (true, 1) => " unit",
            (true, _) => " units",
        };
        if units > 0 {
            parts.push(format!("{units}{noun} {}", if units == 1 { one } else { several }));
        }
    }
    if !parts.is_empty() {
        let has_more = count(UnitState::Review) + invalid > 0;
        let more = if has_more { "; see `tulk sync --check`" } else { "" };
        ctx.out.status(&format!("note: {}{more}", parts.join(", ")));
    }
}

/// Returns the number of units in a state once the renamed ones have moved.
fn count_after(target: &PlannedTarget, state: UnitState) -> u64 {
    let moved = if state == UnitState::Review { target.moved_outdated } else { 0 };
    target.counts.of(state) + moved
}

/// Warns of texts that a run will not send, once for all languages.
pub fn warn_too_large(ctx: &Context, failures: &[Failure]) {
    let mut named = HashSet::new();
    for failure in failures.iter().filter(|failure| named.insert(failure.at.as_ref().map(ToString::to_string))) {
        ctx.out.warn(&format!("{failure}; it is not sent"));
    }
}

/// Fails if there are files and none of them could be read.
pub fn check_readable(ctx: &Context, plan: &SyncPlan) -> Result<(), Failure> {
    match plan.broken.as_slice() {
        [only] if plan.readable == 0 => Err(only.clone()),
        [_, ..] if plan.readable == 0 => {
            print(ctx, &plan.broken);
            Err(Failure::usage(format!("none of the {} files can be read", plan.broken.len())))
        }
        _ => Ok(()),
    }
}

/// Prints rows. A terminal shows no table without rows: a message says what that means.
pub fn show_rows(ctx: &Context, rows: Vec<PlanRow>) -> Result<(), Failure> {
    let is_for_people = ctx.out.settings().stdout_is_terminal && ctx.out.settings().format() == OutputFormat::Table;
    if rows.is_empty() && is_for_people { Ok(()) } else { ctx.out.list(&listed(rows)?) }
}

/// Returns the rows of a result: what was done, with the characters and requests that were sent. What the plan skips stays.
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
pub fn broken(ctx: &Context, failures: &[Failure]) -> Result<(), Failure> {
    print(ctx, failures);
    match failures.len() {
        0 => Ok(()),
        1 => Err(Failure::new(Kind::Partly, "1 file was left out")),
        count => Err(Failure::new(Kind::Partly, format!("{count} files were left out"))),
    }
}

fn print(ctx: &Context, failures: &[Failure]) {
    for failure in failures {
        ctx.out.item_error(&ErrorReport::new(&failure.clone().into()));
    }
}

/// Prints what was done. Fails if anything was not, or if `invalid` units of people break a rule. `planned` is what the plan had.
pub fn finish(
    ctx: &Context,
    sync: &SyncRun,
    planned: &SyncRows,
    (invalid, select): (u64, &SelectArgs),
    mut outcome: SyncOutcome,
) -> Result<(), Failure> {
    let plan = &sync.plan;
    let rows = result_rows(planned, &outcome);
    show_rows(ctx, PlanRow::all(&sync.project, &sync.files, &rows))?;
    for unit in &outcome.kept {
        ctx.out.warn(&format!("{}: {} ({}): {}; it was kept", unit.at, unit.key, unit.lang, unit.why));
    }
    // Languages end in any order, and several may fail for one reason.
    outcome.broken.sort_by_cached_key(ToString::to_string);
    outcome.broken.dedup_by_key(|failure| failure.to_string());
    outcome.failed.sort_by_cached_key(|unit| (unit.at.source.clone(), unit.at.line, unit.at.column, unit.lang.clone()));
    for FailedUnit { at, key, lang, why } in &outcome.failed {
        let failure = Failure::new(Kind::Refused, format!("{key} ({lang}): {why}")).at(at.clone());
        ctx.out.item_error(&ErrorReport::new(&failure.into()));
    }
    if let Some(failure) = outcome.ended_by {
        print(ctx, &plan.broken);
        print(ctx, &outcome.broken);
        return Err(failure);
    }
    let failures: Vec<Failure> = plan.broken.iter().chain(&outcome.broken).cloned().collect();
    if outcome.written == 0 && outcome.failed.is_empty() && plan.broken.is_empty() && outcome.broken.len() == 1 {
        // Nothing else happened.
        return Err(failures.into_iter().next().unwrap_or_else(|| Failure::internal("no failure")));
    }
    print(ctx, &failures);
    let failed = outcome.failed.len();
    let invalid = if ctx.args.no_check { 0 } else { invalid };
    if failed == 0 && failures.is_empty() && invalid == 0 {
        return Ok(());
    }
    let mut parts = Vec::new();
    if failed > 0 {
        parts.push(format!("{failed} {} not translated", if failed == 1 { "unit was" } else { "units were" }));
    }
    if !failures.is_empty() {
        let count = failures.len();
        parts.push(format!(
            "{count} {}",
            if count == 1 { "file or language failed" } else { "files or languages failed" }
        ));
    }
    if invalid > 0 {
        print_invalid(ctx, sync);
        parts.push(invalid_units(invalid));
    }
    let kind = match outcome.broken.first() {
        _ if failed == 0 && failures.is_empty() => Kind::Partly,
        _ if outcome.written > 0 || !plan.broken.is_empty() => Kind::Partly,
        Some(first) if failed == 0 => first.kind,
        _ => Kind::Refused,
    };
    let failure = Failure::new(kind, parts.join(", "));
    Err(if invalid > 0 { failure.hint(invalid_hint(select)) } else { failure })
}

/// Prints what is wrong with translations by people.
fn print_invalid(ctx: &Context, sync: &SyncRun) {
    for target in &sync.plan.targets {
        let lang = sync.project.settings.langs.get(target.lang).map(|lang| lang.tag.as_str()).unwrap_or_default();
        let is_reported = |finding: &&Finding| finding.state == UnitState::Invalid && !finding.is_own;
        for Finding { at, key, message, .. } in target.findings.iter().filter(is_reported) {
            let failure = Failure::new(Kind::Partly, format!("{key} ({lang}): {message}")).at(at.clone());
            ctx.out.item_error(&ErrorReport::new(&failure.into()));
        }
    }
}

/// Returns how to go on with translations by people that break a rule.
pub fn invalid_hint(select: &SelectArgs) -> String {
    let selected = select.repeated();
    let words = ["tulk", "sync"].into_iter().chain(selected.iter().map(String::as_str));
    let command = shell::command_line(words.chain(["--retranslate", "broken"]));
    format!("`{command}` replaces broken translations")
}

/// Returns how many units are broken, in words.
pub fn invalid_units(count: u64) -> String {
    format!("{count} {} broken", if count == 1 { "text is" } else { "texts are" })
}
