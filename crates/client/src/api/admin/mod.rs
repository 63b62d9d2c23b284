//! Administration: developer keys, and in files of their own the two usage reports.
//!
//! Input: labels, limits and ranges of days. Output: requests. See `docs/service.md`, "Administration".

mod tags;
mod usage;

use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Number;
use serde_with::skip_serializing_none;
use uuid::Uuid;

pub use tags::{AggregateBy, GetTagUsage, TagUsageBreakdown, TagUsageReport};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_base::limits;
pub use usage::{GetKeyUsage, GroupBy, KeyUsage, KeyUsageReply, UsageBreakdown};

use super::day::Day;
use crate::http::endpoint::{Carry, Endpoint};
use crate::http::request::{Method, Repeat};

/// Minimum length of an ID whose first and last characters are shown.
const SHORTEST_MASKED: usize = 12;

/// A developer key.
#[derive(Clone, Debug, Deserialize)]
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
#[derive(Clone, Debug, Default, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyLimit(pub Option<u64>);

impl FromStr for KeyLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self(None));
        }
        text.parse().map(|n| Self(Some(n))).map_err(|_| format!("invalid limit `{text}`; write a whole number or none"))
    }
}

impl Serialize for KeyLimit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Lists all developer keys, active and deactivated.
#[derive(Serialize)]
pub struct ListDeveloperKeys {}

impl Endpoint for ListDeveloperKeys {
    type Reply = Kept<Vec<Kept<DeveloperKey>>>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/developer-keys";
    const CARRY: Carry = Carry::Nothing;
}

/// Creates a developer key.
#[skip_serializing_none]
#[derive(Serialize)]
pub struct CreateDeveloperKey {
    /// Label; the service chooses one if unset.
    pub label: Option<String>,
}

impl Endpoint for CreateDeveloperKey {
    type Reply = Kept<DeveloperKey>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v2/admin/developer-keys";
    const CARRY: Carry = Carry::Json;
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
    const CARRY: Carry = Carry::Json;
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
    const CARRY: Carry = Carry::Json;
}

/// Sets the limits of a developer key. A limit that is unset does not change.
#[skip_serializing_none]
#[derive(Serialize)]
pub struct SetDeveloperKeyLimits {
    /// ID of the key.
    pub key_id: String,
    /// Characters in one usage period.
    pub characters: Option<KeyLimit>,
    /// Milliseconds of speech in one usage period.
    pub speech_to_text_milliseconds: Option<KeyLimit>,
}

impl Endpoint for SetDeveloperKeyLimits {
    type Reply = Kept<DeveloperKey>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v2/admin/developer-keys/limits";
    const CARRY: Carry = Carry::Json;
}

/// Refuses a range of days that ends before it starts or is too long for a report.
fn check_range(start: Day, end: Day) -> Result<(), Failure> {
    if end < start {
        return Err(Failure::usage(format!("the range ends on {end}, before its start on {start}"))
            .hint("swap --start and --end"));
    }
    let (days, limit) = (start.days_to(end), limits::REPORT_DAYS);
    if days > limit {
        return Err(Failure::usage(format!("the range from {start} to {end} has {days} days; the limit is {limit}"))
            .hint("split the range into several reports"));
    }
    Ok(())
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
}
