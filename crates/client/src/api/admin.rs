//! Administration: developer keys, and the usage reports of an organisation by key and by reporting tag.
//!
//! Input: labels, limits and ranges of days. Output: requests. See `docs/service.md`, "Administration".

use std::str::FromStr;

use clap::ValueEnum;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Number;
use serde_json::value::to_raw_value;
use tulk_base::error::Failure;
use tulk_base::json::{JsonObject, Kept};
use tulk_base::limits;
use tulk_base::numbers::counted;
use tulk_base::value_error::ValueError;
use uuid::Uuid;

use super::day::Day;
use crate::http::answer::Answer;
use crate::http::endpoint::{Endpoint, KnownOperation, Paged, Paging};
use crate::http::failures::unusable;
use crate::http::reply::Reply;
use crate::http::request::{Method, Repeat};
use crate::{OpenValue, Service};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::new::<ListDeveloperKeys>(),
    KnownOperation::new::<CreateDeveloperKey>(),
    KnownOperation::new::<DeactivateDeveloperKey>(),
    KnownOperation::new::<RenameDeveloperKey>(),
    KnownOperation::new::<SetDeveloperKeyLimits>(),
    KnownOperation::new::<GetKeyUsage>(),
    KnownOperation::paged::<GetTagUsage>(),
];

/// Minimum length of an ID whose first and last characters are shown.
const SHORTEST_MASKED: usize = 12;

/// A developer key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DeveloperKey {
    /// ID: two UUIDs separated by a colon.
    pub key_id: String,
    /// Label; not unique.
    pub label: Option<String>,
    /// Time of creation.
    pub creation_time: Option<String>,
    /// Time of deactivation.
    pub deactivated_time: Option<String>,
    /// Whether it is deactivated, which is permanent.
    pub is_deactivated: Option<bool>,
    /// Limits for one usage period.
    pub usage_limits: Option<UsageLimits>,
}

/// Limits of a key for one usage period. Unset means no limit, 0 blocks the key.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct UsageLimits {
    /// Characters of texts, documents and Write together.
    pub characters: Option<Number>,
    /// Milliseconds of speech.
    pub speech_to_text_milliseconds: Option<Number>,
}

impl DeveloperKey {
    /// Returns whether the key is active.
    pub fn is_active(&self) -> bool {
        self.is_deactivated != Some(true)
    }

    /// Returns whether a text has the form of a key ID: two UUIDs separated by a colon.
    pub fn has_id_form(text: &str) -> bool {
        text.split_once(':').is_some_and(|(first, second)| is_uuid(first) && is_uuid(second))
    }

    /// Returns the first and last four characters of an ID, for messages: the ID may be the key itself.
    pub fn masked(key_id: &str) -> String {
        let characters: Vec<char> = key_id.chars().collect();
        match (characters.first_chunk::<4>(), characters.last_chunk::<4>()) {
            (Some(first), Some(last)) if characters.len() >= SHORTEST_MASKED => {
                format!("{}****{}", String::from_iter(first), String::from_iter(last))
            }
            _ => "****".to_owned(),
        }
    }
}

/// Returns whether a text is a UUID in its usual form, 36 characters with hyphens.
fn is_uuid(text: &str) -> bool {
    text.len() == 36 && Uuid::try_parse(text).is_ok()
}

/// A new limit of a key: a number, or no limit, which is sent as `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct KeyLimit(pub Option<u64>);

impl FromStr for KeyLimit {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self(None));
        }
        text.parse()
            .map(|n| Self(Some(n)))
            .map_err(|_| ValueError::new(text, format!("invalid limit `{text}`")).hint("write a whole number or none"))
    }
}

/// Lists all developer keys, active and deactivated.
#[derive(Serialize)]
pub struct ListDeveloperKeys {}

impl Endpoint for ListDeveloperKeys {
    type Reply = Kept<Vec<Kept<DeveloperKey>>>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/developer-keys";
}

/// Creates a developer key.
#[derive(Serialize)]
pub struct CreateDeveloperKey {
    /// Label; the service chooses one if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Endpoint for CreateDeveloperKey {
    type Reply = Kept<DeveloperKey>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v2/admin/developer-keys";
    const REPEAT: Repeat = Repeat::UntilArrived;
}

/// Deactivates a developer key, immediately and permanently.
#[derive(Serialize)]
pub struct DeactivateDeveloperKey {
    /// ID of the key.
    pub key_id: String,
}

impl Endpoint for DeactivateDeveloperKey {
    type Reply = Kept<DeveloperKey>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v2/admin/developer-keys/deactivate";
}

/// Changes the label of a developer key.
#[derive(Serialize)]
pub struct RenameDeveloperKey {
    /// ID of the key.
    pub key_id: String,
    /// New label.
    pub label: String,
}

impl Endpoint for RenameDeveloperKey {
    type Reply = Kept<DeveloperKey>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v2/admin/developer-keys/label";
}

/// Sets the limits of a developer key. A limit that is unset does not change.
#[derive(Serialize)]
pub struct SetDeveloperKeyLimits {
    /// ID of the key.
    pub key_id: String,
    /// Characters in one usage period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub characters: Option<KeyLimit>,
    /// Milliseconds of speech in one usage period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speech_to_text_milliseconds: Option<KeyLimit>,
}

impl Endpoint for SetDeveloperKeyLimits {
    type Reply = Kept<DeveloperKey>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v2/admin/developer-keys/limits";
}

/// Refuses a range of days that ends before it starts or is too long for a report.
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

/// Grouping of the report of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupBy {
    /// One row per key
    Key,
    /// One row per key and day
    #[value(name = "key-and-day", alias = "key_and_day")]
    KeyAndDay,
}

