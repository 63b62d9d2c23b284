//! `GET /v2/admin/analytics/custom-tags`: the usage per reporting tag. See docs/service.md, "Administration".

use std::collections::BTreeMap;

use axum::http::Uri;
use axum::response::Response;
use serde_json::{Value, json};

use super::report_period::ReportPeriod;
use crate::app::App;
use crate::caller::Admin;
use crate::query::QueryParams;
use crate::quota::BilledProduct;
use crate::reply::{self, Refusal};
use crate::routes::fields::unsupported;

/// Entries per page.
const PAGE_ENTRIES: usize = 10;
/// The first cursor. It is not 0, so that clients which count pages themselves fail.
const FIRST_CURSOR: usize = 1000;

/// Characters per product.
#[derive(Default)]
struct TagUsageSums {
    text: u64,
    write: u64,
}

/// `GET /v2/admin/analytics/custom-tags`: returns one page. See docs/service.md, "Administration".
pub(super) async fn report(_: Admin, app: App, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let period = ReportPeriod::read(&query, false)?;
    let aggregate_by = query.get("aggregate_by").filter(|text| !text.is_empty()).unwrap_or("period");
    if !matches!(aggregate_by, "period" | "day") {
        return Err(unsupported("aggregate_by"));
    }
    let skip = query.get("page").map_or(Ok(0), offset)?;
    let used = app.quota.by_day_and_tag(&period.first, &period.last)?;
    let mut entries: BTreeMap<(&str, &str), TagUsageSums> = BTreeMap::new();
    for used in &used {
        let day = if aggregate_by == "day" { used.day.as_str() } else { "" };
        let sums = entries.entry((day, used.name.as_str())).or_default();
        match used.product {
            BilledProduct::Text => sums.text += used.n,
            BilledProduct::Write => sums.write += used.n,
            BilledProduct::Document | BilledProduct::Speech | BilledProduct::SpeechToSpeech | BilledProduct::Upload => {
            }
        }
    }
    let next = skip + PAGE_ENTRIES;
    let page: Vec<Value> =
        entries.iter().skip(skip).take(PAGE_ENTRIES).map(|((day, tag), sums)| entry(day, tag, sums)).collect();
    Ok(reply::ok(&json!({ "custom_tag_usage_report": {
        "aggregate_by": aggregate_by,
        "start_date": period.start_date,
        "end_date": period.end_date,
        "next_page": (next < entries.len()).then_some(FIRST_CURSOR + next),
        "usage": page,
    } })))
}

/// Returns the number of entries that a cursor skips.
fn offset(text: &str) -> Result<usize, Refusal> {
    let cursor = text.parse().ok().and_then(|cursor: usize| cursor.checked_sub(FIRST_CURSOR));
    cursor
        .filter(|skip| skip % PAGE_ENTRIES == 0)
        .ok_or_else(|| unsupported("page").detail("send the next_page of the previous page"))
}

fn entry(day: &str, tag: &str, sums: &TagUsageSums) -> Value {
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
