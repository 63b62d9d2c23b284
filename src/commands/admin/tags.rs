//! `tulk admin tags`: reports usage by reporting tag, from all pages of the report.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::json::WithRaw;
use tulk_base::numbers::counted;
use tulk_client::api::admin::reports::{AggregateBy, GetTagUsage, TagUsage, UsageBreakdown, UsagePages};
use tulk_client::{OpenSet, OpenValue};

use super::usage::{DayRangeArgs, counts};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Cell, Chart, Column, DayAmount, DayChart, DaySeries, EmptyNote, Table, View};

pub const TAG_COLUMNS: &[Column] = &[
    Column::name("custom_tag").header("TAG"),
    Column::count("total_characters").header("TOTAL").rank(0),
    Column::count("text_translation_characters").header("TEXT"),
    Column::count("text_improvement_characters").header("WRITE"),
    Column::count("speech_to_text_minutes").header("SPEECH MIN").usual("0"),
    Column::count("speech_to_speech_minutes").header("TO SPEECH MIN").usual("0"),
];
pub const TAG_AND_DAY_COLUMNS: &[Column] = &[
    Column::name("custom_tag").header("TAG"),
    Column::day("usage_date").header("DAY").rank(0),
    Column::count("total_characters").header("TOTAL").rank(0),
    Column::count("text_translation_characters").header("TEXT"),
    Column::count("text_improvement_characters").header("WRITE"),
    Column::count("speech_to_text_minutes").header("SPEECH MIN").usual("0"),
    Column::count("speech_to_speech_minutes").header("TO SPEECH MIN").usual("0"),
];

/// Report usage by reporting tag
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(TAG_COLUMNS).columns_with("--by day", TAG_AND_DAY_COLUMNS).checks_before_sending())]
#[command(after_help = "tulk admin tags --by day")]
pub struct AdminTagsArgs {
    #[command(flatten)]
    pub range: DayRangeArgs,
    /// How to group [default: period]
    #[arg(long, value_parser = OpenValue::<AggregateBy>::parser(), add = OpenSet::PLAIN, value_name = "GROUP", alias = "aggregate-by")]
    pub by: Option<OpenValue<AggregateBy>>,
}

impl Run for AdminTagsArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let (start, end) = self.range.days()?;
        let by_day = self.by == Some(OpenValue::Known(AggregateBy::Day));
        let request = GetTagUsage { start_date: start, end_date: end, aggregate_by: self.by, page: None };
        let task = ctx.out.phase("usage by tag", "reading the report");
        let report = ctx
            .client()
            .await?
            .send_all(request, None, |_, rows| {
                task.phase_with("reading the report", &counted(rows, "row"));
                false
            })
            .await?;
        drop(task);
        let period = [start.to_string(), end.to_string()];
        ctx.out.show(&TagUsageView { report: &report, by_day, period })?;
        if report.usage.is_empty() {
            let note = EmptyNote::from_text(format!("No usage with a reporting tag from {start} to {end}."));
            ctx.out.print_empty_note(&note.next("Set a tag", "tulk translate --reporting-tag TAG --to de TEXT"));
        }
        Ok(())
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct TagUsageView<'a> {
    report: &'a UsagePages<TagUsage>,
    #[serde(skip)]
    by_day: bool,
    #[serde(skip)]
    period: [String; 2],
}

impl View for TagUsageView<'_> {
    fn table(&self) -> Table {
        let columns = if self.by_day { TAG_AND_DAY_COLUMNS } else { TAG_COLUMNS };
        let mut table = Table::new(columns);
        let row = |tag: &str, day: Option<&String>, usage: &UsageBreakdown| {
            // The report has no counter for documents.
            let [total, text, _, write, speech, spoken] = counts(usage);
            let day = self.by_day.then(|| Cell::from(day));
            [Cell::from(tag)].into_iter().chain(day).chain([total, text, write, speech, spoken]).collect()
        };
        for entry in &self.report.usage {
            table.push(row(&entry.custom_tag, entry.usage_date.as_ref(), &entry.breakdown));
        }
        let [start, end] = &self.period;
        let total = self.report.usage.iter().map(|entry| &entry.breakdown).sum();
        table.with_period(Some(start), Some(end)).with_totals(row("total", None, &total))
    }

    fn chart(&self) -> Option<Chart> {
        let series = DaySeries::group(self.report.usage.iter().map(|entry| DayAmount {
            id: entry.custom_tag.as_str().into(),
            name: entry.custom_tag.as_str().into(),
            day: entry.usage_date.as_deref(),
            amount: entry.breakdown.total_characters,
        }));
        let total = (series.len() > 1).then(|| series.iter().map(DaySeries::total).fold(0, u64::saturating_add));
        let is_shown = self.by_day && !series.is_empty();
        let chart = DayChart { header: "TAG", series, period: self.period.clone(), total, unit: "characters" };
        is_shown.then_some(Chart::Days(chart))
    }

    fn items(&self) -> Vec<&RawValue> {
        self.report.usage.iter().map(WithRaw::raw).collect()
    }
}
