//! Administration: developer keys. The usage reports of an organisation are in `reports.rs`. See `docs/service.md`, "Administration".

pub mod reports;

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Number;
use tulk_base::json::WithRaw;
use tulk_base::value_error::ValueError;
use uuid::Uuid;

use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::request::{Method, Repeat};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::new::<ListDeveloperKeys>(),
    KnownOperation::new::<CreateDeveloperKey>(),
    KnownOperation::new::<DeactivateDeveloperKey>(),
    KnownOperation::new::<RenameDeveloperKey>(),
    KnownOperation::new::<SetDeveloperKeyLimits>(),
];

/// Minimum length of an ID for [`DeveloperKey::masked`] to show its first and last characters.
const MASKED_MIN_CHARS: usize = 12;

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
    /// Whether it is deactivated. Deactivation is permanent.
    pub is_deactivated: Option<bool>,
    /// Limits for one usage period.
    pub usage_limits: Option<UsageLimits>,
}

/// Limits of a key for one usage period. Unset means no limit; 0 blocks the key.
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

    /// Masks an ID for messages, since it may be the key itself: shows the first and last four characters, or nothing of a short ID.
    pub fn masked(key_id: &str) -> String {
        let characters: Vec<char> = key_id.chars().collect();
        match (characters.first_chunk::<4>(), characters.last_chunk::<4>()) {
            (Some(first), Some(last)) if characters.len() >= MASKED_MIN_CHARS => {
                format!("{}****{}", String::from_iter(first), String::from_iter(last))
            }
            _ => "****".to_owned(),
        }
    }
}

/// Returns whether a text is a UUID of 36 characters with hyphens.
fn is_uuid(text: &str) -> bool {
    text.len() == 36 && Uuid::try_parse(text).is_ok()
}

/// A new limit of a key. `None` means no limit and is sent as `null`.
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
    type Reply = WithRaw<Vec<WithRaw<DeveloperKey>>>;
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
    type Reply = WithRaw<DeveloperKey>;
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
    type Reply = WithRaw<DeveloperKey>;
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
    type Reply = WithRaw<DeveloperKey>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v2/admin/developer-keys/label";
}

/// Sets the limits of a developer key. An unset limit does not change.
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
    type Reply = WithRaw<DeveloperKey>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v2/admin/developer-keys/limits";
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
}
