//! Initial usage in a seed file: amounts billed earlier this month or on a day.

use serde::Deserialize;

use crate::clock::{self, DAY_MS};
use crate::languages;
use crate::quota::{BilledProduct, UsageCharge};

/// Maximum count: the value that the service reports for "no limit". Sums of many such counts do not overflow.
const COUNT_MAX: u64 = 1_000_000_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeedUsageTable {
    /// Key; the default is the first accepted one.
    pub(super) key: Option<String>,
    /// Day, `YYYY-MM-DD`, as a string or a TOML date.
    pub(super) day: Option<toml::Value>,
    /// Day, as the number of days before the seed is written.
    pub(super) days_ago: Option<u32>,
    pub(super) tag: Option<String>,
    /// Source language, for the report by language pair.
    pub(super) source_lang: Option<String>,
    pub(super) target_lang: Option<String>,
    text_characters: Option<u64>,
    document_characters: Option<u64>,
    write_characters: Option<u64>,
    documents: Option<u64>,
    speech_to_text_minutes: Option<u64>,
    speech_to_speech_minutes: Option<u64>,
}

pub(super) struct SeedUsage {
    pub(super) key: String,
    pub(super) day: UsageDay,
    /// Reporting tag in lower case.
    pub(super) tag: Option<String>,
    pub(super) pair: Option<[&'static str; 2]>,
    /// Characters, milliseconds or documents of each product.
    pub(super) counts: Vec<(BilledProduct, u64)>,
}

pub(super) enum UsageDay {
    /// In the current month, but on no specific day: no report includes it.
    ThisMonth,
    /// On the day that starts at this time, in milliseconds since 1970.
    At(i64),
    /// This many days before the seed is written.
    DaysAgo(u32),
}

impl SeedUsageTable {
    /// Fails if no count is set, or if one is above `COUNT_MAX`.
    pub(super) fn counts(&self) -> Result<Vec<(BilledProduct, u64)>, String> {
        let minutes = |minutes: Option<u64>| minutes.map(|minutes| minutes.saturating_mul(60_000));
        let all = [
            (BilledProduct::Text, self.text_characters),
            (BilledProduct::Document, self.document_characters),
            (BilledProduct::Write, self.write_characters),
            (BilledProduct::Upload, self.documents),
            (BilledProduct::Speech, minutes(self.speech_to_text_minutes)),
            (BilledProduct::SpeechToSpeech, minutes(self.speech_to_speech_minutes)),
        ];
        let counts: Vec<_> = all.into_iter().filter_map(|(product, n)| Some((product, n?))).collect();
        if counts.is_empty() {
            return Err("usage needs a count".to_owned());
        }
        if counts.iter().any(|&(_, n)| n > COUNT_MAX) {
            return Err(format!("a count must be at most {COUNT_MAX}"));
        }
        Ok(counts)
    }
}

impl SeedUsageTable {
    /// Fails if only one language is set, or if a language is unknown.
    pub(super) fn pair(&self) -> Result<Option<[&'static str; 2]>, String> {
        let (Some(source), Some(target)) = (&self.source_lang, &self.target_lang) else {
            let is_whole = self.source_lang.is_none() && self.target_lang.is_none();
            return if is_whole {
                Ok(None)
            } else {
                Err("usage needs both `source_lang` and `target_lang`, or neither".to_owned())
            };
        };
        let found =
            languages::find_source("translate_text", source).zip(languages::find_target("translate_text", target));
        let (source, target) = found.ok_or_else(|| format!("unknown language pair `{source}` and `{target}`"))?;
        Ok(Some([source.0.lang, target.0.lang]))
    }
}

impl SeedUsage {
    /// `now` is in milliseconds since 1970.
    pub(super) fn charges(&self, now: i64) -> Vec<UsageCharge> {
        let (time, is_reported) = match self.day {
            UsageDay::ThisMonth => (now, false),
            UsageDay::At(start) => (start, true),
            UsageDay::DaysAgo(days) => (now.saturating_sub(i64::from(days) * DAY_MS), true),
        };
        let charge = |(product, n): &(BilledProduct, u64)| {
            let tag = self.tag.as_deref().filter(|_| *product == BilledProduct::Text);
            let mut charge = UsageCharge::new(time, &self.key, *product, *n, tag);
            if let Some(pair) = self.pair {
                charge = charge.with_language_pair(time, &self.key, *product, pair);
            }
            if is_reported { charge } else { charge.without_day() }
        };
        self.counts.iter().map(charge).collect()
    }
}

/// Returns the start of a day, in milliseconds since 1970.
pub(super) fn parse_day(day: &toml::Value) -> Result<i64, String> {
    let text = day.as_str().map_or_else(|| day.to_string(), str::to_owned);
    clock::parse_day(&text).ok_or_else(|| format!("invalid day `{text}`: write it as 2026-03-04"))
}
