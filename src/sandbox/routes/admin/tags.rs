//! `GET /v2/admin/analytics/custom-tags`: what was used under each reporting tag. Spec: "Administration", custom tags.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde_json::{Value, json};

use super::range::Range;
use crate::sandbox::app::App;
use crate::sandbox::caller::Admin;
use crate::sandbox::query::QueryParams;
use crate::sandbox::quota::BilledProduct;
use crate::sandbox::reply::{self, Refusal};

/// Entries of one page.
const PAGE: usize = 10;
/// Cursors start here, so that a client that counts pages by itself is found out.
const CURSOR: usize = 1000;

#[derive(Default)]
struct Sums {
    text: u64,
    write: u64,
}

/// Answers one page of the report.
pub(super) async fn report(_: Admin, State(app): State<App>, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let range = Range::read(&query, false)?;
    let aggregate_by = query.get("aggregate_by").filter(|text| !text.is_empty()).unwrap_or("period");
    if !matches!(aggregate_by, "period" | "day") {
        return Err(Refusal::bad("Value for 'aggregate_by' not supported."));
    }
    let skip = query.get("page").map_or(Ok(0), offset)?;
    let used = app.quota.by_day_and_tag(&range.first, &range.last)?;
    let mut entries: BTreeMap<(&str, &str), Sums> = BTreeMap::new();
    for used in &used {
        let day = if aggregate_by == "day" { used.day.as_str() } else { "" };
        let sums = entries.entry((day, used.name.as_str())).or_default();
        match used.product {
            BilledProduct::Text => sums.text += used.n,
            BilledProduct::Write => sums.write += used.n,
            BilledProduct::Document | BilledProduct::Speech => {}
        }
    }
    let next = skip + PAGE;
    let page: Vec<Value> =
        entries.iter().skip(skip).take(PAGE).map(|((day, tag), sums)| entry(day, tag, sums)).collect();
    Ok(reply::ok(&json!({ "custom_tag_usage_report": {
        "aggregate_by": aggregate_by,
        "start_date": range.start_date,
        "end_date": range.end_date,
        "next_page": (next < entries.len()).then_some(CURSOR + next),
        "usage": page,
    } })))
}

/// How many entries a cursor skips.
fn offset(text: &str) -> Result<usize, Refusal> {
    let cursor = text.parse().ok().and_then(|cursor: usize| cursor.checked_sub(CURSOR));
    cursor
        .filter(|skip| skip % PAGE == 0)
        .ok_or_else(|| Refusal::bad("Value for 'page' not supported.").detail("send the next_page of the page before"))
}

fn entry(day: &str, tag: &str, sums: &Sums) -> Value {
    let mut entry = json!({
        "custom_tag": tag,
        "breakdown": {
            "total_characters": sums.text + sums.write,
            "text_translation_characters": sums.text,
            "text_improvement_characters": sums.write,
        },
    });
    if !day.is_empty() {
        entry["usage_date"] = format!("{day}T00:00:00Z").into();
    }
    entry
}
