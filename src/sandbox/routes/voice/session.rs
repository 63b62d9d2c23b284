//! Sessions: their parameters and their tokens. Each token opens one connection; an old one ends the session.
//!
//! Spec: "Voice", POST and GET.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::live;
use super::measure::{Measure, normalise};
use super::sound::Sound;
use super::wire::Framing;
use crate::sandbox::app::App;
use crate::sandbox::caller::Caller;
use crate::sandbox::clock;
use crate::sandbox::ids;
use crate::sandbox::languages;
use crate::sandbox::reply::Refusal;
use crate::sandbox::state::{StateTables, kind};

/// Targets of a session, spoken ones included.
const TARGETS: usize = 5;
/// Sessions older than this are forgotten, in milliseconds.
const KEPT_MS: i64 = 6 * 3_600_000;
/// What is spoken in when nothing was asked for.
const SPOKEN_DEFAULT: &str = "audio/webm;codecs=opus";

/// The body of the request.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
pub struct Asked {
    source_media_content_type: Option<String>,
    message_format: Option<Framing>,
    source_language: Option<String>,
    source_language_mode: Option<String>,
    target_languages: Option<Vec<String>>,
    target_media_languages: Option<Vec<String>>,
    target_media_content_type: Option<String>,
    target_media_voice: Option<String>,
    spoken_terms_id: Option<String>,
    glossary_id: Option<String>,
    formality: Option<String>,
}

/// The parameters of a session, checked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Config {
    /// What the audio is, normalised.
    pub content_type: String,
    /// How messages are written.
    pub framing: Framing,
    /// The language spoken.
    pub source: String,
    /// Languages to write, in their own casing.
    pub targets: Vec<String>,
    /// The language to speak and in what.
    pub spoken: Option<(String, String)>,
    /// A glossary.
    pub glossary_id: Option<String>,
}

/// A session that is being connected to.
pub struct Open {
    /// Its id.
    pub session_id: String,
    /// The caller who is billed.
    pub caller: Caller,
    /// Its parameters.
    pub config: Config,
}

fn unsupported(name: &str) -> Refusal {
    Refusal::bad(format!("Value for '{name}' not supported."))
}

impl Asked {
    /// Checks every parameter.
    pub fn check(self, app: &App) -> Result<Config, Refusal> {
        let content_type = self.source_media_content_type.as_deref().map(normalise);
        let content_type =
            content_type.ok_or_else(|| Refusal::bad("Parameter 'source_media_content_type' is missing."))?;
        if Measure::new(&content_type).is_none() {
            return Err(unsupported("source_media_content_type"));
        }
        if !matches!(self.source_language_mode.as_deref(), None | Some("auto" | "fixed")) {
            return Err(unsupported("source_language_mode"));
        }
        if !matches!(self.formality.as_deref(), None | Some("default" | "formal" | "more" | "informal" | "less")) {
            return Err(unsupported("formality"));
        }
        let source = match &self.source_language {
            None => "en".to_owned(),
            Some(code) => {
                languages::source("voice", code).ok_or_else(|| unsupported("source_language"))?.0.lang.to_owned()
            }
        };
        let mut targets = codes(self.target_languages.as_deref(), "target_languages")?;
        let spoken = codes(self.target_media_languages.as_deref(), "target_media_languages")?;
        if spoken.len() > 1 {
            return Err(Refusal::bad("Too many entries in 'target_media_languages': the maximum is 1."));
        }
        let spoken = spoken.into_iter().next();
        if let Some(language) = &spoken {
            let speaks = languages::target("voice", language).is_some_and(|(_, s)| s.has("translated_speech"));
            if !speaks {
                return Err(unsupported("target_media_languages"));
            }
            if !targets.contains(language) {
                targets.push(language.clone());
            }
        }
        if targets.len() > TARGETS {
            return Err(Refusal::bad(format!("Too many entries in 'target_languages': the maximum is {TARGETS}.")));
        }
        let spoken = self.spoken(spoken)?;
        if self.spoken_terms_id.as_deref().is_some_and(|id| !ids::is_uuid(id)) {
            return Err(unsupported("spoken_terms_id"));
        }
        if let Some(id) = &self.glossary_id {
            for target in &targets {
                app.glossaries.dictionary(id, &source, target)?;
            }
        }
        let framing = self.message_format.unwrap_or_default();
        Ok(Config { content_type, framing, source, targets, spoken, glossary_id: self.glossary_id })
    }

