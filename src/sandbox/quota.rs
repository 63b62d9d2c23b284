//! What was used: characters and milliseconds by day, key, product and tag, and the limits on them.
//!
//! Counts are gathered in memory and written together, so a long run does not pay for SQLite with each request. A key
//! or an account with a limit is counted in one transaction instead: its limit is exact over all processes.
//! Spec: "Usage", "Administration" (key limits), "Limits" (456).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::App;
use super::auth::Caller;
use super::clock;
use super::reply::Refusal;
use super::state::{StateStore, StateTables, kind};

/// How long counts may wait in memory.
const FLUSH_AFTER: Duration = Duration::from_millis(200);

/// What is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BilledProduct {
    /// Text translation, in characters.
    Text,
    /// Document translation, in characters.
    Document,
    /// Text improvement, in characters.
    Write,
    /// Speech, in milliseconds.
    Speech,
}

impl BilledProduct {
    const ALL: [Self; 4] = [Self::Text, Self::Document, Self::Write, Self::Speech];

    /// The word it is stored under.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Document => "document",
            Self::Write => "write",
            Self::Speech => "speech",
        }
    }

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|product| product.name() == name)
    }

    /// Whether it counts towards the character limits.
    pub const fn is_characters(self) -> bool {
        !matches!(self, Self::Speech)
    }
}

/// Usage of one product with one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPeriodUsage {
    /// The product.
    pub product: BilledProduct,
    /// The key.
    pub key: String,
    /// Characters, or milliseconds of speech.
    pub n: u64,
}

/// Usage on one day: of a key, or of a reporting tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DailyUsage {
    /// The UTC day, `YYYY-MM-DD`.
    pub day: String,
    /// The key, or the tag.
    pub name: String,
    /// The product.
    pub product: BilledProduct,
    /// Characters, or milliseconds of speech.
    pub n: u64,
}

/// Counts that are not written yet.
#[derive(Default)]
pub(super) struct Quota {
    waiting: Mutex<PendingCounts>,
}

#[derive(Default)]
struct PendingCounts {
    counts: HashMap<(String, String), i64>,
    /// A task will write them.
    due: bool,
}

/// Counts `n` characters (or milliseconds) for the caller, or refuses with 456 and counts nothing.
///
/// `tag` is the reporting tag, in lower case. Call it after everything else was checked: what is refused is not billed.
pub fn charge(app: &App, caller: &Caller, product: BilledProduct, n: u64, tag: Option<&str>) -> Result<(), Refusal> {
    let entry = Charge::new(caller, product, n, tag);
    if caller.developer || (product.is_characters() && app.options.character_limit.is_some()) {
        app.quota.flush(&app.state)?;
        return app.state.change(|store| {
            check(app, store, caller, product, n)?;
            entry.each(|key, name, n| store.add_count(key, name, n))?;
            Ok(())
        });
    }
    let schedule = {
        let mut waiting = app.quota.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        entry.each(|key, name, n| {
            *waiting.counts.entry((key.to_owned(), name.to_owned())).or_default() += n;
            Ok(())
        })?;
        !std::mem::replace(&mut waiting.due, true)
    };
    if schedule {
        schedule_flush(app);
    }
    Ok(())
}

/// Refuses with 456 what [`charge`] would refuse, and counts nothing: for what is billed later.
pub fn affords(app: &App, caller: &Caller, product: BilledProduct, n: u64) -> Result<(), Refusal> {
    app.quota.flush(&app.state)?;
    app.state.with(|store| check(app, store, caller, product, n))
}

/// Usage of the current month by product and key.
pub fn period(app: &App) -> Result<Vec<KeyPeriodUsage>, Refusal> {
    app.quota.flush(&app.state)?;
    Ok(app.state.with(read_period)?)
}

/// Usage by day, key and product, from the day `first` to the day `last` (both `YYYY-MM-DD`, both included).
pub fn days(app: &App, first: &str, last: &str) -> Result<Vec<DailyUsage>, Refusal> {
    read_days(app, "day", first, last)
}

/// Text usage by day and reporting tag, from the day `first` to the day `last`, both included.
pub fn tags(app: &App, first: &str, last: &str) -> Result<Vec<DailyUsage>, Refusal> {
    read_days(app, "tag", first, last)
}

/// The limits of a key: characters, milliseconds of speech.
pub fn key_limits(developer_key: &Value) -> (Option<u64>, Option<u64>) {
    let limit = |name: &str| developer_key.get("usage_limits").and_then(|limits| limits.get(name)?.as_u64());
    (limit("characters"), limit("speech_to_text_milliseconds"))
}

