//! Administration: developer keys here, the two reports in their own files. Spec: "Administration".

mod tags;
mod usage;

use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Number;
use serde_with::skip_serializing_none;
use uuid::Uuid;

pub use tags::{AggregateBy, GetTagUsage, TagUsageBreakdown, TagUsageReport};
pub use usage::{GetKeyUsage, GroupBy, KeyUsage, KeyUsageReply, UsageBreakdown};

use super::day::Day;
use crate::error::Failure;
use crate::http::endpoint::{Carry, Endpoint};
use crate::http::request::{Method, Repeat};
use crate::json::Kept;
use crate::limits;

/// Characters of the shortest ID whose ends are shown.
const SHORTEST_MASKED: usize = 12;

/// A developer key as the service describes it.
#[derive(Clone, Debug, Deserialize)]
pub struct DeveloperKey {
    /// Two GUIDs with a colon between.
    pub key_id: String,
    /// What people call it; not unique.
    pub label: Option<String>,
    /// When it was made.
    pub creation_time: Option<String>,
    /// When it ended, if it did.
    pub deactivated_time: Option<String>,
    /// Whether it has ended, which is for good.
    pub is_deactivated: Option<bool>,
    /// Its limits in one usage period.
    pub usage_limits: Option<UsageLimits>,
}

/// Limits of a key in one usage period; unset: none, 0: blocked.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct UsageLimits {
    /// Characters of text, documents and Write together.
    pub characters: Option<Number>,
    /// Milliseconds of speech.
    pub speech_to_text_milliseconds: Option<Number>,
}

impl DeveloperKey {
    /// Whether it works.
    pub fn is_active(&self) -> bool {
        self.is_deactivated != Some(true)
    }

    /// Whether a text has the form of a key's ID: two GUIDs with a colon between.
    pub fn has_id_form(text: &str) -> bool {
        text.split_once(':').is_some_and(|(first, second)| is_uuid(first) && is_uuid(second))
    }

    /// The first and last four characters of an ID, for messages: it may be the key itself.
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

/// A key's limit as it is set: a number, or none at all, which is sent as `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyLimit(pub Option<u64>);

impl FromStr for KeyLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(Self(None));
        }
        text.parse()
            .map(|n| Self(Some(n)))
            .map_err(|_| format!("`{text}` is no limit; write a whole number from 0, or none"))
    }
}

impl Serialize for KeyLimit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Lists all keys, active and deactivated.
#[derive(Serialize)]
pub struct ListDeveloperKeys {}

impl Endpoint for ListDeveloperKeys {
    type Reply = Kept<Vec<Kept<DeveloperKey>>>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/admin/developer-keys";
    const CARRY: Carry = Carry::Nothing;
}

/// Makes a key.
#[skip_serializing_none]
#[derive(Serialize)]
pub struct CreateDeveloperKey {
    /// What to call it; the service has a name for those without.
    pub label: Option<String>,
}

impl Endpoint for CreateDeveloperKey {
    type Reply = Kept<DeveloperKey>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v2/admin/developer-keys";
    const CARRY: Carry = Carry::Json;
    const REPEAT: Repeat = Repeat::UntilArrived;
}

/// Ends a key, at once and for good.
#[derive(Serialize)]
pub struct DeactivateDeveloperKey {
    /// Which one.
    pub key_id: String,
}

impl Endpoint for DeactivateDeveloperKey {
    type Reply = Kept<DeveloperKey>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v2/admin/developer-keys/deactivate";
    const CARRY: Carry = Carry::Json;
}

/// Changes what a key is called.
#[derive(Serialize)]
pub struct RenameDeveloperKey {
    /// Which one.
    pub key_id: String,
    /// Its new label.
    pub label: String,
}

impl Endpoint for RenameDeveloperKey {
    type Reply = Kept<DeveloperKey>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v2/admin/developer-keys/label";
    const CARRY: Carry = Carry::Json;
}

/// Sets a key's limits; one that is left out stays.
#[skip_serializing_none]
#[derive(Serialize)]
pub struct SetDeveloperKeyLimits {
    /// Which one.
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

/// Refuses a range that ends before it starts or that is longer than a report may be.
fn check_range(start: Day, end: Day) -> Result<(), Failure> {
    if end < start {
        return Err(Failure::usage(format!("the range ends on {end}, before it starts on {start}"))
            .hint("swap --start and --end"));
    }
    let (days, limit) = (start.days_to(end), limits::REPORT_DAYS);
    if days > limit {
        return Err(Failure::usage(format!("the range from {start} to {end} has {days} days, the limit is {limit}"))
            .hint("ask for it in parts"));
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
    fn a_limit_that_was_not_named_is_not_sent() {
        let limit = |characters, speech_to_text_milliseconds| {
            json(&SetDeveloperKeyLimits { key_id: "k".to_owned(), characters, speech_to_text_milliseconds })
        };
        assert_eq!(limit(Some(KeyLimit(Some(20_000))), None), r#"{"key_id":"k","characters":20000}"#);
        assert_eq!(limit(Some(KeyLimit(None)), None), r#"{"key_id":"k","characters":null}"#);
        assert_eq!(limit(None, Some(KeyLimit(Some(0)))), r#"{"key_id":"k","speech_to_text_milliseconds":0}"#);
        assert_eq!(json(&CreateDeveloperKey { label: None }), "{}");
    }

    #[test]
    fn reads_limits() {
        assert_eq!("none".parse(), Ok(KeyLimit(None)));
        assert_eq!("0".parse(), Ok(KeyLimit(Some(0))));
        for text in ["", "-1", "1.5", "1k", "null"] {
            assert!(text.parse::<KeyLimit>().is_err(), "{text}");
        }
    }

    #[test]
    fn knows_the_form_of_an_id() {
        let guid = "11111111-2222-4333-8444-555555555555";
        assert!(DeveloperKey::has_id_form(&format!("{guid}:{guid}")));
        assert_eq!(DeveloperKey::masked(&format!("{guid}:{guid}")), "1111****5555");
        assert_eq!(DeveloperKey::masked("a:b"), "****");
        for text in [guid, "ci", "a:b", "11111111-2222-4333-8444-55555555555g:11111111-2222-4333-8444-555555555555"] {
            assert!(!DeveloperKey::has_id_form(text), "{text}");
        }
    }

    #[test]
    fn bounds_ranges() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        assert!(check_range(day("2024-01-01"), day("2024-12-31")).is_ok());
        let long = check_range(day("2024-01-01"), day("2025-01-01")).unwrap_err();
        assert_eq!(long.what, "the range from 2024-01-01 to 2025-01-01 has 367 days, the limit is 366");
        assert_eq!(check_range(day("2024-01-02"), day("2024-01-01")).unwrap_err().kind.code(), 2);
    }
}
