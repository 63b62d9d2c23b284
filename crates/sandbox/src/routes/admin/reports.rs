//! Usage reports: in total, per key, or per key and day; per reporting tag; and per language pair. The current day is included, so
//! scripts see their own usage immediately. See docs/service.md, "Administration".

use std::collections::{BTreeMap, HashMap};

use axum::http::Uri;
use axum::response::Response;
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::auth::Admin;
use crate::clock::{self, DAY_MS};
use crate::query::QueryParams;
use crate::quota::BilledProduct;
use crate::reply::{self, Refusal};
use crate::routes::fields::unsupported;
use crate::state::kind;

/// Label of the keys given at startup.
const STARTUP_KEY_LABEL: &str = "Sandbox";
const MINUTE_MS: f64 = 60_000.0;

pub(super) async fn key_report(_: Admin, app: App, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let period = ReportPeriod::read(&query, true)?;
    let group_by = query.get("group_by").filter(|text| !text.is_empty());
    if !matches!(group_by, None | Some("key" | "key_and_day")) {
        return Err(unsupported("group_by"));
    }
    let used = app.quota.by_day_and_key(&period.first, &period.last)?;
    let mut total = KeyUsageSums::default();
    let mut groups: BTreeMap<(&str, &str), KeyUsageSums> = BTreeMap::new();
    for used in &used {
        total.add(used.product, used.amount);
        let day = if group_by == Some("key_and_day") { used.day.as_str() } else { "" };
        groups.entry((day, used.name.as_str())).or_default().add(used.product, used.amount);
    }
    let mut report = Map::from_iter([
        ("total_usage".to_owned(), total.breakdown()),
        ("start_date".to_owned(), period.start_date.into()),
        ("end_date".to_owned(), period.end_date.into()),
    ]);
    if let Some(group_by) = group_by {
        let labels = key_labels(&app)?;
        let entries: Vec<Value> = groups.iter().map(|((day, key), sums)| key_entry(day, key, &labels, *sums)).collect();
        report.insert("group_by".to_owned(), group_by.into());
        report.insert(format!("{group_by}_usages"), entries.into());
    }
    Ok(reply::ok(&json!({ "usage_report": report })))
}

/// Returns the usage of a key, on one day or, if `day` is empty, in the complete period.
fn key_entry(day: &str, key: &str, labels: &HashMap<String, String>, sums: KeyUsageSums) -> Value {
    let mut entry = json!({
        "api_key": mask_key(key),
        "api_key_label": labels.get(key).map_or(STARTUP_KEY_LABEL, String::as_str),
        "usage": sums.breakdown(),
    });
    if !day.is_empty() {
        entry["usage_date"] = format!("{day}T00:00:00Z").into();
    }
    entry
}

fn key_labels(app: &App) -> Result<HashMap<String, String>, Refusal> {
    let label = |body: &Value| body.get("label").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(app.state.list(kind::DEVELOPER_KEY)?.into_iter().map(|key| (key.id, label(&key.body))).collect())
}

/// Masks a key: its first and last four characters remain. A short key is masked completely.
fn mask_key(key: &str) -> String {
    let characters: Vec<char> = key.chars().collect();
    match (characters.first_chunk::<4>(), characters.last_chunk::<4>()) {
        (Some(first), Some(last)) if characters.len() >= 12 => {
            format!("{}****{}", String::from_iter(first), String::from_iter(last))
        }
        _ => "****".to_owned(),
    }
}

/// Usage by product: characters, or milliseconds of speech.
#[derive(Clone, Copy, Default)]
struct KeyUsageSums {
    text: u64,
    document: u64,
    write: u64,
    speech: u64,
    speech_to_speech: u64,
}

impl KeyUsageSums {
    fn add(&mut self, product: BilledProduct, n: u64) {
        let sum = match product {
            BilledProduct::Text => &mut self.text,
            BilledProduct::Document => &mut self.document,
            BilledProduct::Write => &mut self.write,
            BilledProduct::Speech => &mut self.speech,
            BilledProduct::SpeechToSpeech => &mut self.speech_to_speech,
            // Reports do not contain the number of uploads.
            BilledProduct::Upload => return,
        };
        *sum += n;
    }

    fn breakdown(self) -> Value {
        json!({
            "total_characters": self.text + self.document + self.write,
            "text_translation_characters": self.text,
            "document_translation_characters": self.document,
            "text_improvement_characters": self.write,
            "speech_to_text_minutes": minutes(self.speech),
        })
    }
}