/// Requests the usage in a range of days, including both ends.
#[derive(Serialize)]
pub struct GetKeyUsage {
    /// First day.
    pub start_date: Day,
    /// Last day.
    pub end_date: Day,
    /// Grouping; only totals if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group_by: Option<OpenValue<GroupBy>>,
}

impl Endpoint for GetKeyUsage {
    type Reply = Kept<KeyUsageReply>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/analytics";

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_range(self.start_date, self.end_date)
    }
}

/// Reply to the request.
#[derive(Clone, Debug, Deserialize)]
pub struct KeyUsageReply {
    /// Report.
    pub usage_report: Kept<KeyUsageReport>,
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
    pub key_usages: Option<Vec<Kept<KeyUsage>>>,
    /// Usage by key and day.
    pub key_and_day_usages: Option<Vec<Kept<KeyUsage>>>,
}

/// Usage of one key, in the whole range or on one day.
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
    /// Sent by older versions of the service instead.
    speech_to_text_milliseconds: Option<f64>,
    /// Minutes of speech that is translated to speech.
    pub speech_to_speech_minutes: Option<f64>,
}

impl UsageBreakdown {
    /// Returns the minutes of speech, from either field.
    pub fn speech_to_text_minutes(&self) -> Option<f64> {
        self.speech_to_text_minutes.or_else(|| self.speech_to_text_milliseconds.map(|ms| ms / 60_000.0))
    }
}

const TAG_REPORT: &str = "custom_tag_usage_report";

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
    type Reply = TagUsageReport;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/analytics/custom-tags";

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

    fn join(pages: Vec<TagUsageReport>) -> Result<TagUsageReport, Failure> {
        let joined = pages.into_iter().reduce(|mut all, page| {
            all.next_page = page.next_page;
            all.usage.extend(page.usage);
            all
        });
        joined.ok_or_else(|| Failure::internal("a listing without a page"))
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
pub struct TagUsageBreakdown {
    /// Characters of all products.
    pub total_characters: Option<u64>,
    /// Characters of text translation.
    pub text_translation_characters: Option<u64>,
    /// Characters of Write.
    pub text_improvement_characters: Option<u64>,
    /// Minutes of speech.
    pub speech_to_text_minutes: Option<f64>,
    /// Minutes of speech that is translated to speech.
    pub speech_to_speech_minutes: Option<f64>,
}

impl TagUsageReport {
    fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        let answer: JsonObject = serde_json::from_slice(text)?;
        let report: JsonObject = serde_json::from_str(text_of(&answer, TAG_REPORT))?;
        let usage: Option<Vec<_>> = serde_json::from_str(text_of(&report, "usage"))?;
        let next_page = serde_json::from_str(text_of(&report, "next_page"))?;
        Ok(Self { usage: usage.unwrap_or_default(), next_page, answer, report })
    }
}

/// Returns the JSON of a field; `null` if it is missing.
fn text_of<'a>(object: &'a JsonObject, name: &str) -> &'a str {
    object.get(name).map_or("null", |value| value.get())
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
        report.insert("usage".to_owned(), to_raw_value(&self.usage).map_err(S::Error::custom)?);
        report.insert("next_page".to_owned(), to_raw_value(&self.next_page).map_err(S::Error::custom)?);
        answer.insert(TAG_REPORT.to_owned(), to_raw_value(&report).map_err(S::Error::custom)?);
        answer.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(value: &impl Serialize) -> String {
        serde_json::to_string(value).unwrap()
    }

    #[test]
    fn a_limit_that_is_unset_is_not_sent() {
        let limit = |characters, speech_to_text_milliseconds| {
            json(&SetDeveloperKeyLimits { key_id: "k".to_owned(), characters, speech_to_text_milliseconds })
        };
        assert_eq!(limit(Some(KeyLimit(Some(20_000))), None), r#"{"key_id":"k","characters":20000}"#);
        assert_eq!(limit(Some(KeyLimit(None)), None), r#"{"key_id":"k","characters":null}"#);
        assert_eq!(limit(None, Some(KeyLimit(Some(0)))), r#"{"key_id":"k","speech_to_text_milliseconds":0}"#);
        assert_eq!(json(&CreateDeveloperKey { label: None }), "{}");
    }

    #[test]
    fn parses_limits() {
        assert_eq!("none".parse(), Ok(KeyLimit(None)));
        assert_eq!("0".parse(), Ok(KeyLimit(Some(0))));
        for text in ["", "-1", "1.5", "1k", "null"] {
            assert!(text.parse::<KeyLimit>().is_err(), "{text}");
        }
    }

    #[test]
    fn recognises_key_ids() {
        let uuid = "11111111-2222-4333-8444-555555555555";
        assert!(DeveloperKey::has_id_form(&format!("{uuid}:{uuid}")));
        assert_eq!(DeveloperKey::masked(&format!("{uuid}:{uuid}")), "1111****5555");
        assert_eq!(DeveloperKey::masked("a:b"), "****");
        for text in [uuid, "ci", "a:b", "11111111-2222-4333-8444-55555555555g:11111111-2222-4333-8444-555555555555"] {
            assert!(!DeveloperKey::has_id_form(text), "{text}");
        }
    }

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

    fn page(next: &str, tag: &str) -> TagUsageReport {
        let text = format!(
            r#"{{"custom_tag_usage_report":{{"aggregate_by":"day","new":1.10,"next_page":{next},"usage":[{{"custom_tag":"{tag}","more":[1]}}]}},"x":1}}"#
        );
        TagUsageReport::parse(text.as_bytes()).unwrap()
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
    fn refuses_other_json() {
        for text in ["[]", "{}", r#"{"custom_tag_usage_report": []}"#] {
            assert!(TagUsageReport::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
