//! The usage report by reporting tag, `GET /v2/admin/analytics/custom-tags`.

use clap::ValueEnum;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_with::skip_serializing_none;
use tulk_base::error::Failure;
use tulk_base::json::{JsonObject, Kept};

use super::check_range;
use crate::Service;
use crate::api::day::Day;
use crate::http::answer::Answer;
use crate::http::endpoint::{Carry, Endpoint, Paged, Paging};
use crate::http::failures::unusable;
use crate::http::reply::Reply;
use crate::http::request::Method;

const REPORT: &str = "custom_tag_usage_report";

/// Period over which usage is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AggregateBy {
    /// One row per tag
    Period,
    /// One row per tag and day
    Day,
}

/// Requests the usage by tag in a range of days, including both ends.
#[skip_serializing_none]
#[derive(Serialize)]
pub struct GetTagUsage {
    /// First day.
    pub start_date: Day,
    /// Last day.
    pub end_date: Day,
    /// Period over which usage is summed.
    pub aggregate_by: Option<AggregateBy>,
    /// Cursor of the page; unset for the first page.
    pub page: Option<u64>,
}

impl Endpoint for GetTagUsage {
    type Reply = TagUsageReport;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/analytics/custom-tags";
    const CARRY: Carry = Carry::Query;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_range(self.start_date, self.end_date)
    }
}

impl Paged for GetTagUsage {
    const PAGING: Paging = Paging::Cursor;

    fn identities(page: &TagUsageReport) -> Vec<&str> {
        page.usage.iter().map(|entry| entry.raw().get()).collect()
    }

    fn advance(&mut self, page: &TagUsageReport) -> bool {
        self.page = page.next_page;
        self.page.is_some()
    }

    fn append(all: &mut TagUsageReport, page: TagUsageReport) -> Result<(), Failure> {
        all.next_page = page.next_page;
        all.usage.extend(page.usage);
        Ok(())
    }
}

/// The report: one page, or all pages joined. Serializes as the service's JSON, with all entries.
#[derive(Debug)]
pub struct TagUsageReport {
    /// One entry per tag, or per tag and day.
    pub usage: Vec<Kept<TagUsage>>,
    /// Cursor of the next page.
    pub next_page: Option<u64>,
    answer: JsonObject,
    report: JsonObject,
}

/// Usage with one tag, in the whole range or on one day.
#[derive(Clone, Debug, Deserialize)]
pub struct TagUsage {
    /// Tag.
    pub custom_tag: String,
    /// Day.
    pub usage_date: Option<String>,
    /// Usage.
    #[serde(default)]
    pub breakdown: TagUsageBreakdown,
}

/// Usage with a tag, by product.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[allow(clippy::struct_field_names)] // named as in the JSON
pub struct TagUsageBreakdown {
    /// Characters of all products.
    pub total_characters: Option<u64>,
    /// Characters of text translation.
    pub text_translation_characters: Option<u64>,
    /// Characters of Write.
    pub text_improvement_characters: Option<u64>,
}

impl TagUsageReport {
    fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        let answer: JsonObject = serde_json::from_slice(text)?;
        let report: JsonObject = serde_json::from_str(text_of(&answer, REPORT))?;
        let usage: Option<Vec<_>> = serde_json::from_str(text_of(&report, "usage"))?;
        let next_page = serde_json::from_str(text_of(&report, "next_page"))?;
        Ok(Self { usage: usage.unwrap_or_default(), next_page, answer, report })
    }
}

/// Returns the JSON of a field; `null` if it is missing.
fn text_of<'a>(object: &'a JsonObject, name: &str) -> &'a str {
    object.get(name).map_or("null", RawValue::get)
}

impl Reply for TagUsageReport {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        Self::parse(&answer.body).map_err(|e| unusable(answer, &e.to_string()))
    }
}

impl Serialize for TagUsageReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error as _;
        let (mut answer, mut report) = (self.answer.clone(), self.report.clone());
        report.set("usage", to_raw_value(&self.usage).map_err(S::Error::custom)?);
        report.set("next_page", to_raw_value(&self.next_page).map_err(S::Error::custom)?);
        answer.set(REPORT, to_raw_value(&report).map_err(S::Error::custom)?);
        answer.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(next: &str, tag: &str) -> TagUsageReport {
        let text = format!(
            r#"{{"custom_tag_usage_report":{{"aggregate_by":"day","new":1.10,"next_page":{next},"usage":[{{"custom_tag":"{tag}","more":[1]}}]}},"x":1}}"#
        );
        TagUsageReport::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn joined_pages_are_one_report() {
        let mut all = page("7", "a");
        GetTagUsage::append(&mut all, page("null", "b")).unwrap();
        assert_eq!(
            serde_json::to_string(&all).unwrap(),
            r#"{"custom_tag_usage_report":{"aggregate_by":"day","new":1.10,"next_page":null,"usage":[{"custom_tag":"a","more":[1]},{"custom_tag":"b","more":[1]}]},"x":1}"#
        );
    }

    #[test]
    fn refuses_other_json() {
        for text in ["[]", "{}", r#"{"custom_tag_usage_report": []}"#] {
            assert!(TagUsageReport::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