/// The cast is exact: milliseconds of speech stay far below 2^52.
#[allow(clippy::cast_precision_loss)]
fn minutes(ms: u64) -> f64 {
    ms as f64 / MINUTE_MS
}

const PAGE_ENTRIES: usize = 10;
/// Cursor of the first page. Not 0, so that a client is refused if it counts pages itself instead of sending `next_page`.
const FIRST_CURSOR: usize = 1000;

pub(super) async fn tag_report(_: Admin, app: App, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let period = ReportPeriod::read(&query, false)?;
    let aggregate_by = read_aggregate_by(&query)?;
    let skip = query.get("page").map_or(Ok(0), parse_page_cursor)?;
    let used = app.quota.by_day_and_tag(&period.first, &period.last)?;
    let mut entries: BTreeMap<(&str, &str), KeyUsageSums> = BTreeMap::new();
    for used in &used {
        let day = if aggregate_by == "day" { used.day.as_str() } else { "" };
        entries.entry((day, used.name.as_str())).or_default().add(used.product, used.amount);
    }
    let page: Vec<Value> =
        entries.iter().skip(skip).take(PAGE_ENTRIES).map(|((day, tag), sums)| tag_entry(day, tag, sums)).collect();
    Ok(reply::ok(&json!({ "custom_tag_usage_report": {
        "aggregate_by": aggregate_by,
        "start_date": period.start_date,
        "end_date": period.end_date,
        "next_page": next_page(skip, entries.len()),
        "usage": page,
    } })))
}

pub(super) async fn pair_report(_: Admin, app: App, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let period = ReportPeriod::read(&query, true)?;
    let aggregate_by = read_aggregate_by(&query)?;
    let group_by: Vec<&str> =
        query.iter().filter(|(name, value)| *name == "group_by" && !value.is_empty()).map(|(_, value)| value).collect();
    if group_by.iter().any(|group| *group != "key") {
        return Err(unsupported("group_by"));
    }
    let skip = query.get("page").map_or(Ok(0), parse_page_cursor)?;
    let used = app.quota.by_day_and_pair(&period.first, &period.last)?;
    let mut entries: BTreeMap<[&str; 4], KeyUsageSums> = BTreeMap::new();
    for used in &used {
        let mut parts = used.name.splitn(3, ' ');
        let [source, target, key] = std::array::from_fn(|_| parts.next().unwrap_or_default());
        let key = if group_by.is_empty() { "" } else { key };
        let day = if aggregate_by == "day" { used.day.as_str() } else { "" };
        entries.entry([day, source, target, key]).or_default().add(used.product, used.amount);
    }
    let labels = key_labels(&app)?;
    let entry = |([day, source, target, key], sums): (&[&str; 4], &KeyUsageSums)| {
        let mut entry = if key.is_empty() { json!({}) } else { key_entry(day, key, &labels, *sums) };
        (entry["source_language"], entry["target_language"]) = ((*source).into(), (*target).into());
        if !day.is_empty() {
            entry["usage_date"] = format!("{day}T00:00:00Z").into();
        }
        entry["usage"] = sums.breakdown();
        entry["usage"]["speech_to_speech_minutes"] = minutes(sums.speech_to_speech).into();
        entry
    };
    let page: Vec<Value> = entries.iter().skip(skip).take(PAGE_ENTRIES).map(entry).collect();
    Ok(reply::ok(&json!({ "language_pair_usage_report": {
        "group_by": group_by,
        "aggregate_by": aggregate_by,
        "start_date": period.start_date,
        "end_date": period.end_date,
        "next_page": next_page(skip, entries.len()),
        "language_pair_usages": page,
    } })))
}

/// Returns the checked `aggregate_by` of the query: `period` (the default) or `day`.
fn read_aggregate_by(query: &QueryParams) -> Result<&str, Refusal> {
    let aggregate_by = query.get("aggregate_by").filter(|text| !text.is_empty()).unwrap_or("period");
    if matches!(aggregate_by, "period" | "day") { Ok(aggregate_by) } else { Err(unsupported("aggregate_by")) }
}

/// Returns the cursor of the next page, or `None` if the current page is the last. The current page starts at entry `skip` of
/// `all`.
fn next_page(skip: usize, all: usize) -> Option<usize> {
    let next = skip + PAGE_ENTRIES;
    (next < all).then_some(FIRST_CURSOR + next)
}

/// Parses a cursor and returns how many entries to skip.
fn parse_page_cursor(text: &str) -> Result<usize, Refusal> {
    let cursor = text.parse().ok().and_then(|cursor: usize| cursor.checked_sub(FIRST_CURSOR));
    cursor
        .filter(|skip| skip % PAGE_ENTRIES == 0)
        .ok_or_else(|| unsupported("page").detail("send the next_page of the previous page"))
}

