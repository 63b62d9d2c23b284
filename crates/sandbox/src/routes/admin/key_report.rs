//! `GET /v2/admin/analytics`: the usage in total, per key, or per key and day. See docs/service.md, "Administration".
//!
//! The current day is included, so that scripts can try the report at once.

use std::collections::{BTreeMap, HashMap};

use axum::http::Uri;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::report_period::ReportPeriod;
use crate::app::App;
use crate::caller::Admin;
use crate::query::QueryParams;
use crate::quota::BilledProduct;
use crate::reply::{self, Refusal};
use crate::routes::fields::unsupported;
use crate::state::kind;

/// The label of the keys that the sandbox was started with.
const OWN_LABEL: &str = "Sandbox";
const MINUTE_MS: f64 = 60_000.0;

/// `GET /v2/admin/analytics`: returns the report. See docs/service.md, "Administration".
pub(super) async fn report(_: Admin, app: App, uri: Uri) -> Result<Response, Refusal> {
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
        total.add(used.product, used.n);
        let day = if group_by == Some("key_and_day") { used.day.as_str() } else { "" };
        groups.entry((day, used.name.as_str())).or_default().add(used.product, used.n);
    }
    let mut report = Map::from_iter([
        ("total_usage".to_owned(), total.breakdown()),
        ("start_date".to_owned(), period.start_date.into()),
        ("end_date".to_owned(), period.end_date.into()),
    ]);
    if let Some(group_by) = group_by {
        let labels = labels(&app)?;
        let entries: Vec<Value> = groups.iter().map(|((day, key), sums)| entry(day, key, &labels, *sums)).collect();
        report.insert("group_by".to_owned(), group_by.into());
        report.insert(format!("{group_by}_usages"), entries.into());
    }
    Ok(reply::ok(&json!({ "usage_report": report })))
}

/// Returns the usage of one key, or of one key on one day.
fn entry(day: &str, key: &str, labels: &HashMap<String, String>, sums: KeyUsageSums) -> Value {
    let mut entry = json!({
        "api_key": masked(key),
        "api_key_label": labels.get(key).map_or(OWN_LABEL, String::as_str),
        "usage": sums.breakdown(),
    });
    if !day.is_empty() {
        entry["usage_date"] = format!("{day}T00:00:00Z").into();
    }
    entry
}

/// Returns the labels of the developer keys.
fn labels(app: &App) -> Result<HashMap<String, String>, Refusal> {
    let label = |body: &Value| body.get("label").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(app.state.list(kind::DEVELOPER_KEY)?.into_iter().map(|key| (key.id, label(&key.body))).collect())
}

/// Returns the first and last four characters of a key, or none of a short key.
fn masked(key: &str) -> String {
    let characters: Vec<char> = key.chars().collect();
    match (characters.first_chunk::<4>(), characters.last_chunk::<4>()) {
        (Some(first), Some(last)) if characters.len() >= 12 => {
            format!("{}****{}", String::from_iter(first), String::from_iter(last))
        }
        _ => "****".to_owned(),
    }
}

/// Characters per product, and milliseconds of speech.
#[derive(Clone, Copy, Default)]
struct KeyUsageSums {
    text: u64,
    document: u64,
    write: u64,
    speech: u64,
}

impl KeyUsageSums {
    fn add(&mut self, product: BilledProduct, n: u64) {
        let sum = match product {
            BilledProduct::Text => &mut self.text,
            BilledProduct::Document => &mut self.document,
            BilledProduct::Write => &mut self.write,
            BilledProduct::Speech => &mut self.speech,
            // Not part of reports.
            BilledProduct::SpeechToSpeech | BilledProduct::Upload => return,
        };
        *sum += n;
    }

    fn breakdown(self) -> Value {
        #[allow(clippy::cast_precision_loss)] // milliseconds of speech stay far below 2^52
        let minutes = self.speech as f64 / MINUTE_MS;
        json!({
            "total_characters": self.text + self.document + self.write,
            "text_translation_characters": self.text,
            "document_translation_characters": self.document,
            "text_improvement_characters": self.write,
            "speech_to_text_minutes": minutes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masked_keys_show_at_most_eight_characters() {
        assert_eq!(masked("abcd-1234-wxyz"), "abcd****wxyz");
        assert_eq!(masked("sandbox"), "****");
    }
}
