//! `/v3/spoken-terms`: collections of terms that help voice sessions recognise speech, with one list per language.
//!
//! Input: names, and lists with one term per line. Output: collections, and the terms of a list. See docs/service.md,
//! "Spoken terms".

mod stored;
mod term_list;

pub(super) use stored::check_exists;

use axum::Router;
use axum::extract::Path;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::{get, put};
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::routes::fields::missing;
use crate::routes::json_body::JsonOrFormBody;
use crate::sessions::Sessions;

use stored::StoredSpokenTerms;
use term_list::{TermListBody, check_lang, check_lists};

/// Maximum body size in bytes. Full lists of all languages fit, even if every character is escaped.
const BODY_BYTES_MAX: usize = 1024 * 1024;

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v3/spoken-terms", get(list).post(create))
        .route("/v3/spoken-terms/{spoken_terms_id}", get(show).patch(edit).delete(delete))
        .route("/v3/spoken-terms/{spoken_terms_id}/entries", get(entries))
        .route("/v3/spoken-terms/{spoken_terms_id}/term-lists", put(replace_list).delete(delete_list))
}

#[derive(Deserialize)]
struct CreateSpokenTermsBody {
    name: String,
    term_lists: Vec<TermListBody>,
}

#[derive(Deserialize)]
struct EditSpokenTermsBody {
    name: Option<String>,
    term_lists: Option<Vec<TermListBody>>,
}

async fn create(
    caller: Caller,
    app: App,
    JsonOrFormBody(request): JsonOrFormBody<CreateSpokenTermsBody, BODY_BYTES_MAX>,
) -> Result<Response, Refusal> {
    stored::check_name(&request.name)?;
    let lists = check_lists(&request.term_lists)?;
    if lists.is_empty() {
        return Err(Refusal::bad_request("At least one term list is needed."));
    }
    let collection = StoredSpokenTerms { name: request.name, lists };
    Ok(reply::created(&stored::insert(&app, &caller, &collection)?))
}

async fn list(_: Caller, app: App) -> Result<Response, Refusal> {
    Ok(reply::ok(&json!({ "spoken_terms": stored::all(&app)? })))
}

async fn show(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    Ok(reply::ok(&stored::find(&app, &id)?.1))
}

async fn entries(_: Caller, app: App, Path(id): Path<String>, uri: Uri) -> Result<Response, Refusal> {
    let lang = lang(&uri)?;
    let (collection, _) = stored::find(&app, &id)?;
    Ok(reply::ok(&json!({ "lang": lang, "entries": collection.list(lang)?.entries() })))
}

async fn edit(
    _: Caller,
    app: App,
    Path(id): Path<String>,
    JsonOrFormBody(request): JsonOrFormBody<EditSpokenTermsBody, BODY_BYTES_MAX>,
) -> Result<Response, Refusal> {
    if let Some(name) = &request.name {
        stored::check_name(name)?;
    }
    let lists = check_lists(&request.term_lists.unwrap_or_default())?;
    let answer = stored::change(&app, &id, |collection| {
        if let Some(name) = request.name {
            collection.name = name;
        }
        lists.into_iter().try_for_each(|list| collection.merge(list))
    })?;
    Ok(reply::ok(&answer))
}

async fn delete(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    stored::delete(&app, &id)?;
    Ok(reply::no_content())
}

/// Adds the list if the collection has none for its language.
async fn replace_list(
    _: Caller,
    app: App,
    Path(id): Path<String>,
    JsonOrFormBody(request): JsonOrFormBody<TermListBody, BODY_BYTES_MAX>,
) -> Result<Response, Refusal> {
    let list = request.check()?;
    let summary = list.summary();
    stored::change(&app, &id, |collection| {
        collection.replace(list);
        Ok(())
    })?;
    Ok(reply::ok(&summary))
}

async fn delete_list(_: Caller, app: App, Path(id): Path<String>, uri: Uri) -> Result<Response, Refusal> {
    let lang = lang(&uri)?;
    stored::change(&app, &id, |collection| collection.remove(lang))?;
    Ok(reply::no_content())
}

fn lang(uri: &Uri) -> Result<&'static str, Refusal> {
    let query = QueryParams::parse(uri)?;
    check_lang(query.get("lang").filter(|value| !value.is_empty()).ok_or_else(|| missing("lang"))?)
}
