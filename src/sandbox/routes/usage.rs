//! `GET /v2/usage`: the usage and the limits of the current period, as a paid account sees them.
//!
//! Input: counts from `quota`. Output: the answer. See docs/service.md, "Usage".

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use serde_json::json;

use crate::sandbox::app::App;
use crate::sandbox::caller::Caller;
use crate::sandbox::clock;
use crate::sandbox::quota::{self, BilledProduct};
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::state::kind;

/// The number that stands for "no limit".
const NO_LIMIT: u64 = 1_000_000_000_000;
const MINUTE_MS: u64 = 60_000;

/// Returns the routes of this resource.
pub(super) fn routes() -> Router<App> {
    Router::new().route("/v2/usage", get(usage))
}

/// `GET /v2/usage`: returns usage and limits. See docs/service.md, "Usage".
async fn usage(caller: Caller, State(app): State<App>) -> Result<Response, Refusal> {
    let used = app.quota.current_month()?;
    let sum = |products: &[BilledProduct], key: Option<&str>| -> u64 {
        used.iter()
            .filter(|used| products.contains(&used.product) && key.is_none_or(|key| used.key == key))
            .map(|used| used.n)
            .sum()
    };
    let characters = |name: &str, products: &[BilledProduct]| {
        let (own, all) = (sum(products, Some(&caller.key)), sum(products, None));
        json!({
            "product_type": name,
            "billing_unit": "characters",
            "api_key_unit_count": own,
            "account_unit_count": all,
            "api_key_character_count": own,
            "character_count": all,
        })
    };
    let speech = sum(&[BilledProduct::Speech], None);
    let minutes = |milliseconds: u64| milliseconds.div_ceil(MINUTE_MS);
    let billed = [BilledProduct::Text, BilledProduct::Document, BilledProduct::Write];
    let key_limit = if caller.developer {
        app.state.get(kind::DEVELOPER_KEY, &caller.key)?.and_then(|key| quota::key_limits(&key).0)
    } else {
        None
    };
    let (start, end) = clock::month_bounds(clock::now_ms());
    Ok(reply::ok(&json!({
        "character_count": sum(&billed, None),
        "character_limit": app.options.character_limit.unwrap_or(NO_LIMIT),
        "products": [
            characters("translate", &[BilledProduct::Text, BilledProduct::Document]),
            characters("write", &[BilledProduct::Write]),
            {
                "product_type": "speechToText",
                "billing_unit": "minutes",
                "api_key_unit_count": minutes(sum(&[BilledProduct::Speech], Some(&caller.key))),
                "account_unit_count": minutes(speech),
                "api_key_character_count": 0,
                "character_count": 0,
            },
        ],
        "api_key_character_count": sum(&billed, Some(&caller.key)),
        "api_key_character_limit": key_limit.unwrap_or(NO_LIMIT),
        "speech_to_text_milliseconds_count": speech,
        "speech_to_text_milliseconds_limit": NO_LIMIT,
        "speech_to_text_minutes_count": minutes(speech),
        "speech_to_text_minutes_limit": NO_LIMIT,
        "start_time": clock::iso(start),
        "end_time": clock::iso(end),
    })))
}
