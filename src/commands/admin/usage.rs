//! `tulk admin usage`: what the organisation used, in all, by key, or by key and day.

use clap::Args;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::RangeArgs;
use crate::api::admin::{GetKeyUsage, GroupBy, KeyUsage, KeyUsageReply, UsageBreakdown};
use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;
use crate::output::{Cell, Table, View};

const COUNTS: [&str; 5] = [
    "total_characters",
    "text_translation_characters",
    "document_translation_characters",
    "text_improvement_characters",
    "speech_to_text_minutes",
];

/// Report what was used, by key and day
#[derive(Args, Debug)]
pub struct UsageArgs {
    /// Which days
    #[command(flatten)]
    pub range: RangeArgs,
    /// Group the usage; totals only without it
    #[arg(long, value_enum, value_name = "GROUP", alias = "group-by")]
    pub by: Option<GroupBy>,
}

/// Shows the report.
pub async fn run(ctx: &Context, args: &UsageArgs) -> Result<(), Failure> {
    let request = GetKeyUsage { start_date: args.range.start, end_date: args.range.end, group_by: args.by };
    let answer = ctx.client().await?.send(&request).await?;
    ctx.out.show(&Shown { answer: &answer, by: args.by })
}

struct Shown<'a> {
    answer: &'a Kept<KeyUsageReply>,
    by: Option<GroupBy>,
}

impl Shown<'_> {
    fn rows(&self) -> &[Kept<KeyUsage>] {
        let report = &self.answer.usage_report;
        let rows = match self.by {
            None => None,
            Some(GroupBy::Key) => report.key_usages.as_deref(),
            Some(GroupBy::KeyAndDay) => report.key_and_day_usages.as_deref(),
        };
        rows.unwrap_or_default()
    }
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.answer.serialize(serializer)
    }
}

impl View for Shown<'_> {
    fn table(&self) -> Table {
        let report = &self.answer.usage_report;
        let Some(by) = self.by else {
            let mut table = Table::new(["start_date", "end_date"].into_iter().chain(COUNTS));
            let bounds = [report.start_date.as_ref().into(), report.end_date.as_ref().into()];
            table.push(bounds.into_iter().chain(counts(&report.total_usage)).collect());
            table.is_object = true;
            return table;
        };
        let days = (by == GroupBy::KeyAndDay).then_some("usage_date");
        let mut table = Table::new(["api_key", "api_key_label"].into_iter().chain(days).chain(COUNTS));
        for row in self.rows() {
            let day = days.map(|_| Cell::from(row.usage_date.as_ref()));
            let key = [row.api_key.as_ref().into(), row.api_key_label.as_ref().into()];
            table.push(key.into_iter().chain(day).chain(counts(&row.usage)).collect());
        }
        let name = [Cell::from("total"), Cell::default()];
        let day = days.map(|_| Cell::default());
        table.with_totals(name.into_iter().chain(day).chain(counts(&report.total_usage)).collect())
    }

    fn items(&self) -> Vec<&RawValue> {
        match self.by {
            None => vec![self.answer.usage_report.raw()],
            Some(_) => self.rows().iter().map(Kept::raw).collect(),
        }
    }
}

fn counts(usage: &UsageBreakdown) -> [Cell; 5] {
    [
        usage.total_characters.into(),
        usage.text_translation_characters.into(),
        usage.document_translation_characters.into(),
        usage.text_improvement_characters.into(),
        usage.speech_to_text_minutes().map(Cell::number).unwrap_or_default(),
    ]
}
