//! `GET /v2/usage`: the usage and the limits of the current period, as a paid account sees them. See docs/service.md, "Usage".

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;

use crate::app::App;
use crate::auth::Caller;
use crate::clock;
use crate::quota::{BilledProduct, MonthUsage};
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;

/// The limit that the service reports for "no limit".
const NO_LIMIT: u64 = 1_000_000_000_000;
const MINUTE_MS: u64 = 60_000;

pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/v2/usage", get(usage))
}

async fn usage(caller: Caller, app: App) -> Result<Response, Refusal> {
    let used = MonthCounts { used: app.quota.current_month()?, key: &caller.key };
    let speech = used.of_account(&[BilledProduct::Speech]);
    let billed = [BilledProduct::Text, BilledProduct::Document, BilledProduct::Write];
    let limits = app.state.with_tables(|tables| app.quota.limits_of(tables, &caller))?;
    let (start, end) = clock::month_bounds(clock::now_ms());
    let team_document_limit = app.options.team_document_limit;
    let body = UsageAnswer {
        character_count: used.of_account(&billed),
        character_limit: app.options.character_limit.unwrap_or(NO_LIMIT),
        products: [
            used.characters("translate", &[BilledProduct::Text, BilledProduct::Document]),
            used.characters("write", &[BilledProduct::Write]),
            used.minutes("speechToText", BilledProduct::Speech),
            used.minutes("speechToSpeech", BilledProduct::SpeechToSpeech),
        ],
        api_key_character_count: used.of_key(&billed),
        api_key_character_limit: limits.characters.unwrap_or(NO_LIMIT),
        speech_to_text_milliseconds_count: speech,
        speech_to_text_milliseconds_limit: NO_LIMIT,
        speech_to_text_minutes_count: speech.div_ceil(MINUTE_MS),
        speech_to_text_minutes_limit: NO_LIMIT,
        speech_to_speech_minutes_count: used.of_account(&[BilledProduct::SpeechToSpeech]).div_ceil(MINUTE_MS),
        speech_to_speech_minutes_limit: NO_LIMIT,
        start_time: clock::iso(start),
        end_time: clock::iso(end),
        document_count: limits.documents.map(|_| used.of_key(&[BilledProduct::Upload])),
        document_limit: limits.documents,
        team_document_count: team_document_limit.map(|_| used.of_account(&[BilledProduct::Upload])),
        team_document_limit,
    };
    Ok(reply::ok(&body))
}

/// A struct, because building a map would add a third to the time of a request.
#[derive(Serialize)]
struct UsageAnswer {
    character_count: u64,
    character_limit: u64,
    products: [ProductItem; 4],
    api_key_character_count: u64,
    api_key_character_limit: u64,
    speech_to_text_milliseconds_count: u64,
    speech_to_text_milliseconds_limit: u64,
    speech_to_text_minutes_count: u64,
    speech_to_text_minutes_limit: u64,
    speech_to_speech_minutes_count: u64,
    speech_to_speech_minutes_limit: u64,
    start_time: String,
    end_time: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    document_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    document_limit: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team_document_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team_document_limit: Option<u64>,
}

#[derive(Serialize)]
struct ProductItem {
    product_type: &'static str,
    billing_unit: &'static str,
    api_key_unit_count: u64,
    account_unit_count: u64,
    api_key_character_count: u64,
    character_count: u64,
}

struct MonthCounts<'a> {
    used: Vec<MonthUsage>,
    key: &'a str,
}

impl MonthCounts<'_> {
    /// Returns the sum over all keys.
    fn of_account(&self, products: &[BilledProduct]) -> u64 {
        self.used.iter().filter(|used| products.contains(&used.product)).map(|used| used.amount).sum()
    }

    /// Returns the sum for the key of the request.
    fn of_key(&self, products: &[BilledProduct]) -> u64 {
        let of_key = self.used.iter().filter(|used| used.key == self.key);
        of_key.filter(|used| products.contains(&used.product)).map(|used| used.amount).sum()
    }

    fn characters(&self, product_type: &'static str, products: &[BilledProduct]) -> ProductItem {
        let (own, all) = (self.of_key(products), self.of_account(products));
        ProductItem {
            product_type,
            billing_unit: "characters",
            api_key_unit_count: own,
            account_unit_count: all,
            api_key_character_count: own,
            character_count: all,
        }
    }

    /// Returns the entry of a product billed by started minutes.
    fn minutes(&self, product_type: &'static str, product: BilledProduct) -> ProductItem {
        ProductItem {
            product_type,
            billing_unit: "minutes",
            api_key_unit_count: self.of_key(&[product]).div_ceil(MINUTE_MS),
            account_unit_count: self.of_account(&[product]).div_ceil(MINUTE_MS),
            api_key_character_count: 0,
            character_count: 0,
        }
    }
}
