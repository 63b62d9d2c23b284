//! `tulk sync status`: shows how complete each file is in each language.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tulk_base::json::WithRaw;
use tulk_base::numbers::grouped;
use tulk_sync::journal::Journal;
use tulk_sync::plan::{PlanRequest, PlannedTarget, SyncPlan};
use tulk_sync::project::{Project, ProjectFile};
use tulk_sync::state::UnitState;
use unicode_width::UnicodeWidthStr as _;

use super::result;
use super::rows::rows_with_raw;
use super::select::{LoadedProject, SelectArgs};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Chart, Column, EmptyNote, Gauge, GaugeChart, Row, Table, View};

/// Show how complete each file is in each language
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<StatusRow>())]
#[command(after_help = "tulk sync status\ntulk sync status --to de --json")]
pub struct SyncStatusArgs {
    #[command(flatten)]
    pub select: SelectArgs,
}

impl Run for SyncStatusArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let loaded = LoadedProject::read(ctx, &self.select)?;
        let langs = loaded.langs(&self.select, false)?;
        let (selection, keys) = loaded.selection(&self.select, langs, |_| false)?;
        let LoadedProject { project, files, lock } = &loaded;
        let journal = Journal::open_read_only(project.root.real());
        let plan =
            SyncPlan::new(PlanRequest { project, files, lock, journal: journal.as_ref(), selection: &selection });
        for warning in &plan.warnings {
            ctx.out.warn(warning);
        }
        result::check_readable(ctx, &plan)?;
        keys.check(&plan)?;
        let rows: Vec<StatusRow> = plan.targets.iter().map(|target| StatusRow::new(project, files, target)).collect();
        let width = rows.iter().map(|row| row.file.width()).max().unwrap_or(0);
        let gauges = rows.iter().map(|row| row.gauge(width)).collect();
        let chart = GaugeChart { gauges, period: None, has_goals: true };
        let rows = rows_with_raw(rows)?;
        ctx.out.show(&StatusView { rows: &rows, chart })?;
        if rows.is_empty() {
            ctx.out.print_empty_note(&EmptyNote::new("The project has no files."));
        }
        Ok(result::report_unreadable(ctx, &plan.unreadable)?)
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct StatusView<'a> {
    rows: &'a [WithRaw<StatusRow>],
    #[serde(skip)]
    chart: GaugeChart,
}

impl View for StatusView<'_> {
    fn table(&self) -> Table {
        Table::from_rows(self.rows)
    }

    fn items(&self) -> Vec<&RawValue> {
        self.rows.iter().map(WithRaw::raw).collect()
    }

    fn chart(&self) -> Option<Chart> {
        Some(Chart::Gauges(self.chart.clone())).filter(|_| !self.rows.is_empty())
    }
}

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct StatusRow {
    file: String,
    target_lang: String,
    units: u64,
    /// Number of texts in the states current, edited and same.
    current: u64,
    missing: u64,
    stale: u64,
    review: u64,
    failed: u64,
    invalid: u64,
    extra: u64,
    skipped: u64,
}

impl StatusRow {
    pub fn new(project: &Project, files: &[ProjectFile], target: &PlannedTarget) -> Self {
        let of = |state| target.counts.of(state);
        Self {
            file: files.get(target.file).map(|file| file.lock_name.clone()).unwrap_or_default(),
            target_lang: project.settings.langs.get(target.lang).map(|lang| lang.tag.clone()).unwrap_or_default(),
            units: target.counts.units(),
            current: of(UnitState::Current) + of(UnitState::Edited) + of(UnitState::Same),
            missing: of(UnitState::Missing),
            stale: of(UnitState::Stale),
            review: of(UnitState::Review),
            failed: of(UnitState::Failed),
            invalid: of(UnitState::Broken),
            extra: of(UnitState::Extra),
            skipped: target.counts.skipped,
        }
    }

    /// Returns a gauge of the up-to-date texts, with the other states as a note. Pads the file name to `width` columns.
    fn gauge(&self, width: usize) -> Gauge {
        let others = [
            (self.missing, "missing"),
            (self.stale, "stale"),
            (self.review, "review"),
            (self.failed, "failed"),
            (self.invalid, "broken"),
            (self.extra, "extra"),
        ];
        let others: Vec<String> = others
            .into_iter()
            .filter(|(units, _)| *units > 0)
            .map(|(units, state)| format!("{} {state}", grouped(units)))
            .collect();
        Gauge {
            label: format!("{}{}  {}", self.file, " ".repeat(width - self.file.width()), self.target_lang),
            count: self.current,
            limit: Some(self.units),
            unit: if self.units == 1 { "text" } else { "texts" }.to_owned(),
            note: (!others.is_empty()).then(|| others.join(", ")),
        }
    }
}

impl Row for StatusRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("file").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::count("units").header("TEXTS").rank(0),
        Column::count("current").rank(0),
        Column::count("missing"),
        Column::count("stale"),
        Column::count("review"),
        Column::count("failed"),
        Column::count("invalid").header("BROKEN"),
        Column::count("extra"),
        Column::count("skipped"),
    ];
}
