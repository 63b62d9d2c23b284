//! Stored collections of spoken terms, and the form in which answers contain them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::term_list::StoredTermList;
use crate::app::App;
use crate::auth::Caller;
use crate::clock;
use crate::ids;
use crate::reply::Refusal;
use crate::routes::fields::check_uuid;
use crate::state::{StateTables, StoredObject, kind};

const COLLECTIONS_MAX: i64 = 100;
const NAME_CHARS_MAX: usize = 1024;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredSpokenTerms {
    pub(super) name: String,
    pub(super) lists: Vec<StoredTermList>,
}

impl StoredSpokenTerms {
    fn from_body(body: Value) -> Result<Self, Refusal> {
        serde_json::from_value(body).map_err(|error| Refusal::internal(format!("stored spoken terms: {error}")))
    }

    /// Returns the form in which answers contain the collection, without its terms.
    fn answer(&self, id: &str, created: i64) -> Value {
        let lists: Vec<Value> = self.lists.iter().map(StoredTermList::summary).collect();
        json!({ "spoken_terms_id": id, "name": self.name, "term_lists": lists, "creation_time": clock::iso(created) })
    }

    /// Returns the list of a language, else 404.
    pub(super) fn list(&self, lang: &str) -> Result<&StoredTermList, Refusal> {
        self.lists.iter().find(|list| list.lang == lang).ok_or_else(|| unknown_list(lang))
    }

    /// Adds a list, or replaces all its terms.
    pub(super) fn replace(&mut self, new: StoredTermList) {
        match self.lists.iter_mut().find(|list| list.lang == new.lang) {
            Some(list) => *list = new,
            None => self.lists.push(new),
        }
    }

    /// Adds a list, or merges terms into it.
    pub(super) fn merge(&mut self, new: StoredTermList) -> Result<(), Refusal> {
        match self.lists.iter_mut().find(|list| list.lang == new.lang) {
            Some(list) => list.merge(&new)?,
            None => self.lists.push(new),
        }
        Ok(())
    }

    /// Removes the list of a language, else 404.
    pub(super) fn remove(&mut self, lang: &str) -> Result<(), Refusal> {
        let at = self.lists.iter().position(|list| list.lang == lang).ok_or_else(|| unknown_list(lang))?;
        self.lists.remove(at);
        Ok(())
    }
}

/// Stores a new collection, unless the account has too many. Returns the answer.
pub(super) fn insert(app: &App, caller: &Caller, collection: &StoredSpokenTerms) -> Result<Value, Refusal> {
    let id = ids::uuid();
    app.state.in_transaction(|tables| {
        if tables.count(kind::SPOKEN_TERMS)? >= COLLECTIONS_MAX {
            return Err(Refusal::quota_exceeded("The limit of spoken terms collections is reached.")
                .detail(format!("an account has {COLLECTIONS_MAX} collections at most")));
        }
        tables.put(kind::SPOKEN_TERMS, &id, &caller.key, &json!(collection))?;
        let object = find_object(tables, &id)?;
        Ok(collection.answer(&object.id, object.created))
    })
}

/// Returns the answers for all collections, oldest first.
pub(super) fn all(app: &App) -> Result<Vec<Value>, Refusal> {
    let objects = app.state.list(kind::SPOKEN_TERMS)?;
    objects.into_iter().map(|o| Ok(StoredSpokenTerms::from_body(o.body)?.answer(&o.id, o.created))).collect()
}

pub(super) fn find(app: &App, id: &str) -> Result<(StoredSpokenTerms, Value), Refusal> {
    let object = app.state.with_tables(|tables| find_object(tables, id))?;
    let collection = StoredSpokenTerms::from_body(object.body)?;
    let answer = collection.answer(&object.id, object.created);
    Ok((collection, answer))
}

/// Changes a collection in one transaction and returns its answer. If `work` fails, nothing changes.
pub(super) fn change(
    app: &App,
    id: &str,
    work: impl FnOnce(&mut StoredSpokenTerms) -> Result<(), Refusal>,
) -> Result<Value, Refusal> {
    app.state.in_transaction(|tables| {
        let object = find_object(tables, id)?;
        let mut collection = StoredSpokenTerms::from_body(object.body)?;
        work(&mut collection)?;
        tables.put(kind::SPOKEN_TERMS, &object.id, &object.owner, &json!(collection))?;
        Ok(collection.answer(&object.id, object.created))
    })
}

pub(super) fn delete(app: &App, id: &str) -> Result<(), Refusal> {
    let id = check_uuid("spoken_terms_id", id)?;
    if app.state.delete(kind::SPOKEN_TERMS, &id)? { Ok(()) } else { Err(unknown_terms(&id)) }
}

pub(in crate::routes) fn check_exists(app: &App, id: &str) -> Result<(), Refusal> {
    app.state.with_tables(|tables| find_object(tables, id)).map(drop)
}

fn find_object(tables: &StateTables, id: &str) -> Result<StoredObject, Refusal> {
    let id = check_uuid("spoken_terms_id", id)?;
    tables.get(kind::SPOKEN_TERMS, &id)?.ok_or_else(|| unknown_terms(&id))
}

fn unknown_terms(id: &str) -> Refusal {
    Refusal::not_found("Spoken terms not found.").detail(format!("spoken_terms_id {id}"))
}

fn unknown_list(lang: &str) -> Refusal {
    Refusal::not_found("Term list not found.").detail(format!("lang {lang}"))
}

pub(super) fn check_name(name: &str) -> Result<(), Refusal> {
    if name.trim().is_empty() {
        return Err(Refusal::bad_request("The name of the spoken terms is empty."));
    }
    let chars = name.chars().count();
    if chars > NAME_CHARS_MAX {
        return Err(Refusal::bad_request("The name of the spoken terms is too long.")
            .detail(format!("it has {chars} characters, {NAME_CHARS_MAX} are allowed")));
    }
    Ok(())
}
