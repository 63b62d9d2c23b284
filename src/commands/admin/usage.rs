//! `tulk admin usage`: reports the usage of the organisation, in total, by key, or by key and day.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::json::WithRaw;
use tulk_base::value_error::ValueError;
use tulk_client::api::admin::reports::{GetKeyUsage, GroupBy, KeyUsage, KeyUsageReply, KeyUsageReport, UsageBreakdown};
use tulk_client::api::day::Day;
use tulk_client::{OpenSet, OpenValue};

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Cell, Chart, Column, DayAmount, DayChart, DaySeries, EmptyNote, Table, View};

/// The days that a report covers, in UTC.
#[derive(Args, Debug)]
pub struct DayRangeArgs {
    /// First day: YYYY-MM-DD, today, or -30d [default: 29 days before --end]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub start: Option<Day>,
    /// Last day, inclusive; a report has at most 366 days [default: today]
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub end: Option<Day>,
}

/// Default distance from the first day to the last: a report covers 30 days.
const DAYS_BEFORE: u32 = 29;

impl DayRangeArgs {
    pub fn days(&self) -> Result<(Day, Day), ValueError> {
        let end = self.end.unwrap_or_else(Day::today);
        let start = self.start.map_or_else(|| Day::parse(&format!("-{DAYS_BEFORE}d"), end), Ok)?;
        Ok((start, end))
    }
}

macro_rules! report_columns {
    ($($column:expr),+ $(,)?) => {
        &[
            $($column,)+
            Column::count("total_characters").header("TOTAL").rank(0),
            Column::count("text_translation_characters").header("TEXT"),
            Column::count("document_translation_characters").header("DOCUMENTS"),
            Column::count("text_improvement_characters").header("WRITE"),
            Column::count("speech_to_text_minutes").header("SPEECH MIN"),
            Column::count("speech_to_speech_minutes").header("TO SPEECH MIN").usual("0"),
        ]
    };
}
pub(super) use report_columns;

pub const TOTAL_COLUMNS: &[Column] =
    report_columns![Column::day("start_date").header("FROM").period(), Column::day("end_date").header("TO").period(),];
pub const KEY_COLUMNS: &[Column] =
    report_columns![Column::id("api_key").header("KEY"), Column::name("api_key_label").header("LABEL")];
pub const KEY_AND_DAY_COLUMNS: &[Column] = report_columns![
    Column::id("api_key").header("KEY"),
    Column::name("api_key_label").header("LABEL"),
    Column::day("usage_date").header("DAY").rank(0),
];

/// Report usage, in total, by key, or by key and day
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(TOTAL_COLUMNS)
        .columns_with("--by key", KEY_COLUMNS)
        .columns_with("--by key-and-day", KEY_AND_DAY_COLUMNS)
        .checks_before_sending())]
#[command(after_help = "tulk admin usage\n\
                        tulk admin usage --start -6d --by key-and-day --json")]
pub struct AdminUsageArgs {
    #[command(flatten)]
    pub range: DayRangeArgs,
    /// How to group; by default, print totals only
    #[arg(long, value_parser = OpenValue::<GroupBy>::parser(), add = OpenSet::PLAIN, value_name = "GROUP", alias = "group-by")]
    pub by: Option<OpenValue<GroupBy>>,
}

impl Run for AdminUsageArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let (start, end) = self.range.days()?;
        let request = GetKeyUsage { start_date: start, end_date: end, group_by: self.by.clone() };
        let task = ctx.out.phase("usage", "reading the report");
        let reply = ctx.client().await?.send(&request).await?;
        drop(task);
        let view = AdminUsageView { reply: &reply, by: grouping_of(self.by.as_ref(), &reply.usage_report) };
        ctx.out.show(&view)?;
        if view.by.is_some() && view.rows().is_empty() {
            let totals = format!("tulk admin usage --start {start} --end {end}");
            ctx.out.print_empty_note(
                &EmptyNote::from_text(format!("No usage from {start} to {end}.")).next("See the totals", &totals),
            );
        }
        Ok(())
    }
}

