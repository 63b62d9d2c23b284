//! `/v2/admin/developer-keys`: keys with labels and usage limits. `auth.rs` and `quota.rs` read the keys stored here to refuse
//! deactivated keys and keys that have reached a limit. See docs/service.md, "Administration".

use axum::response::Response;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::app::App;
use crate::auth::Admin;
use crate::clock;
use crate::ids;
use crate::reply::{self, Refusal};
use crate::routes::json_body::JsonBody;
use crate::state::kind;

const ACTIVE_MAX: usize = 25;
/// Label of a key that is created without one.
const DEFAULT_LABEL: &str = "API Key";

#[derive(Deserialize)]
pub(super) struct CreateKeyBody {
    label: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct DeactivateKeyBody {
    key_id: String,
}

#[derive(Deserialize)]
pub(super) struct RenameKeyBody {
    key_id: String,
    label: String,
}

#[derive(Deserialize)]
pub(super) struct LimitKeyBody {
    key_id: String,
    #[serde(default, deserialize_with = "null_or_value")]
    #[expect(clippy::option_option, reason = "`null` removes a limit, a missing field leaves it")]
    characters: Option<Option<u64>>,
    #[serde(default, deserialize_with = "null_or_value")]
    #[expect(clippy::option_option, reason = "`null` removes a limit, a missing field leaves it")]
    speech_to_text_milliseconds: Option<Option<u64>>,
}

/// Distinguishes `null` (`Some(None)`) from a missing field (`None`).
#[expect(clippy::option_option, reason = "`null` removes a limit, a missing field leaves it")]
fn null_or_value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

pub(super) async fn list(_: Admin, app: App) -> Result<Response, Refusal> {
    let keys: Vec<Value> = app.state.list(kind::DEVELOPER_KEY)?.into_iter().map(|object| object.body).collect();
    Ok(reply::ok(&keys))
}

pub(super) async fn create(
    Admin(caller): Admin,
    app: App,
    JsonBody(request): JsonBody<CreateKeyBody>,
) -> Result<Response, Refusal> {
    // Real keys also consist of two identifiers and a colon.
    let key_id = format!("{}:{}", ids::uuid(), ids::uuid());
    let key = json!({
        "key_id": key_id,
        "label": request.label.as_deref().unwrap_or(DEFAULT_LABEL),
        "creation_time": clock::iso(clock::now_ms()),
        "is_deactivated": false,
        "usage_limits": {"characters": null, "speech_to_text_milliseconds": null},
    });
    app.state.in_transaction(|store| {
        let active = store.list(kind::DEVELOPER_KEY)?.iter().filter(|object| !is_deactivated(&object.body)).count();
        if active >= ACTIVE_MAX {
            return Err(Refusal::bad_request(format!("The maximum of {ACTIVE_MAX} active developer keys is reached."))
                .detail("deactivate one first"));
        }
        Ok(store.put(kind::DEVELOPER_KEY, &key_id, &caller.key, &key)?)
    })?;
    Ok(reply::ok(&key))
}

pub(super) async fn deactivate(
    _: Admin,
    app: App,
    JsonBody(request): JsonBody<DeactivateKeyBody>,
) -> Result<Response, Refusal> {
    change_key(&app, &request.key_id, |key| {
        // A second deactivation keeps the time of the first.
        if !is_deactivated(key) {
            set_field(key, "is_deactivated", Value::Bool(true));
            set_field(key, "deactivated_time", Value::String(clock::iso(clock::now_ms())));
        }
    })
}

pub(super) async fn rename(
    _: Admin,
    app: App,
    JsonBody(request): JsonBody<RenameKeyBody>,
) -> Result<Response, Refusal> {
    change_key(&app, &request.key_id, |key| set_field(key, "label", Value::String(request.label)))
}

pub(super) async fn set_limits(
    _: Admin,
    app: App,
    JsonBody(request): JsonBody<LimitKeyBody>,
) -> Result<Response, Refusal> {
    change_key(&app, &request.key_id, |key| {
        let Some(limits) = key.get_mut("usage_limits") else { return };
        if let Some(characters) = request.characters {
            set_field(limits, "characters", json!(characters));
        }
        if let Some(milliseconds) = request.speech_to_text_milliseconds {
            set_field(limits, "speech_to_text_milliseconds", json!(milliseconds));
        }
    })
}

/// Changes a key in one transaction and returns it as the answer.
fn change_key(app: &App, key_id: &str, work: impl FnOnce(&mut Value)) -> Result<Response, Refusal> {
    let body = app.state.in_transaction(|store| {
        let Some(mut object) = store.get(kind::DEVELOPER_KEY, key_id)? else {
            return Err(Refusal::not_found("Developer key not found."));
        };
        work(&mut object.body);
        store.put(kind::DEVELOPER_KEY, key_id, &object.owner, &object.body)?;
        Ok(object.body)
    })?;
    Ok(reply::ok(&body))
}

fn set_field(object: &mut Value, name: &str, value: Value) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
}

fn is_deactivated(key: &Value) -> bool {
    key.get("is_deactivated").and_then(Value::as_bool) == Some(true)
}
