//! Counts usage and enforces limits: characters, milliseconds and documents by month, day, key, product and reporting
//! tag.
//!
//! Each charge is checked and counted in one transaction, so limits are exact across processes. See docs/service.md,
//! "Usage", "Administration" and "Limits".

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::auth::Caller;
use super::clock;
use super::options::SandboxOptions;
use super::reply::Refusal;
use super::state::{StateStore, StateTables, kind};

/// Name of an unknown source language in reports.
pub const UNKNOWN_LANGUAGE: &str = "unknown";

/// Products are billed by characters unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BilledProduct {
    Text,
    Document,
    Write,
    /// Speech, in milliseconds.
    Speech,
    /// Speech translated to speech, in milliseconds; also counted as [`Speech`](Self::Speech).
    SpeechToSpeech,
    /// Uploaded documents, by number.
    Upload,
}

/// The kind of limit that applies to a product. Products of the same kind count towards the same limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LimitKind {
    Characters,
    Speech,
    SpeechToSpeech,
    Uploads,
}

impl LimitKind {
    /// Returns the unit, for messages.
    const fn noun(self) -> &'static str {
        match self {
            Self::Characters => "character",
            Self::Speech | Self::SpeechToSpeech => "millisecond",
            Self::Uploads => "document",
        }
    }
}

impl BilledProduct {
    const ALL: [Self; 6] = [Self::Text, Self::Document, Self::Write, Self::Speech, Self::SpeechToSpeech, Self::Upload];

    /// Returns the name in stored counts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Document => "document",
            Self::Write => "write",
            Self::Speech => "speech",
            Self::SpeechToSpeech => "speech_to_speech",
            Self::Upload => "document_upload",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|product| product.name() == name)
    }

    const fn limit_kind(self) -> LimitKind {
        match self {
            Self::Text | Self::Document | Self::Write => LimitKind::Characters,
            Self::Speech => LimitKind::Speech,
            Self::SpeechToSpeech => LimitKind::SpeechToSpeech,
            Self::Upload => LimitKind::Uploads,
        }
    }

    /// Returns whether the report by key includes the product.
    const fn is_reported(self) -> bool {
        !matches!(self, Self::SpeechToSpeech | Self::Upload)
    }
}

/// Monthly limits of one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyLimits {
    pub characters: Option<u64>,
    pub milliseconds: Option<u64>,
    pub documents: Option<u64>,
}

impl KeyLimits {
    pub(super) fn of_developer_key(body: &Value) -> Self {
        let limit = |name: &str| body.get("usage_limits").and_then(|limits| limits.get(name)?.as_u64());
        Self {
            characters: limit("characters"),
            milliseconds: limit("speech_to_text_milliseconds"),
            documents: limit("documents"),
        }
    }
}

/// Usage of one product with one key in the current month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthUsage {
    pub product: BilledProduct,
    pub key: String,
    pub amount: u64,
}

/// Usage of one product on one day, by key, by reporting tag or by language pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayUsage {
    /// UTC day, `YYYY-MM-DD`.
    pub day: String,
    /// Key, reporting tag, or `SOURCE TARGET KEY`.
    pub name: String,
    pub product: BilledProduct,
    pub amount: u64,
}

pub struct Quota {
    state: Arc<StateStore>,
    options: Arc<SandboxOptions>,
}

impl Quota {
    pub const fn new(state: Arc<StateStore>, options: Arc<SandboxOptions>) -> Self {
        Self { state, options }
    }

    /// Counts `n` characters, milliseconds or documents for the caller. If that would exceed a limit, refuses with 456 and
    /// counts nothing. `tag` is in lower case. Call it after all other checks: refused requests are not billed.
    pub fn charge(&self, caller: &Caller, product: BilledProduct, n: u64, tag: Option<&str>) -> Result<(), Refusal> {
        let charge = UsageCharge::new(clock::now_ms(), &caller.key, product, n, tag);
        self.state.in_transaction(|tables| {
            if caller.developer || self.has_limit(product.limit_kind()) {
                self.check_limits(tables, caller, product, n)?;
            }
            charge.for_each(|key, name, n| tables.add_count(key, name, n))?;
            Ok(())
        })
    }