fn tag_entry(day: &str, tag: &str, sums: &KeyUsageSums) -> Value {
    let mut entry = json!({
        "custom_tag": tag,
        "breakdown": {
            "total_characters": sums.text + sums.write,
            "text_translation_characters": sums.text,
            "text_improvement_characters": sums.write,
            "speech_to_text_minutes": minutes(sums.speech),
            "speech_to_speech_minutes": minutes(sums.speech_to_speech),
        },
    });
    if !day.is_empty() {
        entry["usage_date"] = format!("{day}T00:00:00Z").into();
    }
    entry
}

/// Maximum number of days in a report, including the first and the last.
const DAYS_MAX: i64 = 366;

/// The days from `first` to `last`, inclusive, as `YYYY-MM-DD`.
#[derive(Debug, PartialEq, Eq)]
struct ReportPeriod {
    pub(super) first: String,
    pub(super) last: String,
    pub(super) start_date: String,
    pub(super) end_date: String,
}

impl ReportPeriod {
    /// If `times` is true, the dates may include a time of day.
    pub(super) fn read(query: &QueryParams, times: bool) -> Result<Self, Refusal> {
        let read = |name: &str| {
            let text = query.get(name).ok_or_else(|| Refusal::bad_request(format!("'{name}' is required.")))?;
            parse_bound(text, times).ok_or_else(|| unsupported(name).detail("write YYYY-MM-DD"))
        };
        let (start, end) = (read("start_date")?, read("end_date")?);
        if end < start {
            return Err(Refusal::bad_request("'end_date' must not be before 'start_date'."));
        }
        let days = end.div_euclid(DAY_MS) - start.div_euclid(DAY_MS) + 1;
        if days > DAYS_MAX {
            return Err(Refusal::bad_request(format!("The range has {days} days, at most {DAYS_MAX} are possible.")));
        }
        Ok(Self {
            first: clock::day(start),
            last: clock::day(end),
            start_date: clock::iso_seconds(start),
            end_date: clock::iso_seconds(end),
        })
    }
}

/// Parses `YYYY-MM-DD` or, if `times` is true, `YYYY-MM-DDTHH:MM:SS`. Returns milliseconds since 1970.
fn parse_bound(text: &str, times: bool) -> Option<i64> {
    let Some((day, time)) = text.split_once('T').filter(|_| times) else { return clock::parse_day(text) };
    let mut seconds = 0;
    let mut parts = time.split(':');
    for bound in [24, 60, 60] {
        let part = parts.next().filter(|part| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit()))?;
        let part: i64 = part.parse().ok().filter(|part| *part < bound)?;
        seconds = seconds * 60 + part;
    }
    parts.next().is_none().then_some(clock::parse_day(day)? + seconds * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masked_keys_show_at_most_eight_characters() {
        assert_eq!(mask_key("abcd-1234-wxyz"), "abcd****wxyz");
        assert_eq!(mask_key("sandbox"), "****");
    }

    fn period(start: &str, end: &str) -> Result<ReportPeriod, Refusal> {
        let uri = format!("/?start_date={start}&end_date={end}").parse().unwrap();
        ReportPeriod::read(&QueryParams::parse(&uri).unwrap(), true)
    }

    #[test]
    fn bounds_may_include_a_time() {
        let read = period("2026-04-01", "2026-04-02T03:04:05").unwrap();
        assert_eq!((read.first.as_str(), read.last.as_str()), ("2026-04-01", "2026-04-02"));
        assert_eq!(
            (read.start_date.as_str(), read.end_date.as_str()),
            ("2026-04-01T00:00:00Z", "2026-04-02T03:04:05Z")
        );
        for bad in ["2026-4-1", "2026-04-01T25:00:00", "2026-04-01T00:00", "2026-04-01T00:00:00Z", "today"] {
            assert_eq!(period(bad, "2026-04-02").unwrap_err().status, 400, "{bad}");
        }
        let uri = "/?start_date=2026-04-01T00:00:00&end_date=2026-04-02".parse().unwrap();
        assert!(ReportPeriod::read(&QueryParams::parse(&uri).unwrap(), false).is_err());
    }

    #[test]
    fn a_period_has_at_most_366_days_and_does_not_end_before_it_starts() {
        assert!(period("2024-01-01", "2024-12-31").is_ok());
        assert!(period("2024-01-01", "2025-01-01").is_err());
        assert!(period("2024-01-02", "2024-01-01").is_err());
    }
}
