//! Stored voice sessions and their tokens. A token opens one connection; to reconnect, the client exchanges it for a new token.
//! Connecting twice with a token, or exchanging an older token, ends the session. See docs/service.md, "Voice".

use serde_json::{Value, json};

use super::live_sessions::{self, KEPT_AFTER_CONNECTION};
use super::parameters::SessionParameters;
use crate::app::App;
use crate::auth::Caller;
use crate::clock;
use crate::ids;
use crate::reply::Refusal;
use crate::state::{StateTables, kind};

/// A session whose token was just used to connect.
pub struct OpenSession {
    pub session_id: String,
    pub caller: Caller,
    pub parameters: SessionParameters,
}

/// Stores a new session and returns its ID and first token.
pub fn create(app: &App, caller: &Caller, parameters: &SessionParameters) -> Result<(String, String), Refusal> {
    let id = ids::uuid();
    let token = app.session.add_to_token(ids::upper_hex::<24>());
    let body = json!({ "config": parameters, "admin": caller.admin, "developer": caller.developer, "tokens": [token] });
    let old = app.state.in_transaction(|store| {
        let old = remove_old(store)?;
        store.put(kind::VOICE_SESSION, &id, &caller.key, &body)?;
        store.put(kind::VOICE_TOKEN, &token, &caller.key, &json!({ "session_id": id }))?;
        Ok::<_, Refusal>(old)
    })?;
    for id in &old {
        live_sessions::remove(id);
    }
    Ok((id, token))
}

/// Removes sessions and tokens that are too old. Returns the IDs of the removed sessions.
fn remove_old(store: &StateTables<'_>) -> Result<Vec<String>, Refusal> {
    let lifetime = i64::try_from(KEPT_AFTER_CONNECTION.as_millis()).unwrap_or(i64::MAX);
    let oldest = clock::now_ms() - lifetime;
    let mut removed = Vec::new();
    for kind in [kind::VOICE_TOKEN, kind::VOICE_SESSION] {
        removed.clear();
        for old in store.list(kind)?.into_iter().filter(|object| object.created < oldest) {
            store.delete(kind, &old.id)?;
            removed.push(old.id);
        }
    }
    Ok(removed)
}

/// Exchanges the latest token of a session for a new one. Using an older token ends the session.
pub fn renew(app: &App, caller: &Caller, token: &str) -> Result<(String, String), Refusal> {
    let new = app.session.add_to_token(ids::upper_hex::<24>());
    let found = app.state.in_transaction(|store| {
        let Some((id, mut body)) = find(store, token)? else { return Ok(None) };
        let is_latest = tokens(&body).last().is_some_and(|last| *last == token);
        store.delete(kind::VOICE_TOKEN, token)?;
        if !is_latest {
            store.delete(kind::VOICE_SESSION, &id)?;
            return Ok(Some((id, false)));
        }
        if let Some(list) = body.get_mut("tokens").and_then(Value::as_array_mut) {
            list.push(Value::String(new.clone()));
        }
        store.put(kind::VOICE_SESSION, &id, &caller.key, &body)?;
        store.put(kind::VOICE_TOKEN, &new, &caller.key, &json!({ "session_id": id }))?;
        Ok::<_, Refusal>(Some((id, true)))
    })?;
    match found {
        None => Err(Refusal::bad_request("The token is not known, or its session has ended.")),
        Some((id, false)) => {
            live_sessions::remove(&id);
            Err(Refusal::bad_request("The token is outdated: the session has ended."))
        }
        Some((id, true)) => Ok((id, new)),
    }
}

/// Uses a token to open its session. Using it twice ends the session.
pub fn open(app: &App, token: &str) -> Result<OpenSession, Refusal> {
    let Some(session) = app.state.take(kind::VOICE_TOKEN, token)? else {
        let ended = app.state.in_transaction(|store| {
            let found = find(store, token)?;
            if let Some((id, _)) = &found {
                store.delete(kind::VOICE_SESSION, id)?;
            }
            Ok::<_, Refusal>(found)
        })?;
        if let Some((id, _)) = ended {
            live_sessions::remove(&id);
        }
        return Err(Refusal::forbidden("The token was used before, or is not known."));
    };
    let session_id = session.get("session_id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let object = app.state.with_tables(|store| store.get(kind::VOICE_SESSION, &session_id))?;
    let object = object.ok_or_else(|| Refusal::forbidden("The session has ended."))?;
    let flag = |name: &str| object.body.get(name).and_then(Value::as_bool).unwrap_or_default();
    let caller = Caller { key: object.owner.clone(), admin: flag("admin"), developer: flag("developer") };
    let config = object.body.get("config").cloned().unwrap_or_default();
    let parameters = serde_json::from_value(config).map_err(|e| Refusal::internal(e.to_string()))?;
    Ok(OpenSession { session_id, caller, parameters })
}

pub fn close(app: &App, session_id: &str) {
    // If this fails, the session is removed later because of its age.
    let _ = app.state.delete(kind::VOICE_SESSION, session_id);
}

fn tokens(body: &Value) -> Vec<&str> {
    body.get("tokens").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Finds the session of a current or earlier token.
fn find(store: &StateTables<'_>, token: &str) -> Result<Option<(String, Value)>, Refusal> {
    let all = store.list(kind::VOICE_SESSION)?;
    Ok(all.into_iter().find(|object| tokens(&object.body).contains(&token)).map(|object| (object.id, object.body)))
}