/// For an unknown grouping, guesses the row type from the fields of the report.
fn grouping_of(by: Option<&OpenValue<GroupBy>>, report: &KeyUsageReport) -> Option<GroupBy> {
    match by? {
        OpenValue::Known(by) => Some(*by),
        OpenValue::Other(_) if report.key_and_day_usages.is_some() => Some(GroupBy::KeyAndDay),
        OpenValue::Other(_) => report.key_usages.as_ref().map(|_| GroupBy::Key),
    }
}

#[derive(Serialize)]
#[serde(transparent)]
struct AdminUsageView<'a> {
    reply: &'a WithRaw<KeyUsageReply>,
    #[serde(skip)]
    by: Option<GroupBy>,
}

impl AdminUsageView<'_> {
    fn rows(&self) -> &[WithRaw<KeyUsage>] {
        let report = &self.reply.usage_report;
        let rows = match self.by {
            None => None,
            Some(GroupBy::Key) => report.key_usages.as_deref(),
            Some(GroupBy::KeyAndDay) => report.key_and_day_usages.as_deref(),
        };
        rows.unwrap_or_default()
    }
}

impl View for AdminUsageView<'_> {
    fn table(&self) -> Table {
        let report = &self.reply.usage_report;
        let Some(by) = self.by else {
            let mut table = Table::new(TOTAL_COLUMNS);
            let range = [report.start_date.as_ref().into(), report.end_date.as_ref().into()];
            table.push(range.into_iter().chain(counts(&report.total_usage)).collect());
            table.is_object = true;
            return table;
        };
        let by_day = by == GroupBy::KeyAndDay;
        let columns = if by_day { KEY_AND_DAY_COLUMNS } else { KEY_COLUMNS };
        let mut table = Table::new(columns);
        for row in self.rows() {
            let day = by_day.then(|| Cell::from(row.usage_date.as_ref()));
            let key = [row.api_key.as_ref().into(), row.api_key_label.as_ref().into()];
            table.push(key.into_iter().chain(day).chain(counts(&row.usage)).collect());
        }
        table = table.with_period(report.start_date.as_deref(), report.end_date.as_deref());
        let label = [Cell::from("total"), Cell::default()];
        let day = by_day.then(Cell::default);
        table.with_totals(label.into_iter().chain(day).chain(counts(&report.total_usage)).collect())
    }

    fn chart(&self) -> Option<Chart> {
        let report = &self.reply.usage_report;
        let period = [report.start_date.clone()?, report.end_date.clone()?];
        let is_by_day = self.by == Some(GroupBy::KeyAndDay) && !self.rows().is_empty();
        let total = report.total_usage.total_characters;
        let chart = DayChart { header: "KEY", series: series(self.rows()), period, total, unit: "characters" };
        is_by_day.then_some(Chart::Days(chart))
    }

    fn items(&self) -> Vec<&RawValue> {
        match self.by {
            None => vec![self.reply.usage_report.raw()],
            Some(_) => self.rows().iter().map(WithRaw::raw).collect(),
        }
    }
}

/// Returns one series per key, named after its label. `DaySeries::group` uses the ID if the label is empty or not
/// unique.
fn series(rows: &[WithRaw<KeyUsage>]) -> Vec<DaySeries> {
    DaySeries::group(rows.iter().map(|row| DayAmount {
        id: row.api_key.as_deref().unwrap_or_default().into(),
        name: row.api_key_label.as_deref().unwrap_or_default().into(),
        day: row.usage_date.as_deref(),
        amount: row.usage.total_characters,
    }))
}

pub fn counts(usage: &UsageBreakdown) -> [Cell; 6] {
    [
        usage.total_characters.into(),
        usage.text_translation_characters.into(),
        usage.document_translation_characters.into(),
        usage.text_improvement_characters.into(),
        usage.speech_to_text_minutes().map(Cell::number).unwrap_or_default(),
        usage.speech_to_speech_minutes.map(Cell::number).unwrap_or_default(),
    ]
}
