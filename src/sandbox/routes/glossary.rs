//! `/v3/glossaries`: glossaries of several dictionaries that can be edited. Spec: "Glossaries", v3; C16 to C21.

pub(super) mod entries;
pub(super) mod stored;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::{get, put};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::sandbox::app::App;
use crate::sandbox::body;
use crate::sandbox::caller::Caller;
use crate::sandbox::ids;
use crate::sandbox::query::QueryParams;
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::state::{StateTables, kind};

use entries::Content;
use stored::{Dictionary, Glossary, Origin};

/// Glossaries of one account.
const GLOSSARIES_MAX: usize = 1000;
/// A glossary's name, in UTF-8 bytes.
const NAME_MAX: usize = 1024;

/// This resource's routes.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/v3/glossaries", get(list).post(create))
        .route("/v3/glossaries/{glossary_id}", get(show).patch(edit).delete(delete))
        .route("/v3/glossaries/{glossary_id}/entries", get(read))
        .route("/v3/glossaries/{glossary_id}/dictionaries", put(replace).delete(delete_dictionary))
}

#[derive(Deserialize)]
struct Create {
    name: String,
    dictionaries: Vec<Content>,
}

#[derive(Deserialize)]
struct Edit {
    name: Option<String>,
    dictionaries: Option<Vec<Content>>,
}

async fn create(caller: Caller, State(app): State<App>, headers: HeaderMap, bytes: Bytes) -> Result<Response, Refusal> {
    let wanted: Create = body::json(&headers, &bytes)?;
    check_name(&wanted.name)?;
    if wanted.dictionaries.is_empty() {
        return Err(invalid("At least one dictionary is needed."));
    }
    let mut dictionaries: Vec<Dictionary> = Vec::new();
    for content in &wanted.dictionaries {
        let dictionary = content.read()?;
        if dictionaries.iter().any(|other| other.is_of(&dictionary.source_lang, &dictionary.target_lang)) {
            return Err(invalid("A language pair may have one dictionary.")
                .detail(format!("{} to {} stands twice", dictionary.source_lang, dictionary.target_lang)));
        }
        dictionaries.push(dictionary);
    }
    let glossary = Glossary { name: wanted.name, origin: Origin::V3, edited: false, dictionaries };
    let (id, created) = keep_new(&app, &caller, &glossary)?;
    let mut answer = glossary.v3(&id, created, &app);
    // Only this answer always says it (C16).
    answer["ready"] = json!(app.glossaries.is_ready(created));
    Ok(reply::created(&answer))
}

/// Keeps a new glossary, unless the account has too many; its id and moment.
pub(super) fn keep_new(app: &App, caller: &Caller, glossary: &Glossary) -> Result<(String, i64), Refusal> {
    let id = ids::uuid();
    let created = app.state.change(|store| {
        if store.list(kind::GLOSSARY)?.len() >= GLOSSARIES_MAX {
            return Err(Refusal::bad("Too many glossaries.").detail(format!("an account has {GLOSSARIES_MAX} at most")));
        }
        store.put(kind::GLOSSARY, &id, &caller.key, &glossary.body())?;
        Ok(store.get(kind::GLOSSARY, &id)?.map_or(0, |object| object.created))
    })?;
    Ok((id, created))
}

async fn list(_: Caller, State(app): State<App>) -> Result<Response, Refusal> {
    let mut glossaries = Vec::new();
    for object in app.state.list(kind::GLOSSARY)? {
        glossaries.push(Glossary::of(object.body)?.v3(&object.id, object.created, &app));
    }
    Ok(reply::ok(&json!({ "glossaries": glossaries })))
}

async fn show(_: Caller, State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (id, glossary, created) = find(&app, &id)?;
    Ok(reply::ok(&glossary.v3(&id, created, &app)))
}

async fn read(_: Caller, State(app): State<App>, Path(id): Path<String>, uri: Uri) -> Result<Response, Refusal> {
    let (source, target) = pair(&uri)?;
    let (_, glossary, _) = find(&app, &id)?;
    let dictionary = glossary.dictionary(&source, &target).ok_or_else(|| no_dictionary(&source, &target))?;
    Ok(reply::ok(&json!({ "dictionaries": [{
        "source_lang": dictionary.source_lang,
        "target_lang": dictionary.target_lang,
        "entries": dictionary.tsv(),
        "entries_format": "tsv",
    }]})))
}

