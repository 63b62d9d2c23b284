//! Usage reports of an organisation: by key, by reporting tag and by language pair. See `docs/service.md`, "Administration".

use std::iter::Sum;

use clap::ValueEnum;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::to_raw_value;
use tulk_base::error::Failure;
use tulk_base::json::{JsonObject, WithRaw};
use tulk_base::limits;
use tulk_base::numbers::counted;

use crate::api::day::Day;
use crate::http::answer::Answer;
use crate::http::endpoint::{Endpoint, KnownOperation, Paged, Paging};
use crate::http::failures::unusable;
use crate::http::reply::Reply;
use crate::http::request::Method;
use crate::{OpenValue, Service};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::new::<GetKeyUsage>(),
    KnownOperation::paged::<GetTagUsage>(),
    KnownOperation::paged::<GetPairUsage>(),
];

fn check_range(start: Day, end: Day) -> Result<(), Failure> {
    if end < start {
        return Err(Failure::usage(format!("the range ends on {end}, before its start on {start}"))
            .hint("swap --start and --end"));
    }
    let (days, limit) = (start.days_to(end), limits::REPORT_DAYS);
    if days > limit {
        return Err(Failure::usage(format!(
            "the range from {start} to {end} has {}; the limit is {limit}",
            counted(days, "day")
        ))
        .hint("split the range into several reports"));
    }
    Ok(())
}

/// Grouping of the key report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupBy {
    /// One row per key
    Key,
    /// One row per key and day
    #[value(name = "key-and-day", alias = "key_and_day")]
    KeyAndDay,
}

/// Requests the usage by key, from `start_date` to `end_date` inclusive.
#[derive(Serialize)]
pub struct GetKeyUsage {
    /// First day.
    pub start_date: Day,
    /// Last day.
    pub end_date: Day,
    /// Grouping. If unset, the report has totals only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_by: Option<OpenValue<GroupBy>>,
}

impl Endpoint for GetKeyUsage {
    type Reply = WithRaw<KeyUsageReply>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/analytics";

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_range(self.start_date, self.end_date)
    }
}

/// Reply to [`GetKeyUsage`].
#[derive(Clone, Debug, Deserialize)]
pub struct KeyUsageReply {
    /// Report.
    pub usage_report: WithRaw<KeyUsageReport>,
}

/// Usage in a range of days.
#[derive(Clone, Debug, Deserialize)]
pub struct KeyUsageReport {
    /// Usage of all keys together.
    #[serde(default)]
    pub total_usage: UsageBreakdown,
    /// Start of the range, in UTC.
    pub start_date: Option<String>,
    /// End of the range, in UTC.
    pub end_date: Option<String>,
    /// Usage by key.
    pub key_usages: Option<Vec<WithRaw<KeyUsage>>>,
    /// Usage by key and day.
    pub key_and_day_usages: Option<Vec<WithRaw<KeyUsage>>>,
}

/// Usage of one key, in the complete range or on one day.
#[derive(Clone, Debug, Deserialize)]
pub struct KeyUsage {
    /// Key, masked by the service.
    pub api_key: Option<String>,
    /// Label of the key.
    pub api_key_label: Option<String>,
    /// Day.
    pub usage_date: Option<String>,
    /// Usage.
    #[serde(default)]
    pub usage: UsageBreakdown,
}

/// Usage by product.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct UsageBreakdown {
    /// Characters of all products.
    pub total_characters: Option<u64>,
    /// Characters of text translation.
    pub text_translation_characters: Option<u64>,
    /// Characters of document translation.
    pub document_translation_characters: Option<u64>,
    /// Characters of Write.
    pub text_improvement_characters: Option<u64>,
    speech_to_text_minutes: Option<f64>,
    /// Sent by older versions of the service instead of minutes.
    speech_to_text_milliseconds: Option<f64>,
    /// Minutes of speech-to-speech translation.
    pub speech_to_speech_minutes: Option<f64>,
}

