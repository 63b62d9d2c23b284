//! Stored glossaries, in the forms of both API versions.
//!
//! The object of a glossary contains its name and the sizes of its dictionaries; the entries are texts of the object.
//! `glossaries.rs` reads the same objects and texts for translations.

use std::collections::HashSet;

use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::dictionary::{ParsedDictionary, StoredDictionary};
use crate::app::App;
use crate::auth::Caller;
use crate::reply::{self, Refusal};
use crate::state::{StateTables, kind, pair_name};
use crate::{clock, ids};

const GLOSSARIES_MAX: i64 = 1000;
const NAME_BYTES_MAX: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::routes) enum GlossaryOrigin {
    /// Created with v2, with one dictionary that only v3 can change.
    V2,
    /// Created with v3, with any number of dictionaries.
    V3,
}

#[derive(Serialize, Deserialize)]
pub(in crate::routes) struct StoredGlossary {
    pub name: String,
    pub origin: GlossaryOrigin,
    /// Whether it was changed through v3 after its creation.
    pub edited: bool,
    pub dictionaries: Vec<StoredDictionary>,
}

impl StoredGlossary {
    pub fn from_body(body: Value) -> Result<Self, Refusal> {
        serde_json::from_value(body).map_err(|error| Refusal::internal(format!("stored glossary: {error}")))
    }

    /// Includes `ready` only while it is false.
    pub fn v3_answer(&self, id: &str, created: i64, app: &App) -> Value {
        let mut value = json!({
            "glossary_id": id,
            "name": self.name,
            "dictionaries": self.dictionaries,
            "creation_time": clock::iso(created),
        });
        if !app.glossaries.is_ready(created) {
            value["ready"] = json!(false);
        }
        value
    }

    /// Returns the v2 form, or `None` if v3 created the glossary or its dictionary was deleted.
    pub fn v2_answer(&self, id: &str, created: i64, app: &App) -> Option<Value> {
        let dictionary = self.v2_dictionary()?;
        Some(json!({
            "glossary_id": id,
            "name": self.name,
            "ready": app.glossaries.is_ready(created),
            "source_lang": dictionary.source_lang,
            "target_lang": dictionary.target_lang,
            "creation_time": clock::iso(created),
            "entry_count": dictionary.entry_count,
        }))
    }

    /// Returns the dictionary visible in v2, or `None` if the glossary is not visible there.
    pub fn v2_dictionary(&self) -> Option<&StoredDictionary> {
        self.dictionaries.first().filter(|_| self.origin == GlossaryOrigin::V2)
    }

    pub fn dictionary(&self, source: &str, target: &str) -> Option<&StoredDictionary> {
        self.dictionaries.iter().find(|dictionary| dictionary.has_pair(source, target))
    }
}

pub(in crate::routes) struct GlossaryChange<'a> {
    tables: &'a StateTables<'a>,
    id: &'a str,
    pub glossary: StoredGlossary,
}

impl GlossaryChange<'_> {
    /// Adds a dictionary, or replaces all its entries.
    pub fn replace(&mut self, new: &ParsedDictionary) -> Result<(), Refusal> {
        let summary = new.summary();
        self.tables.put_text(kind::GLOSSARY, self.id, &pair_name(&new.source_lang, &new.target_lang), &new.tsv()?)?;
        let dictionaries = &mut self.glossary.dictionaries;
        match dictionaries.iter_mut().find(|old| old.has_pair(&new.source_lang, &new.target_lang)) {
            Some(old) => *old = summary,
            None => dictionaries.push(summary),
        }
        Ok(())
    }

    /// Adds a dictionary, or merges entries into it.
    pub fn merge(&mut self, mut new: ParsedDictionary) -> Result<(), Refusal> {
        let name = pair_name(&new.source_lang, &new.target_lang);
        if let Some(stored) = self.tables.text(kind::GLOSSARY, self.id, &name)? {
            new.merge_into(&stored);
        }
        self.replace(&new)
    }

    /// Removes a dictionary. Returns whether it existed.
    pub fn remove(&mut self, source: &str, target: &str) -> Result<bool, Refusal> {
        self.tables.delete_text(kind::GLOSSARY, self.id, &pair_name(source, target))?;
        let before = self.glossary.dictionaries.len();
        self.glossary.dictionaries.retain(|dictionary| !dictionary.has_pair(source, target));
        Ok(self.glossary.dictionaries.len() < before)
    }
}

