//! `tulk sync --check`: lists what is not complete, without a server.

use std::mem::ManuallyDrop;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_sync::journal::Journal;
use tulk_sync::plan::{Finding, PlanRequest, SyncPlan};
use tulk_sync::state::UnitState;

use super::result;
use super::rows::listed;
use super::run::SyncRunArgs;
use super::select::{LoadedProject, SelectArgs};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{Annotation, AnnotationLevel, Column, EmptyNote, Row};

/// Lists the units that have to be looked at. Fails with `Kind::No` if there are any.
pub fn run(ctx: &Context, args: &SyncRunArgs) -> Result<(), anyhow::Error> {
    let format = ctx.out.settings().format_or(OutputFormat::Auto);
    ctx.out.settings().check_columns(format)?;
    // The process ends soon: what is large is not freed piece by piece.
    let loaded = ManuallyDrop::new(LoadedProject::read(ctx, &args.select)?);
    let langs = loaded.langs(&args.select, false)?;
    let (mut selection, keys) = loaded.selection(&args.select, langs, |_| false)?;
    selection.finds = true;
    let journal = Journal::peek(loaded.project.root.real());
    let request = PlanRequest {
        project: &loaded.project,
        files: &loaded.files,
        lock: &loaded.lock,
        journal: journal.as_ref(),
        selection: &selection,
    };
    let plan = ManuallyDrop::new(SyncPlan::new(request));
    for warning in &plan.warnings {
        ctx.out.warn(warning);
    }
    keys.check(&plan)?;
    let found = findings(&loaded, &plan, args.strict);
    if format == OutputFormat::Github {
        let broken = plan.broken.iter().map(|failure| unreadable(&loaded, failure));
        let units = found.iter().map(|(lang, finding)| annotation(&loaded, lang, finding));
        ctx.out.annotations(&broken.chain(units).collect::<Vec<Annotation>>())?;
    } else {
        let rows = found.iter().map(|(lang, finding)| FindingRow::new(finding, lang)).collect();
        ctx.out.list(&listed(rows)?)?;
    }
    if let [first, others @ ..] = plan.broken.as_slice() {
        for failure in others {
            ctx.out.item_error(&ErrorReport::new(&failure.clone().into()));
        }
        return Err(first.clone().into());
    }
    if !loaded.lock.exists {
        let failure = Failure::new(Kind::No, "there is no tulk.lock");
        return Err(failure.hint("run tulk sync and commit tulk.lock").into());
    }
    summary(ctx, &found, &args.select)
}

/// Fails with the number of findings.
fn summary(ctx: &Context, found: &[(&str, &Finding)], select: &SelectArgs) -> Result<(), anyhow::Error> {
    let invalid: Vec<bool> =
        found.iter().filter(|(_, finding)| finding.state == UnitState::Invalid).map(|(_, f)| f.is_own).collect();
    let mut parts = Vec::new();
    match found.len() - invalid.len() {
        0 => {}
        1 => parts.push("1 unit is not up to date".to_owned()),
        count => parts.push(format!("{count} units are not up to date")),
    }
    if !invalid.is_empty() {
        parts.push(result::invalid_units(invalid.len() as u64));
    }
    if parts.is_empty() {
        ctx.out.empty(&EmptyNote::new("Everything is up to date."));
        return Ok(());
    }
    let failure = Failure::new(Kind::No, parts.join(", "));
    let is_by_person = invalid.contains(&false);
    Err(if is_by_person { failure.hint(result::invalid_hint(select)) } else { failure }.into())
}

/// Returns the findings with their languages, by file and line.
fn findings<'a>(loaded: &'a LoadedProject, plan: &'a SyncPlan, is_strict: bool) -> Vec<(&'a str, &'a Finding)> {
    let counts = |state: UnitState| match state {
        UnitState::Missing | UnitState::Stale | UnitState::Review | UnitState::Failed | UnitState::Invalid => true,
        UnitState::Extra | UnitState::Same => is_strict,
        UnitState::Edited | UnitState::Current => false,
    };
    let mut found = Vec::new();
    for target in &plan.targets {
        let lang = loaded.project.settings.langs.get(target.lang).map(|lang| lang.tag.as_str()).unwrap_or_default();
        let start = found.len();
        found.extend(target.findings.iter().filter(|finding| counts(finding.state)).map(|finding| (lang, finding)));
        if let Some(own) = found.get_mut(start..) {
            own.sort_by(|(_, a), (_, b)| (&a.at.source, a.at.line, &a.key).cmp(&(&b.at.source, b.at.line, &b.key)));
        }
    }
    found
}

/// Returns the annotation of a file that cannot be read.
fn unreadable(loaded: &LoadedProject, failure: &Failure) -> Annotation {
    let at = failure.at.as_ref();
    let number = |number: u64| u32::try_from(number).ok().filter(|number| *number > 0);
    Annotation {
        level: AnnotationLevel::Error,
        file: at.map(|at| loaded.project.root.path.join(PathBuf::from(&*at.source))),
        line: at.and_then(|at| number(at.line)),
        column: at.and_then(|at| number(at.column)),
        title: "unreadable".to_owned(),
        message: failure.what.clone(),
    }
}

fn annotation(loaded: &LoadedProject, lang: &str, finding: &Finding) -> Annotation {
    let serious = matches!(finding.state, UnitState::Failed | UnitState::Invalid | UnitState::Missing);
    Annotation {
        level: if serious { AnnotationLevel::Error } else { AnnotationLevel::Warning },
        file: Some(loaded.project.root.path.join(PathBuf::from(&*finding.at.source))),
        line: u32::try_from(finding.at.line).ok(),
        column: None,
        title: format!("{} ({lang})", finding.state.name()),
        message: format!("{}: {}", finding.key, finding.message),
    }
}

/// A unit that has to be looked at.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct FindingRow {
    path: String,
    line: u64,
    key: String,
    target_lang: String,
    state: String,
    message: String,
}

impl FindingRow {
    /// Returns the row of a finding.
    pub fn new(finding: &Finding, lang: &str) -> Self {
        Self {
            path: finding.at.source.to_string(),
            line: finding.at.line,
            key: finding.key.to_string(),
            target_lang: lang.to_owned(),
            state: finding.state.name().to_owned(),
            message: finding.message.clone(),
        }
    }
}

impl Row for FindingRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("path").rank(0),
        Column::number("line").rank(0),
        Column::text("key").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::text("state").rank(0),
        Column::text("message").minimum(30),
    ];
}