impl UsageBreakdown {
    /// Returns the minutes of speech, computed from milliseconds if necessary.
    pub fn speech_to_text_minutes(&self) -> Option<f64> {
        self.speech_to_text_minutes.or_else(|| self.speech_to_text_milliseconds.map(|ms| ms / 60_000.0))
    }
}

/// Adds up the amounts of the parts. An amount stays unset if no part has it.
impl<'a> Sum<&'a Self> for UsageBreakdown {
    fn sum<I: Iterator<Item = &'a Self>>(parts: I) -> Self {
        let mut total = Self::default();
        for part in parts {
            for (sum, count) in [
                (&mut total.total_characters, part.total_characters),
                (&mut total.text_translation_characters, part.text_translation_characters),
                (&mut total.document_translation_characters, part.document_translation_characters),
                (&mut total.text_improvement_characters, part.text_improvement_characters),
            ] {
                *sum = count.map(|count| sum.unwrap_or_default().saturating_add(count)).or(*sum);
            }
            for (sum, minutes) in [
                (&mut total.speech_to_text_minutes, part.speech_to_text_minutes()),
                (&mut total.speech_to_speech_minutes, part.speech_to_speech_minutes),
            ] {
                // Rounding far below a millisecond makes 0.1 + 0.2 equal 0.3.
                let rounded = |minutes: f64| (minutes * 1e9).round() / 1e9;
                *sum = minutes.map(|minutes| rounded(sum.unwrap_or_default() + minutes)).or(*sum);
            }
        }
        total
    }
}

/// Period over which usage is summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AggregateBy {
    /// One row per tag
    Period,
    /// One row per tag and day
    Day,
}

/// Requests the usage by reporting tag, from `start_date` to `end_date` inclusive.
#[derive(Serialize)]
pub struct GetTagUsage {
    /// First day.
    pub start_date: Day,
    /// Last day.
    pub end_date: Day,
    /// Period over which usage is summed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregate_by: Option<OpenValue<AggregateBy>>,
    /// Cursor of the page; unset for the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u64>,
}

impl Endpoint for GetTagUsage {
    type Reply = UsagePages<TagUsage>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/analytics/custom-tags";

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_range(self.start_date, self.end_date)
    }
}

impl Paged for GetTagUsage {
    const PAGING: Paging = Paging::Cursor;

    fn identities(page: &Self::Reply) -> Vec<&str> {
        page.identities()
    }

    fn advance(&mut self, page: &Self::Reply) -> bool {
        self.page = page.next_page;
        self.page.is_some()
    }

    fn join(pages: Vec<Self::Reply>) -> Result<Self::Reply, Failure> {
        UsagePages::join(pages)
    }
}

/// Usage with one tag, in the complete range or on one day.
#[derive(Clone, Debug, Deserialize)]
pub struct TagUsage {
    /// Tag.
    pub custom_tag: String,
    /// Day.
    pub usage_date: Option<String>,
    /// Usage. This report does not include documents.
    #[serde(default)]
    pub breakdown: UsageBreakdown,
}

impl UsageEntry for TagUsage {
    const REPORT: &'static str = "custom_tag_usage_report";
    const ENTRIES: &'static str = "usage";
}

/// Grouping of the language pair report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PairGroupBy {
    /// One row per language pair and key
    Key,
    /// One row per language pair and day
    Day,
    /// One row per language pair, key and day
    #[value(name = "key-and-day", alias = "key_and_day")]
    KeyAndDay,
}

/// Requests the usage by language pair, from `start_date` to `end_date` inclusive.
#[derive(Serialize)]
pub struct GetPairUsage {
    start_date: Day,
    end_date: Day,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aggregate_by: Option<AggregateBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u64>,
}