/// Stores a new glossary with its dictionaries, unless the account has too many. Returns it with its ID and creation
/// time.
pub(in crate::routes) fn insert(
    app: &App,
    caller: &Caller,
    name: String,
    origin: GlossaryOrigin,
    dictionaries: &[ParsedDictionary],
) -> Result<(StoredGlossary, String, i64), Refusal> {
    let id = ids::uuid();
    app.state.in_transaction(|tables| {
        if tables.count(kind::GLOSSARY)? >= GLOSSARIES_MAX {
            return Err(
                Refusal::bad_request("Too many glossaries.").detail(format!("an account has {GLOSSARIES_MAX} at most"))
            );
        }
        let glossary = StoredGlossary { name, origin, edited: false, dictionaries: Vec::new() };
        let mut change = GlossaryChange { tables, id: &id, glossary };
        dictionaries.iter().try_for_each(|dictionary| change.replace(dictionary))?;
        let glossary = change.glossary;
        tables.put(kind::GLOSSARY, &id, &caller.key, &json!(glossary))?;
        let created = tables.get(kind::GLOSSARY, &id)?.map_or(0, |object| object.created);
        Ok((glossary, id.clone(), created))
    })
}

/// Changes a glossary in one transaction and returns its v3 form.
pub(in crate::routes) fn change(
    app: &App,
    id: &str,
    work: impl FnOnce(&mut GlossaryChange) -> Result<(), Refusal>,
) -> Result<Value, Refusal> {
    let id = check_id(id)?;
    app.state.in_transaction(|tables| {
        let object = tables.get(kind::GLOSSARY, &id)?.ok_or_else(|| unknown_glossary(&id))?;
        let mut change = GlossaryChange { tables, id: &id, glossary: StoredGlossary::from_body(object.body)? };
        work(&mut change)?;
        let mut glossary = change.glossary;
        glossary.edited = true;
        tables.put(kind::GLOSSARY, &id, &object.owner, &json!(glossary))?;
        Ok(glossary.v3_answer(&id, object.created, app))
    })
}

/// Returns the entries of a dictionary as TSV, without a final line feed.
pub(in crate::routes) fn entries(app: &App, id: &str, dictionary: &StoredDictionary) -> Result<String, Refusal> {
    let name = pair_name(&dictionary.source_lang, &dictionary.target_lang);
    app.state.with_tables(|tables| tables.text(kind::GLOSSARY, id, &name))?.ok_or_else(|| unknown_glossary(id))
}

/// Finds a glossary. Returns its ID in lower case, the glossary, and its creation time.
pub(in crate::routes) fn find(app: &App, id: &str) -> Result<(String, StoredGlossary, i64), Refusal> {
    let id = check_id(id)?;
    let object = app.state.with_tables(|store| store.get(kind::GLOSSARY, &id))?.ok_or_else(|| unknown_glossary(&id))?;
    Ok((id, StoredGlossary::from_body(object.body)?, object.created))
}

/// `id` must be in lower case.
pub(in crate::routes) fn delete(app: &App, id: &str) -> Result<Response, Refusal> {
    if app.state.delete(kind::GLOSSARY, id)? { Ok(reply::no_content()) } else { Err(unknown_glossary(id)) }
}

/// Checks that an ID is a UUID, else 400. Returns it in lower case.
pub(in crate::routes) fn check_id(id: &str) -> Result<String, Refusal> {
    if ids::is_uuid(id) {
        return Ok(id.to_ascii_lowercase());
    }
    Err(Refusal::bad_request("The glossary id is not valid.").detail(format!("'{id}' is not a UUID")))
}

pub(in crate::routes) fn unknown_glossary(id: &str) -> Refusal {
    Refusal::not_found("Glossary not found.").detail(format!("glossary_id {id}"))
}

pub(in crate::routes) fn check_name(name: &str) -> Result<(), Refusal> {
    if name.trim().is_empty() {
        return Err(Refusal::bad_request("The glossary name is empty."));
    }
    if name.len() > NAME_BYTES_MAX {
        return Err(Refusal::bad_request("The glossary name is too long.")
            .detail(format!("it has {} bytes, {NAME_BYTES_MAX} are allowed", name.len())));
    }
    Ok(())
}

/// Refuses a glossary without dictionaries, or with two dictionaries for the same language pair.
pub(in crate::routes) fn check_pairs(dictionaries: &[ParsedDictionary]) -> Result<(), Refusal> {
    if dictionaries.is_empty() {
        return Err(Refusal::bad_request("At least one dictionary is needed."));
    }
    let mut pairs = HashSet::new();
    for dictionary in dictionaries {
        let pair = (&dictionary.source_lang, &dictionary.target_lang);
        if !pairs.insert(pair) {
            return Err(Refusal::bad_request("A language pair may have one dictionary.")
                .detail(format!("{} to {} is given twice", pair.0, pair.1)));
        }
    }
    Ok(())
}
