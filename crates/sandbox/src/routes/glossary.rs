//! `/v3/glossaries`: glossaries with any number of editable dictionaries. `glossary_v2` serves the same stored glossaries in the
//! older form. See docs/service.md, "Glossaries".

pub(super) mod dictionary;
pub(super) mod stored;

use axum::Router;
use axum::extract::Path;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::{get, put};
use serde::Deserialize;
use serde_json::json;

use super::fields::missing;
use super::json_body::JsonOrFormBody;
use crate::app::App;
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;
use crate::state::kind;

use self::dictionary::DictionaryBody;
use stored::{GlossaryOrigin, StoredGlossary};

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v3/glossaries", get(list).post(create))
        .route("/v3/glossaries/{glossary_id}", get(show).patch(edit).delete(delete))
        .route("/v3/glossaries/{glossary_id}/entries", get(entries))
        .route("/v3/glossaries/{glossary_id}/dictionaries", put(replace_dictionary).delete(delete_dictionary))
}

#[derive(Deserialize)]
struct CreateGlossaryBody {
    name: String,
    dictionaries: Vec<DictionaryBody>,
}

#[derive(Deserialize)]
struct EditGlossaryBody {
    name: Option<String>,
    dictionaries: Option<Vec<DictionaryBody>>,
}

async fn create(
    caller: Caller,
    app: App,
    JsonOrFormBody(request): JsonOrFormBody<CreateGlossaryBody>,
) -> Result<Response, Refusal> {
    stored::check_name(&request.name)?;
    let dictionaries = request.dictionaries.iter().map(DictionaryBody::check).collect::<Result<Vec<_>, _>>()?;
    stored::check_pairs(&dictionaries)?;
    let (glossary, id, created) = stored::insert(&app, &caller, request.name, GlossaryOrigin::V3, &dictionaries)?;
    let mut answer = glossary.v3_answer(&id, created, &app);
    // `POST` always returns `ready`; other answers omit it when it is true.
    answer["ready"] = json!(app.glossaries.is_ready(created));
    Ok(reply::created(&answer))
}

async fn list(_: Caller, app: App) -> Result<Response, Refusal> {
    let mut glossaries = Vec::new();
    for object in app.state.list(kind::GLOSSARY)? {
        glossaries.push(StoredGlossary::from_body(object.body)?.v3_answer(&object.id, object.created, &app));
    }
    Ok(reply::ok(&json!({ "glossaries": glossaries })))
}

async fn show(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (id, glossary, created) = stored::find(&app, &id)?;
    Ok(reply::ok(&glossary.v3_answer(&id, created, &app)))
}

async fn entries(_: Caller, app: App, Path(id): Path<String>, uri: Uri) -> Result<Response, Refusal> {
    let (source, target) = language_pair(&uri)?;
    let (id, glossary, _) = stored::find(&app, &id)?;
    let dictionary = glossary.dictionary(&source, &target).ok_or_else(|| unknown_dictionary(&source, &target))?;
    Ok(reply::ok(&json!({ "dictionaries": [{
        "source_lang": dictionary.source_lang,
        "target_lang": dictionary.target_lang,
        "entries": stored::entries(&app, &id, dictionary)?,
        "entries_format": "tsv",
    }]})))
}

/// Adds the dictionary if the glossary has none for its language pair.
async fn replace_dictionary(
    _: Caller,
    app: App,
    Path(id): Path<String>,
    JsonOrFormBody(request): JsonOrFormBody<DictionaryBody>,
) -> Result<Response, Refusal> {
    let dictionary = request.check()?;
    let summary = dictionary.summary();
    stored::change(&app, &id, |change| change.replace(&dictionary))?;
    Ok(reply::ok(&summary))
}

async fn edit(
    _: Caller,
    app: App,
    Path(id): Path<String>,
    JsonOrFormBody(request): JsonOrFormBody<EditGlossaryBody>,
) -> Result<Response, Refusal> {
    if let Some(name) = &request.name {
        stored::check_name(name)?;
    }
    let dictionaries = request.dictionaries.unwrap_or_default();
    if dictionaries.len() > 1 {
        return Err(Refusal::bad_request("An edit takes one dictionary at most."));
    }
    let dictionary = dictionaries.first().map(DictionaryBody::check).transpose()?;
    let answer = stored::change(&app, &id, |change| {
        if let Some(name) = request.name {
            change.glossary.name = name;
        }
        dictionary.map_or(Ok(()), |dictionary| change.merge(dictionary))
    })?;
    Ok(reply::ok(&answer))
}

async fn delete(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    stored::delete(&app, &stored::check_id(&id)?)
}

async fn delete_dictionary(_: Caller, app: App, Path(id): Path<String>, uri: Uri) -> Result<Response, Refusal> {
    let (source, target) = language_pair(&uri)?;
    stored::change(&app, &id, |change| {
        if change.remove(&source, &target)? { Ok(()) } else { Err(unknown_dictionary(&source, &target)) }
    })?;
    Ok(reply::no_content())
}

fn unknown_dictionary(source: &str, target: &str) -> Refusal {
    Refusal::not_found("Dictionary not found.").detail(format!("source_lang {source}, target_lang {target}"))
}

fn language_pair(uri: &Uri) -> Result<(String, String), Refusal> {
    let query = QueryParams::parse(uri)?;
    let code = |field: &str| {
        query.get(field).filter(|value| !value.is_empty()).map(str::to_ascii_lowercase).ok_or_else(|| missing(field))
    };
    Ok((code("source_lang")?, code("target_lang")?))
}
