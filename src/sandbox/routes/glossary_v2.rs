//! `/v2/glossaries` and `/v2/glossary-language-pairs`: the older glossaries of one pair, which never change.
//!
//! They stand in the same store as those of v3; v2 shows the ones it made. Spec: "Glossaries", v2.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::json;

use crate::sandbox::app::App;
use crate::sandbox::body::{self, FormSchema};
use crate::sandbox::caller::Caller;
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::state::kind;

use super::glossary::entries::{CODES, Content};
use super::glossary::stored::{Glossary, Origin};
use super::glossary::{check_name, find, keep_new, unknown};

const TSV: &str = "text/tab-separated-values";

/// This resource's routes.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/v2/glossaries", get(list).post(create))
        .route("/v2/glossaries/{glossary_id}", get(show).delete(delete))
        .route("/v2/glossaries/{glossary_id}/entries", get(read))
        .route("/v2/glossary-language-pairs", get(pairs))
}

#[derive(Deserialize)]
struct Create {
    name: String,
    source_lang: String,
    target_lang: String,
    entries: String,
    entries_format: String,
}

async fn create(caller: Caller, State(app): State<App>, headers: HeaderMap, bytes: Bytes) -> Result<Response, Refusal> {
    let shape = FormSchema { lists: &[], booleans: &[], integers: &[] };
    let wanted: Create = body::json_or_form(&headers, &bytes, &shape)?;
    check_name(&wanted.name)?;
    let Create { name, source_lang, target_lang, entries, entries_format } = wanted;
    let dictionary = Content { source_lang, target_lang, entries, entries_format }.read()?;
    let glossary = Glossary { name, origin: Origin::V2, edited: false, dictionaries: vec![dictionary] };
    let (id, created) = keep_new(&app, &caller, &glossary)?;
    Ok(reply::created(&glossary.v2(&id, created, &app)))
}

async fn list(_: Caller, State(app): State<App>) -> Result<Response, Refusal> {
    let mut glossaries = Vec::new();
    for object in app.state.list(kind::GLOSSARY)? {
        glossaries.extend(Glossary::of(object.body)?.v2(&object.id, object.created, &app));
    }
    Ok(reply::ok(&json!({ "glossaries": glossaries })))
}

async fn show(_: Caller, State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (id, glossary, created) = find(&app, &id)?;
    glossary.v2(&id, created, &app).map(|shown| reply::ok(&shown)).ok_or_else(|| unknown(&id))
}

async fn read(
    _: Caller,
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    if !takes_tsv(&headers) {
        return Err(Refusal::content_type());
    }
    let (id, glossary, _) = find(&app, &id)?;
    let dictionary = glossary.dictionaries.first().filter(|_| glossary.origin == Origin::V2);
    let dictionary = dictionary.ok_or_else(|| unknown(&id))?;
    let kind = format!("{TSV}; charset=UTF-8");
    Ok((StatusCode::OK, [(header::CONTENT_TYPE, kind)], dictionary.tsv()).into_response())
}

/// Whether `Accept` allows TSV; without the header it does.
fn takes_tsv(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(header::ACCEPT).iter().peekable();
    if values.peek().is_none() {
        return true;
    }
    values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(|range| {
        let range = range.split(';').next().unwrap_or_default().trim();
        [TSV, "text/*", "*/*"].iter().any(|fit| range.eq_ignore_ascii_case(fit))
    })
}

async fn delete(_: Caller, State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let (id, glossary, _) = find(&app, &id)?;
    if glossary.origin == Origin::V3 {
        return Err(unknown(&id));
    }
    if glossary.edited {
        return Err(Refusal::bad("This glossary was edited with v3 and can only be deleted with v3."));
    }
    if app.state.delete(kind::GLOSSARY, &id)? { Ok(reply::empty()) } else { Err(unknown(&id)) }
}

async fn pairs(_: Caller) -> Response {
    let pairs: Vec<_> = CODES
        .iter()
        .flat_map(|source| CODES.iter().filter(move |target| *target != source).map(move |target| (source, target)))
        .map(|(source, target)| json!({ "source_lang": source, "target_lang": target }))
        .collect();
    reply::ok(&json!({ "supported_languages": pairs }))
}