    /// Counts charged usage by source and target language, for the report by language pair.
    pub fn count_pairs<'a>(
        &self,
        caller: &Caller,
        product: BilledProduct,
        pairs: impl IntoIterator<Item = (&'a str, &'a str, u64)>,
    ) -> Result<(), Refusal> {
        let day = clock::day(clock::now_ms());
        self.state.in_transaction(|tables| {
            for (source, target, n) in pairs.into_iter().filter(|(_, _, n)| *n > 0) {
                let name = pair_count_name(&day, product, [source, target], &caller.key);
                tables.add_count("pair", &name, i64::try_from(n).unwrap_or(i64::MAX))?;
            }
            Ok(())
        })
    }

    /// Refuses with 456 what [`charge`](Self::charge) would refuse, but counts nothing: for work that is billed later.
    pub fn check(&self, caller: &Caller, product: BilledProduct, n: u64) -> Result<(), Refusal> {
        self.state.with_tables(|tables| self.check_limits(tables, caller, product, n))
    }

    pub fn current_month(&self) -> Result<Vec<MonthUsage>, Refusal> {
        Ok(self.state.with_tables(read_month)?)
    }

    /// Returns the usage by day, key and product from `first` to `last`, both included.
    pub fn by_day_and_key(&self, first: &str, last: &str) -> Result<Vec<DayUsage>, Refusal> {
        self.read_days("day", first, last)
    }

    /// Returns the usage by day, reporting tag and product from `first` to `last`, both included.
    pub fn by_day_and_tag(&self, first: &str, last: &str) -> Result<Vec<DayUsage>, Refusal> {
        self.read_days("tag", first, last)
    }

    /// Returns the usage by day and language pair from `first` to `last`, both included. Names have the form
    /// `SOURCE TARGET KEY`.
    pub fn by_day_and_pair(&self, first: &str, last: &str) -> Result<Vec<DayUsage>, Refusal> {
        self.read_days("pair", first, last)
    }

    /// Returns whether a limit of this kind applies to every key.
    fn has_limit(&self, kind: LimitKind) -> bool {
        self.account_limit(kind).is_some() || (kind == LimitKind::Uploads && self.options.document_limit.is_some())
    }

    fn account_limit(&self, kind: LimitKind) -> Option<u64> {
        match kind {
            LimitKind::Characters => self.options.character_limit,
            LimitKind::Uploads => self.options.team_document_limit,
            LimitKind::Speech | LimitKind::SpeechToSpeech => None,
        }
    }

    pub fn limits_of(&self, tables: &StateTables, caller: &Caller) -> rusqlite::Result<KeyLimits> {
        let key = if caller.developer { tables.get(kind::DEVELOPER_KEY, &caller.key)? } else { None };
        let own = key.map(|key| KeyLimits::of_developer_key(&key.body)).unwrap_or_default();
        Ok(KeyLimits { documents: own.documents.or(self.options.document_limit), ..own })
    }

    fn check_limits(
        &self,
        tables: &StateTables,
        caller: &Caller,
        product: BilledProduct,
        n: u64,
    ) -> Result<(), Refusal> {
        let limit_kind = product.limit_kind();
        let usage = read_month(tables)?;
        let sum = |of_key: bool| -> u64 {
            usage
                .iter()
                .filter(|usage| usage.product.limit_kind() == limit_kind)
                .filter(|usage| !of_key || usage.key == caller.key)
                .map(|usage| usage.amount)
                .sum()
        };
        let exceeds = |used: u64, limit: u64| used >= limit || used.saturating_add(n) > limit;
        let noun = limit_kind.noun();
        if let Some(limit) = self.account_limit(limit_kind)
            && exceeds(sum(false), limit)
        {
            return Err(Refusal::quota_exceeded("Quota for this billing period has been exceeded.")
                .detail(format!("the {noun} limit of the account is {limit}")));
        }
        let limits = self.limits_of(tables, caller)?;
        let limit = match limit_kind {
            LimitKind::Characters => limits.characters,
            LimitKind::Speech => limits.milliseconds,
            LimitKind::Uploads => limits.documents,
            LimitKind::SpeechToSpeech => None,
        };
        if let Some(limit) = limit
            && exceeds(sum(true), limit)
        {
            return Err(Refusal::quota_exceeded("The usage limit of this key has been reached.")
                .detail(format!("the {noun} limit of the key is {limit}")));
        }
        Ok(())
    }

    fn read_days(&self, key: &str, first: &str, last: &str) -> Result<Vec<DayUsage>, Refusal> {
        let counts = self.state.with_tables(|tables| tables.counts(key))?;
        Ok(counts
            .into_iter()
            .filter_map(|(name, n)| {
                let mut parts = name.splitn(3, ' ');
                let (day, product, name) = (parts.next()?, BilledProduct::from_name(parts.next()?)?, parts.next()?);
                let n = u64::try_from(n).unwrap_or(0);
                let usage = || DayUsage { day: day.to_owned(), name: name.to_owned(), product, amount: n };
                (first <= day && day <= last).then(usage)
            })
            .collect())
    }
}