    fn spoken(&self, language: Option<String>) -> Result<Option<(String, String)>, Refusal> {
        let Some(language) = language else {
            let given = [
                ("target_media_content_type", self.target_media_content_type.is_some()),
                ("target_media_voice", self.target_media_voice.is_some()),
            ];
            return match given.iter().find(|(_, given)| *given) {
                Some((name, _)) => Err(Refusal::bad(format!("'{name}' needs 'target_media_languages'."))),
                None => Ok(None),
            };
        };
        if !matches!(self.target_media_voice.as_deref(), None | Some("male" | "female")) {
            return Err(unsupported("target_media_voice"));
        }
        let content_type =
            self.target_media_content_type.as_deref().map_or_else(|| SPOKEN_DEFAULT.to_owned(), normalise);
        if Sound::new(&content_type).is_none() {
            return Err(unsupported("target_media_content_type"));
        }
        Ok(Some((language, content_type)))
    }
}

/// Codes in their own casing, each once.
fn codes(asked: Option<&[String]>, name: &str) -> Result<Vec<String>, Refusal> {
    let mut codes = Vec::new();
    for code in asked.unwrap_or_default() {
        let (language, _) = languages::target("voice", code).ok_or_else(|| unsupported(name))?;
        if !codes.iter().any(|known| known == language.lang) {
            codes.push(language.lang.to_owned());
        }
    }
    Ok(codes)
}

/// Keeps a session; its id and first token.
pub fn create(app: &App, caller: &Caller, config: &Config) -> Result<(String, String), Refusal> {
    let id = ids::uuid();
    let token = ids::upper_hex::<24>();
    let config = serde_json::to_value(config).map_err(|e| Refusal::internal(e.to_string()))?;
    let body = json!({ "config": config, "admin": caller.admin, "developer": caller.developer, "tokens": [token] });
    app.state.change(|store| {
        for old in store.list(kind::VOICE_SESSION)? {
            if old.created < clock::now_ms() - KEPT_MS {
                store.delete(kind::VOICE_SESSION, &old.id)?;
            }
        }
        store.put(kind::VOICE_SESSION, &id, &caller.key, &body)?;
        store.put(kind::VOICE_TOKEN, &token, &caller.key, &json!({ "session_id": id }))?;
        Ok::<_, Refusal>(())
    })?;
    Ok((id, token))
}

/// Gives a new token for the latest one. An older one ends the session.
pub fn renew(app: &App, caller: &Caller, token: &str) -> Result<(String, String), Refusal> {
    let new = ids::upper_hex::<24>();
    let found = app.state.change(|store| {
        let Some((id, mut body)) = find(store, token)? else { return Ok(None) };
        let latest = tokens(&body).last().is_some_and(|last| *last == token);
        store.delete(kind::VOICE_TOKEN, token)?;
        if !latest {
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
        None => Err(Refusal::bad("The token is not known, or its session has ended.")),
        Some((id, false)) => {
            live::kick(&id);
            Err(Refusal::bad("The token is outdated: the session has ended."))
        }
        Some((id, true)) => Ok((id, new)),
    }
}

/// Uses a token up. A second use ends the session.
pub fn open(app: &App, token: &str) -> Result<Open, Refusal> {
    let Some(session) = app.state.take(kind::VOICE_TOKEN, token)? else {
        let ended = app.state.change(|store| {
            let found = find(store, token)?;
            if let Some((id, _)) = &found {
                store.delete(kind::VOICE_SESSION, id)?;
            }
            Ok::<_, Refusal>(found)
        })?;
        if let Some((id, _)) = ended {
            live::kick(&id);
        }
        return Err(Refusal::forbidden("The token was used before, or is not known."));
    };
    let session_id = session.get("session_id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let object = app.state.with(|store| store.get(kind::VOICE_SESSION, &session_id))?;
    let object = object.ok_or_else(|| Refusal::forbidden("The session has ended."))?;
    let flag = |name: &str| object.body.get(name).and_then(Value::as_bool).unwrap_or_default();
    let caller = Caller { key: object.owner.clone(), admin: flag("admin"), developer: flag("developer") };
    let config = object.body.get("config").cloned().unwrap_or_default();
    let config = serde_json::from_value(config).map_err(|e| Refusal::internal(e.to_string()))?;
    Ok(Open { session_id, caller, config })
}

/// Forgets a session that is over.
pub fn close(app: &App, session_id: &str) {
    // One that stays is forgotten later; nothing depends on it.
    let _ = app.state.delete(kind::VOICE_SESSION, session_id);
}

fn tokens(body: &Value) -> Vec<&str> {
    body.get("tokens").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The session that a token belongs, or belonged, to.
fn find(store: &StateTables<'_>, token: &str) -> Result<Option<(String, Value)>, Refusal> {
    let all = store.list(kind::VOICE_SESSION)?;
    Ok(all.into_iter().find(|object| tokens(&object.body).contains(&token)).map(|object| (object.id, object.body)))
}
