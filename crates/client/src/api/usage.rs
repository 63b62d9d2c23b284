//! Usage of the account, `GET /v2/usage`. Every field is optional; counts have 64 bits. See `docs/service.md`, "Usage".

use serde::{Deserialize, Serialize};
use tulk_base::json::WithRaw;

use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::request::Method;

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[KnownOperation::new::<GetUsage>()];

/// The limit that means "no limit".
pub const NO_LIMIT: u64 = 1_000_000_000_000;

/// Counts and limits of the current usage period.
#[derive(Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Characters of texts, documents and Write.
    pub character_count: Option<u64>,
    /// Limit of `character_count`.
    pub character_limit: Option<u64>,
    /// Usage by product.
    pub products: Option<Vec<ProductUsage>>,
    /// Characters used with this API key.
    pub api_key_character_count: Option<u64>,
    /// Limit of `api_key_character_count`.
    pub api_key_character_limit: Option<u64>,
    /// Milliseconds of speech; deprecated.
    pub speech_to_text_milliseconds_count: Option<u64>,
    /// Limit of `speech_to_text_milliseconds_count`.
    pub speech_to_text_milliseconds_limit: Option<u64>,
    /// Minutes of speech, rounded up.
    pub speech_to_text_minutes_count: Option<u64>,
    /// Limit of `speech_to_text_minutes_count`.
    pub speech_to_text_minutes_limit: Option<u64>,
    /// Minutes of speech-to-speech translation, rounded up.
    pub speech_to_speech_minutes_count: Option<u64>,
    /// Limit of `speech_to_speech_minutes_count`.
    pub speech_to_speech_minutes_limit: Option<u64>,
    /// Documents of this user. Set only for accounts that limit them.
    pub document_count: Option<u64>,
    /// Limit of `document_count`.
    pub document_limit: Option<u64>,
    /// Documents of the team. Set only for accounts that limit them.
    pub team_document_count: Option<u64>,
    /// Limit of `team_document_count`.
    pub team_document_limit: Option<u64>,
    /// Start of the period.
    pub start_time: Option<String>,
    /// End of the period.
    pub end_time: Option<String>,
}

/// Usage of one product.
#[derive(Deserialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct ProductUsage {
    /// Name, such as `translate`.
    #[serde(default)]
    pub product_type: String,
    /// Unit of the counts.
    pub billing_unit: Option<String>,
    /// Units used with this API key.
    pub api_key_unit_count: Option<u64>,
    /// Units of the account.
    pub account_unit_count: Option<u64>,
    /// Characters used with this API key. Older field.
    pub api_key_character_count: Option<u64>,
    /// Characters of the account. Older field.
    pub character_count: Option<u64>,
}

/// A count with its limit.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct UsageCounter {
    /// The field name without `_count`, or `products.` and the product.
    pub name: String,
    /// Amount used.
    pub count: u64,
    /// Limit. `None` if there is none.
    pub limit: Option<u64>,
    /// Unit.
    pub unit: String,
    /// Amount that the API key used.
    pub key_count: Option<u64>,
}

impl UsageCounter {
    fn new(name: &str, unit: &str, count: Option<u64>, limit: Option<u64>) -> Option<Self> {
        Some(Self {
            name: name.to_owned(),
            count: count?,
            limit: limit.filter(|limit| *limit != NO_LIMIT),
            unit: unit.to_owned(),
            key_count: None,
        })
    }

    /// Returns the used share of the limit in tenths of a percent, rounded down. `None` if there is no limit or it is 0.
    pub fn per_mille(&self) -> Option<u64> {
        let limit = self.limit.filter(|limit| *limit > 0)?;
        u64::try_from(u128::from(self.count) * 1000 / u128::from(limit)).ok()
    }

    /// Returns whether usage is above a share of the limit. `share` is in thousandths of a percent. False without a limit.
    pub fn is_over(&self, share: u64) -> bool {
        self.limit.is_some_and(|limit| u128::from(self.count) * 100_000 > u128::from(limit) * u128::from(share))
    }
}

impl Usage {
    /// Returns all counters in the reply. Prefers unit counts to the older character counts, and minutes to the older milliseconds.
    pub fn counters(&self) -> Vec<UsageCounter> {
        let minutes = UsageCounter::new(
            "speech_to_text_minutes",
            "minutes",
            self.speech_to_text_minutes_count,
            self.speech_to_text_minutes_limit,
        );
        let milliseconds = UsageCounter::new(
            "speech_to_text_milliseconds",
            "milliseconds",
            self.speech_to_text_milliseconds_count,
            // In the deprecated field, 0 means no limit.
            self.speech_to_text_milliseconds_limit.filter(|limit| *limit > 0),
        );
        let mut counters: Vec<_> = [
            UsageCounter::new("character", "characters", self.character_count, self.character_limit),
            UsageCounter::new(
                "api_key_character",
                "characters",
                self.api_key_character_count,
                self.api_key_character_limit,
            ),
            minutes.or(milliseconds),
            UsageCounter::new(
                "speech_to_speech_minutes",
                "minutes",
                self.speech_to_speech_minutes_count,
                self.speech_to_speech_minutes_limit,
            ),
            UsageCounter::new("document", "documents", self.document_count, self.document_limit),
            UsageCounter::new("team_document", "documents", self.team_document_count, self.team_document_limit),
        ]
        .into_iter()
        .flatten()
        .collect();
        counters.extend(self.products.iter().flatten().filter_map(ProductUsage::counter));
        counters
    }
}

