//! `/v2/admin`: developer keys, and the two reports below. Spec: "Administration"; C33, C34, C35.
//!
//! A key's limits and its end are enforced where it is used: `auth.rs` and `meter.rs` read what is written here.

mod range;
mod tags;
mod usage;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, put};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::sandbox::app::App;
use crate::sandbox::body;
use crate::sandbox::caller::Admin;
use crate::sandbox::clock;
use crate::sandbox::ids;
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::state::kind;

/// Active keys at once.
const ACTIVE_MAX: usize = 25;
/// What a key is called that was made without a label.
const LABEL: &str = "API Key";

/// This resource's routes.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/v2/admin/developer-keys", get(list).post(create))
        .route("/v2/admin/developer-keys/deactivate", put(deactivate))
        .route("/v2/admin/developer-keys/label", put(rename))
        .route("/v2/admin/developer-keys/limits", put(limit))
        .route("/v2/admin/analytics", get(usage::report))
        .route("/v2/admin/analytics/custom-tags", get(tags::report))
}

#[derive(Deserialize)]
struct Create {
    label: Option<String>,
}

#[derive(Deserialize)]
struct Which {
    key_id: String,
}

#[derive(Deserialize)]
struct Rename {
    key_id: String,
    label: String,
}

#[derive(Deserialize)]
struct Limit {
    key_id: String,
    #[serde(default, deserialize_with = "given")]
    #[allow(clippy::option_option)] // see `given`
    characters: Option<Option<u64>>,
    #[serde(default, deserialize_with = "given")]
    #[allow(clippy::option_option)] // see `given`
    speech_to_text_milliseconds: Option<Option<u64>>,
}

/// Tells `null`, which removes a limit, from a field that is missing, which leaves it.
#[allow(clippy::option_option)]
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

async fn list(_: Admin, State(app): State<App>) -> Result<Response, Refusal> {
    let keys: Vec<Value> = app.state.list(kind::DEVELOPER_KEY)?.into_iter().map(|object| object.body).collect();
    Ok(reply::ok(&keys))
}

async fn create(
    Admin(caller): Admin,
    State(app): State<App>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, Refusal> {
    let wanted: Create = body::json(&headers, &bytes)?;
    // Two identifiers, as the real ones have; the whole is the key.
    let key_id = format!("{}:{}", ids::uuid(), ids::uuid());
    let key = json!({
        "key_id": key_id,
        "label": wanted.label.as_deref().unwrap_or(LABEL),
        "creation_time": clock::iso(clock::now_ms()),
        "is_deactivated": false,
        "usage_limits": {"characters": null, "speech_to_text_milliseconds": null},
    });
    app.state.change(|store| {
        let active = store.list(kind::DEVELOPER_KEY)?.iter().filter(|object| !is_deactivated(&object.body)).count();
        if active >= ACTIVE_MAX {
            return Err(Refusal::bad(format!("The maximum of {ACTIVE_MAX} active developer keys is reached."))
                .detail("deactivate one first"));
        }
        Ok(store.put(kind::DEVELOPER_KEY, &key_id, &caller.key, &key)?)
    })?;
    Ok(reply::ok(&key))
}

async fn deactivate(_: Admin, State(app): State<App>, headers: HeaderMap, bytes: Bytes) -> Result<Response, Refusal> {
    let which: Which = body::json(&headers, &bytes)?;
    change(&app, &which.key_id, |key| {
        // The moment of the first time stays.
        if !is_deactivated(key) {
            set(key, "is_deactivated", Value::Bool(true));
            set(key, "deactivated_time", Value::String(clock::iso(clock::now_ms())));
        }
    })
}

async fn rename(_: Admin, State(app): State<App>, headers: HeaderMap, bytes: Bytes) -> Result<Response, Refusal> {
    let wanted: Rename = body::json(&headers, &bytes)?;
    change(&app, &wanted.key_id, |key| set(key, "label", Value::String(wanted.label)))
}

async fn limit(_: Admin, State(app): State<App>, headers: HeaderMap, bytes: Bytes) -> Result<Response, Refusal> {
    let wanted: Limit = body::json(&headers, &bytes)?;
    change(&app, &wanted.key_id, |key| {
        let Some(limits) = key.get_mut("usage_limits") else { return };
        if let Some(characters) = wanted.characters {
            set(limits, "characters", json!(characters));
        }
        if let Some(milliseconds) = wanted.speech_to_text_milliseconds {
            set(limits, "speech_to_text_milliseconds", json!(milliseconds));
        }
    })
}

/// Changes a key that is there, and answers it.
fn change(app: &App, key_id: &str, work: impl FnOnce(&mut Value)) -> Result<Response, Refusal> {
    let body = app.state.change(|store| {
        let Some(mut object) = store.get(kind::DEVELOPER_KEY, key_id)? else {
            return Err(Refusal::not_found("Developer key not found."));
        };
        work(&mut object.body);
        store.put(kind::DEVELOPER_KEY, key_id, &object.owner, &object.body)?;
        Ok(object.body)
    })?;
    Ok(reply::ok(&body))
}

fn set(object: &mut Value, name: &str, value: Value) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
}

fn is_deactivated(key: &Value) -> bool {
    key.get("is_deactivated").and_then(Value::as_bool) == Some(true)
}
