//! `tulk sync status`: how complete each file is in each language.

use clap::Args;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use tulk_base::json::Kept;
use tulk_sync::journal::Journal;
use tulk_sync::plan::{PlanRequest, SyncPlan};

use super::result;
use super::rows::{StatusRow, listed};
use super::select::{LoadedProject, SelectArgs};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Chart, EmptyNote, GaugeChart, Table, View};

/// Show how complete each file is in each language
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<StatusRow>().offline())]
#[command(after_help = "tulk sync status\ntulk sync status --to de --json")]
pub struct SyncStatusArgs {
    /// What is looked at.
    #[command(flatten)]
    pub select: SelectArgs,
}

impl Run for SyncStatusArgs {
    /// Prints a row for each file and language.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let loaded = LoadedProject::read(ctx, &self.select)?;
        let langs = loaded.langs(&self.select, false)?;
        let (selection, keys) = loaded.selection(&self.select, langs, |_| false)?;
        let LoadedProject { project, files, lock } = &loaded;
        let journal = Journal::peek(project.root.real());
        let plan =
            SyncPlan::new(PlanRequest { project, files, lock, journal: journal.as_ref(), selection: &selection });
        for warning in &plan.warnings {
            ctx.out.warn(warning);
        }
        result::check_readable(ctx, &plan)?;
        keys.check(&plan)?;
        let rows: Vec<StatusRow> = plan.targets.iter().map(|target| StatusRow::new(project, files, target)).collect();
        let chart = GaugeChart { gauges: rows.iter().map(StatusRow::gauge).collect(), period: None, has_goals: true };
        let rows = listed(rows)?;
        ctx.out.show(&StatusView { rows: &rows, chart })?;
        if rows.is_empty() {
            ctx.out.empty(&EmptyNote::new("The project has no files."));
        }
        Ok(result::broken(ctx, &plan.broken)?)
    }
}

/// The rows; a terminal shows how much of each file is up to date.
struct StatusView<'a> {
    rows: &'a [Kept<StatusRow>],
    chart: GaugeChart,
}

impl Serialize for StatusView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rows.serialize(serializer)
    }
}

impl View for StatusView<'_> {
    fn table(&self) -> Table {
        Table::from_rows(self.rows)
    }

    fn items(&self) -> Vec<&RawValue> {
        self.rows.iter().map(Kept::raw).collect()
    }

    fn chart(&self) -> Option<Chart> {
        Some(Chart::Gauges(self.chart.clone())).filter(|_| !self.rows.is_empty())
    }
}