impl GetPairUsage {
    /// Creates a request for the first page. An unknown grouping is sent as `group_by`.
    pub fn new(start_date: Day, end_date: Day, by: Option<&OpenValue<PairGroupBy>>) -> Self {
        let group_by = match by {
            None | Some(OpenValue::Known(PairGroupBy::Day)) => None,
            Some(OpenValue::Known(PairGroupBy::Key | PairGroupBy::KeyAndDay)) => Some("key".to_owned()),
            Some(OpenValue::Other(word)) => Some(word.clone()),
        };
        let is_by_day = matches!(by, Some(OpenValue::Known(PairGroupBy::Day | PairGroupBy::KeyAndDay)));
        Self { start_date, end_date, group_by, aggregate_by: is_by_day.then_some(AggregateBy::Day), page: None }
    }
}

impl Endpoint for GetPairUsage {
    type Reply = UsagePages<PairUsage>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/analytics/language-pairs";

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_range(self.start_date, self.end_date)
    }
}

impl Paged for GetPairUsage {
    const PAGING: Paging = Paging::Cursor;

    fn identities(page: &Self::Reply) -> Vec<&str> {
        page.identities()
    }

    fn advance(&mut self, page: &Self::Reply) -> bool {
        self.page = page.next_page;
        self.page.is_some()
    }

    fn join(pages: Vec<Self::Reply>) -> Result<Self::Reply, Failure> {
        UsagePages::join(pages)
    }
}

/// Usage of one language pair: in total, of one key, or on one day.
#[derive(Clone, Debug, Deserialize)]
pub struct PairUsage {
    /// Source language.
    pub source_language: String,
    /// Target language.
    pub target_language: String,
    /// Key, masked by the service; `-` if unknown.
    pub api_key: Option<String>,
    /// Label of the key.
    pub api_key_label: Option<String>,
    /// Day.
    pub usage_date: Option<String>,
    /// Usage.
    #[serde(default)]
    pub usage: UsageBreakdown,
}

impl UsageEntry for PairUsage {
    const REPORT: &'static str = "language_pair_usage_report";
    const ENTRIES: &'static str = "language_pair_usages";
}

/// An entry of a paged report.
pub trait UsageEntry: DeserializeOwned {
    /// Field of the reply that contains the report.
    const REPORT: &'static str;
    /// Field of the report that contains the entries.
    const ENTRIES: &'static str;
}

/// A report: one page, or all pages joined. Serializes as the service's JSON, with all entries.
#[derive(Debug)]
pub struct UsagePages<T> {
    /// Entries.
    pub usage: Vec<WithRaw<T>>,
    /// Cursor of the next page.
    pub next_page: Option<u64>,
    answer: JsonObject,
    report: JsonObject,
}

impl<T: UsageEntry> UsagePages<T> {
    fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        let answer: JsonObject = serde_json::from_slice(text)?;
        let report: JsonObject = serde_json::from_str(raw_field(&answer, T::REPORT))?;
        let usage: Option<Vec<_>> = serde_json::from_str(raw_field(&report, T::ENTRIES))?;
        let next_page = serde_json::from_str(raw_field(&report, "next_page"))?;
        Ok(Self { usage: usage.unwrap_or_default(), next_page, answer, report })
    }

    fn identities(&self) -> Vec<&str> {
        self.usage.iter().map(|entry| entry.raw().get()).collect()
    }

    fn join(pages: Vec<Self>) -> Result<Self, Failure> {
        let joined = pages.into_iter().reduce(|mut all, page| {
            all.next_page = page.next_page;
            all.usage.extend(page.usage);
            all
        });
        joined.ok_or_else(|| Failure::internal("a listing without a page"))
    }
}

/// Returns the JSON of a field, or `null` if it is missing.
fn raw_field<'a>(object: &'a JsonObject, name: &str) -> &'a str {
    object.get(name).map_or("null", |value| value.get())
}

impl<T: UsageEntry> Reply for UsagePages<T> {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        Self::parse(&answer.body).map_err(|e| unusable(answer, &e.to_string()))
    }
}