async fn replace(
    _: Caller,
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, Refusal> {
    let content: Content = body::json(&headers, &bytes)?;
    let dictionary = content.read()?;
    let info = dictionary.info();
    change(&app, &id, |glossary| {
        match glossary.dictionary_mut(&dictionary.source_lang, &dictionary.target_lang) {
            Some(old) => old.entries = dictionary.entries,
            None => glossary.dictionaries.push(dictionary),
        }
        Ok(())
    })?;
    Ok(reply::ok(&info))
}

async fn edit(
    _: Caller,
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, Refusal> {
    let wanted: Edit = body::json(&headers, &bytes)?;
    if let Some(name) = &wanted.name {
        check_name(name)?;
    }
    let contents = wanted.dictionaries.unwrap_or_default();
    if contents.len() > 1 {
        return Err(invalid("An edit takes one dictionary at most."));
    }
    let dictionary = contents.first().map(Content::read).transpose()?;
    let answer = change(&app, &id, |glossary| {
        if let Some(name) = wanted.name {
            glossary.name = name;
        }
        if let Some(dictionary) = dictionary {
            match glossary.dictionary_mut(&dictionary.source_lang, &dictionary.target_lang) {
                Some(old) => old.merge(dictionary.entries)?,
                None => glossary.dictionaries.push(dictionary),
            }
        }
        Ok(())
    })?;
    Ok(reply::ok(&answer))
}

async fn delete(_: Caller, State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let id = id_of(&id)?;
    if app.state.delete(kind::GLOSSARY, &id)? { Ok(reply::empty()) } else { Err(unknown(&id)) }
}

async fn delete_dictionary(
    _: Caller,
    State(app): State<App>,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let (source, target) = pair(&uri)?;
    change(&app, &id, |glossary| {
        let before = glossary.dictionaries.len();
        glossary.dictionaries.retain(|dictionary| !dictionary.is_of(&source, &target));
        if glossary.dictionaries.len() == before { Err(no_dictionary(&source, &target)) } else { Ok(()) }
    })?;
    Ok(reply::empty())
}

/// Changes a glossary in one step; its v3 form afterwards.
fn change(app: &App, id: &str, work: impl FnOnce(&mut Glossary) -> Result<(), Refusal>) -> Result<Value, Refusal> {
    let id = id_of(id)?;
    app.state.change(|store: &StateTables| {
        let object = store.get(kind::GLOSSARY, &id)?.ok_or_else(|| unknown(&id))?;
        let mut glossary = Glossary::of(object.body)?;
        work(&mut glossary)?;
        glossary.edited = true;
        store.put(kind::GLOSSARY, &id, &object.owner, &glossary.body())?;
        Ok(glossary.v3(&id, object.created, app))
    })
}

/// A glossary by the id in the address: 400 for what is no id, 404 for an unknown one.
pub(super) fn find(app: &App, id: &str) -> Result<(String, Glossary, i64), Refusal> {
    let id = id_of(id)?;
    let object = app.state.with(|store| store.get(kind::GLOSSARY, &id))?.ok_or_else(|| unknown(&id))?;
    Ok((id, Glossary::of(object.body)?, object.created))
}

pub(super) fn id_of(id: &str) -> Result<String, Refusal> {
    if ids::is_uuid(id) {
        Ok(id.to_ascii_lowercase())
    } else {
        Err(Refusal::bad("The glossary id is not valid.").detail(format!("'{id}' is no UUID")))
    }
}

pub(super) fn unknown(id: &str) -> Refusal {
    Refusal::not_found("Glossary not found.").detail(format!("glossary_id {id}"))
}

fn no_dictionary(source: &str, target: &str) -> Refusal {
    Refusal::not_found("Dictionary not found.").detail(format!("source_lang {source}, target_lang {target}"))
}

/// 400 in the words of this resource.
pub(super) fn invalid(message: &str) -> Refusal {
    Refusal::bad(message)
}

pub(super) fn check_name(name: &str) -> Result<(), Refusal> {
    if name.trim().is_empty() {
        return Err(invalid("The glossary name is empty."));
    }
    if name.len() > NAME_MAX {
        return Err(invalid("The glossary name is too long.")
            .detail(format!("it has {} bytes, {NAME_MAX} are allowed", name.len())));
    }
    Ok(())
}

/// `source_lang` and `target_lang` of the query, both required.
fn pair(uri: &Uri) -> Result<(String, String), Refusal> {
    let pairs = QueryParams::parse(uri)?;
    let get = |key: &str| {
        pairs
            .get(key)
            .filter(|value| !value.is_empty())
            .map(str::to_ascii_lowercase)
            .ok_or_else(|| Refusal::bad(format!("Parameter '{key}' not specified.")))
    };
    Ok((get("source_lang")?, get("target_lang")?))
}