impl Quota {
    /// Writes what waits; it goes on waiting if that fails.
    pub(super) fn flush(&self, state: &StateStore) -> rusqlite::Result<()> {
        let counts = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.due = false;
            std::mem::take(&mut waiting.counts)
        };
        if counts.is_empty() {
            return Ok(());
        }
        let written =
            state.change(|store| counts.iter().try_for_each(|((key, name), n)| store.add_count(key, name, *n)));
        if written.is_err() {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            for (row, n) in counts {
                *waiting.counts.entry(row).or_default() += n;
            }
        }
        written
    }
}

/// The rows one charge adds to.
struct Charge {
    month: String,
    usage: String,
    day_usage: String,
    day_tag: Option<String>,
    n: i64,
}

impl Charge {
    fn new(caller: &Caller, product: BilledProduct, n: u64, tag: Option<&str>) -> Self {
        let now = clock::now_ms();
        let day = clock::day(now);
        let product = product.name();
        Self {
            month: format!("month {}", clock::month(now)),
            usage: format!("{product} {}", caller.key),
            day_usage: format!("{day} {product} {}", caller.key),
            day_tag: tag.map(|tag| format!("{day} {product} {tag}")),
            n: i64::try_from(n).unwrap_or(i64::MAX),
        }
    }

    fn each(&self, mut add: impl FnMut(&str, &str, i64) -> rusqlite::Result<()>) -> rusqlite::Result<()> {
        add(&self.month, &self.usage, self.n)?;
        add("day", &self.day_usage, self.n)?;
        self.day_tag.as_ref().map_or(Ok(()), |name| add("tag", name, self.n))
    }
}

fn check(app: &App, store: &StateTables, caller: &Caller, product: BilledProduct, n: u64) -> Result<(), Refusal> {
    let used = read_period(store)?;
    let sum = |of_key: bool| -> u64 {
        used.iter()
            .filter(|used| used.product.is_characters() == product.is_characters())
            .filter(|used| !of_key || used.key == caller.key)
            .map(|used| used.n)
            .sum()
    };
    let full = |used: u64, limit: u64| used >= limit || used.saturating_add(n) > limit;
    if let Some(limit) = app.options.character_limit.filter(|_| product.is_characters())
        && full(sum(false), limit)
    {
        return Err(Refusal::quota("Quota for this billing period has been exceeded."));
    }
    let key = if caller.developer { store.get(kind::DEVELOPER_KEY, &caller.key)? } else { None };
    let (characters, milliseconds) = key.map(|key| key_limits(&key.body)).unwrap_or_default();
    let limit = if product.is_characters() { characters } else { milliseconds };
    if limit.is_some_and(|limit| full(sum(true), limit)) {
        return Err(Refusal::quota("The usage limit of this key has been reached."));
    }
    Ok(())
}

fn read_period(store: &StateTables) -> rusqlite::Result<Vec<KeyPeriodUsage>> {
    let counts = store.counts(&format!("month {}", clock::month(clock::now_ms())))?;
    Ok(counts
        .into_iter()
        .filter_map(|(name, n)| {
            let (product, key) = name.split_once(' ')?;
            Some(KeyPeriodUsage {
                product: BilledProduct::of(product)?,
                key: key.to_owned(),
                n: u64::try_from(n).unwrap_or(0),
            })
        })
        .collect())
}

/// Usage of the current month by product, without a running sandbox.
pub(super) fn period_totals(store: &StateTables) -> rusqlite::Result<BTreeMap<String, u64>> {
    let mut totals = BTreeMap::new();
    for used in read_period(store)? {
        *totals.entry(used.product.name().to_owned()).or_default() += used.n;
    }
    Ok(totals)
}

fn read_days(app: &App, what: &str, first: &str, last: &str) -> Result<Vec<DailyUsage>, Refusal> {
    app.quota.flush(&app.state)?;
    let counts = app.state.with(|store| store.counts(what))?;
    Ok(counts
        .into_iter()
        .filter_map(|(name, n)| {
            let mut parts = name.splitn(3, ' ');
            let (day, product, name) = (parts.next()?, BilledProduct::of(parts.next()?)?, parts.next()?);
            let n = u64::try_from(n).unwrap_or(0);
            (first <= day && day <= last).then(|| DailyUsage { day: day.to_owned(), name: name.to_owned(), product, n })
        })
        .collect())
}

/// Writes the counts soon, once for all requests until then.
fn schedule_flush(app: &App) {
    // Without a runtime (a unit test, the end of the process) they wait for the next read or for the drop.
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
    let app = app.downgrade();
    runtime.spawn(async move {
        tokio::time::sleep(FLUSH_AFTER).await;
        if let Some(app) = app.upgrade() {
            // A failure shows at the next request that needs the database.
            let _ = app.quota.flush(&app.state);
        }
    });
}