fn pair_count_name(day: &str, product: BilledProduct, pair: [&str; 2], key: &str) -> String {
    let [source, target] = pair.map(str::to_ascii_lowercase);
    format!("{day} {} {source} {target} {key}", product.name())
}

/// The counts to which one request adds.
pub(super) struct UsageCharge {
    month: String,
    usage: String,
    day_usage: Option<String>,
    day_tag: Option<String>,
    day_pair: Option<String>,
    n: i64,
}

impl UsageCharge {
    /// Counts `n` characters, milliseconds or documents. `time` is in milliseconds since 1970.
    pub(super) fn new(time: i64, key: &str, product: BilledProduct, n: u64, tag: Option<&str>) -> Self {
        let day = clock::day(time);
        let is_reported = product.is_reported();
        let product = product.name();
        Self {
            month: month_key(time),
            usage: format!("{product} {key}"),
            day_usage: is_reported.then(|| format!("{day} {product} {key}")),
            day_tag: tag.map(|tag| format!("{day} {product} {tag}")),
            day_pair: None,
            n: i64::try_from(n).unwrap_or(i64::MAX),
        }
    }

    pub(super) fn with_language_pair(self, time: i64, key: &str, product: BilledProduct, pair: [&str; 2]) -> Self {
        Self { day_pair: Some(pair_count_name(&clock::day(time), product, pair, key)), ..self }
    }

    /// Counts only by month, so that no report includes the usage.
    pub(super) fn without_day(self) -> Self {
        Self { day_usage: None, day_tag: None, day_pair: None, ..self }
    }

    /// Calls `add` with the key, the name and the increment of each count.
    pub(super) fn for_each(
        &self,
        mut add: impl FnMut(&str, &str, i64) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        add(&self.month, &self.usage, self.n)?;
        self.day_usage.as_ref().map_or(Ok(()), |name| add("day", name, self.n))?;
        self.day_tag.as_ref().map_or(Ok(()), |name| add("tag", name, self.n))?;
        self.day_pair.as_ref().map_or(Ok(()), |name| add("pair", name, self.n))
    }
}

/// Returns the usage of the current month by product name, over all keys.
pub(super) fn month_totals(tables: &StateTables) -> rusqlite::Result<BTreeMap<String, u64>> {
    let mut totals = BTreeMap::new();
    for usage in read_month(tables)? {
        *totals.entry(usage.product.name().to_owned()).or_default() += usage.amount;
    }
    Ok(totals)
}

fn month_key(time: i64) -> String {
    format!("month {}", clock::month(time))
}

fn read_month(tables: &StateTables) -> rusqlite::Result<Vec<MonthUsage>> {
    let counts = tables.counts(&month_key(clock::now_ms()))?;
    Ok(counts
        .into_iter()
        .filter_map(|(name, n)| {
            let (product, key) = name.split_once(' ')?;
            let n = u64::try_from(n).unwrap_or(0);
            Some(MonthUsage { product: BilledProduct::from_name(product)?, key: key.to_owned(), amount: n })
        })
        .collect())
}
