//! `tulk admin pairs`: reports usage by language pair, from all pages of the report.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::json::WithRaw;
use tulk_base::numbers::counted;
use tulk_client::api::admin::reports::{GetPairUsage, PairGroupBy, PairUsage, UsageBreakdown, UsagePages};
use tulk_client::{OpenSet, OpenValue};

use super::usage::{DayRangeArgs, counts, report_columns};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Cell, Chart, Column, DayAmount, DayChart, DaySeries, EmptyNote, Table, View};

const SOURCE: Column = Column::text("source_language").header("FROM").rank(0);
const TARGET: Column = Column::text("target_language").header("TO").rank(0);
const KEY: Column = Column::id("api_key").header("KEY").rank(1);
const LABEL: Column = Column::name("api_key_label").header("LABEL");
const DAY: Column = Column::day("usage_date").header("DAY").rank(0);

pub const PAIR_COLUMNS: &[Column] = report_columns![SOURCE, TARGET];
pub const PAIR_AND_KEY_COLUMNS: &[Column] = report_columns![SOURCE, TARGET, KEY, LABEL];
pub const PAIR_AND_DAY_COLUMNS: &[Column] = report_columns![SOURCE, TARGET, DAY];
pub const PAIR_KEY_AND_DAY_COLUMNS: &[Column] = report_columns![SOURCE, TARGET, KEY, LABEL, DAY];

/// Report usage by language pair
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(PAIR_COLUMNS)
        .columns_with("--by key", PAIR_AND_KEY_COLUMNS)
        .columns_with("--by day", PAIR_AND_DAY_COLUMNS)
        .columns_with("--by key-and-day", PAIR_KEY_AND_DAY_COLUMNS)
        .checks_before_sending())]
#[command(after_help = "tulk admin pairs --start -6d\n\
                        tulk admin pairs --by day")]
pub struct AdminPairsArgs {
    #[command(flatten)]
    pub range: DayRangeArgs,
    /// How to group; by default, one row per language pair
    #[arg(long, value_parser = OpenValue::<PairGroupBy>::parser(), add = OpenSet::PLAIN, value_name = "GROUP")]
    pub by: Option<OpenValue<PairGroupBy>>,
}

impl Run for AdminPairsArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let (start, end) = self.range.days()?;
        let task = ctx.out.phase("usage by language pair", "reading the report");
        let progress = |_: &UsagePages<PairUsage>, rows| {
            task.phase_with("reading the report", &counted(rows, "row"));
            false
        };
        let request = GetPairUsage::new(start, end, self.by.as_ref());
        let report = ctx.client().await?.send_all(request, None, progress).await?;
        drop(task);
        let view = PairUsageView::new(&report, self.by.as_ref(), [start.to_string(), end.to_string()]);
        ctx.out.show(&view)?;
        if report.usage.is_empty() {
            let totals = format!("tulk admin usage --start {start} --end {end}");
            ctx.out.print_empty_note(
                &EmptyNote::from_text(format!("No usage from {start} to {end}.")).next("See the totals", &totals),
            );
        }
        Ok(())
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct PairUsageView<'a> {
    report: &'a UsagePages<PairUsage>,
    #[serde(skip)]
    by_key: bool,
    #[serde(skip)]
    by_day: bool,
    #[serde(skip)]
    period: [String; 2],
}

impl<'a> PairUsageView<'a> {
    /// For an unknown grouping, shows the key columns if the rows have keys, and never shows days.
    fn new(report: &'a UsagePages<PairUsage>, by: Option<&OpenValue<PairGroupBy>>, period: [String; 2]) -> Self {
        let (by_key, by_day) = match by {
            None => (false, false),
            Some(OpenValue::Known(by)) => (*by != PairGroupBy::Day, *by != PairGroupBy::Key),
            Some(OpenValue::Other(_)) => (report.usage.iter().any(|entry| entry.api_key.is_some()), false),
        };
        Self { report, by_key, by_day, period }
    }

    /// Returns the amount of one chart bar, named after the pair and, if the report has keys, the key's label or ID.
    fn amount<'b>(&self, entry: &'b PairUsage) -> DayAmount<'b> {
        let PairUsage { source_language, target_language, api_key, api_key_label, .. } = entry;
        let with = |key: Option<&str>| match key.filter(|_| self.by_key) {
            Some(key) => format!("{source_language}:{target_language} {key}"),
            None => format!("{source_language}:{target_language}"),
        };
        let label = api_key_label.as_deref().filter(|label| !label.is_empty()).or(api_key.as_deref());
        DayAmount {
            id: with(api_key.as_deref()).into(),
            name: with(label).into(),
            day: entry.usage_date.as_deref(),
            amount: entry.usage.total_characters,
        }
    }
}

impl View for PairUsageView<'_> {
    fn table(&self) -> Table {
        let mut table = Table::new(match (self.by_key, self.by_day) {
            (false, false) => PAIR_COLUMNS,
            (true, false) => PAIR_AND_KEY_COLUMNS,
            (false, true) => PAIR_AND_DAY_COLUMNS,
            (true, true) => PAIR_KEY_AND_DAY_COLUMNS,
        });
        let row = |pair: [&str; 2], key: [Option<&str>; 2], day: Option<&str>, usage: &UsageBreakdown| {
            let key = key.map(Cell::from).into_iter().filter(|_| self.by_key);
            let day = self.by_day.then(|| day.into());
            pair.map(Cell::from).into_iter().chain(key).chain(day).chain(counts(usage)).collect::<Vec<_>>()
        };
        for entry in &self.report.usage {
            let (pair, day) = ([&*entry.source_language, &entry.target_language], entry.usage_date.as_deref());
            table.push(row(pair, [entry.api_key.as_deref(), entry.api_key_label.as_deref()], day, &entry.usage));
        }
        let [start, end] = &self.period;
        let total = self.report.usage.iter().map(|entry| &entry.usage).sum();
        table.with_period(Some(start), Some(end)).with_totals(row(["total", ""], [None; 2], None, &total))
    }

    fn chart(&self) -> Option<Chart> {
        let series = DaySeries::group(self.report.usage.iter().map(|entry| self.amount(entry)));
        let total = (series.len() > 1).then(|| series.iter().map(DaySeries::total).fold(0, u64::saturating_add));
        let is_shown = self.by_day && !series.is_empty();
        let chart = DayChart { header: "LANGUAGES", series, period: self.period.clone(), total, unit: "characters" };
        is_shown.then_some(Chart::Days(chart))
    }

    fn items(&self) -> Vec<&RawValue> {
        self.report.usage.iter().map(WithRaw::raw).collect()
    }
}