impl<T: UsageEntry> Serialize for UsagePages<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error as _;
        let (mut answer, mut report) = (self.answer.clone(), self.report.clone());
        report.insert(T::ENTRIES.to_owned(), to_raw_value(&self.usage).map_err(S::Error::custom)?);
        report.insert("next_page".to_owned(), to_raw_value(&self.next_page).map_err(S::Error::custom)?);
        answer.insert(T::REPORT.to_owned(), to_raw_value(&report).map_err(S::Error::custom)?);
        answer.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_the_range_of_a_report() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        assert!(check_range(day("2024-01-01"), day("2024-12-31")).is_ok());
        let long = check_range(day("2024-01-01"), day("2025-01-01")).unwrap_err();
        assert_eq!(long.what, "the range from 2024-01-01 to 2025-01-01 has 367 days; the limit is 366");
        assert_eq!(check_range(day("2024-01-02"), day("2024-01-01")).unwrap_err().kind.code(), 2);
    }

    #[test]
    fn reads_minutes_and_milliseconds() {
        let minutes = |text: &str| serde_json::from_str::<UsageBreakdown>(text).unwrap().speech_to_text_minutes();
        assert_eq!(minutes(r#"{"speech_to_text_minutes": 1.5}"#), Some(1.5));
        assert_eq!(minutes(r#"{"speech_to_text_milliseconds": 90000}"#), Some(1.5));
        assert_eq!(minutes(r#"{"speech_to_text_minutes": 2, "speech_to_text_milliseconds": 0}"#), Some(2.0));
        assert_eq!(minutes("{}"), None);
    }

    #[test]
    fn a_sum_omits_amounts_that_no_part_has() {
        let parts = [
            r#"{"total_characters":1,"speech_to_text_minutes":0.1}"#,
            r#"{"total_characters":2,"speech_to_text_milliseconds":12000}"#,
        ];
        let parts = parts.map(|text| serde_json::from_str::<UsageBreakdown>(text).unwrap());
        let sum: UsageBreakdown = parts.iter().sum();
        assert_eq!((sum.total_characters, sum.text_translation_characters), (Some(3), None));
        assert_eq!((sum.speech_to_text_minutes(), sum.speech_to_speech_minutes), (Some(0.3), None));
    }

    #[test]
    fn a_grouping_by_day_is_sent_as_aggregate_by() {
        let json = |by: Option<OpenValue<PairGroupBy>>| {
            let day = "2026-11-01".parse().unwrap();
            serde_json::to_string(&GetPairUsage::new(day, day, by.as_ref())).unwrap()
        };
        let range = r#""start_date":"2026-11-01","end_date":"2026-11-01""#;
        let known = |by| Some(OpenValue::Known(by));
        assert_eq!(json(None), format!("{{{range}}}"));
        assert_eq!(json(known(PairGroupBy::Key)), format!(r#"{{{range},"group_by":"key"}}"#));
        assert_eq!(json(known(PairGroupBy::Day)), format!(r#"{{{range},"aggregate_by":"day"}}"#));
        let both = format!(r#"{{{range},"group_by":"key","aggregate_by":"day"}}"#);
        assert_eq!(json(known(PairGroupBy::KeyAndDay)), both);
        assert_eq!(json(Some(OpenValue::Other("team".into()))), format!(r#"{{{range},"group_by":"team"}}"#));
    }

    fn page(next: &str, tag: &str) -> UsagePages<TagUsage> {
        let text = format!(
            r#"{{"custom_tag_usage_report":{{"aggregate_by":"day","new":1.10,"next_page":{next},"usage":[{{"custom_tag":"{tag}","more":[1]}}]}},"x":1}}"#
        );
        UsagePages::<TagUsage>::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn joined_pages_are_one_report() {
        let all = GetTagUsage::join(vec![page("7", "a"), page("null", "b")]).unwrap();
        assert_eq!(
            serde_json::to_string(&all).unwrap(),
            r#"{"custom_tag_usage_report":{"aggregate_by":"day","new":1.10,"next_page":null,"usage":[{"custom_tag":"a","more":[1]},{"custom_tag":"b","more":[1]}]},"x":1}"#
        );
    }

    #[test]
    fn refuses_json_without_a_report_object() {
        for text in ["[]", "{}", r#"{"custom_tag_usage_report": []}"#] {
            assert!(UsagePages::<TagUsage>::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
