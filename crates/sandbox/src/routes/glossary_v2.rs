//! `/v2/glossaries` and `/v2/glossary-language-pairs`: the older glossaries with a single, unchangeable dictionary. v2 and v3
//! share the stored glossaries, but v2 shows only those that it created. See docs/service.md, "Glossaries".

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::auth::Caller;
use crate::body::{BodyReader, FormSchema};
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;
use crate::state::kind;

use super::glossary::dictionary::{DictionaryBody, LANGUAGES};
use super::glossary::stored::{self, GlossaryOrigin, StoredGlossary};

const TSV: &str = "text/tab-separated-values";

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v2/glossaries", get(list).post(create))
        .route("/v2/glossaries/{glossary_id}", get(show).delete(delete))
        .route("/v2/glossaries/{glossary_id}/entries", get(entries))
        .route("/v2/glossary-language-pairs", get(language_pairs))
}

#[derive(Deserialize)]
struct CreateGlossaryV2Body {
    name: String,
    source_lang: String,
    target_lang: String,
    entries: String,
    entries_format: String,
}

async fn create(caller: Caller, app: App, body: BodyReader) -> Result<Response, Refusal> {
    let schema = FormSchema { lists: &[], booleans: &[], integers: &[] };
    let request: CreateGlossaryV2Body = body.json_or_form(&schema)?;
    stored::check_name(&request.name)?;
    let CreateGlossaryV2Body { name, source_lang, target_lang, entries, entries_format } = request;
    let dictionary = DictionaryBody { source_lang, target_lang, entries, entries_format }.check()?;
    let (glossary, id, created) = stored::insert(&app, &caller, name, GlossaryOrigin::V2, &[dictionary])?;
    Ok(reply::created(&glossary.v2_answer(&id, created, &app)))
}

async fn list(_: Caller, app: App) -> Result<Response, Refusal> {
    let mut glossaries = Vec::new();
    for object in app.state.list(kind::GLOSSARY)? {
        glossaries.extend(StoredGlossary::from_body(object.body)?.v2_answer(&object.id, object.created, &app));
    }
    Ok(reply::ok(&json!({ "glossaries": glossaries })))
}

async fn show(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (id, glossary, created) = stored::find(&app, &id)?;
    glossary.v2_answer(&id, created, &app).map(|shown| reply::ok(&shown)).ok_or_else(|| stored::unknown_glossary(&id))
}

async fn entries(_: Caller, app: App, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Refusal> {
    if !accepts_tsv(&headers) {
        return Err(Refusal::unsupported_content_type());
    }
    let (id, glossary, _) = stored::find(&app, &id)?;
    let dictionary = glossary.v2_dictionary().ok_or_else(|| stored::unknown_glossary(&id))?;
    let content_type = format!("{TSV}; charset=UTF-8");
    Ok((StatusCode::OK, [(header::CONTENT_TYPE, content_type)], stored::entries(&app, &id, dictionary)?)
        .into_response())
}

/// A missing header allows everything.
fn accepts_tsv(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(header::ACCEPT).iter().peekable();
    if values.peek().is_none() {
        return true;
    }
    values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(|range| {
        let range = range.split(';').next().unwrap_or_default().trim();
        [TSV, "text/*", "*/*"].iter().any(|accepted| range.eq_ignore_ascii_case(accepted))
    })
}

async fn delete(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (id, glossary, _) = stored::find(&app, &id)?;
    if glossary.origin == GlossaryOrigin::V3 {
        return Err(stored::unknown_glossary(&id));
    }
    if glossary.edited {
        return Err(Refusal::bad_request("This glossary was edited with v3 and can only be deleted with v3."));
    }
    stored::delete(&app, &id)
}

async fn language_pairs(_: Caller) -> Response {
    let pairs: Vec<_> = LANGUAGES
        .iter()
        .flat_map(|source| LANGUAGES.iter().filter(move |target| *target != source).map(move |target| (source, target)))
        .map(|(source, target)| json!({ "source_lang": source, "target_lang": target }))
        .collect();
    reply::ok(&json!({ "supported_languages": pairs }))
}
