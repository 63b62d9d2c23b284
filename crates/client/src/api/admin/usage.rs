//! The usage report of an organisation and its keys, `GET /v2/admin/analytics`.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use tulk_base::error::Failure;
use tulk_base::json::Kept;

use super::check_range;
use crate::Service;
use crate::api::day::Day;
use crate::http::endpoint::{Carry, Endpoint};
use crate::http::request::Method;

/// Grouping of the report.
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
#[skip_serializing_none]
#[derive(Serialize)]
pub struct GetKeyUsage {
    /// First day.
    pub start_date: Day,
    /// Last day.
    pub end_date: Day,
    /// Grouping; only totals if unset.
    pub group_by: Option<GroupBy>,
}

impl Endpoint for GetKeyUsage {
    type Reply = Kept<KeyUsageReply>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/analytics";
    const CARRY: Carry = Carry::Query;

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
}

impl UsageBreakdown {
    /// Returns the minutes of speech, from either field.
    pub fn speech_to_text_minutes(&self) -> Option<f64> {
        self.speech_to_text_minutes.or_else(|| self.speech_to_text_milliseconds.map(|ms| ms / 60_000.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_minutes_and_milliseconds() {
        let minutes = |text: &str| serde_json::from_str::<UsageBreakdown>(text).unwrap().speech_to_text_minutes();
        assert_eq!(minutes(r#"{"speech_to_text_minutes": 1.5}"#), Some(1.5));
        assert_eq!(minutes(r#"{"speech_to_text_milliseconds": 90000}"#), Some(1.5));
        assert_eq!(minutes(r#"{"speech_to_text_minutes": 2, "speech_to_text_milliseconds": 0}"#), Some(2.0));
        assert_eq!(minutes("{}"), None);
    }
}
