//! `tulk sync --check`: lists incomplete or broken texts without a server.

use std::mem::ManuallyDrop;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::numbers::counted;
use tulk_sync::journal::Journal;
use tulk_sync::plan::{Finding, PlanRequest, PlannedTarget, SyncPlan};
use tulk_sync::state::UnitState;

use super::result;
use super::rows::rows_with_raw;
use super::run::SyncRunArgs;
use super::select::{LoadedProject, SelectArgs};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{Annotation, AnnotationLevel, Column, EmptyNote, Row};

pub fn run(ctx: &Context, args: &SyncRunArgs) -> Result<(), anyhow::Error> {
    let format = ctx.out.settings().format_or(OutputFormat::Auto);
    ctx.out.settings().check_columns(format)?;
    // The process exits soon, so freeing large data would only take time.
    let loaded = ManuallyDrop::new(LoadedProject::read(ctx, &args.select)?);
    let langs = loaded.langs(&args.select, false)?;
    let (mut selection, keys) = loaded.selection(&args.select, langs, |_| false)?;
    selection.reports_all_states = true;
    let journal = Journal::open_read_only(loaded.project.root.real());
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
    let is_for_people = ctx.out.settings().stdout_is_terminal && ctx.out.settings().format() == OutputFormat::Table;
    if format == OutputFormat::Github {
        let files = plan.unreadable.iter().map(|failure| unreadable_annotation(&loaded, failure));
        let absent = absent_targets(&plan).map(|target| absent_annotation(&loaded, target));
        let texts = found.iter().filter(|found| !found.is_of_absent_target);
        let texts = texts.map(|found| annotation(&loaded, found.lang, found.finding));
        ctx.out.annotations(&files.chain(absent).chain(texts).collect::<Vec<Annotation>>())?;
    } else if is_for_people {
        let absent = absent_targets(&plan).map(|target| FindingRow::absent(&loaded, target));
        let texts = found.iter().filter(|found| !found.is_of_absent_target);
        let texts = texts.map(|found| FindingRow::new(found.finding, found.lang));
        ctx.out.list(&rows_with_raw(absent.chain(texts).collect())?)?;
    } else {
        let rows = found.iter().map(|found| FindingRow::new(found.finding, found.lang)).collect();
        ctx.out.list(&rows_with_raw(rows)?)?;
    }
    if let [first, others @ ..] = plan.unreadable.as_slice() {
        for failure in others {
            ctx.out.item_error(&ErrorReport::new(&failure.clone().into()));
        }
        return Err(first.clone().into());
    }
    summary(ctx, &found, loaded.lock.exists, &args.select)
}

fn summary(ctx: &Context, found: &[TargetFinding], has_lock: bool, select: &SelectArgs) -> Result<(), anyhow::Error> {
    let broken: Vec<bool> =
        found.iter().map(|f| f.finding).filter(|f| f.state == UnitState::Broken).map(|f| f.can_overwrite).collect();
    let mut parts = Vec::new();
    match found.len() - broken.len() {
        0 => {}
        1 => parts.push("1 text is not up to date".to_owned()),
        count => parts.push(format!("{} are not up to date", counted(count, "text"))),
    }
    if !broken.is_empty() {
        parts.push(result::broken_texts(broken.len() as u64));
    }
    if !has_lock {
        parts.push("tulk.lock is missing".to_owned());
    }
    if parts.is_empty() {
        ctx.out.print_empty_note(&EmptyNote::new("Everything is up to date."));
        return Ok(());
    }
    let failure = Failure::new(Kind::No, parts.join(", "));
    let is_by_person = broken.contains(&false);
    Err(match has_lock {
        _ if is_by_person => failure.hint(result::broken_hint(select)),
        true => failure,
        false => failure.hint("run `tulk sync` and commit tulk.lock"),
    }
    .into())
}

struct TargetFinding<'a> {
    lang: &'a str,
    finding: &'a Finding,
    /// Whether the target file does not exist and has several findings. People then see one line for the file instead.
    is_of_absent_target: bool,
}

/// Returns the targets that do not exist and have several missing texts.
fn absent_targets(plan: &SyncPlan) -> impl Iterator<Item = &PlannedTarget> {
    plan.targets.iter().filter(|target| is_absent(target))
}

fn is_absent(target: &PlannedTarget) -> bool {
    !target.exists && target.moved.is_empty() && target.findings.len() > 1
}

/// Sorts the findings by file, line and key within each target.
fn findings<'a>(loaded: &'a LoadedProject, plan: &'a SyncPlan, is_strict: bool) -> Vec<TargetFinding<'a>> {
    let counts = |state: UnitState| match state {
        UnitState::Missing | UnitState::Stale | UnitState::Review | UnitState::Failed | UnitState::Broken => true,
        UnitState::Extra | UnitState::Same => is_strict,
        UnitState::Edited | UnitState::Current => false,
    };
    let mut found = Vec::new();
    for target in &plan.targets {
        let lang = loaded.lang(target);
        let start = found.len();
        let is_of_absent_target = is_absent(target);
        let own = target.findings.iter().filter(|finding| counts(finding.state));
        found.extend(own.map(|finding| TargetFinding { lang, finding, is_of_absent_target }));
        if let Some(own) = found.get_mut(start..) {
            own.sort_by_key(|TargetFinding { finding, .. }| (&finding.at.source, finding.at.line, &finding.key));
        }
    }
    found
}

fn unreadable_annotation(loaded: &LoadedProject, failure: &Failure) -> Annotation {
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
    let serious = matches!(finding.state, UnitState::Failed | UnitState::Broken | UnitState::Missing);
    Annotation {
        level: if serious { AnnotationLevel::Error } else { AnnotationLevel::Warning },
        file: Some(loaded.project.root.path.join(PathBuf::from(&*finding.at.source))),
        line: u32::try_from(finding.at.line).ok(),
        column: None,
        title: format!("{} ({lang})", finding.state.name()),
        message: format!("{}: {}", finding.key, finding.message),
    }
}

/// Annotates the source file, because the target file does not exist.
fn absent_annotation(loaded: &LoadedProject, target: &PlannedTarget) -> Annotation {
    let row = FindingRow::absent(loaded, target);
    Annotation {
        level: AnnotationLevel::Error,
        file: loaded.files.get(target.file).map(|file| loaded.project.root.path.join(&file.lock_name)),
        line: None,
        column: None,
        title: format!("{} ({})", row.state, row.target_lang),
        message: format!("{}: {}", row.path, row.message),
    }
}

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct FindingRow {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    key: String,
    target_lang: String,
    state: String,
    message: String,
}

impl FindingRow {
    pub fn new(finding: &Finding, lang: &str) -> Self {
        Self {
            path: finding.at.source.to_string(),
            line: Some(finding.at.line),
            key: finding.key.to_string(),
            target_lang: lang.to_owned(),
            state: finding.state.name().to_owned(),
            message: finding.message.clone(),
        }
    }
}

impl FindingRow {
    fn absent(loaded: &LoadedProject, target: &PlannedTarget) -> Self {
        let texts = target.findings.len();
        Self {
            path: target.path.display().to_string(),
            line: None,
            key: String::new(),
            target_lang: loaded.lang(target).to_owned(),
            state: UnitState::Missing.name().to_owned(),
            message: format!("the file does not exist: {} are missing", counted(texts, "text")),
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