impl ProductUsage {
    fn counter(&self) -> Option<UsageCounter> {
        let unit = self.billing_unit.as_deref().unwrap_or("characters");
        let count = self.account_unit_count.or(self.character_count);
        let mut counter = UsageCounter::new(&format!("products.{}", self.product_type), unit, count, None)?;
        counter.key_count = self.api_key_unit_count.or(self.api_key_character_count);
        Some(counter)
    }
}

/// Reads the usage of the account.
#[derive(Serialize, Clone, Debug)]
pub struct GetUsage {}

impl Endpoint for GetUsage {
    type Reply = WithRaw<Usage>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/usage";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counters(json: &str) -> Vec<(String, u64, Option<u64>, Option<u64>)> {
        let usage: Usage = serde_json::from_str(json).unwrap();
        usage.counters().into_iter().map(|c| (c.name, c.count, c.limit, c.key_count)).collect()
    }

    #[test]
    fn every_field_is_optional() {
        assert_eq!(
            counters(r#"{"character_count":4200,"character_limit":500000}"#),
            [("character".into(), 4200, Some(500_000), None)]
        );
        assert_eq!(counters("{}"), []);
    }

    #[test]
    fn prefers_minutes_and_unit_counts() {
        let json = r#"{"speech_to_text_milliseconds_count":0,"speech_to_text_milliseconds_limit":0,
            "speech_to_text_minutes_count":12,"speech_to_text_minutes_limit":600,
            "products":[{"product_type":"write","account_unit_count":1000,"api_key_unit_count":40,"character_count":7},
                        {"product_type":"translate","character_count":9,"api_key_character_count":3}]}"#;
        assert_eq!(
            counters(json),
            [
                ("speech_to_text_minutes".into(), 12, Some(600), None),
                ("products.write".into(), 1000, None, Some(40)),
                ("products.translate".into(), 9, None, Some(3)),
            ]
        );
        let both = r#"{"speech_to_text_milliseconds_count":61000,"speech_to_text_milliseconds_limit":120000,
            "speech_to_text_minutes_count":2,"speech_to_text_minutes_limit":2}"#;
        assert_eq!(counters(both), [("speech_to_text_minutes".into(), 2, Some(2), None)]);
        let older = r#"{"speech_to_text_milliseconds_count":6000,"speech_to_text_milliseconds_limit":60000}"#;
        assert_eq!(counters(older), [("speech_to_text_milliseconds".into(), 6000, Some(60_000), None)]);
        let unlimited = r#"{"speech_to_text_milliseconds_count":2520000,"speech_to_text_milliseconds_limit":0}"#;
        assert_eq!(counters(unlimited), [("speech_to_text_milliseconds".into(), 2_520_000, None, None)]);
    }

    #[test]
    fn each_count_is_a_counter_with_its_own_limit() {
        let json = r#"{"team_document_limit":8,"team_document_count":7,"document_limit":6,"document_count":5,
            "speech_to_speech_minutes_limit":4,"speech_to_speech_minutes_count":3,
            "speech_to_text_minutes_limit":2,"speech_to_text_minutes_count":1}"#;
        assert_eq!(
            counters(json),
            [
                ("speech_to_text_minutes".into(), 1, Some(2), None),
                ("speech_to_speech_minutes".into(), 3, Some(4), None),
                ("document".into(), 5, Some(6), None),
                ("team_document".into(), 7, Some(8), None),
            ]
        );
    }

    #[test]
    fn accepts_64_bit_counts_and_the_limit_that_means_unlimited() {
        let json = r#"{"character_count":18446744073709551615,"character_limit":1000000000000}"#;
        assert_eq!(counters(json), [("character".into(), u64::MAX, None, None)]);
    }

    #[test]
    fn a_count_is_compared_exactly_with_a_share_of_the_limit() {
        let counter = |count, limit| UsageCounter::new("character", "characters", Some(count), Some(limit)).unwrap();
        assert!(!counter(80, 100).is_over(80_000));
        assert!(counter(81, 100).is_over(80_000));
        assert!(!counter(805, 1000).is_over(80_500));
        assert!(counter(806, 1000).is_over(80_500));
        assert!(counter(u64::MAX, NO_LIMIT - 1).is_over(99_000));
        assert!(!counter(u64::MAX, NO_LIMIT).is_over(0));
        assert!(!counter(0, 0).is_over(0));
        assert!(counter(1, 0).is_over(100_000));
        assert_eq!(counter(1, 3).per_mille(), Some(333));
        assert_eq!(counter(1, 0).per_mille(), None);
    }
}
