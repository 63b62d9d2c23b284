//! `tulk admin tags`: what was used under each reporting tag, all pages of it.

use clap::Args;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::RangeArgs;
use crate::api::admin::{AggregateBy, GetTagUsage, TagUsageBreakdown, TagUsageReport};
use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;
use crate::output::{Cell, Table, View};

const COUNTS: [&str; 3] = ["total_characters", "text_translation_characters", "text_improvement_characters"];

/// Report what was used under each reporting tag
#[derive(Args, Debug)]
pub struct TagsArgs {
    /// Which days
    #[command(flatten)]
    pub range: RangeArgs,
    /// Sum up by day; over the whole range without it
    #[arg(long, value_enum, value_name = "WHAT", alias = "aggregate-by")]
    pub by: Option<AggregateBy>,
}

/// Shows the report.
pub async fn run(ctx: &Context, args: &TagsArgs) -> Result<(), Failure> {
    let request =
        GetTagUsage { start_date: args.range.start, end_date: args.range.end, aggregate_by: args.by, page: None };
    let report = ctx.client().await?.send_all(request, |_| false).await?;
    ctx.out.show(&Shown { report: &report, by_day: args.by == Some(AggregateBy::Day) })
}

struct Shown<'a> {
    report: &'a TagUsageReport,
    by_day: bool,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.report.serialize(serializer)
    }
}

impl View for Shown<'_> {
    fn table(&self) -> Table {
        let day = self.by_day.then_some("usage_date");
        let mut table = Table::new(["custom_tag"].into_iter().chain(day).chain(COUNTS));
        let mut sums = [0u64; 3];
        for entry in &self.report.usage {
            let counted = counts(&entry.breakdown);
            for (sum, count) in sums.iter_mut().zip(counted) {
                *sum = sum.saturating_add(count.unwrap_or_default());
            }
            let day = day.map(|_| Cell::from(entry.usage_date.as_ref()));
            let name = [Cell::from(entry.custom_tag.as_str())];
            table.push(name.into_iter().chain(day).chain(counted.map(Cell::from)).collect());
        }
        let day = day.map(|_| Cell::default());
        table.with_totals([Cell::from("total")].into_iter().chain(day).chain(sums.map(Cell::from)).collect())
    }

    fn items(&self) -> Vec<&RawValue> {
        self.report.usage.iter().map(Kept::raw).collect()
    }
}

fn counts(breakdown: &TagUsageBreakdown) -> [Option<u64>; 3] {
    [breakdown.total_characters, breakdown.text_translation_characters, breakdown.text_improvement_characters]
}
