//! `POST /v2/write/rephrase` and `/v2/write/correct`. Spec: "Text" (rephrase, correct); C5, C6, C42.

mod improve;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::post;
use serde::{Deserialize, Serialize};

use crate::sandbox::app::App;
use crate::sandbox::body::{self, FormSchema};
use crate::sandbox::caller::Caller;
use crate::sandbox::detect::detect;
use crate::sandbox::languages;
use crate::sandbox::markup::{MarkupSyntax, characters};
use crate::sandbox::quota::BilledProduct;
use crate::sandbox::reply::{self, Refusal};

/// The whole body, in bytes.
const BODY_MAX: usize = 10 * 1024;
const RESOURCE: &str = "write";
const STYLES: &[&str] = &["academic", "business", "casual", "simple"];
const TONES: &[&str] = &["confident", "diplomatic", "enthusiastic", "friendly"];
const FORM: FormSchema = FormSchema { lists: &["text"], booleans: &[], integers: &[] };

/// This resource's routes.
pub(super) fn routes() -> Router<App> {
    Router::new().route("/v2/write/rephrase", post(rephrase)).route("/v2/write/correct", post(correct))
}

#[derive(Deserialize)]
struct Params {
    text: Option<Texts>,
    target_lang: Option<String>,
    writing_style: Option<String>,
    tone: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Many(Vec<String>),
}

#[derive(Serialize)]
struct Answer {
    improvements: Vec<Improvement>,
}

#[derive(Serialize)]
struct Improvement {
    text: String,
    target_language: String,
    detected_source_language: String,
}

async fn rephrase(
    caller: Caller,
    State(app): State<App>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let params = read(&uri, &headers, &body)?;
    if params.writing_style.is_some() && params.tone.is_some() {
        return Err(Refusal::bad("Only one of 'writing_style' and 'tone' may be given."));
    }
    let feature = params.writing_style.as_ref().map(|value| ("writing_style", STYLES, value.clone()));
    let feature = feature.or_else(|| params.tone.as_ref().map(|value| ("tone", TONES, value.clone())));
    answer(
        &app,
        &caller,
        params,
        |target| match &feature {
            Some((name, values, value)) => supported(name, values, value, target),
            None => Ok(()),
        },
        improve::rephrase,
    )
}

async fn correct(
    caller: Caller,
    State(app): State<App>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let params = read(&uri, &headers, &body)?;
    for (name, value) in [("writing_style", &params.writing_style), ("tone", &params.tone)] {
        if value.is_some() {
            return Err(Refusal::bad(format!("Parameter '{name}' is not supported here.")));
        }
    }
    answer(&app, &caller, params, |_| Ok(()), improve::correct)
}

fn read(uri: &Uri, headers: &HeaderMap, body: &[u8]) -> Result<Params, Refusal> {
    if uri.query().is_some_and(|query| !query.is_empty()) {
        return Err(Refusal::bad("Parameters in the query are not supported. Send them in the body."));
    }
    if body.len() > BODY_MAX {
        return Err(Refusal::too_large(BODY_MAX));
    }
    body::json_or_form(headers, body, &FORM)
}

/// Everything after reading: synchronous, since it counts into the state.
fn answer(
    app: &App,
    caller: &Caller,
    params: Params,
    check: impl Fn(&str) -> Result<(), Refusal>,
    improve: fn(&str, &str) -> String,
) -> Result<Response, Refusal> {
    let texts = match params.text.ok_or_else(|| Refusal::bad("Parameter 'text' not specified."))? {
        Texts::One(text) => vec![text],
        Texts::Many(texts) => texts,
    };
    if texts.is_empty() {
        return Err(Refusal::bad("Parameter 'text' must not be empty."));
    }
    let target = params.target_lang.filter(|code| !code.is_empty());
    let target = target
        .map(|code| {
            languages::target(RESOURCE, &code)
                .map(|(language, _)| language.lang)
                .ok_or_else(|| Refusal::bad("Value for 'target_lang' not supported."))
        })
        .transpose()?;
    let mut rows = Vec::with_capacity(texts.len());
    for text in &texts {
        let detected = detect(text).to_ascii_lowercase();
        let wanted = target.map_or_else(|| detected.clone(), str::to_owned);
        check(&wanted)?;
        rows.push((detected, wanted));
    }
    let count = texts.iter().map(|text| characters(text, MarkupSyntax::None)).sum();
    app.quota.charge(caller, BilledProduct::Write, count, None)?;
    let improvements = texts.iter().zip(rows).map(|(text, (detected, wanted))| Improvement {
        text: improved(app, text, &detected, &wanted, improve),
        target_language: wanted,
        detected_source_language: languages::base(&detected).to_owned(),
    });
    Ok(reply::ok(&Answer { improvements: improvements.collect() }))
}

fn improved(app: &App, text: &str, detected: &str, wanted: &str, improve: fn(&str, &str) -> String) -> String {
    use crate::sandbox::engine::Engine;
    if let Some(found) = app.phrases.find(text, Some(detected), wanted) {
        return found.text.to_owned();
    }
    match app.options.engine {
        Engine::Echo => text.to_owned(),
        Engine::Upper => text.to_uppercase(),
        Engine::Pseudo => improve(text, wanted),
    }
}

/// Refuses a value nobody knows, and one that the language does not have; `default` and `prefer_` go everywhere.
fn supported(name: &str, values: &[&str], value: &str, target: &str) -> Result<(), Refusal> {
    if value == "default" {
        return Ok(());
    }
    let bare = value.strip_prefix("prefer_");
    if !values.contains(&bare.unwrap_or(value)) {
        return Err(Refusal::bad(format!("Value for '{name}' not supported.")));
    }
    // `en` and `pt` stand for a variant that has it.
    let has = languages::all()
        .iter()
        .filter(|language| languages::same_base(language.lang, target))
        .filter(|language| !target.contains('-') || language.lang.eq_ignore_ascii_case(target))
        .any(|language| language.on(RESOURCE).is_some_and(|support| support.has(name)));
    if has || bare.is_some() {
        return Ok(());
    }
    Err(Refusal::bad(format!("'{name}' is not supported for the target language '{target}'.")))
}
