//! Stored glossaries: how they are stored and found, and how both versions of the service show them.
//!
//! `sandbox/glossaries.rs` reads the same bodies for translations.

use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::dictionary::StoredDictionary;
use crate::sandbox::app::App;
use crate::sandbox::caller::Caller;
use crate::sandbox::clock;
use crate::sandbox::ids;
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::state::kind;

/// Maximum number of glossaries in one account.
const GLOSSARIES_MAX: usize = 1000;
/// Maximum size of a name, in UTF-8 bytes.
const NAME_BYTES_MAX: usize = 1024;

/// The version that created a glossary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::sandbox::routes) enum GlossaryOrigin {
    /// One dictionary, which never changes.
    V2,
    /// Any number of dictionaries, which can be edited.
    V3,
}

/// A stored glossary.
#[derive(Serialize, Deserialize)]
pub(in crate::sandbox::routes) struct StoredGlossary {
    pub name: String,
    pub origin: GlossaryOrigin,
    /// Whether v3 has changed it since it was created.
    pub edited: bool,
    pub dictionaries: Vec<StoredDictionary>,
}

impl StoredGlossary {
    /// Reads a stored body.
    pub fn from_body(body: Value) -> Result<Self, Refusal> {
        serde_json::from_value(body).map_err(|error| Refusal::internal(format!("stored glossary: {error}")))
    }

    /// Returns the v3 form. `ready` is present only while it is false.
    pub fn v3(&self, id: &str, created: i64, app: &App) -> Value {
        let mut value = json!({
            "glossary_id": id,
            "name": self.name,
            "dictionaries": self.dictionaries.iter().map(StoredDictionary::summary).collect::<Vec<_>>(),
            "creation_time": clock::iso(created),
        });
        if !app.glossaries.is_ready(created) {
            value["ready"] = json!(false);
        }
        value
    }

    /// Returns the v2 form, or `None` if v3 created the glossary or its dictionary was deleted.
    pub fn v2(&self, id: &str, created: i64, app: &App) -> Option<Value> {
        let dictionary = self.v2_dictionary()?;
        Some(json!({
            "glossary_id": id,
            "name": self.name,
            "ready": app.glossaries.is_ready(created),
            "source_lang": dictionary.source_lang,
            "target_lang": dictionary.target_lang,
            "creation_time": clock::iso(created),
            "entry_count": dictionary.entries.len(),
        }))
    }

    /// Returns the dictionary that v2 shows, or `None` if v2 does not show the glossary.
    pub fn v2_dictionary(&self) -> Option<&StoredDictionary> {
        self.dictionaries.first().filter(|_| self.origin == GlossaryOrigin::V2)
    }

    /// Returns the dictionary for a language pair.
    pub fn dictionary(&self, source: &str, target: &str) -> Option<&StoredDictionary> {
        self.dictionaries.iter().find(|dictionary| dictionary.has_pair(source, target))
    }

    /// Returns the dictionary for a language pair, to change it.
    pub fn dictionary_mut(&mut self, source: &str, target: &str) -> Option<&mut StoredDictionary> {
        self.dictionaries.iter_mut().find(|dictionary| dictionary.has_pair(source, target))
    }
}

/// Stores a new glossary and returns its ID and its creation time, unless the account has too many.
pub(in crate::sandbox::routes) fn insert(
    app: &App,
    caller: &Caller,
    glossary: &StoredGlossary,
) -> Result<(String, i64), Refusal> {
    let id = ids::uuid();
    let created = app.state.change(|store| {
        if store.list(kind::GLOSSARY)?.len() >= GLOSSARIES_MAX {
            return Err(Refusal::bad("Too many glossaries.").detail(format!("an account has {GLOSSARIES_MAX} at most")));
        }
        store.put(kind::GLOSSARY, &id, &caller.key, &json!(glossary))?;
        Ok(store.get(kind::GLOSSARY, &id)?.map_or(0, |object| object.created))
    })?;
    Ok((id, created))
}

/// Changes a glossary in one transaction and returns its v3 form.
pub(in crate::sandbox::routes) fn change(
    app: &App,
    id: &str,
    work: impl FnOnce(&mut StoredGlossary) -> Result<(), Refusal>,
) -> Result<Value, Refusal> {
    let id = check_id(id)?;
    app.state.change(|store| {
        let object = store.get(kind::GLOSSARY, &id)?.ok_or_else(|| unknown(&id))?;
        let mut glossary = StoredGlossary::from_body(object.body)?;
        work(&mut glossary)?;
        glossary.edited = true;
        store.put(kind::GLOSSARY, &id, &object.owner, &json!(glossary))?;
        Ok(glossary.v3(&id, object.created, app))
    })
}

/// Returns a glossary with its ID in lower case and its creation time.
pub(in crate::sandbox::routes) fn find(app: &App, id: &str) -> Result<(String, StoredGlossary, i64), Refusal> {
    let id = check_id(id)?;
    let object = app.state.with(|store| store.get(kind::GLOSSARY, &id))?.ok_or_else(|| unknown(&id))?;
    Ok((id, StoredGlossary::from_body(object.body)?, object.created))
}

/// Deletes a glossary by its ID in lower case.
pub(in crate::sandbox::routes) fn delete(app: &App, id: &str) -> Result<Response, Refusal> {
    if app.state.delete(kind::GLOSSARY, id)? { Ok(reply::empty()) } else { Err(unknown(id)) }
}

/// Returns the ID in lower case; 400 if it is not a UUID.
pub(in crate::sandbox::routes) fn check_id(id: &str) -> Result<String, Refusal> {
    if ids::is_uuid(id) {
        return Ok(id.to_ascii_lowercase());
    }
    Err(Refusal::bad("The glossary id is not valid.").detail(format!("'{id}' is not a UUID")))
}

/// 404: there is no such glossary.
pub(in crate::sandbox::routes) fn unknown(id: &str) -> Refusal {
    Refusal::not_found("Glossary not found.").detail(format!("glossary_id {id}"))
}

/// Checks the name of a glossary.
pub(in crate::sandbox::routes) fn check_name(name: &str) -> Result<(), Refusal> {
    if name.trim().is_empty() {
        return Err(Refusal::bad("The glossary name is empty."));
    }
    if name.len() > NAME_BYTES_MAX {
        return Err(Refusal::bad("The glossary name is too long.")
            .detail(format!("it has {} bytes, {NAME_BYTES_MAX} are allowed", name.len())));
    }
    Ok(())
}
